package objectives

import (
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/obligations"
)

// Instance returns what a session found out as JSON that is valid under the
// schema its objective was made from, see [FromSchema]. Values are matched by
// field path, so questions may have been reworded since. It is Unprocessable
// when the objective was not made from a schema, and a Conflict, naming the
// places, when what the schema requires is not known or a value does not fit.
func Instance(d *Definition, list []obligations.Obligation) ([]byte, error) {
	if len(d.Schema) == 0 {
		return nil, fault.New(fault.Unprocessable, "the objective %s was not made from a JSON Schema; export json instead", d.ContextType).At("format").Coded("no_schema")
	}
	w, err := readSchema(d.Schema)
	if err != nil {
		return nil, err
	}
	root := w.object(w.doc, "#", 0)
	if len(w.faults) > 0 {
		return nil, w.faults
	}
	b := instanceBuilder{known: map[string]*obligations.Obligation{}}
	for i := range list {
		if o := &list[i]; o.Founded() {
			b.known[o.FieldPath] = o
		}
	}
	out, _ := b.object(root, "", "")
	if wrong := append(b.misfits, b.missing...); len(wrong) > 0 {
		return nil, fault.New(fault.Conflict, "the result does not fit the schema yet: %s", strings.Join(wrong, "; ")).Coded("instance_incomplete")
	}
	body, err := json.MarshalIndent(out, "", "  ")
	return append(body, '\n'), fault.Wrap(err, "encode instance")
}

// instanceBuilder builds an instance and collects what prevents it.
type instanceBuilder struct {
	known   map[string]*obligations.Obligation // by field path
	missing []string                           // what is required and not known
	misfits []string                           // values that the schema does not allow
}

// object builds an object and reports whether anything in it was learnt.
func (b *instanceBuilder) object(n *schemaNode, path, at string) (map[string]any, bool) {
	out := map[string]any{}
	var learnt bool
	for _, name := range n.names {
		child, here := n.children[name], strings.TrimPrefix(path+"."+n.segments[name], ".")
		where := strings.TrimPrefix(at+"."+name, ".")
		switch {
		case child.kind == "object":
			before := len(b.missing)
			sub, some := b.object(child, here, where)
			if some || n.required[name] {
				out[name] = sub
				learnt = learnt || some
			} else {
				b.missing = b.missing[:before] // what an object requires that is not there does not matter
			}
		case len(child.enum) == 1:
			out[name] = child.enum[0]
		default:
			v, ok := b.value(child, b.known[here], where)
			if ok {
				out[name], learnt = v, true
			} else if n.required[name] && b.known[here] == nil {
				b.missing = append(b.missing, where+" is not known")
			}
		}
	}
	return out, learnt
}

// value returns an obligation's value as the schema writes it.
func (b *instanceBuilder) value(n *schemaNode, o *obligations.Obligation, where string) (json.RawMessage, bool) {
	if o == nil {
		return nil, false
	}
	v := wire(n, o.Value)
	if why := conform(n, v); why != "" {
		b.misfits = append(b.misfits, where+" "+why)
		return nil, false
	}
	return v, true
}

// wire turns stored choices back into the schema's values.
func wire(n *schemaNode, v json.RawMessage) json.RawMessage {
	var s string
	var list []string
	switch {
	case n.kind == "array" && json.Unmarshal(v, &list) == nil:
		parts := make([]string, len(list))
		for i, word := range list {
			parts[i] = string(enumValue(n.items, word))
		}
		return json.RawMessage("[" + strings.Join(parts, ",") + "]")
	case json.Unmarshal(v, &s) != nil:
		return v
	case n.enum != nil:
		return enumValue(n, s)
	case n.kind == "boolean" && (s == "true" || s == "false"):
		return json.RawMessage(s)
	}
	return v
}

// enumValue is the schema's value for a stored choice, or the choice as a text.
func enumValue(n *schemaNode, word string) json.RawMessage {
	i := slices.IndexFunc(n.enum, func(v json.RawMessage) bool { return choiceValue(v) == word })
	if i >= 0 {
		return n.enum[i]
	}
	out, err := json.Marshal(word)
	if err != nil { // a string can be marshalled
		return json.RawMessage("null")
	}
	return out
}

// ofKind reports whether v is of that JSON Schema type.
func ofKind(kind string, v json.RawMessage) bool {
	var held any
	if json.Unmarshal(v, &held) != nil {
		return false
	}
	switch x := held.(type) {
	case string:
		return kind == "string"
	case bool:
		return kind == "boolean"
	case float64:
		return kind == "number" || kind == "integer" && big.NewFloat(x).IsInt()
	case []any:
		return kind == "array"
	}
	return false
}

// conform words why v does not fit the schema; empty when it does.
func conform(n *schemaNode, v json.RawMessage) string {
	if n.kind != "" && !ofKind(n.kind, v) {
		return "must be " + article(n.kind) + ", not " + language.Short(string(v))
	}
	if n.enum != nil && !slices.ContainsFunc(n.enum, func(o json.RawMessage) bool { return obligations.SameValue(o, v) }) {
		return "is not one of what the schema allows: " + language.Short(string(v))
	}
	var x any
	_ = json.Unmarshal(v, &x) // checked by ofKind, or equal to what is in the schema
	switch x := x.(type) {
	case string:
		return conformText(n, x)
	case float64:
		return outside(n, json.Number(strings.TrimSpace(string(v))), "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
	case []any:
		return conformList(n, v, len(x))
	}
	return ""
}

// conformText words why a text does not fit; empty when it does.
func conformText(n *schemaNode, s string) string {
	if why := outside(n, json.Number(fmt.Sprint(utf8.RuneCountInString(s))), "minLength", "maxLength", "", ""); why != "" {
		return "has a length that " + why
	}
	if p, ok := n.raw["pattern"].(string); ok {
		if re, err := regexp.Compile(p); err != nil || !re.MatchString(s) {
			return "does not match the pattern " + p
		}
	}
	if f, _ := n.raw["format"].(string); f == "date" && n.enum == nil && !wholeDate.MatchString(s) {
		return "must be a whole date such as 2026-03-31, not " + language.Short(s)
	}
	return ""
}

var wholeDate = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)

// conformList words why a list does not fit; empty when it does.
func conformList(n *schemaNode, v json.RawMessage, size int) string {
	var items []json.RawMessage
	_ = json.Unmarshal(v, &items) // it is a list
	for _, item := range items {
		if why := conform(n.items, item); why != "" {
			return "has an item that " + why
		}
	}
	if why := outside(n, json.Number(fmt.Sprint(size)), "minItems", "maxItems", "", ""); why != "" {
		return "has a number of items that " + why
	}
	return ""
}

// outside words which of four bounds a number breaks; empty when it breaks none.
func outside(n *schemaNode, v json.Number, least, most, above, below string) string {
	x, ok := rational(v)
	if !ok {
		return "is not a number of ordinary size"
	}
	for _, b := range []struct {
		name, words string
		broken      func(int) bool
	}{
		{least, "must be at least", func(c int) bool { return c < 0 }},
		{most, "must be at most", func(c int) bool { return c > 0 }},
		{above, "must be above", func(c int) bool { return c <= 0 }},
		{below, "must be below", func(c int) bool { return c >= 0 }},
	} {
		limit, there := n.raw[b.name]
		if y, ok := rational(limit); there && ok && b.broken(x.Cmp(y)) {
			return fmt.Sprintf("%s %v, not %s", b.words, limit, v)
		}
	}
	return ""
}
