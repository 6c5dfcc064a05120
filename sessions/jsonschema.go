package sessions

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"quaestor/internal/fault"
	"quaestor/obligations"
)

// SchemaNote is something of a JSON Schema that an interview does not express
// and does not have to.
type SchemaNote struct {
	Path    string `json:"path"` // JSON pointer into the schema, such as #/properties/price
	Message string `json:"message"`
}

// SchemaOptions say what a schema does not.
type SchemaOptions struct {
	ContextType string // empty takes x-context-type, or makes one of the title
	Version     string // empty means x-version, or 1.0.0
}

// Bounds of a schema.
const (
	maxSchemaDepth = 12
	maxSchemaRefs  = 2000 // $ref and allOf followed
)

// FromSchema makes an objective of a JSON Schema 2020-12 whose instances are
// objects: an obligation for each property that holds a text, a number, a truth
// value, a date, or some of a list. See docs/objectives.md for the keywords. What
// cannot be asked for is refused, with its place, all of it at once; what need
// not be is noted. The objective keeps the schema: [Instance] answers it.
func FromSchema(data []byte, o SchemaOptions) (Definition, []SchemaNote, error) {
	var d Definition
	w, err := readSchema(data)
	if err != nil {
		return d, nil, err
	}
	w.ordinary("#", w.doc)
	root := w.object(w.doc, "#", 0)
	if len(w.faults) > 0 {
		return d, nil, w.faults
	}
	kept, err := json.Marshal(w.doc)
	if err != nil {
		return d, nil, fmt.Errorf("encode schema: %w", err)
	}
	leaves := w.leaves(root)
	if len(leaves) == 0 {
		return d, nil, Faults{misplaced("#/properties", "the schema has no property that can be asked for")}
	}
	d = Definition{ContextType: o.ContextType, Version: o.Version, DisplayName: root.title, Description: root.description, Schema: kept}
	w.name(&d, root)
	w.fill(&d, leaves)
	if len(w.faults) > 0 {
		return d, nil, w.faults
	}
	d.normalize()
	return d, w.notes, d.Validate()
}

// schemaNode is one place of a schema, references followed and allOf merged.
type schemaNode struct {
	path        string // JSON pointer
	title       string
	description string
	kind        string   // "object", "string", "integer", "number", "boolean", "array", or "" when only enum or const says
	names       []string // object: properties in the order of the schema
	children    map[string]*schemaNode
	segments    map[string]string // object: property → its part of a field path
	required    map[string]bool
	enum        []json.RawMessage // allowed values; one means fixed; nil means open
	labels      []string          // of enum, where oneOf titles them
	items       *schemaNode       // array
	raw         map[string]any    // the merged keywords, for the rest
}

// leaf is a node that becomes an obligation.
type leaf struct {
	*schemaNode
	props     []string // property names from the root
	fieldPath string
	required  bool // and all above it
	category  string
	key       string
}

// schemaWalk reads one schema.
type schemaWalk struct {
	doc    map[string]any
	places map[string][]string // pointer of a properties object → its names in order
	refs   int
	notes  []SchemaNote
	faults Faults
}

func readSchema(data []byte) (*schemaWalk, error) {
	w := &schemaWalk{places: map[string][]string{}}
	if err := readObject(data, &w.doc); err != nil {
		return nil, fault.New(fault.Unprocessable, "%s", strings.Replace(err.Error(), "objective", "schema", 1)).Because(err)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	w.order("#", dec)
	return w, nil
}

// order notes the names of every object in the order they are written, which a
// map forgets.
func (w *schemaWalk) order(at string, dec *json.Decoder) {
	token, err := dec.Token()
	if err != nil {
		return
	}
	switch token {
	case json.Delim('{'):
		for dec.More() {
			name, err := dec.Token()
			if err != nil {
				return
			}
			key := fmt.Sprint(name)
			w.places[at] = append(w.places[at], key)
			w.order(at+"/"+escapePointer(key), dec)
		}
	case json.Delim('['):
		for i := 0; dec.More(); i++ {
			w.order(fmt.Sprintf("%s/%d", at, i), dec)
		}
	default:
		return
	}
	_, _ = dec.Token()
}

// ordinary refuses numbers that no database keeps.
func (w *schemaWalk) ordinary(path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			w.ordinary(path+"/"+escapePointer(name), v[name])
		}
	case []any:
		for i, item := range v {
			w.ordinary(fmt.Sprintf("%s/%d", path, i), item)
		}
	case json.Number:
		if _, ok := rational(v); !ok {
			w.refuse(path, "must be a number of ordinary size")
		}
	}
}

