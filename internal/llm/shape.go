package llm

import (
	"encoding/json"
	"slices"
)

// shape is a schema that is made of the usual keywords only, so that whether a
// document satisfies it can be told in one pass over its bytes. The general
// validator took a twenty-fifth of a turn's processor time.
type shape struct {
	types      []string // what a value may be; nil for anything
	enum       []string // what a text may be; nil for any
	properties map[string]*shape
	required   []string
	closed     bool   // no other properties
	items      *shape // nil for any
	anyOf      []*shape
}

// schemaWords are the keywords a shape knows. Others, or other forms of these, are
// the general validator's.
type schemaWords struct {
	Type       json.RawMessage            `json:"type"`
	Enum       []string                   `json:"enum"`
	Properties map[string]json.RawMessage `json:"properties"`
	Required   []string                   `json:"required"`
	Additional *bool                      `json:"additionalProperties"`
	Items      json.RawMessage            `json:"items"`
	AnyOf      []json.RawMessage          `json:"anyOf"`
}

// newShape returns the shape of a schema; nil when it has a keyword that no shape
// knows.
func newShape(schema json.RawMessage) *shape {
	var w schemaWords
	var names map[string]json.RawMessage
	if json.Unmarshal(schema, &names) != nil || json.Unmarshal(schema, &w) != nil {
		return nil
	}
	for name, value := range names {
		if string(value) == "null" || !slices.Contains([]string{"type", "enum", "properties", "required", "additionalProperties", "items", "anyOf"}, name) {
			return nil
		}
	}
	s := &shape{types: typesOf(w.Type), enum: w.Enum, required: w.Required, closed: w.Additional != nil && !*w.Additional, properties: map[string]*shape{}}
	ok := true
	of := func(schema json.RawMessage) *shape {
		part := newShape(schema)
		ok = ok && part != nil
		return part
	}
	for name, schema := range w.Properties {
		s.properties[name] = of(schema)
	}
	if w.Items != nil {
		s.items = of(w.Items)
	}
	for _, schema := range w.AnyOf {
		s.anyOf = append(s.anyOf, of(schema))
	}
	if !ok {
		return nil
	}
	return s
}

// typesOf reads the keyword type, which is a name or a list of them; nil when it is
// not there.
func typesOf(raw json.RawMessage) []string {
	var list []string
	if raw == nil || json.Unmarshal(raw, &list) == nil {
		return list
	}
	var one string
	_ = json.Unmarshal(raw, &one) // a schema that compiled has nothing else there
	return []string{one}
}

// fits reports whether doc satisfies s for sure. False means that it may not, or
// that it is written in a way that only the general validator reads, such as with
// escapes in names.
func (s *shape) fits(doc []byte) bool {
	if s == nil {
		return false
	}
	c := cursor{b: doc}
	c.space()
	ok := s.value(&c, 0)
	c.space()
	return ok && !c.bad && c.i == len(doc)
}

// value moves past the next value and reports whether it fits.
func (s *shape) value(c *cursor, depth int) bool {
	if depth > maxDepth {
		return false
	}
	if len(s.anyOf) > 0 && !s.any(c, depth) {
		return false
	}
	switch b := c.peek(); b {
	case '{':
		return s.may("object") && s.object(c, depth)
	case '[':
		return s.may("array") && s.array(c, depth)
	case '"':
		return s.may("string") && s.text(c)
	case 't', 'f':
		c.skip(depth)
		return s.may("boolean") && s.enum == nil
	case 'n':
		return c.null() && s.may("null") && s.enum == nil
	}
	start := c.i
	c.number()
	return s.enum == nil && (s.may("number") || s.may("integer") && !slices.ContainsFunc(c.b[start:c.i], func(b byte) bool { return b == '.' || b == 'e' || b == 'E' }))
}

// may reports whether a value may be of a type.
func (s *shape) may(be string) bool { return s.types == nil || slices.Contains(s.types, be) }

// any reports whether the value at c fits one of s.anyOf, and stays before it.
func (s *shape) any(c *cursor, depth int) bool {
	return slices.ContainsFunc(s.anyOf, func(one *shape) bool {
		try := *c
		return one.value(&try, depth+1) && !try.bad
	})
}

// text moves past a text.
func (s *shape) text(c *cursor) bool {
	raw, plain := c.text()
	if s.enum == nil || c.bad {
		return !c.bad
	}
	return plain && slices.Contains(s.enum, string(raw[1:len(raw)-1]))
}

// array moves past a list.
func (s *shape) array(c *cursor, depth int) bool {
	for more := c.open('[', ']'); more; more = c.next(']') {
		if s.items == nil {
			c.skip(depth + 1)
		} else if !s.items.value(c, depth+1) {
			return false
		}
	}
	return !c.bad && s.enum == nil
}

// object moves past an object. Names are compared as they are written, so one with
// an escape is unknown.
func (s *shape) object(c *cursor, depth int) bool {
	there := 0
	for more := c.open('{', '}'); more; more = c.next('}') {
		name := c.key()
		if slices.Contains(name, '\\') {
			return false
		}
		part := s.properties[string(name)]
		switch {
		case part != nil && !part.value(c, depth+1), part == nil && s.closed:
			return false
		case part == nil:
			c.skip(depth + 1)
		}
		if at := slices.Index(s.required, string(name)); at >= 0 && at < 64 {
			there |= 1 << at
		}
	}
	return !c.bad && s.enum == nil && len(s.required) < 64 && there == 1<<len(s.required)-1
}
