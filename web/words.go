package web

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"

	"quaestor/internal/fault"
)

// wordRefusals makes huma's own refusals look like ours, once: huma keeps the
// function for all APIs of a process.
var wordRefusals = sync.OnceFunc(func() {
	huma.ErrorFormatter = wordBounds
	huma.ValidateStrictCasing = true // what is decoded has to be what was validated
	huma.NewError = humaProblem
	huma.NewErrorWithContext = func(ctx huma.Context, status int, message string, errs ...error) huma.StatusError {
		p := humaProblem(status, message, nameFields(ctx.Operation(), errs)...).(*Problem)
		p.Instance, _ = ctx.Context().Value(requestKey).(string)
		NoteProblem(ctx.Context(), p, p)
		return p
	}
})

// humaProblem words what huma refuses: a malformed body, a parameter out of
// range.
func humaProblem(status int, message string, errs ...error) huma.StatusError {
	switch {
	case status == http.StatusRequestEntityTooLarge:
		message = fmt.Sprintf("a request has at most %d KiB", MaxBody>>10)
	case status == http.StatusUnsupportedMediaType:
		return ProblemOf(ErrNotJSON(), "")
	case message == unreadBody:
		status, errs = http.StatusBadRequest, nil // who sent it broke off
	}
	message = cmp.Or(plainWords[message], message)
	code := codeOf(status)
	p := &Problem{Type: "/problems/" + strings.ReplaceAll(code, "_", "-"), Title: http.StatusText(status), Status: status, Detail: message, Code: code}
	for _, err := range errs[:min(len(errs), MaxFields)] {
		field := problemField{Message: err.Error()}
		if d, ok := err.(huma.ErrorDetailer); ok {
			field = wordField(d.ErrorDetail())
		}
		p.Errors = append(p.Errors, field)
	}
	if len(p.Errors) > 0 {
		p.Detail = strings.TrimPrefix(p.Errors[0].Location+": "+p.Errors[0].Message, ": ")
	}
	return p
}

// boundWords say what huma found out of bounds.
var boundWords = map[string]string{
	validation.MsgExpectedMinimumNumber:          "must be at least %v",
	validation.MsgExpectedExclusiveMinimumNumber: "must be more than %v",
	validation.MsgExpectedMaximumNumber:          "must be at most %v",
	validation.MsgExpectedExclusiveMaximumNumber: "must be less than %v",
	validation.MsgExpectedNumberBeMultipleOf:     "must be a multiple of %v",
	validation.MsgExpectedMinLength:              "must have at least %d characters",
	validation.MsgExpectedMaxLength:              "must have at most %d characters",
	validation.MsgExpectedMinItems:               "must have at least %d entries",
	validation.MsgExpectedMaxItems:               "must have at most %d entries",
	validation.MsgExpectedMinProperties:          "must have at least %d fields",
	validation.MsgExpectedMaxProperties:          "must have at most %d fields",
	validation.MsgExpectedOneOf:                  "must be one of %s",
	validation.MsgExpectedRFC4122UUID:            "must be an id, as it was given out (%v)",
}

// patternWords say what the patterns of the API's fields ask for.
var patternWords = map[string]string{
	`^[^\x00]*$`: "holds a NUL character; remove it",
	`^[!-~]*$`:   "must be letters, digits and signs of ASCII, without spaces",
}

// plainWords say what huma found, where that needs nothing else.
var plainWords = map[string]string{
	validation.MsgExpectedRFC3339DateTime:  "must be a time such as 2026-03-31T09:00:00Z",
	validation.MsgExpectedRFC3339Date:      "must be a day such as 2026-03-31",
	validation.MsgExpectedArrayItemsUnique: "names the same twice; remove one",
	validation.MsgExpectedBase64String:     "must be base64",
	"invalid integer":                      "must be a whole number",
	"invalid float":                        "must be a number",
	"invalid floating value":               "must be a number",
	"invalid boolean":                      "must be true or false",
	"required query parameter is missing":  "is missing",
	"required header parameter is missing": "is missing",
	"request body is required":             "the request has no body; send a JSON object",
	"request body read timeout":            "the request's body took too long to arrive; send it again",
	unreadBody:                             "the request's body ended early; send it again",
}

