package model

import (
	"encoding/json"
	"testing"

	"quaestor/chat"
	"quaestor/obligations"
)

func valueTemplates() map[obligations.Widget]*obligations.Template {
	low, high := 1.0, 60.0
	choices := []obligations.Choice{{Value: "cost_plus", Label: "Costs plus a margin", Synonyms: []string{"markup", "mark-up"}}, {Value: "going_rate", Label: "In line with others", Synonyms: []string{"market"}},
		{Value: "premium", Label: "Higher than others", Synonyms: []string{"market leader"}}}
	return map[obligations.Widget]*obligations.Template{
		obligations.Text:        {Key: "t", Widget: obligations.Text},
		obligations.Number:      {Key: "n", Widget: obligations.Number, Unit: "months", Min: &low, Max: &high},
		obligations.Date:        {Key: "d", Widget: obligations.Date},
		obligations.ChoiceOne:   {Key: "c", Widget: obligations.ChoiceOne, Choices: choices},
		obligations.MultiSelect: {Key: "m", Widget: obligations.MultiSelect, Choices: choices},
	}
}

func TestCoerce(t *testing.T) {
	t.Parallel()

	cases := []struct {
		widget   obligations.Widget
		in, want string
	}{
		{obligations.Text, `" Cheese "`, `"Cheese"`},
		{obligations.Text, `12`, `"12"`},
		{obligations.Text, `true`, `"yes"`},
		{obligations.Text, `["a", "b"]`, `"a, b"`},
		{obligations.Text, `{"min":1,"max":2}`, `"1–2"`},
		{obligations.Text, `"  "`, ``},
		{obligations.Text, `null`, ``},
		{obligations.Number, `12`, `12`},
		{obligations.Number, `12.50`, `12.5`},
		{obligations.Number, `"12"`, `12`},
		{obligations.Number, `"12 months"`, `12`},
		{obligations.Number, `"1 Month"`, `1`},
		{obligations.Number, `"+12"`, `12`},
		{obligations.Number, `"3-6"`, `{"min":3,"max":6}`},
		{obligations.Number, `"between 3 and 6 months"`, `{"min":3,"max":6}`},
		{obligations.Number, `"3 months to 6 months"`, `{"min":3,"max":6}`},
		{obligations.Number, `{"min":3,"max":6}`, `{"min":3,"max":6}`},
		{obligations.Number, `{"min":6,"max":6}`, `6`},
		{obligations.Number, `{"min":9,"max":6}`, ``},
		{obligations.Number, `[12]`, `12`},
		{obligations.Number, `"2 years"`, ``},
		{obligations.Number, `"1.200"`, ``},
		{obligations.Number, `"12,5"`, ``},
		{obligations.Number, `100`, ``},
		{obligations.Number, `"a dozen"`, ``},
		{obligations.Number, `true`, ``},
		{obligations.Date, `"2026-03-31"`, `"2026-03-31"`},
		{obligations.Date, `"2026-3-5"`, `"2026-03-05"`},
		{obligations.Date, `"2026/03"`, `"2026-03"`},
		{obligations.Date, `2026`, `"2026"`},
		{obligations.Date, `"31 March 2026"`, `"2026-03-31"`},
		{obligations.Date, `"March 31st, 2026"`, `"2026-03-31"`},
		{obligations.Date, `"the 3rd of may 2026"`, ``},
		{obligations.Date, `"3rd of may 2026"`, `"2026-05-03"`},
		{obligations.Date, `"Sep 2026"`, `"2026-09"`},
		{obligations.Date, `"31.03.2026"`, `"2026-03-31"`},
		{obligations.Date, `"2026-03-31T10:00:00Z"`, `"2026-03-31"`},
		{obligations.Date, `"03/04/2026"`, ``},
		{obligations.Date, `"2026-02-30"`, ``},
		{obligations.Date, `"soon"`, ``},
		{obligations.ChoiceOne, `"cost_plus"`, `"cost_plus"`},
		{obligations.ChoiceOne, `"Cost-Plus"`, `"cost_plus"`},
		{obligations.ChoiceOne, `"costs plus a margin."`, `"cost_plus"`},
		{obligations.ChoiceOne, `"Mark-up"`, `"cost_plus"`},
		{obligations.ChoiceOne, `["markup"]`, `"cost_plus"`},
		{obligations.ChoiceOne, `"by mood"`, ``},
		{obligations.MultiSelect, `["cost_plus","markup","market"]`, `["cost_plus","going_rate"]`},
		{obligations.MultiSelect, `"Markup and market leader"`, `["cost_plus","premium"]`},
		{obligations.MultiSelect, `"costs plus a margin; higher than others"`, `["cost_plus","premium"]`},
		{obligations.MultiSelect, `["cost_plus","by mood"]`, ``},
		{obligations.MultiSelect, `[]`, ``},
	}
	templates := valueTemplates()
	for _, tc := range cases {
		if got := string(coerce(templates[tc.widget], json.RawMessage(tc.in))); got != tc.want {
			t.Errorf("coerce(%s, %s) = %q, want %q", tc.widget, tc.in, got, tc.want)
		}
	}
}

func TestCoerceKeepsOtherAnswersAndCurrencies(t *testing.T) {
	t.Parallel()

	open := *valueTemplates()[obligations.ChoiceOne]
	open.AllowOther = true
	many := *valueTemplates()[obligations.MultiSelect]
	many.AllowOther = true
	money := obligations.Template{Key: "b", Widget: obligations.Number, Unit: "money"}
	share := obligations.Template{Key: "p", Widget: obligations.Number, Unit: "percent"}
	cases := []struct {
		t        *obligations.Template
		in, want string
	}{
		{&open, `"by mood"`, `"by mood"`},
		{&open, `"Markup"`, `"cost_plus"`},
		{&many, `"fairs and markup"`, `["fairs and markup"]`},
		{&many, `["fairs","markup"]`, `["fairs","cost_plus"]`},
		{&money, `"€ 20k"`, `20000`},
		{&money, `"1,200,000 USD"`, `1200000`},
		{&money, `"$1.5 million"`, `1500000`},
		{&money, `"20k to 30k"`, `{"min":20000,"max":30000}`},
		{&share, `"40%"`, `40`},
	}
	for _, tc := range cases {
		if got := string(coerce(tc.t, json.RawMessage(tc.in))); got != tc.want {
			t.Errorf("coerce(%s, %s) = %q, want %q", tc.t.Key, tc.in, got, tc.want)
		}
	}
}

// FuzzCoerce makes sure that whatever a model writes comes to a value that fits,
// or to none, and that what fits is left as it is the second time.
func FuzzCoerce(f *testing.F) {
	for _, seed := range []string{`"12 months"`, `"3-6"`, `"31 March 2026"`, `["a","markup"]`, `{"min":1,"max":2}`, `"1e9"`, `"markup, market"`, `null`, `true`} {
		f.Add(seed)
	}
	templates := valueTemplates()
	f.Fuzz(func(t *testing.T, in string) {
		for widget, tmpl := range templates {
			out := coerce(tmpl, json.RawMessage(in))
			if out == nil {
				continue
			}
			if err := tmpl.Check(out); err != nil {
				t.Errorf("coerce(%s, %q) = %s, which does not fit: %v", widget, in, out, err)
			}
			if again := coerce(tmpl, out); string(again) != string(out) {
				t.Errorf("coerce(%s, %s) = %s the second time", widget, out, again)
			}
			if chat.ValueInWords(tmpl, out) == "" {
				t.Errorf("chat.ValueInWords(%s, %s) is empty", widget, out)
			}
		}
	})
}
