package objectives_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions/objectives"
)

// order is a schema with a bit of everything that can be asked for.
const order = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "Order", "description": "What somebody wants to buy.", "type": "object",
  "required": ["customer", "quantity", "version"],
  "properties": {
    "version": {"const": 2},
    "customer": {"$ref": "#/$defs/person"},
    "quantity": {"type": "integer", "minimum": 1, "maximum": 500, "description": "How many do you need?", "x-priority": 9, "x-depends-on": ["customer.fullName"]},
    "deliveryDate": {"type": "string", "format": "date", "title": "Delivery date", "description": "Decides on the route.", "default": "2026-01-01"},
    "size": {"enum": [1, 2.5, "huge"]},
    "colour": {"oneOf": [{"const": "r", "title": "Red"}, {"const": "g", "title": "Green"}], "x-prompt": "Which colour shall it be?"},
    "extras": {"type": "array", "items": {"enum": ["gift_wrap", "card"]}, "maxItems": 2},
    "express": {"type": ["boolean", "null"], "x-expertise": "logistics"},
    "first-name": {"type": "string", "maxLength": 5, "examples": ["Ada"]}
  },
  "$defs": {
    "named": {"type": "object", "properties": {"fullName": {"type": "string", "minLength": 2}}, "required": ["fullName"]},
    "person": {"allOf": [{"$ref": "#/$defs/named"}, {"properties": {"age": {"type": "integer", "exclusiveMinimum": 17}}}]}
  }
}`

func mustSchema(t testing.TB, text string) (objectives.Definition, []objectives.SchemaNote) {
	t.Helper()
	d, notes, err := objectives.FromSchema([]byte(text), objectives.SchemaOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return d, notes
}

func TestFromSchemaMakesObligations(t *testing.T) {
	t.Parallel()

	d, notes := mustSchema(t, order)

	var got []string
	for _, o := range d.Obligations {
		got = append(got, fmt.Sprintf("%s %s %s %d %q", o.Key, o.FieldPath, o.Widget, o.Priority, o.Prompt))
	}
	want := []string{
		`full_name customer.fullName text 7 "What is the full name?"`,
		`age customer.age number 4 "What is the age?"`,
		`quantity quantity number 9 "How many do you need?"`,
		`delivery_date deliveryDate date 4 "What is the delivery date?"`,
		`size size choice 4 "What is the size?"`,
		`colour colour choice 4 "Which colour shall it be?"`,
		`extras extras multiselect 4 "Which of these apply: extras?"`,
		`express express choice 4 "Express: yes or no?"`,
		`first_name first_name text 4 "What is the first name?"`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("obligations (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"full_name", "quantity"}, d.Completion.Required); diff != "" || d.ContextType != "order_objective" || d.Version != "1.0.0" || d.DisplayName != "Order" {
		t.Errorf("%s %s %q requires (-want +got):\n%s", d.ContextType, d.Version, d.DisplayName, diff)
	}
	quantity, date, colour, express := d.Obligations[2], d.Obligations[3], d.Obligations[5], d.Obligations[7]
	if diff := cmp.Diff([]string{"full_name"}, quantity.Dependencies); diff != "" || !quantity.Integer || *quantity.Min != 1 || *quantity.Max != 500 {
		t.Errorf("quantity = %+v", quantity)
	}
	if date.Why != "Decides on the route." || !strings.Contains(date.SatisfiedWhen, "len(value) == 10") {
		t.Errorf("date = %+v", date)
	}
	if diff := cmp.Diff([]obligations.Choice{{Value: "r", Label: "Red"}, {Value: "g", Label: "Green"}}, colour.Choices); diff != "" || express.ExpertiseRequired != "logistics" {
		t.Errorf("colour (-want +got):\n%s\nexpress %+v", diff, express)
	}
	said := fmt.Sprint(notes)
	if len(notes) != 2 || !strings.Contains(said, "#/properties/deliveryDate/default") || !strings.Contains(said, "#/properties/version is fixed to 2") {
		t.Errorf("notes = %v, want the default and the constant", notes)
	}
	if file, err := d.JSON(); err != nil {
		t.Error(err)
	} else if _, err := objectives.ParseDefinition(file); err != nil {
		t.Errorf("the objective cannot be imported: %v", err)
	} else if lint := objectives.Lint(file); len(lint) > 0 {
		t.Errorf("lint: %v", lint)
	}
}

func TestSchemasThatCannotBeAskedForAreRefusedWithTheirPlace(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ name, property, path, says string }{
		{"anything but", `{"not": {"type": "string"}}`, "#/properties/p/not", "cannot make sure"},
		{"alternatives", `{"oneOf": [{"type": "string"}, {"type": "number"}]}`, "#/properties/p/oneOf", "const"},
		{"two types", `{"type": ["string", "number"]}`, "#/properties/p/type", "keep one"},
		{"nothing", `{"type": "null"}`, "#/properties/p/type", "nothing"},
		{"false", `false`, "#/properties/p/not", "cannot make sure"},
		{"a free list", `{"type": "array", "items": {"type": "string"}}`, "#/properties/p/items", "enum"},
		{"a list of anything", `{"type": "array"}`, "#/properties/p/items", "enum"},
		{"no choice", `{"enum": []}`, "#/properties/p/enum", "nothing"},
		{"a choice of objects", `{"enum": [{}]}`, "#/properties/p/enum/0", "text"},
		{"choices that read alike", `{"enum": [1, "1"]}`, "#/properties/p/enum", "reads like another"},
		{"a choice without words", `{"enum": [" ", "a"]}`, "#/properties/p/enum", "empty"},
		{"choices of another type", `{"type": "integer", "enum": ["a"]}`, "#/properties/p/enum", "nothing"},
		{"a reference outside", `{"$ref": "https://example.org/x.json"}`, "#/properties/p/$ref", "within"},
		{"a reference to nothing", `{"$ref": "#/$defs/none"}`, "#/properties/p/$ref", "nothing"},
		{"itself", `{"$ref": "#"}`, "", "refers to itself"},
		{"types that exclude each other", `{"allOf": [{"type": "string"}, {"type": "integer"}]}`, "#/properties/p/allOf/1/type", "together"},
		{"a priority out of range", `{"type": "string", "x-priority": 11}`, "#/properties/p/x-priority", "1 to 10"},
		{"a dependency on nothing", `{"type": "string", "x-depends-on": ["q"]}`, "#/properties/p/x-depends-on", "no other property"},
		{"a pattern that is none", `{"type": "string", "pattern": "("}`, "#/properties/p/pattern", "cannot be read"},
		{"a bound beyond all reason", `{"type": "number", "minimum": 1e999999999}`, "#/properties/p/minimum", "ordinary size"},
		{"no schema", `7`, "#/properties/p", "must be a schema"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			_, _, err := objectives.FromSchema([]byte(`{"type": "object", "properties": {"p": `+tt.property+`}}`), objectives.SchemaOptions{})

			var listed objectives.Faults
			if !errors.As(err, &listed) || tt.path != "" && listed[0].Field != tt.path || !strings.Contains(listed.Error(), tt.says) {
				t.Errorf("FromSchema = %v, want a fault at %s saying %q", err, tt.path, tt.says)
			}
		})
	}
	for _, doc := range []string{``, `[]`, `null`, `{"type": "string"}`, `{"type": "object"}`, `{"type": "object", "required": ["x"]}`, `{"type": "object", "type": "object"}`} {
		if _, _, err := objectives.FromSchema([]byte(doc), objectives.SchemaOptions{}); fault.KindOf(err) == fault.Internal || err == nil {
			t.Errorf("FromSchema(%s) = %v, want a fault that can be shown", doc, err)
		}
	}
}

// answered are obligations with these values, all satisfied.
func answered(d *objectives.Definition, values map[string]string) []obligations.Obligation {
	list := obligations.Fresh(d.Obligations, obligations.Origin{Source: "objective"})
	for i := range list {
		if v, ok := values[list[i].FieldPath]; ok {
			list[i].Value, list[i].Status, list[i].Confidence = json.RawMessage(v), obligations.Satisfied, 90
		}
	}
	return list
}

func TestInstanceFitsItsSchema(t *testing.T) {
	t.Parallel()

	d, _ := mustSchema(t, order)
	all := map[string]string{"customer.fullName": `"Ada"`, "customer.age": `30`, "quantity": `3`, "deliveryDate": `"2026-03-31"`, "size": `"2.5"`, "colour": `"g"`,
		"extras": `["card"]`, "express": `"true"`, "first_name": `"Ada"`}

	got, err := objectives.Instance(&d, answered(&d, all))
	if err != nil {
		t.Fatal(err)
	}

	want := `{"version": 2, "customer": {"fullName": "Ada", "age": 30}, "quantity": 3, "deliveryDate": "2026-03-31", "size": 2.5, "colour": "g", "extras": ["card"], "express": true, "first-name": "Ada"}`
	if !obligations.SameValue(json.RawMessage(want), got) {
		t.Errorf("Instance = %s, want %s", got, want)
	}
	validate(t, order, got)
	for _, tt := range []struct{ name, path, value, says string }{
		{"unknown", "quantity", ``, "quantity is not known"},
		{"unknown further down", "customer.fullName", ``, "customer.fullName is not known"},
		{"a range", "quantity", `{"min": 1, "max": 2}`, "quantity must be an integer"},
		{"part of a date", "deliveryDate", `"2026-03"`, "deliveryDate must be a whole date"},
		{"too young", "customer.age", `17`, "customer.age must be above 17"},
		{"too long", "first_name", `"Augusta"`, "first-name has a length that must be at most 5"},
		{"no choice any more", "colour", `"b"`, "colour is not one of"},
	} {
		changed := map[string]string{}
		for path, v := range all {
			changed[path] = v
		}
		if changed[tt.path] = tt.value; tt.value == "" {
			delete(changed, tt.path)
		}
		if _, err := objectives.Instance(&d, answered(&d, changed)); !fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: Instance = %v, want a conflict saying %q", tt.name, err, tt.says)
		}
	}
	plainOne, err := objectives.ParseDefinition([]byte(plain))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := objectives.Instance(&plainOne, nil); !fault.Is(err, fault.Unprocessable) {
		t.Errorf("Instance of an objective without a schema = %v, want unprocessable", err)
	}
}

// validate holds an instance against a schema with a validator that is not ours.
func validate(t interface {
	Fatalf(string, ...any)
}, schema string, instance []byte) {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(schema))
	if err != nil {
		t.Fatalf("schema: %v", err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatalf("schema: %v", err)
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		t.Fatalf("schema %s: %v", schema, err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(instance))
	if err != nil {
		t.Fatalf("instance: %v", err)
	}
	if err := compiled.Validate(value); err != nil {
		t.Fatalf("%s is not valid under %s: %v", instance, schema, err)
	}
}

// drawn is a random schema and values for it, by field path.
type drawn struct {
	t      *rapid.T
	values map[string]string
	full   bool // every value is there
}

var propertyNames = []string{"a", "b", "c d", "e-f", "e_f", "Name", "größe", "1st", "x.y", "longPropertyName"}

// segment is what a property is called in a field path, for those above.
var segment = map[string]string{"c d": "c_d", "e-f": "e_f_2", "größe": "gr__e", "1st": "p1st", "x.y": "x_y"}

func (d *drawn) object(path string, depth int) map[string]any {
	names := rapid.SliceOfNDistinct(rapid.SampledFrom(propertyNames), 1, 4, rapid.ID[string]).Draw(d.t, "names")
	props, required := map[string]any{}, []any{}
	dashed, scored := false, false
	for _, n := range names {
		dashed, scored = dashed || n == "e-f", scored || n == "e_f"
	}
	for _, n := range names {
		s, ok := segment[n]
		if !ok {
			s = n
		}
		if n == "e-f" && !(dashed && scored) {
			s = "e_f"
		}
		at := strings.TrimPrefix(path+"."+s, ".")
		if depth > 0 && rapid.IntRange(0, 3).Draw(d.t, "nest") == 0 {
			props[n] = d.object(at, depth-1)
		} else {
			props[n] = d.leaf(at)
		}
		if rapid.Bool().Draw(d.t, "required") {
			required = append(required, n)
		}
	}
	return map[string]any{"type": "object", "properties": props, "required": required}
}

// leaf draws a property and, mostly, a value for it.
func (d *drawn) leaf(path string) map[string]any {
	schema, value := d.kind()
	if d.full || rapid.IntRange(0, 3).Draw(d.t, "known") > 0 {
		d.values[path] = value
	}
	if rapid.Bool().Draw(d.t, "wrapped") {
		return map[string]any{"allOf": []any{schema, map[string]any{"title": "T"}}}
	}
	return schema
}

func (d *drawn) kind() (map[string]any, string) {
	switch rapid.IntRange(0, 8).Draw(d.t, "kind") {
	case 0:
		return map[string]any{"type": "string", "minLength": 1, "maxLength": 10}, rapid.SampledFrom([]string{`"x"`, `"größer"`, `"a b"`}).Draw(d.t, "text")
	case 1:
		n := rapid.IntRange(-5, 5).Draw(d.t, "n")
		return map[string]any{"type": "integer", "minimum": n, "maximum": n + 3}, fmt.Sprint(n + 1)
	case 2:
		return map[string]any{"type": "number", "exclusiveMinimum": 0}, rapid.SampledFrom([]string{`0.5`, `1e3`, `7`}).Draw(d.t, "number")
	case 3:
		return map[string]any{"type": "boolean"}, rapid.SampledFrom([]string{`"true"`, `"false"`}).Draw(d.t, "truth")
	case 4:
		return map[string]any{"type": "string", "format": "date"}, `"2026-02-28"`
	case 5:
		return map[string]any{"enum": []any{1, "two", true, nil, 3.5}}, rapid.SampledFrom([]string{`"1"`, `"two"`, `"true"`, `"3.5"`}).Draw(d.t, "choice")
	case 6:
		return map[string]any{"oneOf": []any{map[string]any{"const": "p", "title": "P"}, map[string]any{"const": 4}}}, rapid.SampledFrom([]string{`"p"`, `"4"`}).Draw(d.t, "choice")
	case 7:
		return map[string]any{"type": "array", "items": map[string]any{"enum": []any{"x", 2, "z"}}, "minItems": 1}, rapid.SampledFrom([]string{`["2"]`, `["x","2"]`, `["z"]`}).Draw(d.t, "list")
	}
	return map[string]any{"const": "fixed"}, `"ignored"`
}

// Whatever schema of the subset is imported and however it is answered: the
// obligations take the values, and the export is valid under the schema or says
// what is missing; with every value there it is always valid.
func TestSchemaRoundTrip(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		draw := &drawn{t: t, values: map[string]string{}, full: rapid.Bool().Draw(t, "full")}
		schema := draw.object("", 2)
		schema["title"] = "Drawn"
		text, err := json.Marshal(schema)
		if err != nil {
			t.Fatal(err)
		}
		d, _, err := objectives.FromSchema(text, objectives.SchemaOptions{})
		if err != nil {
			if !strings.Contains(err.Error(), "no property that can be asked for") {
				t.Fatalf("FromSchema(%s) = %v", text, err)
			}
			return
		}
		list := answered(&d, draw.values)
		for _, o := range list {
			if o.Value != nil && o.Check(o.Value) != nil {
				t.Fatalf("%s does not take %s", o.Key, o.Value)
			}
		}

		got, err := objectives.Instance(&d, list)

		switch {
		case err == nil:
			validate(t, string(text), got)
			kept, err := json.Marshal(d)
			if err != nil {
				t.Fatal(err)
			}
			var stored objectives.Definition
			if err := json.Unmarshal(kept, &stored); err != nil {
				t.Fatal(err)
			}
			if again, err := objectives.Instance(&stored, list); err != nil || !bytes.Equal(again, got) {
				t.Fatalf("stored and read: %s, %v, want %s", again, err, got)
			}
		case draw.full:
			t.Fatalf("Instance of %s with %v = %v, want it whole", text, draw.values, err)
		case !strings.Contains(err.Error(), "is not known"):
			t.Fatalf("Instance of %s with %v = %v", text, draw.values, err)
		}
	})
}

// Whatever is imported, it ends, and what comes of it may be published.
func FuzzFromSchema(f *testing.F) {
	f.Add([]byte(order))
	f.Add([]byte(`{"type":"object","properties":{"a":{"$ref":"#"}}}`))
	f.Add([]byte(`{"type":"object","properties":{"a":{"allOf":[{"$ref":"#/properties/a"},{"$ref":"#/properties/a"}]}}}`))
	f.Add([]byte(`{"properties":{"a":{"enum":[null,1e400,"",{}]},"b":{"const":null},"":{"type":"string"},"\u0000":{}}}`))
	f.Add([]byte(`{"allOf":[{"properties":{"a":{"type":"integer"}}},{"properties":{"a":{"minimum":3}},"required":["a"]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, _, err := objectives.FromSchema(data, objectives.SchemaOptions{ContextType: "fuzzed", Version: "1.0.0"})
		if err != nil {
			if fault.KindOf(err) == fault.Internal {
				t.Fatalf("FromSchema = %v, which cannot be shown", err)
			}
			return
		}
		if err := d.Validate(); err != nil {
			t.Fatalf("what was imported cannot be published: %v", err)
		}
		if _, err := objectives.Instance(&d, obligations.Fresh(d.Obligations, obligations.Origin{})); fault.KindOf(err) == fault.Internal {
			t.Fatalf("Instance = %v", err)
		}
	})
}
