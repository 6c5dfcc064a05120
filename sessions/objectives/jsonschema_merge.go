package objectives

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"quaestor/obligations"
)

// flat returns the keywords of a schema merged with its reference and its allOf, and the
// order of its properties.
func (w *schemaWalk) flat(raw map[string]any, path string, depth int) map[string]any {
	out := map[string]any{orderKey: []any{}}
	if w.refs++; depth > maxSchemaDepth || w.refs > maxSchemaRefs {
		w.refuse(path, "the schema refers to itself, or goes deeper than %d; an interview needs an end", maxSchemaDepth)
		return out
	}
	own := maps.Clone(raw)
	delete(own, "$ref")
	delete(own, "allOf")
	own[orderKey] = anyList(w.places[path+"/properties"])
	w.into(out, w.rooted(own, path), path)
	if ref, there := raw["$ref"]; there {
		if target, at, ok := w.resolve(ref); ok {
			w.into(out, w.flat(target, at, depth+1), path+"/$ref")
		} else {
			w.refuse(path+"/$ref", "%v names nothing in this document; only references within it can be followed", ref)
		}
	}
	parts, isList := raw["allOf"].([]any)
	if _, there := raw["allOf"]; there && !isList {
		w.refuse(path+"/allOf", "must be a list of schemas")
	}
	for i, part := range parts {
		at := fmt.Sprintf("%s/allOf/%d", path, i)
		if sub, ok := part.(map[string]any); ok {
			w.into(out, w.flat(sub, at, depth+1), at)
		} else if part != true {
			w.refuse(at, "must be a schema")
		}
	}
	return out
}

// orderKey is where flat keeps the order of properties; no keyword is named so.
const orderKey = "\x00order"

// pathKey is where a property keeps its pointer.
const pathKey = "\x00path"

// rooted adds its pointer to each property, which merging would lose.
func (w *schemaWalk) rooted(own map[string]any, path string) map[string]any {
	props, ok := own["properties"].(map[string]any)
	if !ok {
		return own
	}
	marked := map[string]any{}
	for name, p := range props {
		at := path + "/properties/" + escapePointer(name)
		switch p := p.(type) {
		case map[string]any:
			p = maps.Clone(p)
			p[pathKey] = at
			marked[name] = p
		case bool:
			marked[name] = map[string]any{pathKey: at, "not": map[string]any{}}
			if p {
				marked[name] = map[string]any{pathKey: at}
			}
		default:
			w.refuse(at, "must be a schema")
		}
	}
	own["properties"] = marked
	return own
}

// resolve finds the target of a reference within the document.
func (w *schemaWalk) resolve(ref any) (map[string]any, string, bool) {
	s, ok := ref.(string)
	if !ok || s != "#" && !strings.HasPrefix(s, "#/") {
		return nil, "", false
	}
	var at any = w.doc
	for _, part := range strings.Split(s, "/")[1:] {
		part = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
		fields, ok := at.(map[string]any)
		if !ok {
			return nil, "", false
		}
		at = fields[part]
	}
	out, ok := at.(map[string]any)
	return out, s, ok
}

// into adds the keywords of a schema to those of another that must hold as well.
func (w *schemaWalk) into(out, more map[string]any, path string) {
	for _, name := range slices.Sorted(maps.Keys(more)) {
		v := more[name]
		held, there := out[name]
		if !there || equalJSON(held, v) {
			out[name] = v
			continue
		}
		both, ok := combine(name, held, v)
		if !ok {
			w.refuse(path+"/"+name, "this must hold together with another %s, and an interview cannot ask for both", name)
			continue
		}
		out[name] = both
	}
}

// combine returns the keyword that holds when both do; false when none can.
func combine(name string, a, b any) (any, bool) {
	switch name {
	case "title", "description", "$comment", "default", "$id", "$schema", "$defs", "definitions", "examples", pathKey, "x-prompt", "x-priority", "x-expertise", "x-depends-on", "x-value-type", "x-cues":
		return a, true // the nearer one
	case "properties":
		x, _ := a.(map[string]any)
		y, ok := b.(map[string]any)
		return bothProperties(x, y), ok
	case "required", orderKey:
		x, _ := a.([]any)
		y, ok := b.([]any)
		return union(x, y), ok
	case "minimum", "exclusiveMinimum", "minLength", "minItems":
		return bound(a, b, 1)
	case "maximum", "exclusiveMaximum", "maxLength", "maxItems":
		return bound(a, b, -1)
	case "enum":
		x, _ := a.([]any)
		y, ok := b.([]any)
		return slices.DeleteFunc(slices.Clone(x), func(v any) bool { return !slices.ContainsFunc(y, func(o any) bool { return equalJSON(v, o) }) }), ok
	case "type":
		return narrower(a, b)
	case "additionalProperties", "unevaluatedProperties", "uniqueItems", "readOnly", "writeOnly", "deprecated":
		return b, true
	}
	return nil, false
}

// bothProperties returns the properties of both; a property of both must satisfy both.
func bothProperties(x, y map[string]any) map[string]any {
	out := maps.Clone(x)
	for name, p := range y {
		held, there := out[name]
		if !there {
			out[name] = p
			continue
		}
		at := any("")
		if fields, ok := held.(map[string]any); ok {
			at = fields[pathKey]
		}
		out[name] = map[string]any{pathKey: at, "allOf": []any{held, p}}
	}
	return out
}

// union returns the values of both lists, each once.
func union(x, y []any) []any {
	out := slices.Clone(x)
	for _, v := range y {
		if !slices.ContainsFunc(out, func(o any) bool { return equalJSON(o, v) }) {
			out = append(out, v)
		}
	}
	return out
}

// bound returns the stricter of two bounds: the greater for sign 1.
func bound(a, b any, sign int) (any, bool) {
	x, xok := rational(a)
	y, yok := rational(b)
	if !xok || !yok {
		return nil, false
	}
	if x.Cmp(y)*sign >= 0 {
		return a, true
	}
	return b, true
}

// narrower returns the type that both allow; false when there is none.
func narrower(a, b any) (any, bool) {
	var both []any
	for _, x := range types(a) {
		for _, y := range types(b) {
			switch {
			case x == y, x == "integer" && y == "number":
				both = append(both, x)
			case x == "number" && y == "integer":
				both = append(both, y)
			}
		}
	}
	return both, len(both) > 0
}

// types lists the types of a keyword, which is a name or a list.
func types(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		var out []string
		for _, item := range v {
			if s, ok := item.(string); ok {
				out = append(out, s)
			}
		}
		return out
	}
	return nil
}

// equalJSON reports whether two JSON values are equal; numbers compare by value.
func equalJSON(a, b any) bool {
	x, xerr := json.Marshal(a)
	y, yerr := json.Marshal(b)
	return xerr == nil && yerr == nil && obligations.SameValue(x, y)
}

// maxNumberText bounds the text of a schema's numbers: comparing 1e999999999 exactly
// would take all memory.
const maxNumberText = 30

// rational returns a number exactly; false when it is none or too long.
func rational(v any) (*big.Rat, bool) {
	n, ok := v.(json.Number)
	if !ok || len(n) > maxNumberText {
		return nil, false
	}
	if f, err := n.Float64(); err != nil || f > 1e300 || f < -1e300 {
		return nil, false
	}
	if i := strings.IndexAny(string(n), "eE"); i >= 0 && len(n)-i > 4 {
		return nil, false
	}
	return new(big.Rat).SetString(string(n))
}
