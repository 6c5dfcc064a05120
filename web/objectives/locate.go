package objectives

import (
	"encoding/json"
	"errors"
	"reflect"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"

	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions/objectives"
	"quaestor/web"
)

// located names the field and the line of what keeps an objective from being
// read: fields that are not there, values of a wrong type, all of them. An err
// about anything else stays as it is.
func located(raw []byte, err error) error {
	var listed objectives.Faults
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
	where := objectives.Places(raw)
	var out objectives.Faults
	for _, e := range res.Errors {
		if f := misfit(where, e); f != nil {
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

// misfit words one of huma's findings; nil for those that are no misfits.
func misfit(where objectives.PlaceIndex, found error) *fault.Error {
	d, ok := found.(*huma.ErrorDetail)
	if !ok {
		return nil
	}
	path := d.Location
	if path == "" {
		path = "the objective"
	}
	if d.Message == validation.MsgUnexpectedProperty {
		line, column := where.NameLine(d.Location)
		return fault.New(fault.Unprocessable, "%s at line %d, column %d is no field of an objective; remove it or mend its name", path, line, column).At(d.Location).Coded("unknown_field")
	}
	want := web.TypeWords[d.Message]
	if want == "" {
		return nil
	}
	line, column := where.Line(d.Location)
	return fault.New(fault.Unprocessable, "%s at line %d, column %d must be %s, not %s", path, line, column, want, web.KindOf(d.Value)).At(d.Location).Coded("wrong_type")
}
