package obligations

import (
	"encoding/json"
	"strings"
	"testing"

	"quaestor/internal/fault"
)

// widgets are templates of every kind, by the name the tests below use.
func widgets() map[string]Template {
	low, high := 0.0, 100.0
	choices := []Choice{{Value: "a", Label: "A"}, {Value: "b", Label: "B"}}
	return map[string]Template{
		"text":     {Key: "market", Widget: Text},
		"choice":   {Key: "market", Widget: ChoiceOne, Choices: choices},
		"other":    {Key: "market", Widget: ChoiceOne, Choices: choices, AllowOther: true},
		"several":  {Key: "market", Widget: MultiSelect, Choices: choices},
		"date":     {Key: "market", Widget: Date},
		"number":   {Key: "market", Widget: Number},
		"counted":  {Key: "market", Widget: Number, Integer: true, Min: &low, Max: &high},
		"nonsense": {Key: "market", Widget: "slider"},
	}
}

func TestTemplateCheck(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ name, widget, in, want string }{ // want is empty for a value that may be stored
		{"a text", "text", `"small shops"`, ""},
		{"an empty text", "text", `" \n"`, "not empty"},
		{"a number for a text", "text", `7`, "must be a text"},
		{"null for a text", "text", `null`, "must be a text"},
		{"two texts", "text", `"a" "b"`, "must be a text"},
		{"a text and a stray bracket", "text", `"a"]`, "must be a text"},
		{"a text with NUL", "text", `"a\u0000"`, "character"},
		{"a text with half a pair", "text", `"a\ud800"`, "character"},
		{"no JSON", "text", `small`, "must be a text"},
		{"nothing", "text", ``, "must be a text"},
		{"a long text", "text", `"` + strings.Repeat("x", maxValueBytes) + `"`, "longer than 16384 bytes"},
		{"a choice", "choice", `"b"`, ""},
		{"a label", "choice", `"B"`, "one of a, b"},
		{"another choice", "choice", `"z"`, `one of a, b, not "z"`},
		{"a list for a choice", "choice", `["a"]`, "one of a, b"},
		{"another answer where it is allowed", "other", `"z"`, ""},
		{"no answer where another is allowed", "other", `" "`, "one of a, b"},
		{"NUL where another is allowed", "other", `"\u0000"`, "one of a, b"},
		{"several", "several", `["b","a"]`, ""},
		{"none of several", "several", `[]`, "list of a, b"},
		{"null for several", "several", `null`, "list of a, b"},
		{"one twice", "several", `["a","a"]`, `names "a" twice`},
		{"one that is not there", "several", `["a","z"]`, `not "z"`},
		{"a year", "date", `"2026"`, ""},
		{"a month", "date", `"2026-02"`, ""},
		{"a day", "date", `"2024-02-29"`, ""},
		{"a day that is not", "date", `"2026-02-29"`, "must be a date"},
		{"a month that is not", "date", `"2026-13"`, "must be a date"},
		{"a day in words", "date", `"tomorrow"`, "must be a date"},
		{"a year as a number", "date", `2026`, "must be a date"},
		{"a number", "number", `-2.5e3`, ""},
		{"a range", "number", `{"min": 1, "max": 2}`, ""},
		{"a range the wrong way", "number", `{"min": 2, "max": 1}`, "smaller number goes first"},
		{"half a range", "number", `{"min": 2}`, "range with min and max"},
		{"a range of nothing", "number", `{"min": null, "max": null}`, "range with min and max"},
		{"a range and more", "number", `{"min": 1, "max": 2, "unit": 3}`, "range with min and max"},
		{"a range in capitals", "number", `{"MIN": 1, "MAX": 2}`, "range with min and max"},
		{"null for a number", "number", `null`, "must be a number"},
		{"a number in quotes", "number", `"7"`, "must be a number"},
		{"a number beyond all bounds", "number", `1e999`, "must be a number"},
		{"a whole number", "counted", `7`, ""},
		{"a whole number written otherwise", "counted", `7.0`, ""},
		{"a fraction", "counted", `7.5`, "whole number"},
		{"a range with a fraction", "counted", `{"min":1,"max":2.5}`, "whole number"},
		{"the least", "counted", `0`, ""},
		{"below the least", "counted", `-1`, "at least 0"},
		{"above the greatest", "counted", `101`, "at most 100"},
		{"a range above the greatest", "counted", `{"min":1,"max":101}`, "at most 100"},
		{"a widget that is none", "nonsense", `1`, "slider"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			template := widgets()[tt.widget]
			err := template.Check(json.RawMessage(tt.in))

			switch {
			case tt.want == "" && err != nil:
				t.Errorf("Check(%s) = %v, want nil", tt.in, err)
			case tt.want != "" && (!fault.Is(err, fault.Unprocessable) || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), "market: ")):
				t.Errorf("Check(%.60s) = %v, want a fault at market with %q", tt.in, err, tt.want)
			}
		})
	}
}

func TestTemplateWords(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		in   Template
		want string
	}{
		{Template{Key: "target_market"}, "Target market"},
		{Template{Key: "target_market", Label: "Market"}, "Market"},
	} {
		if got := tt.in.Name(); got != tt.want {
			t.Errorf("Name() of %+v = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestClosed(t *testing.T) {
	t.Parallel()

	for _, w := range []Widget{Text, ChoiceOne, MultiSelect, Date, Number} {
		template := Template{Widget: w}
		if got := template.Closed(); got != (w != Text) {
			t.Errorf("Closed() of %q = %v", w, got)
		}
	}
}

func FuzzCheckValue(f *testing.F) {
	for _, seed := range []string{`"a"`, `["a","b"]`, `"2026-02"`, `7`, `{"min":1,"max":2}`, `null`, `"a"]`, `"\u0000"`, `"\ud800"`, `{"min":{}}`} {
		f.Add([]byte(seed))
	}
	all := widgets()

	f.Fuzz(func(t *testing.T, in []byte) {
		for name, template := range all {
			if template.Check(in) != nil {
				continue
			}
			if !json.Valid(in) || len(in) > maxValueBytes || !SameValue(in, in) {
				t.Errorf("Check(%q) of %s is nil", in, name)
			}
			var v any
			if err := json.Unmarshal(in, &v); err != nil || v == nil {
				t.Errorf("Check(%q) of %s is nil, but it decodes to %v, %v", in, name, v, err)
			}
			if again := template.Check(mustJSON(v)); again != nil {
				t.Errorf("Check(%q) of %s is nil, but written again it is %v", in, name, again)
			}
		}
	})
}