// unreadBody is what huma says, as a fault of ours, of a body that breaks off.
const unreadBody = "cannot read request body"

// wordBounds words what a number, a length or a name has to be: huma writes large
// numbers with an exponent.
func wordBounds(format string, args ...any) string {
	if format == validation.MsgExpectedMatchPattern && len(args) == 1 {
		if words := patternWords[fmt.Sprint(args[0])]; words != "" {
			return words
		}
	}
	if format == validation.MsgExpectedMinLength && len(args) == 1 && args[0] == 1 {
		return "must not be empty"
	}
	format = cmp.Or(boundWords[format], format)
	for i, v := range args {
		if n, ok := v.(float64); ok {
			args[i] = strconv.FormatFloat(n, 'f', -1, 64)
		}
	}
	return fmt.Sprintf(format, args...)
}

// wordField words what huma found wrong with one input, and says where.
func wordField(d *huma.ErrorDetail) problemField {
	name, missing := strings.CutPrefix(d.Message, "expected required property ")
	name, whole := strings.CutSuffix(name, " to be present")
	body, isText := d.Value.(string)
	switch want := TypeWords[d.Message]; {
	case want != "":
		return problemField{d.Location, "must be " + want + ", not " + KindOf(d.Value)}
	case missing && whole:
		return problemField{d.Location + "." + name, "is missing"}
	case d.Location == "body" && isText:
		return wordBody(body, d.Message)
	}
	return problemField{d.Location, cmp.Or(plainWords[d.Message], d.Message)}
}

// wordBody words why a body could not be read, or what else was said of it.
func wordBody(body, message string) problemField {
	var f *fault.Error
	switch {
	case !json.Valid([]byte(body)):
		return problemField{"body", "is not valid JSON"}
	case errors.As(CheckJSON([]byte(body)), &f):
		return problemField{strings.TrimSuffix("body."+f.Field, "."), f.Message}
	}
	return problemField{"body", message}
}

// nameFields says of the names that an operation's body does not have which it has.
// They come first: what else is missing may be what was meant.
func nameFields(op *huma.Operation, errs []error) []error {
	var named, others []error
	for _, err := range errs {
		d, ok := err.(*huma.ErrorDetail)
		if !ok || d.Message != validation.MsgUnexpectedProperty {
			others = append(others, err)
			continue
		}
		at := strings.LastIndexByte(d.Location, '.')
		named = append(named, &huma.ErrorDetail{Location: d.Location, Value: d.Value, Message: noField(d.Location[at+1:], propertiesAt(op, d.Location[:max(at, 0)]))})
	}
	return append(named, others...)
}

// propertiesAt returns the names that an object in an operation's body has; nil for
// what is none. Its path begins with "body".
func propertiesAt(op *huma.Operation, path string) []string {
	schemas, ok := op.Metadata[schemasKey].(huma.Registry)
	if !ok || op.RequestBody == nil || op.RequestBody.Content["application/json"] == nil {
		return nil
	}
	at := solid(schemas, op.RequestBody.Content["application/json"].Schema)
	for _, step := range strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' })[1:] {
		if at == nil {
			return nil
		}
		if strings.HasSuffix(step, "]") {
			at = solid(schemas, at.Items)
			continue
		}
		at = solid(schemas, at.Properties[step])
	}
	if at == nil {
		return nil
	}
	return slices.Collect(maps.Keys(at.Properties))
}

// solid is what a schema refers to, or itself.
func solid(schemas huma.Registry, s *huma.Schema) *huma.Schema {
	for s != nil && s.Ref != "" {
		s = schemas.SchemaFromRef(s.Ref)
	}
	return s
}

// TypeWords says what huma found the type of a value to be wrong for. Other
// faults are the objective's own rules to word.
var TypeWords = map[string]string{
	validation.MsgExpectedBoolean: "true or false",
	validation.MsgExpectedNumber:  "a number",
	validation.MsgExpectedInteger: "a whole number",
	validation.MsgExpectedString:  "a string",
	validation.MsgExpectedArray:   "a list",
	validation.MsgExpectedObject:  "an object",
}

// KindOf names the JSON type of a value, with its article.
func KindOf(v any) string {
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
