package web

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"quaestor/internal/fault"
	"quaestor/sessions/objectives"
)

// ReadJSON reads one JSON object into T, a struct. A name that is like one of T is
// refused, for its sender would believe to be heard; so is whatever [sound] refuses.
// Names of another kind are left alone: clients may send more than is asked.
func ReadJSON[T any](raw []byte) (T, error) {
	var body T
	if err := CheckJSON(raw); err != nil {
		return body, err
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if err := d.Decode(&body); err != nil {
		return body, jsonFault(err)
	}
	if _, err := d.Token(); err != io.EOF {
		return body, fault.New(fault.Invalid, "the request is one JSON object; something follows it").Coded("malformed_json")
	}
	return body, misspelt(raw, jsonFields(reflect.TypeFor[T]()))
}

// CheckJSON refuses what decoding would repair in silence: bytes that are no UTF-8, and a
// name that stands twice in one object, of which it would keep the last.
func CheckJSON(raw []byte) error {
	if !utf8.Valid(raw) {
		return fault.New(fault.Invalid, "the request is not valid UTF-8").Coded("invalid_utf8")
	}
	if twice := objectives.Places(raw).Twice(); len(twice) > 0 {
		return fault.New(fault.Invalid, "the name %q stands twice in its object; remove one", Clip(twice[0])).At(Clip(twice[0])).Coded("repeated_name")
	}
	return nil
}

// checkedFormat is a format of huma's that reads only what is [sound].
func checkedFormat(f huma.Format) huma.Format {
	unmarshal := f.Unmarshal
	f.Unmarshal = func(raw []byte, v any) error {
		if err := CheckJSON(raw); err != nil {
			return err
		}
		return unmarshal(raw, v)
	}
	return f
}

// misspelt refuses a JSON object with a name that is almost a known one which is not
// there, and one that is known in other letters, which decoding would take.
func misspelt(raw []byte, known []string) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return jsonFault(err)
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if slices.Contains(known, name) {
			continue
		}
		near := nearest(name, known)
		if _, given := members[near]; near != "" && (!given || strings.EqualFold(near, name)) {
			return fault.New(fault.Unprocessable, "%s", noField(name, known)).At(Clip(name)).Coded("unknown_field")
		}
	}
	return nil
}

// jsonFields returns the names that a struct's fields have in JSON.
func jsonFields(t reflect.Type) []string {
	var out []string
	for i := range t.NumField() {
		if name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); name != "" {
			out = append(out, name)
		}
	}
	return out
}

// noField says that nothing is called name here, and what its sender may have meant.
func noField(name string, known []string) string {
	said := fmt.Sprintf("there is no field %q here; ", Clip(name))
	if near := nearest(name, known); near != "" {
		return said + fmt.Sprintf("did you mean %q?", near)
	}
	if len(known) == 0 {
		return said + "remove it"
	}
	return said + "remove it, or use " + strings.Join(slices.Sorted(slices.Values(known)), ", ")
}

// maxSlips is how many letters a name may differ in from the one that was meant.
const maxSlips = 2

// nearest returns the known name that is like name but for slips and the way its words
// are joined; empty for none.
func nearest(name string, known []string) string {
	if len(name) > 100 || len(known) == 0 {
		return ""
	}
	near := slices.MinFunc(known, func(a, b string) int { return cmp.Compare(slips(name, a), slips(name, b)) })
	if slips(name, near) > min(maxSlips, len(near)/2) {
		return ""
	}
	return near
}

var unjoined = strings.NewReplacer("_", "", "-", "", " ", "")

// slips counts the letters to add, leave out or change that make one name the other,
// whatever their case.
func slips(a, b string) int {
	a, b = unjoined.Replace(strings.ToLower(a)), unjoined.Replace(strings.ToLower(b))
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			changed := before
			if a[i] != b[j] {
				changed++
			}
			before = row[j+1]
			row[j+1] = min(changed, before+1, row[j]+1)
		}
	}
	return row[len(b)]
}

// jsonFault words what keeps JSON from being read.
func jsonFault(err error) error {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return fault.New(fault.Unprocessable, "must be %s, not %s", article(jsonType(wrong.Type.Kind().String())), article(wrong.Value)).At(wrong.Field).Because(err)
	}
	return fault.New(fault.Invalid, "the request is not valid JSON").Coded("malformed_json").Because(err)
}

func jsonType(kind string) string {
	switch kind {
	case "map", "struct":
		return "object"
	case "slice", "array":
		return "list"
	case "int", "int32", "int64":
		return "whole number"
	case "float64":
		return "number"
	case "bool":
		return "boolean"
	}
	return kind
}

// article returns a noun with the article before it.
func article(noun string) string {
	switch {
	case noun == "array":
		return "a list"
	case strings.HasPrefix(noun, "o"):
		return "an " + noun
	}
	return "a " + noun
}

// MaxBody bounds a JSON body.
const MaxBody = 1 << 20

func ErrNotJSON() error {
	return fault.New(fault.Unsupported, "send JSON, with the header Content-Type: application/json").Coded("not_json")
}
