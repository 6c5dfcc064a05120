package data

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"quaestor/internal/fault"
	"quaestor/research/warehouse/packs"
	"quaestor/web"
	"quaestor/web/ui"
)

// formField is one field of a profile as the JSON Schema of its pack describes it.
// Only what decides how a form asks for it is read; packs check values themselves.
type formField struct {
	Type      string     `json:"type"`
	Title     string     `json:"title"`
	Enum      []string   `json:"enum"`
	MaxLength int        `json:"maxLength"`
	Items     *formField `json:"items"`
}

// longLine is the longest text that is typed into a single line, in characters. Longer
// ones get a box; 120 is about what a line shows on a wide screen.
const longLine = 120

// kind returns how the field is filled in. Anything that has no kind of its own, such
// as a list of objects, is typed as JSON.
func (f formField) kind() FieldKind {
	switch {
	case len(f.Enum) > 0 || f.Type == "boolean":
		return PickField
	case f.Type == "number" || f.Type == "integer":
		return NumberField
	case f.Type == "string" && f.MaxLength > 0 && f.MaxLength <= longLine:
		return TextField
	case f.Type == "string":
		return LongField
	case f.Type == "array" && f.Items != nil && len(f.Items.Enum) > 0:
		return TicksField
	case f.Type == "array" && f.Items != nil && f.Items.Type == "string":
		return ListField
	}
	return JSONField
}

// formFields returns the names of the fields of a form in the order of its schema, and
// the fields by name. The order needs the decoder: a map would lose it. A nil form has
// no fields.
func formFields(form *packs.ProfileForm) (names []string, fields map[string]formField, err error) {
	fields = map[string]formField{}
	if form == nil {
		return nil, fields, nil
	}
	var schema struct {
		Properties json.RawMessage `json:"properties"`
	}
	if err := json.Unmarshal(form.Schema(), &schema); err != nil || len(schema.Properties) == 0 {
		return nil, fields, err
	}
	d := json.NewDecoder(bytes.NewReader(schema.Properties))
	if _, err := d.Token(); err != nil { // the opening brace
		return nil, nil, err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, nil, err
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, nil, err
		}
		var f formField
		if json.Unmarshal(raw, &f) != nil { // a schema that is valid but not understood here, such as a list of types
			f = formField{}
		}
		text, _ := name.(string)
		names, fields[text] = append(names, text), f
	}
	return names, fields, nil
}

// profileFields returns the fields of a form with the values of a profile. The profile
// was checked when it was stored, and that of a new project is empty; a value that does
// not fit its field is shown as JSON.
func profileFields(form *packs.ProfileForm, profile json.RawMessage) ([]ProfileField, error) {
	names, fields, err := formFields(form)
	if err != nil {
		return nil, err
	}
	var values map[string]json.RawMessage
	_ = json.Unmarshal(profile, &values) // an empty profile has no values
	var out []ProfileField
	for _, name := range names {
		f := fields[name]
		line := ProfileField{Name: name, Label: cmp.Or(f.Title, strings.ReplaceAll(name, "_", " ")), Kind: f.kind(), Longest: f.MaxLength, Choices: choicesOf(f)}
		line.Value, line.Chosen = typedValue(line.Kind, values[name])
		out = append(out, line)
	}
	return out, nil
}

// choicesOf returns the choices of a field, nil if it has none. A field that takes one
// choice can also be left open, which is its first.
func choicesOf(f formField) []ui.Choice {
	named := func(value string) ui.Choice {
		return ui.Choice{Value: value, Name: strings.ReplaceAll(value, "_", " ")}
	}
	open := []ui.Choice{{Name: "Not said"}}
	switch {
	case f.Type == "boolean":
		return append(open, ui.Choice{Value: "true", Name: "Yes"}, ui.Choice{Value: "false", Name: "No"})
	case f.Items != nil:
		return web.Map(f.Items.Enum, named)
	case len(f.Enum) == 0:
		return nil
	}
	return append(open, web.Map(f.Enum, named)...)
}

// typedValue returns a value as it is typed into a field, and the ticked choices of a
// TicksField. A value of another shape than its kind has is returned as JSON.
func typedValue(kind FieldKind, raw json.RawMessage) (text string, chosen []string) {
	if len(raw) == 0 {
		return "", nil
	}
	switch kind {
	case TicksField, ListField:
		if json.Unmarshal(raw, &chosen) == nil {
			return strings.Join(chosen, "\n"), chosen
		}
	case TextField, LongField, PickField:
		if json.Unmarshal(raw, &text) == nil {
			return text, nil
		}
	case NumberField, JSONField:
	}
	return string(raw), nil
}

// postedProfile makes a profile of what was typed into the fields of a form. Fields
// that are empty are left out.
func postedProfile(form *packs.ProfileForm, typed url.Values) (json.RawMessage, error) {
	names, fields, err := formFields(form)
	if err != nil {
		return nil, err
	}
	values := map[string]any{}
	for _, name := range names {
		v, err := postedField(fields[name], typed["profile."+name])
		if err != nil {
			return nil, err.At("profile." + name)
		}
		if v != nil {
			values[name] = v
		}
	}
	return json.Marshal(values)
}

// postedField reads one field. It returns nil if nothing was typed. Whether a text or a
// choice may be is left to the pack, which checks the whole profile.
func postedField(f formField, typed []string) (any, *fault.Error) {
	text := strings.TrimSpace(strings.Join(typed, "\n"))
	if text == "" {
		return nil, nil
	}
	switch f.kind() {
	case NumberField:
		if _, err := strconv.ParseFloat(text, 64); err != nil || !json.Valid([]byte(text)) {
			return nil, fault.New(fault.Unprocessable, "is a number, such as 15 or 2.5")
		}
		return json.Number(text), nil
	case PickField:
		if f.Type == "boolean" {
			return text == "true", nil
		}
		return text, nil
	case TicksField:
		return typed, nil
	case ListField:
		return ui.NonBlank(strings.Split(text, "\n")), nil
	case JSONField:
		if !json.Valid([]byte(text)) {
			return nil, fault.New(fault.Unprocessable, "is not JSON")
		}
		return json.RawMessage(text), nil
	case TextField, LongField:
	}
	return strings.ReplaceAll(text, "\r\n", "\n"), nil
}
