package data

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"quaestor/internal/fault"
	"quaestor/research/warehouse/packs"
)

// formField is one field of a profile as its JSON Schema describes it.
type formField struct {
	Type      string     `json:"type"`
	Title     string     `json:"title"`
	Enum      []string   `json:"enum"`
	MaxLength int        `json:"maxLength"`
	Items     *formField `json:"items"`
}

// kind is how the field is filled in. A shape that is not known is typed as JSON.
func (f formField) kind() FieldKind {
	switch {
	case len(f.Enum) > 0 || f.Type == "boolean":
		return PickField
	case f.Type == "number" || f.Type == "integer":
		return NumberField
	case f.Type == "string" && f.MaxLength > 0 && f.MaxLength <= 120:
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

// formFields returns the fields of a form in its order, by name.
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
	if _, err := d.Token(); err != nil {
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
		if json.Unmarshal(raw, &f) != nil { // such as a list of types
			f = formField{}
		}
		text, _ := name.(string)
		names, fields[text] = append(names, text), f
	}
	return names, fields, nil
}

// profileFields are the fields of a form with what a profile says.
func profileFields(form *packs.ProfileForm, profile json.RawMessage) ([]ProfileField, error) {
	names, fields, err := formFields(form)
	if err != nil {
		return nil, err
	}
	var says map[string]json.RawMessage
	_ = json.Unmarshal(profile, &says) // it was checked when it was stored; a new one is empty
	var out []ProfileField
	for _, name := range names {
		f := fields[name]
		line := ProfileField{Name: name, Label: f.Title, Kind: f.kind(), Longest: f.MaxLength}
		if line.Label == "" {
			line.Label = strings.ReplaceAll(name, "_", " ")
		}
		line.Choices = choicesOf(f)
		line.Value, line.Chosen = typedValue(line.Kind, says[name])
		out = append(out, line)
	}
	return out, nil
}

// choicesOf are the choices of a field, none of them first where it takes one.
func choicesOf(f formField) []PickLine {
	list, out := f.Enum, []PickLine{{Name: "Not said"}}
	switch {
	case f.Type == "boolean":
		return append(out, PickLine{Value: "true", Name: "Yes"}, PickLine{Value: "false", Name: "No"})
	case f.Items != nil:
		list, out = f.Items.Enum, nil
	case len(list) == 0:
		return nil
	}
	for _, one := range list {
		out = append(out, PickLine{Value: one, Name: strings.ReplaceAll(one, "_", " ")})
	}
	return out
}

// typedValue is a value as it is typed into a field.
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

// postedProfile reads what was typed into the fields of a form.
func postedProfile(form *packs.ProfileForm, typed url.Values) (json.RawMessage, error) {
	names, fields, err := formFields(form)
	if err != nil {
		return nil, err
	}
	says := map[string]any{}
	for _, name := range names {
		v, err := postedField(fields[name], typed["profile."+name])
		if err != nil {
			return nil, err.At("profile." + name)
		}
		if v != nil {
			says[name] = v
		}
	}
	return json.Marshal(says)
}

// postedField reads one field; nil when nothing was typed.
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
		return linesOf(text), nil
	case JSONField:
		if !json.Valid([]byte(text)) {
			return nil, fault.New(fault.Unprocessable, "is not JSON")
		}
		return json.RawMessage(text), nil
	case TextField, LongField:
	}
	return strings.ReplaceAll(text, "\r\n", "\n"), nil
}

// linesOf are the lines of a text that hold something.
func linesOf(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}