func escapePointer(s string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(s) }

func (w *schemaWalk) refuse(path, format string, args ...any) {
	if len(w.faults) < 100 {
		w.faults = append(w.faults, misplaced(path, format, args...))
	}
}

func (w *schemaWalk) note(path, format string, args ...any) {
	w.notes = append(w.notes, SchemaNote{path, fmt.Sprintf(format, args...)})
}

// flat returns the keywords of a schema with its reference and its allOf merged
// in, and where its properties stand.
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

// rooted gives each property its pointer, which merging would lose.
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

// resolve finds what a reference within the document names.
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

// into adds the keywords of one schema to those of another that must hold too.
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

// combine returns the keyword that says what both say.
func combine(name string, a, b any) (any, bool) {
	switch name {
	case "title", "description", "$comment", "default", "$id", "$schema", "$defs", "definitions", "examples", pathKey, "x-prompt", "x-priority", "x-expertise", "x-depends-on":
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

// narrower returns the type that both allow.
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

// types lists the types a keyword names.
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

func equalJSON(a, b any) bool {
	x, xerr := json.Marshal(a)
	y, yerr := json.Marshal(b)
	return xerr == nil && yerr == nil && obligations.SameValue(x, y)
}

// maxNumberText bounds numbers of a schema as written: 1e999999999 would take
// all memory to be exact about.
const maxNumberText = 30

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

// object reads an object's node and those below it.
func (w *schemaWalk) object(raw map[string]any, path string, depth int) *schemaNode {
	n := w.node(raw, path, depth)
	if n != nil && n.kind != "object" {
		w.refuse(path, "an interview fills an object; this is %s", article(n.kind))
	}
	return n
}

func article(kind string) string {
	if kind == "" {
		return "anything"
	}
	if strings.ContainsRune("aeiou", rune(kind[0])) {
		return "an " + kind
	}
	return "a " + kind
}

// unasked are keywords that an interview cannot make sure of.
var unasked = []string{"not", "if", "then", "else", "anyOf", "dependentSchemas", "dependentRequired", "dependencies", "patternProperties", "propertyNames",
	"prefixItems", "contains", "minContains", "maxContains", "multipleOf", "minProperties", "maxProperties", "unevaluatedItems", "additionalItems", "$dynamicRef", "$recursiveRef"}

// node reads a schema; nil when it was refused.
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

// typed finds out what the node holds.
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

// choosable drops what the type does not allow from the choices.
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

// remark notes what is left aside.
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
	if f, _ := n.raw["format"].(string); f != "" && f != "date" {
		w.note(n.path+"/format", "%q is not checked", clip(f))
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

func (w *schemaWalk) properties(n *schemaNode, depth int) {
	props, _ := n.raw["properties"].(map[string]any)
	n.children, n.segments, n.required = map[string]*schemaNode{}, segments(slices.Sorted(maps.Keys(props))), map[string]bool{}
	list, _ := n.raw["required"].([]any)
	for _, item := range list {
		name, _ := item.(string)
		if _, there := props[name]; !there {
			w.refuse(n.path+"/required", "%q is required and has no schema under properties", clip(name))
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

// segments makes parts of field paths of property names, told apart where two
// read alike. It depends on the names only, not on their order.
func segments(names []string) map[string]string {
	out, taken := map[string]string{}, map[string]bool{}
	for _, name := range names {
		if plainSegment.MatchString(name) {
			out[name], taken[name] = name, true
		}
	}
	for _, name := range names {
		if out[name] != "" {
			continue
		}
		base := segmentOf(name)
		for i, s := 1, base; ; i, s = i+1, fmt.Sprintf("%s_%d", base, i+1) {
			if !taken[s] {
				out[name], taken[s] = s, true
				break
			}
		}
	}
	return out
}

var plainSegment = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,39}$`)

func segmentOf(name string) string {
	s := strings.Map(func(r rune) rune {
		if r < 128 && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '_'
	}, name)
	s = strings.Trim(s, "_")
	if s == "" || s[0] >= '0' && s[0] <= '9' {
		s = "p" + s
	}
	return s[:min(len(s), 36)]
}

// list reads an array, of which some of a set can be asked for.
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

// leaves returns what is asked for, in the order of the schema, with keys.
func (w *schemaWalk) leaves(root *schemaNode) []*leaf {
	var out []*leaf
	var walk func(n *schemaNode, props []string, path string, required bool, category string)
	walk = func(n *schemaNode, props []string, path string, required bool, category string) {
		for _, name := range n.names {
			child := n.children[name]
			at := strings.TrimPrefix(path+"."+n.segments[name], ".")
			here := append(slices.Clone(props), name)
			must := required && n.required[name]
			switch {
			case child.kind == "object":
				walk(child, here, at, must, titleOf(child, name))
			case len(child.enum) == 1:
				w.note(child.path, "is fixed to %s; it is not asked for, and written when its object is", child.enum[0])
			default:
				out = append(out, &leaf{schemaNode: child, props: here, fieldPath: at, required: must, category: category})
			}
		}
	}
	walk(root, nil, "", true, "")
	keyed(out)
	return out
}

// keyed gives each leaf a key: its own name, with those above it where that is
// not enough.
func keyed(list []*leaf) {
	taken := map[string]bool{}
	for _, l := range list {
		parts := strings.Split(l.fieldPath, ".")
		for n := 1; n <= len(parts) && l.key == ""; n++ {
			if k := keyOf(strings.Join(parts[len(parts)-n:], "_")); !taken[k] {
				l.key = k
			}
		}
		for i, base := 2, keyOf(strings.Join(parts, "_")); l.key == ""; i++ {
			if k := fmt.Sprintf("%s_%d", base[:min(len(base), 56)], i); !taken[k] {
				l.key = k
			}
		}
		taken[l.key] = true
	}
}

// keyOf writes deliveryDate as delivery_date.
func keyOf(s string) string {
	var b strings.Builder
	for i, r := range s {
		if unicode.IsUpper(r) && i > 0 && s[i-1] != '_' && !unicode.IsUpper(rune(s[i-1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	out := b.String()
	return out[:min(len(out), 60)]
}

func titleOf(n *schemaNode, name string) string {
	if t := strings.TrimSpace(n.title); t != "" {
		return t
	}
	words := strings.ReplaceAll(keyOf(segmentOf(name)), "_", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

// name fills in what the whole objective is called.
func (w *schemaWalk) name(d *Definition, root *schemaNode) {
	text := func(name string) string {
		s, _ := root.raw[name].(string)
		return s
	}
	if d.ContextType == "" {
		d.ContextType = text("x-context-type")
	}
	if d.ContextType == "" {
		d.ContextType = keyOf(segmentOf(strings.ToLower(root.title) + "_objective"))
	}
	if d.Version == "" {
		d.Version = text("x-version")
	}
	if d.Version == "" {
		d.Version = "1.0.0"
	}
	if strings.TrimSpace(d.DisplayName) == "" {
		d.DisplayName = titleOf(root, d.ContextType)
	}
	d.Phases = Phases{Opening: PhaseConfig{Goal: "Understand what this is about."}, Exploration: PhaseConfig{Goal: "Learn what the schema asks for."},
		Validation: PhaseConfig{Goal: "Confirm what is not sure."}, Closing: PhaseConfig{Goal: "Sum up what was learnt."}}
}

// fill makes the obligations.
func (w *schemaWalk) fill(d *Definition, list []*leaf) {
	for _, l := range list {
		d.Obligations = append(d.Obligations, w.template(l, list))
		if l.required {
			d.Completion.Required = append(d.Completion.Required, l.key)
		}
	}
	d.Completion.MinSatisfied = len(d.Completion.Required)
	d.Completion.MinConfidence = obligations.DefaultSatisfied
}

func (w *schemaWalk) template(l *leaf, list []*leaf) obligations.Template {
	t := obligations.Template{Key: l.key, FieldPath: l.fieldPath, Label: titleOf(l.schemaNode, l.props[len(l.props)-1]), Category: l.category, Priority: 4}
	if l.required {
		t.Priority = 7
	}
	w.widget(&t, l.schemaNode)
	w.words(&t, l)
	w.extensions(&t, l, list)
	return t
}

// widget chooses the input and what makes its value good enough for the schema.
func (w *schemaWalk) widget(t *obligations.Template, n *schemaNode) {
	conditions := []string{"confidence >= 0.71"}
	limit := func(name, format string) {
		if v, there := n.raw[name]; there {
			conditions = append(conditions, fmt.Sprintf(format, v))
		}
	}
	format, _ := n.raw["format"].(string)
	switch {
	case n.kind == "array":
		t.Widget, t.Choices = obligations.MultiSelect, choicesOf(n.items)
		limit("minItems", "len(value) >= %v")
		limit("maxItems", "len(value) <= %v")
	case n.enum != nil:
		t.Widget, t.Choices = obligations.ChoiceOne, choicesOf(n)
	case n.kind == "boolean":
		t.Widget = obligations.ChoiceOne
		t.Choices = []obligations.Choice{{Value: "true", Label: "Yes"}, {Value: "false", Label: "No"}}
	case n.kind == "integer" || n.kind == "number":
		t.Widget, t.Integer = obligations.Number, n.kind == "integer"
		t.Min, t.Max = number(n.raw["minimum"]), number(n.raw["maximum"])
		limit("exclusiveMinimum", "value > %v")
		limit("exclusiveMaximum", "value < %v")
		conditions = append(conditions, "float(value) == value") // a range is no number
	case format == "date":
		t.Widget = obligations.Date
		conditions = append(conditions, "len(value) == 10") // a whole date
	default:
		t.Widget = obligations.Text
		limit("minLength", "len(value) >= %v")
		limit("maxLength", "len(value) <= %v")
	}
	if len(conditions) > 1 {
		t.SatisfiedWhen = strings.Join(conditions, " && ")
	}
}

func number(v any) *float64 {
	n, ok := v.(json.Number)
	f, err := n.Float64()
	if !ok || err != nil {
		return nil
	}
	return &f
}

func choicesOf(n *schemaNode) []obligations.Choice {
	out := make([]obligations.Choice, len(n.enum))
	for i, v := range n.enum {
		c := obligations.Choice{Value: choiceValue(v), Label: strings.TrimSpace(n.labels[i])}
		if c.Label == "" {
			c.Label = strings.TrimSpace(strings.ReplaceAll(c.Value, "_", " "))
		}
		if c.Label == "" {
			c.Label = c.Value
		}
		if c.Value == "true" || c.Value == "false" {
			c.Label = map[string]string{"true": "Yes", "false": "No"}[c.Value]
		}
		out[i] = c
	}
	return out
}

// words makes the question, and what it is for.
func (w *schemaWalk) words(t *obligations.Template, l *leaf) {
	description := strings.TrimSpace(l.description)
	t.Prompt, _ = l.raw["x-prompt"].(string)
	t.Why = description
	switch {
	case strings.TrimSpace(t.Prompt) != "":
	case strings.HasSuffix(description, "?"):
		t.Prompt, t.Why = description, ""
	case l.kind == "array":
		t.Prompt = "Which of these apply: " + lowerFirst(t.Label) + "?"
	case l.kind == "boolean":
		t.Prompt = t.Label + ": yes or no?"
	default:
		t.Prompt = "What is the " + lowerFirst(t.Label) + "?"
	}
	if t.Why == "" {
		t.Why = "It is part of what this interview is to find out."
	}
	list, _ := l.raw["examples"].([]any)
	for _, e := range list {
		body, err := json.Marshal(e)
		if word := choiceValue(body); err == nil && strings.TrimSpace(word) != "" {
			t.Examples = append(t.Examples, word)
		}
	}
}

// lowerFirst lowers the first letter of a word that is not an abbreviation.
func lowerFirst(s string) string {
	r := []rune(s)
	if len(r) > 1 && unicode.IsUpper(r[0]) && unicode.IsLower(r[1]) {
		r[0] = unicode.ToLower(r[0])
	}
	return string(r)
}

// extensions reads x-priority, x-expertise and x-depends-on.
func (w *schemaWalk) extensions(t *obligations.Template, l *leaf, list []*leaf) {
	if v, there := l.raw["x-priority"]; there {
		n, ok := v.(json.Number)
		p, err := n.Int64()
		if !ok || err != nil || p < 1 || p > 10 {
			w.refuse(l.path+"/x-priority", "must be a whole number from 1 to 10")
		}
		t.Priority = int(p)
	}
	t.ExpertiseRequired, _ = l.raw["x-expertise"].(string)
	v, there := l.raw["x-depends-on"]
	names, ok := v.([]any)
	if there && !ok {
		w.refuse(l.path+"/x-depends-on", "must be a list of properties")
	}
	for _, item := range names {
		name, _ := item.(string)
		i := slices.IndexFunc(list, func(o *leaf) bool {
			return o != l && (o.fieldPath == name || strings.Join(o.props, ".") == name || o.props[len(o.props)-1] == name || o.key == name)
		})
		if i < 0 {
			w.refuse(l.path+"/x-depends-on", "%q is no other property that is asked for", clip(name))
			continue
		}
		t.Dependencies = append(t.Dependencies, list[i].key)
	}
}
