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

// ProfileForm describes what a project states about itself: an object with named fields.
type ProfileForm struct {
	raw      json.RawMessage
	compiled *jsonschema.Schema
}

// schemaParts are the parts of two schemas that are merged.
type schemaParts struct {
	Properties map[string]json.RawMessage `json:"properties"`
	Required   []string                   `json:"required"`
}

// newForm combines the forms of the base and a category. If both have a field, the category's
// counts.
func newForm(base, category json.RawMessage) (*ProfileForm, error) {
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
	return &ProfileForm{raw, compiled}, nil
}

// mergeSchemata returns base with the fields of category. Keywords about the object as a whole are
// taken from category only if base lacks them.
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

// compile compiles a JSON Schema, draft 2020-12 unless it names another. References to other
// documents are refused.
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
func (f *ProfileForm) Schema() json.RawMessage { return slices.Clone(f.raw) }

// Faults returns everything wrong with a profile, each with the path of its field; nil if it is
// valid. An empty document counts as the empty object.
func (f *ProfileForm) Faults(profile json.RawMessage) []Fault {
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

// leaves collects the errors that have no causes of their own.
func leaves(e *jsonschema.ValidationError, out []Fault) []Fault {
	if len(e.Causes) == 0 {
		return append(out, Fault{pathOf(e.InstanceLocation), e.BasicOutput().Error.String()})
	}
	for _, cause := range e.Causes {
		out = leaves(cause, out)
	}
	return out
}

// pathOf writes a location in a document, such as profile.metrics[2].name.
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
