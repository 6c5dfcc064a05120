package objectives

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"quaestor/internal/language"
)

// object reads the node of an object and those below it.
func (w *schemaWalk) object(raw map[string]any, path string, depth int) *schemaNode {
	n := w.node(raw, path, depth)
	if n != nil && n.kind != "object" {
		w.refuse(path, "an interview fills an object; this is %s", article(n.kind))
	}
	return n
}

// article returns a kind with its article.
func article(kind string) string {
	if kind == "" {
		return "anything"
	}
	if strings.ContainsRune("aeiou", rune(kind[0])) {
		return "an " + kind
	}
	return "a " + kind
}

// unasked are keywords that an interview cannot guarantee.
var unasked = []string{"not", "if", "then", "else", "anyOf", "dependentSchemas", "dependentRequired", "dependencies", "patternProperties", "propertyNames",
	"prefixItems", "contains", "minContains", "maxContains", "multipleOf", "minProperties", "maxProperties", "unevaluatedItems", "additionalItems", "$dynamicRef", "$recursiveRef"}

// node reads a schema; nil when it is refused.
func (w *schemaWalk) node(raw map[string]any, path string, depth int) *schemaNode {
	if depth > maxSchemaDepth {
		w.refuse(path, "the schema refers to itself, or goes deeper than %d; an interview needs an end", maxSchemaDepth)
		return nil
	}
	if at, ok := raw[pathKey].(string); ok && at != "" {
		path = at
	}
	n := &schemaNode{path: path, raw: w.flat(raw, path, depth)}
	if len(w.faults) > 50 {
		return nil
	}
	for _, name := range unasked {
		if _, there := n.raw[name]; there {
			w.refuse(path+"/"+name, "an interview cannot make sure of %s; say it with type, enum, required and bounds", name)
			return nil
		}
	}
	n.title, _ = n.raw["title"].(string)
	n.description, _ = n.raw["description"].(string)
	if !w.allowed(n) || !w.typed(n) {
		return nil
	}
	w.remark(n)
	switch n.kind {
	case "object":
		w.properties(n, depth)
	case "array":
		w.list(n, depth)
	}
	return n
}

// allowed reads enum, const and a oneOf of consts.
func (w *schemaWalk) allowed(n *schemaNode) bool {
	list, there := n.raw["enum"]
	values, ok := list.([]any)
	if there && (!ok || len(values) == 0) {
		w.refuse(n.path+"/enum", "allows nothing")
		return false
	}
	if v, there := n.raw["const"]; there {
		if ok && !slices.ContainsFunc(values, func(o any) bool { return equalJSON(o, v) }) {
			w.refuse(n.path+"/const", "is not among the enum")
			return false
		}
		values, ok = []any{v}, true
	}
	if one, there := n.raw["oneOf"]; there {
		if ok {
			w.refuse(n.path+"/oneOf", "stands beside an enum; keep one of them")
			return false
		}
		if values, ok = w.oneOf(n, one); !ok {
			return false
		}
	}
	for i, v := range values {
		if v == nil {
			continue // nothing is said by leaving it out
		}
		body, err := json.Marshal(v)
		_, isText := v.(string)
		_, isNumber := v.(json.Number)
		_, isBool := v.(bool)
		if err != nil || !isText && !isNumber && !isBool {
			w.refuse(fmt.Sprintf("%s/enum/%d", n.path, i), "a choice is a text, a number or a truth value")
			return false
		}
		if len(n.labels) < len(n.enum)+1 {
			n.labels = append(n.labels, "")
		}
		n.enum = append(n.enum, body)
	}
	return true
}

// oneOf reads alternatives that each fix one value.
func (w *schemaWalk) oneOf(n *schemaNode, v any) (values []any, ok bool) {
	list, isList := v.([]any)
	for _, item := range list {
		fields, _ := item.(map[string]any)
		value, fixed := fields["const"]
		if !fixed {
			isList = false
			break
		}
		for name := range fields {
			if !slices.Contains([]string{"const", "title", "description", "$comment", "type"}, name) {
				isList = false
			}
		}
		if value == nil {
			continue
		}
		label, _ := fields["title"].(string)
		values, n.labels = append(values, value), append(n.labels, label)
	}
	if !isList || len(values) == 0 {
		w.refuse(n.path+"/oneOf", "only alternatives that each have a const, and a title, can be offered as choices")
		return nil, false
	}
	return values, true
}

