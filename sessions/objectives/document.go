package objectives

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/obligations"
)

// Document is an objective as it was written: whole, or as a layer on one that
// is shipped, and what it comes to.
type Document struct {
	Definition  Definition
	Composition *Composition // nil when it was written whole
}

// ParseDocument reads an objective from JSON, whole or with "extends": a layer on
// the shipped objective of that context type. See [ParseDefinition] and [Merge]
// for what is refused.
func ParseDocument(data []byte) (Document, error) {
	if !IsLayer(data) {
		d, err := ParseDefinition(data)
		return Document{Definition: d}, err
	}
	o, err := ParseOverlay(data)
	if err != nil {
		return Document{}, err
	}
	base, err := shippedBase(o.Extends)
	if err != nil {
		return Document{}, err
	}
	if o.Version == "" {
		return Document{}, Faults{misplaced("version", "a layer has a version of its own, such as 1.0.0")}
	}
	d, err := Merge(base, o)
	return Document{Definition: d, Composition: o.composition(base, data, obligations.Shipped, nil)}, err
}

// IsLayer reports whether data is a layer on another objective: it has
// "extends".
func IsLayer(data []byte) bool {
	var probe struct {
		Extends json.RawMessage `json:"extends"`
	}
	return json.Unmarshal(data, &probe) == nil && probe.Extends != nil
}

// shippedBase returns the shipped objective of a context type, or a fault that names
// those there are.
func shippedBase(contextType string) (*Definition, error) {
	var known []string
	for _, d := range Shipped() {
		if d.ContextType == contextType {
			return &d, nil
		}
		known = append(known, d.ContextType)
	}
	return nil, Faults{misplaced("extends", "nothing is shipped for %q; there are: %s", language.Short(contextType), strings.Join(known, ", "))}
}

// readObject reads exactly one JSON object without repeated names; numbers stay
// as they are written.
func readObject(data []byte, out *map[string]any) error {
	err := decodeOnly(data, out, (*json.Decoder).UseNumber)
	if err == nil && *out == nil {
		return fault.New(fault.Unprocessable, "an objective is one JSON object, not null")
	}
	return err
}

// decodeOnly decodes data, which must hold one value and no repeated names, with a
// decoder that set has set.
func decodeOnly(data []byte, out any, set func(*json.Decoder)) error {
	if len(data) > maxDefinitionBytes {
		return fault.New(fault.TooLarge, "an objective has at most %d bytes", maxDefinitionBytes)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	set(dec)
	if err := dec.Decode(out); err != nil {
		return jsonFault(data, err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return fault.New(fault.Unprocessable, "an objective is one JSON object; something follows it")
	}
	return repeated(data)
}

// repeated refuses a name that stands twice in one object, of which the reader
// would keep only the last, and NUL, which JSON allows and the database does not.
func repeated(data []byte) error {
	if bytes.Contains(bytes.ReplaceAll(data, []byte(`\\`), nil), []byte(`\u0000`)) {
		return fault.New(fault.Unprocessable, "a text of the objective holds a NUL character; remove it").Coded("nul_character")
	}
	twice := Places(data).Twice()
	if len(twice) == 0 {
		return nil
	}
	return fault.New(fault.Unprocessable, "this name stands twice in its object; remove one").At(twice[0]).Coded("repeated_name")
}

// as stores v in to when it has that type, and reports whether it has.
func as[T any](v any, to *T) bool {
	got, ok := v.(T)
	if ok {
		*to = got
	}
	return ok
}

// misplaced returns an Unprocessable fault at path.
func misplaced(path, format string, args ...any) *fault.Error {
	return fault.New(fault.Unprocessable, format, args...).At(path)
}

// readable refuses fields that no obligation has and values of a wrong type.
func readable(path string, fields map[string]any) Faults {
	body, err := json.Marshal(fields)
	if err != nil {
		return Faults{misplaced(path, "cannot be read")}
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	var t obligations.Template
	if err := dec.Decode(&t); err != nil {
		return Faults{decodingFault(path, err)}
	}
	return nil
}

// decodingFault words what encoding/json says of a value at path.
func decodingFault(path string, err error) *fault.Error {
	var wrong *json.UnmarshalTypeError
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return misplaced(path, "there is no field %s; remove it or mend its name", name).Coded("unknown_field")
	}
	if errors.As(err, &wrong) {
		if wrong.Field != "" {
			path += "." + wrong.Field
		}
		return misplaced(path, "must be %s, not a %s", goWords(wrong.Type.String()), wrong.Value).Coded("wrong_type")
	}
	return misplaced(path, "cannot be read: %s", strings.TrimPrefix(err.Error(), "json: "))
}

// goWords is a Go type in the words of JSON.
func goWords(t string) string {
	switch {
	case strings.HasPrefix(t, "[]"):
		return "a list"
	case t == "string" || strings.HasSuffix(t, ".Widget") || strings.HasSuffix(t, ".Collection"):
		return "a text"
	case t == "bool":
		return "true or false"
	case strings.HasPrefix(t, "int"):
		return "a whole number"
	case strings.HasPrefix(t, "float") || strings.HasSuffix(t, ".Confidence"):
		return "a number"
	}
	return "an object"
}
