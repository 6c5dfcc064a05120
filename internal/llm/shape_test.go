package llm

import (
	"bytes"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// shapes are schemas of every keyword a shape knows.
var shapes = []string{
	`{"type":"object","additionalProperties":false,"required":["intent","findings"],"properties":{"intent":{"type":"string","enum":["answer","skip"]},
		"about":{"type":["string","null"]},"findings":{"type":"array","items":{"type":"object","required":["key"],"properties":{"key":{"type":"string"},
		"value":{"anyOf":[{"type":"string"},{"type":"number"},{"type":"boolean"},{"type":"array","items":{"type":"string"}},{"type":"null"}]}}}}}}`,
	`{"type":"integer"}`, `{"type":["integer","null"]}`, `{"enum":["a","b"]}`, `{"items":{"type":"boolean"}}`, `{"required":["a"]}`, `{}`,
	`{"type":"object","anyOf":[{"required":["a"]},{"required":["b"],"additionalProperties":false,"properties":{"b":{}}}]}`,
}

// What fits a shape satisfies its schema, as the general validator judges it.
func FuzzShape(f *testing.F) {
	var schemas []Schema
	for _, text := range shapes {
		s, err := NewSchema("s", []byte(text))
		if err != nil {
			f.Fatal(err)
		}
		if s.shape == nil {
			f.Fatalf("%s has no shape", text)
		}
		schemas = append(schemas, s)
	}
	for _, seed := range shapeCases {
		f.Add([]byte(seed.doc))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
		for i, s := range schemas {
			if !s.shape.fits(doc) {
				continue
			}
			if err != nil {
				t.Errorf("%q is no JSON, and fits %s", doc, shapes[i])
			} else if err := s.compiled.Validate(value); err != nil {
				t.Errorf("%q fits %s, but: %v", doc, shapes[i], err)
			}
		}
	})
}

// shapeCases are documents and which of shapes they fit for sure.
var shapeCases = []struct {
	doc  string
	fits []int
}{
	{`{"intent":"answer","about":null,"findings":[{"key":"a","value":["x"]},{"key":"b","value":1.5},{"key":"c","other":{}}]}`, []int{0, 4, 6}},
	{` {"intent" : "skip", "findings" : [ ] } `, []int{0, 4, 6}},
	{`{"intent":"answer"}`, []int{4, 6}},
	{`{"intent":"other","findings":[]}`, []int{4, 6}},
	{`{"intent":"answer","findings":[],"more":1}`, []int{4, 6}},
	{`{"intent":"answer","findings":[{"key":"a","value":{}}]}`, []int{4, 6}},
	{`{"intent":"answer","findings":[{"key":1}]}`, []int{4, 6}},
	{`{"int\u0065nt":"answer","findings":[]}`, nil},
	{`12`, []int{1, 2, 4, 5, 6}}, {`-0`, []int{1, 2, 4, 5, 6}}, {`1.0`, []int{4, 5, 6}}, {`1e2`, []int{4, 5, 6}}, {`null`, []int{2, 4, 5, 6}},
	{`"a"`, []int{3, 4, 5, 6}}, {`"c"`, []int{4, 5, 6}}, {`"\u0061"`, []int{4, 5, 6}}, {`true`, []int{4, 5, 6}},
	{`[true,false]`, []int{4, 5, 6}}, {`[1]`, []int{5, 6}}, {`{"a":1}`, []int{4, 5, 6, 7}}, {`{"b":1}`, []int{4, 6, 7}}, {`{"b":1,"c":2}`, []int{4, 6}},
	{`{"a":1`, nil}, {`{"a":1}}`, nil}, {``, nil}, {`01`, nil}, {`tru`, nil}, {"\"\x01\"", nil},
}

func TestShapeFits(t *testing.T) {
	t.Parallel()

	for i, text := range shapes {
		s := newShape([]byte(text))
		for _, tt := range shapeCases {
			want := false
			for _, n := range tt.fits {
				want = want || n == i
			}
			if got := s.fits([]byte(tt.doc)); got != want {
				t.Errorf("fits(%s) = %v for %s, want %v", tt.doc, got, text, want)
			}
		}
	}
}

func TestShapeKnowsItsKeywords(t *testing.T) {
	t.Parallel()

	for _, text := range []string{`{"type":"string","minLength":1}`, `{"enum":[1]}`, `{"$ref":"#"}`, `{"additionalProperties":{"type":"string"}}`, `{"items":{"const":1}}`, `{"anyOf":[true]}`, `true`} {
		if newShape([]byte(text)) != nil {
			t.Errorf("%s has a shape", text)
		}
	}
}