// typed determines what the node holds.
func (w *schemaWalk) typed(n *schemaNode) bool {
	_, said := n.raw["type"]
	kinds := slices.DeleteFunc(types(n.raw["type"]), func(k string) bool { return k == "null" })
	_, props := n.raw["properties"]
	_, items := n.raw["items"]
	switch {
	case len(kinds) == 1:
		n.kind = kinds[0]
	case len(kinds) > 1 && n.enum == nil:
		w.refuse(n.path+"/type", "may be %s; an answer has one type, so keep one", strings.Join(kinds, " or "))
		return false
	case said && len(kinds) == 0:
		w.refuse(n.path+"/type", "holds nothing that could be asked for")
		return false
	case len(kinds) == 0 && props:
		n.kind = "object"
	case len(kinds) == 0 && items:
		n.kind = "array"
	case len(kinds) == 0 && n.enum == nil:
		n.kind = "string"
		w.note(n.path, "has no type; a text is asked for")
	}
	if !slices.Contains([]string{"", "object", "array", "string", "integer", "number", "boolean"}, n.kind) {
		w.refuse(n.path+"/type", "%q is no type", n.kind)
		return false
	}
	return w.choosable(n)
}

// choosable drops choices that the type does not allow.
func (w *schemaWalk) choosable(n *schemaNode) bool {
	if n.enum == nil {
		return true
	}
	if n.kind == "object" || n.kind == "array" {
		w.refuse(n.path+"/enum", "choices of whole %ss cannot be offered", n.kind)
		return false
	}
	var kept []json.RawMessage
	var labels []string
	seen := map[string]bool{}
	for i, v := range n.enum {
		if n.kind != "" && !ofKind(n.kind, v) || conform(n, v) != "" {
			continue
		}
		word := choiceValue(v)
		if strings.TrimSpace(word) == "" || seen[word] || strings.ContainsAny(word, "\x00\uFFFD") {
			w.refuse(n.path+"/enum", "the choice %s is empty, stands twice, or reads like another", v)
			return false
		}
		seen[word] = true
		kept, labels = append(kept, v), append(labels, n.labels[i])
	}
	if n.enum, n.labels = kept, labels; len(kept) == 0 {
		w.refuse(n.path+"/enum", "allows nothing")
		return false
	}
	return true
}

// choiceValue is an enum's value as an obligation stores it: a text as it is,
// anything else as it is written in JSON.
func choiceValue(v json.RawMessage) string {
	var s string
	if json.Unmarshal(v, &s) == nil {
		return s
	}
	return string(v)
}

// remark notes the keywords that are left out.
func (w *schemaWalk) remark(n *schemaNode) {
	if _, there := n.raw["default"]; there {
		w.note(n.path+"/default", "is not used: what nobody said is not known")
	}
	if _, there := n.raw["contentEncoding"]; there {
		w.note(n.path+"/contentEncoding", "is not checked")
	}
	if v, there := n.raw["pattern"]; there {
		s, ok := v.(string)
		if _, err := regexp.Compile(s); !ok || err != nil || len(s) > 1000 {
			w.refuse(n.path+"/pattern", "cannot be read as a pattern here")
			return
		}
		w.note(n.path+"/pattern", "is checked when the result is exported, not while asking")
	}
	if f, _ := n.raw["format"].(string); f != "" && f != "date" && formats[strings.ToLower(f)] == "" {
		w.note(n.path+"/format", "%q is not checked", language.Short(f))
	}
	for _, name := range []string{"additionalProperties", "unevaluatedProperties"} {
		if _, isSchema := n.raw[name].(map[string]any); isSchema {
			w.note(n.path+"/"+name, "is left aside: only named properties are asked for")
		}
	}
	for _, name := range []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems"} {
		if v, there := n.raw[name]; there {
			if _, ok := v.(json.Number); !ok {
				w.refuse(n.path+"/"+name, "must be a number")
			}
		}
	}
}

// properties reads the nodes of an object's properties.
func (w *schemaWalk) properties(n *schemaNode, depth int) {
	props, _ := n.raw["properties"].(map[string]any)
	n.children, n.segments, n.required = map[string]*schemaNode{}, segments(slices.Sorted(maps.Keys(props))), map[string]bool{}
	list, _ := n.raw["required"].([]any)
	for _, item := range list {
		name, _ := item.(string)
		if _, there := props[name]; !there {
			w.refuse(n.path+"/required", "%q is required and has no schema under properties", language.Short(name))
		}
		n.required[name] = true
	}
	order, _ := n.raw[orderKey].([]any)
	for _, item := range append(order, anyList(slices.Sorted(maps.Keys(props)))...) {
		name, _ := item.(string)
		sub, ok := props[name].(map[string]any)
		if !ok || slices.Contains(n.names, name) {
			continue
		}
		n.names = append(n.names, name)
		if child := w.node(sub, n.path+"/properties/"+escapePointer(name), depth+1); child != nil {
			n.children[name] = child
		}
	}
}

// list reads an array. Only a choice of some of a set can be asked for.
func (w *schemaWalk) list(n *schemaNode, depth int) {
	sub, ok := n.raw["items"].(map[string]any)
	if ok {
		n.items = w.node(sub, n.path+"/items", depth+1)
	}
	if n.items != nil && len(n.items.enum) < 2 || !ok {
		w.refuse(n.path+"/items", "a list can be asked for when its items have an enum of two or more; else ask for a text")
		n.items = nil
	}
}
