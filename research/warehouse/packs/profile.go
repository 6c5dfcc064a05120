package packs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Form is what a project says about itself: an object with named fields.
type Form struct {
	raw      json.RawMessage
	compiled *jsonschema.Schema
}

// schemaParts are what of two schemas is made one.
type schemaParts struct {
	Properties map[string]json.RawMessage `json:"properties"`
	Required   []string                   `json:"required"`
}

// newForm makes one form of the base and a category: the fields of both, the
// category's in the place of the base's of the same name.
func newForm(base, category json.RawMessage) (*Form, error) {
	raw := base
	switch {
	case len(base) == 0 && len(category) == 0:
		raw = json.RawMessage(`{"type":"object"}`)
	case len(base) == 0:
		raw = category
	case len(category) > 0:
		merged, err := mergeSchemata(base, category)
		if err != nil {
			return nil, err
		}
		raw = merged
	}
	compiled, err := compile(raw)
	if err != nil {
		return nil, err
	}
	return &Form{raw, compiled}, nil
}

// mergeSchemata returns base with the fields of category. What category says of the
// object as a whole counts where base says nothing.
func mergeSchemata(base, category json.RawMessage) (json.RawMessage, error) {
	var out, more map[string]json.RawMessage
	var a, b schemaParts
	if err := errors.Join(json.Unmarshal(category, &more), json.Unmarshal(base, &out), json.Unmarshal(base, &a), json.Unmarshal(category, &b)); err != nil {
		return nil, err
	}
	maps.Copy(more, out)
	fields := map[string]json.RawMessage{}
	maps.Copy(fields, a.Properties)
	maps.Copy(fields, b.Properties)
	required := append(a.Required, b.Required...)
	slices.Sort(required)
	var err, failed error
	more["properties"], err = json.Marshal(fields)
	if required = slices.Compact(required); len(required) > 0 {
		more["required"], failed = json.Marshal(required)
	}
	if err = errors.Join(err, failed); err != nil {
		return nil, err
	}
	return json.Marshal(more)
}

// compile reads a JSON Schema, draft 2020-12 unless it names another. References
// out of the document are refused.
func compile(raw []byte) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	const address = "profile.json"
	c := jsonschema.NewCompiler()
	c.UseLoader(jsonschema.SchemeURLLoader{})
	c.AssertFormat()
	if err := c.AddResource(address, doc); err != nil {
		return nil, err
	}
	return c.Compile(address)
}

// Schema returns the form as a JSON Schema.
func (f *Form) Schema() json.RawMessage { return slices.Clone(f.raw) }

// Faults returns all that is wrong with a profile, each with the path of the
// field; nil for one that will do. An empty document is the empty object.
func (f *Form) Faults(profile json.RawMessage) []Fault {
	if len(bytes.TrimSpace(profile)) == 0 {
		profile = json.RawMessage(`{}`)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(profile))
	if err != nil {
		return []Fault{{"profile", "is not JSON"}}
	}
	if _, isObject := doc.(map[string]any); !isObject {
		return []Fault{{"profile", "must be an object"}}
	}
	var all *jsonschema.ValidationError
	if err := f.compiled.Validate(doc); err == nil {
		return nil
	} else if !errors.As(err, &all) {
		return []Fault{{"profile", err.Error()}}
	}
	return leaves(all, nil)
}

// leaves returns the faults that have no others below them.
func leaves(e *jsonschema.ValidationError, out []Fault) []Fault {
	if len(e.Causes) == 0 {
		return append(out, Fault{pathOf(e.InstanceLocation), e.BasicOutput().Error.String()})
	}
	for _, cause := range e.Causes {
		out = leaves(cause, out)
	}
	return out
}

// pathOf writes a place in a document: profile.metrics[2].name.
func pathOf(location []string) string {
	var b strings.Builder
	b.WriteString("profile")
	for _, part := range location {
		if _, err := strconv.Atoi(part); err == nil {
			fmt.Fprintf(&b, "[%s]", part)
			continue
		}
		b.WriteString("." + part)
	}
	return b.String()
}
