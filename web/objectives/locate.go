package objectives

import (
	"cmp"
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

// located replaces err, with which raw could not be read as an objective, by one fault
// for each field that does not exist or has a value of a wrong type, with its line. An
// err about anything else is returned as it is.
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

// shape is the schema of an objective, as the API's description has it.
type shape struct {
	registry   huma.Registry
	definition *huma.Schema
}

// definitionShape is built at the first fault: most objectives have none.
var definitionShape = sync.OnceValue(func() shape {
	r := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	r.RegisterTypeAlias(reflect.TypeFor[obligations.Confidence](), reflect.TypeFor[float64]())
	return shape{r, r.Schema(definitionType, true, "")}
})

// misfit words one of huma's findings. It returns nil for a finding that is neither an
// unknown field nor a wrong type: lint has better words for the others.
func misfit(where objectives.PlaceIndex, found error) *fault.Error {
	d, ok := found.(*huma.ErrorDetail)
	if !ok {
		return nil
	}
	path := cmp.Or(d.Location, "the objective")
	if d.Message == validation.MsgUnexpectedProperty {
		line, column := where.NameLine(d.Location)
		return fault.New(fault.Unprocessable, "%s at line %d, column %d is no field of an objective; remove it or correct its name", path, line, column).At(d.Location).Coded("unknown_field")
	}
	want := web.TypeWords[d.Message]
	if want == "" {
		return nil
	}
	line, column := where.Line(d.Location)
	return fault.New(fault.Unprocessable, "%s at line %d, column %d must be %s, not %s", path, line, column, want, web.KindOf(d.Value)).At(d.Location).Coded("wrong_type")
}
