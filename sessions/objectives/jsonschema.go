package objectives

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"quaestor/internal/fault"
)

// SchemaNote is a part of a JSON Schema that an interview does not need to express.
type SchemaNote struct {
	Path    string `json:"path"` // JSON pointer into the schema, such as #/properties/price
	Message string `json:"message"`
}

// SchemaOptions complete what a schema does not define.
type SchemaOptions struct {
	ContextType string // empty takes x-context-type, or makes one of the title
	Version     string // empty means x-version, or 1.0.0
}

// Bounds of a schema.
const (
	maxSchemaDepth = 12
	maxSchemaRefs  = 2000 // $ref and allOf followed
)

// FromSchema makes an objective of a JSON Schema 2020-12 whose instances are objects.
// Each property that holds a text, a number, a truth value, a date, or some of a list
// becomes an obligation; see docs/objectives.md for the keywords. Everything that cannot
// be asked for is refused at once, with its places; what need not be is noted. The
// objective keeps the schema for [Instance].
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

// schemaNode is one place of a schema, with references followed and allOf merged.
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

// schemaWalk reads one schema and collects what it refuses and notes.
type schemaWalk struct {
	doc    map[string]any
	places map[string][]string // pointer of a properties object → its names in order
	refs   int
	notes  []SchemaNote
	faults Faults
}

// readSchema decodes a schema and notes the order of its names.
func readSchema(data []byte) (*schemaWalk, error) {
	w := &schemaWalk{places: map[string][]string{}}
	if err := readObject(data, &w.doc); err != nil {
		return nil, fault.New(fault.Unprocessable, "%s", strings.Replace(err.Error(), "objective", "schema", 1)).Because(err)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	w.order("#", dec)
	return w, nil
}

// order notes the names of every object in the order of the document, which a map loses.
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

// ordinary refuses numbers that no database stores.
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

// escapePointer escapes a name for a JSON pointer (RFC 6901).
func escapePointer(s string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(s) }

// refuse notes that the place at path cannot be asked for.
func (w *schemaWalk) refuse(path, format string, args ...any) {
	if len(w.faults) < 100 {
		w.faults = append(w.faults, misplaced(path, format, args...))
	}
}

// note notes what is left out at path.
func (w *schemaWalk) note(path, format string, args ...any) {
	w.notes = append(w.notes, SchemaNote{path, fmt.Sprintf(format, args...)})
}
