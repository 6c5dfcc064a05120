package webtest

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// description is the part of an OpenAPI document these tests read.
type description struct {
	OpenAPI string `json:"openapi"`
	Info    struct{ Title, Version string }
	Paths   map[string]map[string]OperationDoc
}

type OperationDoc struct {
	OperationID string `json:"operationId"`
	Summary     string
	Parameters  []struct {
		Name, In string
		Required bool
		Schema   json.RawMessage
	}
	RequestBody *struct{ Content map[string]json.RawMessage }
	Responses   map[string]struct {
		Description string
		Content     map[string]json.RawMessage
	}
}

func (w *World) Description() (description, []byte) {
	w.T.Helper()
	resp := w.Do(Request{Path: "/openapi.json"})
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		w.T.Fatal(err)
	}
	var d description
	if err := json.Unmarshal(raw, &d); err != nil {
		w.T.Fatal(err)
	}
	return d, raw
}

var PathParameter = regexp.MustCompile(`\{(\w+)\}`)

// schemas are the schemas of the description.
type schemas struct {
	t     *testing.T
	paths map[string]map[string]OperationDoc
	defs  json.RawMessage
}

func (w *World) Schemas(t *testing.T) schemas {
	t.Helper()
	d, raw := w.Description()
	var parts struct {
		Components struct{ Schemas json.RawMessage }
	}
	if err := json.Unmarshal(raw, &parts); err != nil {
		t.Fatal(err)
	}
	return schemas{t, d.Paths, parts.Components.Schemas}
}

// Check holds an answer against what is described for it.
func (s schemas) Check(method, path, status, media string, body []byte) {
	s.t.Helper()
	s.validate(method+" "+path+" "+status+" "+media, s.paths[path][method].Responses[status].Content[media], body)
}

// validate holds a body against the description of its content.
func (s schemas) validate(name string, content json.RawMessage, body []byte) {
	s.t.Helper()
	var described struct{ Schema json.RawMessage }
	if err := json.Unmarshal(content, &described); err != nil {
		s.t.Errorf("%s is not described: %v", name, err)
		return
	}
	text := fmt.Sprintf(`{"$defs":%s,"allOf":[%s]}`, s.defs, described.Schema)
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(string(body)))
	if err != nil {
		s.t.Fatalf("%s: %v in %s", name, err, body)
	}
	if err := compiled(s.t, strings.ReplaceAll(text, "#/components/schemas/", "#/$defs/")).Validate(v); err != nil {
		s.t.Errorf("%s is not as described: %v\n%.900s", name, err, body)
	}
}

func compiled(t *testing.T, text string) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("http://quaestor.test/answer.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("http://quaestor.test/answer.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// PathOf returns the described path that a documented one, which may begin with …,
// stands for; empty when none or more than one ends so.
func (s schemas) PathOf(method, documented string) string {
	tail := PathParameter.ReplaceAllString(strings.TrimPrefix(documented, "…"), "{}")
	var found []string
	for path, methods := range s.paths {
		if _, ok := methods[method]; ok && strings.HasSuffix(PathParameter.ReplaceAllString(path, "{}"), tail) {
			found = append(found, path)
		}
	}
	if len(found) != 1 {
		return ""
	}
	return found[0]
}

// CheckBody holds a request's body against what is described for it.
func (s schemas) CheckBody(method, path, body string) {
	s.t.Helper()
	for _, content := range s.paths[path][method].RequestBody.Content {
		s.validate(method+" "+path, content, []byte(body))
	}
}
