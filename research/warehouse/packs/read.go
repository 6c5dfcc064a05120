package packs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"quaestor/research/warehouse"
)

// Parse parses an envelope item by item: what cannot be parsed becomes a fault with its path, and
// the rest is parsed nevertheless. Unknown fields of the envelope and of the pack are ignored,
// those of its parts are faults. Parse does not check whether the pack makes sense; see
// [Pack.Faults].
//
// The pack is nil if the document does not contain one.
func Parse(document []byte) (*Pack, []Fault) {
	switch {
	case len(document) > MaxBytes:
		return nil, []Fault{{"", fmt.Sprintf("a pack has at most %d bytes, this one has %d", MaxBytes, len(document))}}
	case !utf8.Valid(document):
		return nil, []Fault{{"", "a pack is UTF-8"}}
	}
	r := &reader{}
	envelope := r.object("", document)
	if envelope == nil {
		r.fault("", "an envelope is an object with format, format_version and pack")
		return nil, r.faults
	}
	if r.text("", envelope, "format") == "" {
		r.fault("format", "must say which format this is, such as %q", Format)
	}
	if v := strings.Trim(string(envelope["format_version"]), `"`); v != FormatVersion && v != FormatVersion+".0" {
		r.fault("format_version", "must be %s", FormatVersion)
	}
	if envelope["pack"] == nil {
		r.fault("pack", "is missing")
		return nil, r.faults
	}
	return r.pack(envelope["pack"]), r.faults
}

// reader parses a document and collects faults on the way.
type reader struct{ faults []Fault }

// fault records a fault at a path of the file.
func (r *reader) fault(path, format string, args ...any) {
	r.faults = append(r.faults, Fault{path, fmt.Sprintf(format, args...)})
}

// pack reads a whole pack; nil if it is not an object.
func (r *reader) pack(raw json.RawMessage) *Pack {
	m := r.object("pack", raw)
	if m == nil {
		return nil
	}
	const at = "pack"
	return &Pack{
		Slug: r.text(at, m, "slug"), Name: r.text(at, m, "name"), Description: r.text(at, m, "description"), Version: r.version(m),
		Author: r.text(at, m, "author"), SourceURL: r.text(at, m, "source_url"), Published: r.truth(at, m, "is_published"),
		Categories: each(r, within(at, "categories"), m["categories"], r.category),
		Prompts:    r.prompts(within(at, "prompts"), m["prompts"]),
		Areas:      r.areas(within(at, "analysis_areas"), m["analysis_areas"]),
		Profile:    r.profile(within(at, "profile_schema"), m["profile_schema"]),
	}
}

// version parses the version of a pack, which may be a number.
func (r *reader) version(m map[string]json.RawMessage) string {
	if raw := bytes.TrimSpace(m["version"]); len(raw) > 0 && (raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9') {
		return string(raw)
	}
	return r.text("pack", m, "version")
}

// category reads a category; false if it is not an object.
func (r *reader) category(path string, raw json.RawMessage) (Category, bool) {
	m := r.object(path, raw, "id", "name", "description")
	return Category{r.text(path, m, "id"), r.text(path, m, "name"), r.text(path, m, "description")}, m != nil
}

// prompts reads the base prompts and those of each category.
func (r *reader) prompts(path string, raw json.RawMessage) Prompts {
	m := r.object(path, raw, "base", "categories")
	base := within(path, "base")
	texts := r.object(base, m["base"], "base_context", "exploration", "recommendations")
	p := Prompts{Base: BasePrompts{r.text(base, texts, "base_context"), r.text(base, texts, "exploration"), r.text(base, texts, "recommendations")}}
	p.Categories = named(r, within(path, "categories"), m["categories"], func(path string, raw json.RawMessage) CategoryPrompts {
		return CategoryPrompts{r.text(path, r.object(path, raw, "exploration_context"), "exploration_context")}
	})
	return p
}

