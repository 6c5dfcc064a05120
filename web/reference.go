package web

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// referenceOf turns the API's description into what the reference page shows:
// conversation first, what else there is by name.
func referenceOf(doc *huma.OpenAPI) ReferenceView {
	v := ReferenceView{Version: doc.Info.Version}
	groups := map[string][]ReferenceOperation{}
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		item := doc.Paths[path]
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
			if op != nil {
				groups[op.Tags[0]] = append(groups[op.Tags[0]], toReferenceOperation(op))
			}
		}
	}
	for _, name := range slices.SortedFunc(maps.Keys(groups), conversationFirst) {
		v.Groups = append(v.Groups, ReferenceGroup{Name: name, List: groups[name]})
	}
	shapes := doc.Components.Schemas.Map()
	for _, name := range slices.Sorted(maps.Keys(shapes)) {
		v.Shapes = append(v.Shapes, ReferenceShape{Name: name, Says: shapes[name].Description, Fields: toReferenceFields(shapes[name])})
	}
	return v
}

func conversationFirst(a, b string) int {
	rank := func(s string) int {
		if s == "conversation" {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a, b))
}

func toReferenceOperation(op *huma.Operation) ReferenceOperation {
	out := ReferenceOperation{Operation: op}
	for _, p := range op.Parameters {
		out.Params = append(out.Params, ReferenceField{Name: p.Name, In: p.In, Type: typeOf(p.Schema), Required: p.Required, Says: cmp.Or(p.Description, p.Schema.Description)})
	}
	if op.RequestBody != nil {
		_, out.Body = contentOf(op.RequestBody.Content)
	}
	for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
		r := op.Responses[status]
		if r.Content["application/problem+json"] != nil {
			out.Refusals = append(out.Refusals, strings.Replace(status, "default", "all others", 1))
			continue
		}
		a := ReferenceAnswer{Status: status, Says: r.Description}
		a.Media, a.Type = contentOf(r.Content)
		out.Answers = append(out.Answers, a)
	}
	return out
}

// contentOf returns the media type of a body and what it holds; nothing for
// none. Of plain text there is nothing more to say.
func contentOf(content map[string]*huma.MediaType) (media string, t *ReferenceType) {
	for _, media = range slices.Sorted(maps.Keys(content)) {
		if s := content[media].Schema; s != nil && s.Type != huma.TypeString {
			known := typeOf(s)
			t = &known
		}
	}
	return media, t
}

func toReferenceFields(s *huma.Schema) []ReferenceField {
	var out []ReferenceField
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[name]
		out = append(out, ReferenceField{Name: name, Type: typeOf(p), Required: slices.Contains(s.Required, name), Says: p.Description})
	}
	return out
}

// typeOf puts a schema's type into words; a shape may follow them.
func typeOf(s *huma.Schema) ReferenceType {
	if s == nil {
		return ReferenceType{Words: "anything"}
	}
	if s.Ref != "" {
		return ReferenceType{Shape: s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]}
	}
	values, _ := s.AdditionalProperties.(*huma.Schema)
	switch {
	case s.Type == huma.TypeArray:
		return after("list of", typeOf(s.Items))
	case s.Type == huma.TypeObject && values != nil:
		return after("by name,", typeOf(values))
	case len(s.Enum) > 0:
		return ReferenceType{Words: "one of " + strings.Join(Map(s.Enum, func(v any) string { return fmt.Sprint(v) }), ", ")}
	}
	return ReferenceType{Words: cmp.Or(s.Type, "anything") + bounds(s)}
}

func after(words string, t ReferenceType) ReferenceType {
	t.Words = strings.TrimSpace(words + " " + t.Words)
	return t
}

// bounds words what a value must be beside its type.
func bounds(s *huma.Schema) string {
	out := ""
	if s.Format != "" && s.Type == huma.TypeString {
		out += " (" + s.Format + ")"
	}
	switch {
	case s.Minimum != nil && s.Maximum != nil:
		out += fmt.Sprintf(", %.0f to %.0f", *s.Minimum, *s.Maximum)
	case s.Minimum != nil:
		out += fmt.Sprintf(", at least %.0f", *s.Minimum)
	case s.Maximum != nil:
		out += fmt.Sprintf(", at most %.0f", *s.Maximum)
	}
	if s.Default != nil {
		out += fmt.Sprintf(", %v when left out", s.Default)
	}
	return out
}
