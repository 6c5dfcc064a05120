package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"

	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
)

// located names the field and the line of what keeps an objective from being
// read: fields that are not there, values of a wrong type, all of them. An err
// about anything else stays as it is.
func located(raw []byte, err error) error {
	var listed sessions.Faults
	if errors.As(err, &listed) || !json.Valid(raw) {
		return err
	}
	var doc any
	if json.Unmarshal(raw, &doc) != nil {
		return err
	}
	shape := definitionShape()
	var res huma.ValidateResult
	huma.Validate(shape.registry, shape.definition, huma.NewPathBuffer(nil, 0), huma.ModeWriteToServer, doc, &res)
	where := places(raw)
	var out sessions.Faults
	for _, e := range res.Errors {
		if f := misfit(raw, where, e); f != nil {
			out = append(out, f)
		}
	}
	if len(out) == 0 {
		return err
	}
	return out
}

// shape is what an objective looks like, as the API's description has it.
type shape struct {
	registry   huma.Registry
	definition *huma.Schema
}

var definitionShape = sync.OnceValue(func() shape {
	r := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	r.RegisterTypeAlias(reflect.TypeFor[obligations.Confidence](), reflect.TypeFor[float64]())
	return shape{r, r.Schema(definitionType, true, "")}
})

// typeWords says what huma found the type of a value to be wrong for. Other
// faults are the objective's own rules to word.
var typeWords = map[string]string{
	validation.MsgExpectedBoolean: "true or false",
	validation.MsgExpectedNumber:  "a number",
	validation.MsgExpectedInteger: "a whole number",
	validation.MsgExpectedString:  "a string",
	validation.MsgExpectedArray:   "a list",
	validation.MsgExpectedObject:  "an object",
}

// misfit words one of huma's findings; nil for those that are no misfits.
func misfit(raw []byte, where map[string]place, found error) *fault.Error {
	d, ok := found.(*huma.ErrorDetail)
	if !ok {
		return nil
	}
	at, path := where[d.Location], d.Location
	if path == "" {
		path = "the objective"
	}
	if d.Message == validation.MsgUnexpectedProperty {
		line, column := lineOf(raw, at.name)
		return fault.New(fault.Unprocessable, "%s at line %d, column %d is no field of an objective; remove it or mend its name", path, line, column).At(d.Location).Coded("unknown_field")
	}
	want := typeWords[d.Message]
	if want == "" {
		return nil
	}
	line, column := lineOf(raw, at.value)
	return fault.New(fault.Unprocessable, "%s at line %d, column %d must be %s, not %s", path, line, column, want, kindOf(d.Value)).At(d.Location).Coded("wrong_type")
}

func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "true or false"
	case float64:
		return "a number"
	case string:
		return "a string"
	case []any:
		return "a list"
	}
	return "an object"
}

// place is where a value stands in a document, in bytes from its start.
type place struct {
	name  int // where its name begins; of what has none, the value
	value int
}

// places returns where everything in a document stands, by paths such as
// "obligations[2].prompt"; the document itself is "". Of one that is not valid it
// returns what stands before the fault.
func places(raw []byte) map[string]place {
	s := &surveyor{raw: raw, dec: json.NewDecoder(bytes.NewReader(raw)), out: map[string]place{}}
	s.value("", s.ahead(), 0)
	return s.out
}

// maxDepth bounds how deep into a document is looked; objectives are 5 deep.
const maxDepth = 20

// surveyor walks a document.
type surveyor struct {
	raw []byte
	dec *json.Decoder
	out map[string]place
}

// ahead is where the next token begins.
func (s *surveyor) ahead() int {
	at := int(s.dec.InputOffset())
	return at + len(s.raw[at:]) - len(bytes.TrimLeft(s.raw[at:], " \t\r\n,:"))
}

// value walks the value at path, whose name begins at name; false at a fault.
func (s *surveyor) value(path string, name, depth int) bool {
	s.out[path] = place{name, s.ahead()}
	if depth == maxDepth {
		return s.dec.Decode(new(json.RawMessage)) == nil
	}
	token, err := s.dec.Token()
	if err != nil {
		return false
	}
	switch token {
	case json.Delim('{'):
		return s.members(path, depth+1)
	case json.Delim('['):
		return s.elements(path, depth+1)
	}
	return true
}

func (s *surveyor) members(path string, depth int) bool {
	for s.dec.More() {
		at := s.ahead()
		key, err := s.dec.Token()
		if err != nil || !s.value(strings.TrimPrefix(path+"."+fmt.Sprint(key), "."), at, depth) {
			return false
		}
	}
	_, err := s.dec.Token() // the end
	return err == nil
}

func (s *surveyor) elements(path string, depth int) bool {
	for i := 0; s.dec.More(); i++ {
		if !s.value(fmt.Sprintf("%s[%d]", path, i), s.ahead(), depth) {
			return false
		}
	}
	_, err := s.dec.Token() // the end
	return err == nil
}

// lineOf returns the line and the column of a place, both from 1; columns count
// bytes.
func lineOf(raw []byte, at int) (line, column int) {
	before := raw[:at]
	return bytes.Count(before, []byte("\n")) + 1, len(before) - bytes.LastIndexByte(before, '\n')
}