// areas reads the base areas and those of each category.
func (r *reader) areas(path string, raw json.RawMessage) Areas {
	m := r.object(path, raw, "base", "categories")
	return Areas{
		Base: each(r, within(path, "base"), m["base"], r.area),
		Categories: named(r, within(path, "categories"), m["categories"], func(path string, raw json.RawMessage) []warehouse.Area {
			return each(r, path, raw, r.area)
		}),
	}
}

// area reads an area; false if it is not an object.
func (r *reader) area(path string, raw json.RawMessage) (warehouse.Area, bool) {
	m := r.object(path, raw, "id", "name", "description", "keywords", "priority", "prompt")
	if m == nil {
		return warehouse.Area{}, false
	}
	a := warehouse.Area{ID: r.text(path, m, "id"), Name: r.text(path, m, "name"), Description: r.text(path, m, "description"), Prompt: r.text(path, m, "prompt")}
	r.decode(within(path, "priority"), m["priority"], &a.Priority, "must be a whole number")
	a.Keywords = each(r, within(path, "keywords"), m["keywords"], func(path string, raw json.RawMessage) (s string, ok bool) {
		return s, r.decode(path, raw, &s, "must be a text")
	})
	return a, true
}

// profile reads the JSON Schemas of the profile, which are checked later.
func (r *reader) profile(path string, raw json.RawMessage) ProfileSchemata {
	m := r.object(path, raw, "base", "categories")
	whole := func(path string, raw json.RawMessage) json.RawMessage {
		r.object(path, raw)
		return raw
	}
	s := ProfileSchemata{Categories: named(r, within(path, "categories"), m["categories"], whole)}
	if m["base"] != nil {
		s.Base = whole(within(path, "base"), m["base"])
	}
	return s
}

// object parses an object; nil if it is not one. If keys are given, other keys are faults. A
// missing value is not a fault here: the checks report what is required.
func (r *reader) object(path string, raw json.RawMessage, keys ...string) map[string]json.RawMessage {
	if raw == nil {
		return nil
	}
	var m map[string]json.RawMessage
	if !r.decode(path, raw, &m, "must be an object") {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		if keys != nil && !slices.Contains(keys, key) {
			r.fault(within(path, key), "is not known here; known are %s", strings.Join(keys, ", "))
		}
	}
	return m
}

// text reads an optional string.
func (r *reader) text(path string, m map[string]json.RawMessage, key string) (s string) {
	r.decode(within(path, key), m[key], &s, "must be a text")
	return s
}

// truth reads an optional boolean.
func (r *reader) truth(path string, m map[string]json.RawMessage, key string) (b bool) {
	r.decode(within(path, key), m[key], &b, "must be true or false")
	return b
}

// decode parses a value into out, and reports whether there was one. Null counts as missing.
func (r *reader) decode(path string, raw json.RawMessage, out any, want string) bool {
	if raw == nil || string(raw) == "null" {
		return false
	}
	if err := json.Unmarshal(raw, out); err != nil {
		r.fault(path, "%s", want)
		return false
	}
	return true
}

// each parses the items of a list, dropping those that are not valid.
func each[T any](r *reader, path string, raw json.RawMessage, read func(string, json.RawMessage) (T, bool)) []T {
	var list []json.RawMessage
	if !r.decode(path, raw, &list, "must be a list") {
		return nil
	}
	out := make([]T, 0, len(list))
	for i, one := range list {
		if v, ok := read(item(path, i), one); ok {
			out = append(out, v)
		}
	}
	return out
}

// named parses the values of an object by their names.
func named[T any](r *reader, path string, raw json.RawMessage, read func(string, json.RawMessage) T) map[string]T {
	m := r.object(path, raw)
	if len(m) == 0 {
		return nil
	}
	out := make(map[string]T, len(m))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		out[name] = read(within(path, name), m[name])
	}
	return out
}
