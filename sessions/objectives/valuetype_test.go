package objectives_test

import (
	"fmt"
	"strings"
	"testing"

	"quaestor/obligations"
	"quaestor/sessions/objectives"
)

func TestSchemasTellWhatTheirValuesAre(t *testing.T) {
	t.Parallel()

	for property, want := range map[string]string{
		`"contactEmail": {"type": "string"}`:                                 "email",
		`"mail": {"type": "string", "format": "email"}`:                      "email",
		`"site": {"type": "string", "format": "uri"}`:                        "url",
		`"ownerName": {"type": "string"}`:                                    "person",
		`"pickup_city": {"type": "string"}`:                                  "place",
		`"startTime": {"type": "string", "format": "time"}`:                  "time",
		`"reason": {"type": "string"}`:                                       "text",
		`"arrival": {"type": "string", "format": "date"}`:                    "date",
		`"monthlyRent": {"type": "number"}`:                                  "amount",
		`"guests": {"type": "integer"}`:                                      "count",
		`"smoker": {"type": "boolean"}`:                                      "yesno",
		`"colour": {"enum": ["red", "blue"]}`:                                "choice",
		`"kennzeichen": {"type": "string"}`:                                  "identifier",
		`"mood": {"type": "string"}`:                                         "",
		`"who": {"type": "string", "title": "Team", "x-value-type": "list"}`: "list",
	} {
		d, _, err := objectives.FromSchema([]byte(`{"title": "Trip", "type": "object", "required": [], "properties": {`+property+`}}`), objectives.SchemaOptions{})
		if err != nil {
			t.Errorf("%s: %v", property, err)
			continue
		}
		if got := d.Obligations[0].ValueType; got != want {
			t.Errorf("%s: value type %q, want %q", property, got, want)
		}
	}
}

func TestValueTypesSuitTheirWidgets(t *testing.T) {
	t.Parallel()

	d := objectives.Definition{ContextType: "trip", Version: "1.0.0", DisplayName: "Trip", Obligations: []obligations.Template{{Key: "when", Prompt: "When?", Widget: obligations.Date, ValueType: "person"}}}
	err := d.Validate()
	if want := "obligations[0].valueType"; err == nil || !strings.Contains(fmt.Sprintf("%+v", err), "person") {
		t.Errorf("a date that is a person: %v, want a fault at %s", err, want)
	}
}
