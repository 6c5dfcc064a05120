package llm

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"quaestor/internal/fault"
)

// Limits on what a repair prompt repeats of a schema's verdict.
const (
	maxProblems     = 30
	maxProblemBytes = 300
)

// schemaName is what the API accepts as the name of a schema.
var schemaName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// Schema is a compiled JSON schema. Make one with [NewSchema]; it is safe for
// concurrent use.
type Schema struct {
	name     string
	raw      json.RawMessage
	strict   bool // every object lists all its properties as required
	compiled *jsonschema.Schema
}

// NewSchema compiles jsonSchema, draft 2020-12 unless it names another, under a
// name of letters, digits, _ and -, at most 64 of them. References out of the
// document are refused. A strict mode is asked of servers only for schemas in which every
// object lists all its properties as required. The error is a [fault.Invalid].
func NewSchema(name string, jsonSchema []byte) (Schema, error) {
	if !schemaName.MatchString(name) {
		return Schema{}, fault.New(fault.Invalid, "must be 1 to 64 letters, digits, _ or -").At("name")
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(jsonSchema))
	if err != nil {
		return Schema{}, fault.New(fault.Invalid, "schema %s is not JSON", name).Because(err)
	}
	const address = "schema.json"
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(jsonschema.SchemeURLLoader{})
	if err := compiler.AddResource(address, doc); err != nil {
		return Schema{}, fault.New(fault.Invalid, "schema %s cannot be read", name).Because(err)
	}
	compiled, err := compiler.Compile(address)
	if err != nil {
		return Schema{}, fault.New(fault.Invalid, "schema %s does not compile", name).Because(err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, jsonSchema); err != nil {
		return Schema{}, fault.New(fault.Invalid, "schema %s is not JSON", name).Because(err)
	}
	return Schema{name: name, raw: compact.Bytes(), strict: allRequired(doc), compiled: compiled}, nil
}

// allRequired reports whether every object of a schema requires all of its properties, as
// servers want it for a strict mode.
func allRequired(schema any) bool {
	switch v := schema.(type) {
	case []any:
		return !slices.ContainsFunc(v, func(item any) bool { return !allRequired(item) })
	case map[string]any:
		properties, _ := v["properties"].(map[string]any)
		required, _ := v["required"].([]any)
		if len(properties) > len(required) {
			return false
		}
		for _, item := range v {
			if !allRequired(item) {
				return false
			}
		}
	}
	return true
}

// Read finds the object in text that satisfies s and decodes it into out, a pointer. The error
// is an [*Error] of class [BadJSON].
func (s Schema) Read(text string, out any) error {
	if problems := s.decode(&Reply{Text: text}, out); problems != nil {
		return &Error{Class: BadJSON, Reason: "schema"}
	}
	return nil
}

// Name returns the schema's name.
func (s Schema) Name() string { return s.name }

// instruction asks for the schema in words, for servers that cannot enforce it.
func (s Schema) instruction() string {
	return prompt("schema.tmpl", map[string]any{"Schema": string(s.raw)})
}

// problems returns what keeps doc from satisfying the schema, one line each;
// none means that it does.
func (s Schema) problems(doc []byte) []string {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	if err != nil {
		return []string{"the JSON object does not parse"}
	}
	err = s.compiled.Validate(value)
	var invalid *jsonschema.ValidationError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &invalid):
		return []string{"the JSON object cannot be checked"}
	}
	var list []string
	for _, unit := range invalid.BasicOutput().Errors {
		if unit.Error != nil && len(list) < maxProblems {
			list = append(list, problem(unit.InstanceLocation, unit.Error.String()))
		}
	}
	if len(list) == 0 {
		list = []string{problem("", "does not satisfy the schema")}
	}
	return list
}

// problem words one complaint about the value at the JSON pointer at.
func problem(at, complaint string) string {
	at = cmp.Or(at, "/")
	line := fmt.Sprintf("at %s: %s", at, complaint)
	return string(bytes.ToValidUTF8([]byte(line[:min(len(line), maxProblemBytes)]), nil))
}
