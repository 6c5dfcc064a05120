package claims_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quaestor/obligations"
	"quaestor/research/claims"
)

// wish returns an obligation of the template.
func wish(t obligations.Template) *obligations.Obligation {
	t.Key = "wish"
	return &obligations.Obligation{Template: &t}
}

// said returns claims of sources 1, 2, …, ranked in the order given.
func said(texts ...string) []claims.Claim {
	var out []claims.Claim
	for i, s := range texts {
		out = append(out, claims.Claim{N: i + 1, Source: i + 1, Text: s, Quote: s, Rank: 0.9 - 0.05*float64(i), Host: "a.example"})
	}
	return claims.Contradict(out)
}

var widgets = struct{ people, money, months, plain, integer, date, one, many, text obligations.Template }{
	people:  obligations.Template{Prompt: "How many people work there?", Widget: obligations.Number, Unit: "people", Min: new(float64)},
	money:   obligations.Template{Prompt: "What does it cost?", Widget: obligations.Number, Unit: "money"},
	months:  obligations.Template{Prompt: "How long does it take?", Widget: obligations.Number, Unit: "months"},
	plain:   obligations.Template{Prompt: "How many clinics are there?", Widget: obligations.Number, Unit: "clinics"},
	integer: obligations.Template{Prompt: "How long in years?", Widget: obligations.Number, Unit: "years", Integer: true},
	date:    obligations.Template{Prompt: "When does it begin?", Widget: obligations.Date},
	one: obligations.Template{Prompt: "Which model?", Widget: obligations.ChoiceOne, Choices: []obligations.Choice{
		{Value: "saas", Label: "Software as a service", Synonyms: []string{"SaaS", "cloud"}}, {Value: "licence", Label: "Licence"}, {Value: "go", Label: "Go"}, {Value: "other", Label: "Other"}}},
	many: obligations.Template{Prompt: "Which standards?", Widget: obligations.MultiSelect, Choices: []obligations.Choice{{Value: "saml", Label: "SAML"}, {Value: "oauth", Label: "OAuth 2.0", Synonyms: []string{"OAuth"}}, {Value: "ldap", Label: "LDAP"}}},
	text: obligations.Template{Prompt: "What does Acme do?", Widget: obligations.Text},
}

func TestAnswer(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name string
		of   obligations.Template
		list []claims.Claim
		want string // "" for none
		used []int
	}{
		{"one figure", widgets.people, said("Acme employs 250 people."), `250`, []int{1}},
		{"agreed", widgets.people, said("Acme employs 250 people.", "Some 255 people work at Acme."), `250`, []int{1, 2}},
		{"contradicted", widgets.people, said("Acme employs 250 people.", "Acme employs 900 people."), "", nil},
		{"another unit", widgets.people, said("Acme runs 250 stores."), "", nil},
		{"a bound is no number", widgets.people, said("Acme employs more than 250 people."), "", nil},
		{"a forecast is none either", widgets.people, said("Acme could employ 250 people."), "", nil},
		{"two numbers in one breath", widgets.people, said("Acme employs 250 people and Globex employs 400 people."), "", nil},
		{"a range", widgets.people, said("Acme employs 250 to 300 people."), `{"min":250,"max":300}`, []int{1}},
		{"the latest year", widgets.people, said("Acme employed 250 people in 2020.", "Acme employed 400 people in 2024."), `400`, []int{2}},
		{"out of bounds", widgets.people, said("Temperatures of -5 people."), "", nil},
		{"money", widgets.money, said("The Pro plan costs $12."), `12`, []int{1}},
		{"a price per month is another thing", widgets.money, said("The Pro plan costs $12 per month."), "", nil},
		{"years as months", widgets.months, said("The approval takes 2 years."), `24`, []int{1}},
		{"a counted noun", widgets.plain, said("There are 51,000 dental clinics in Germany."), `51000`, []int{1}},
		{"no fractions", widgets.integer, said("The approval takes 18 months."), "", nil},
		{"whole after all", widgets.integer, said("The approval takes 24 months."), `2`, []int{1}},
		{"a date", widgets.date, said("The rule applies on 12 May 2026."), `"2026-05-12"`, []int{1}},
		{"the finer date", widgets.date, said("The rule applies in 2026.", "The rule applies in May 2026."), `"2026-05"`, []int{1, 2}},
		{"two dates", widgets.date, said("The rule applies in 2026.", "The rule applies in 2027."), "", nil},
		{"since is no beginning", widgets.date, said("The rule has applied since before 2026."), "", nil},
		{"a choice", widgets.one, said("Acme sells software as a service."), `"saas"`, []int{1}},
		{"a synonym", widgets.one, said("Acme runs in the cloud."), `"saas"`, []int{1}},
		{"denied", widgets.one, said("Acme does not run in the cloud."), "", nil},
		{"two choices", widgets.one, said("Acme runs in the cloud.", "Acme sells a licence."), "", nil},
		{"short names by case", widgets.one, said("Bikes go fast in Leipzig."), "", nil},
		{"short names by case, met", widgets.one, said("The server is written in Go."), `"go"`, []int{1}},
		{"other is no name", widgets.one, said("There are other models."), "", nil},
		{"several", widgets.many, said("Acme supports SAML and OAuth.", "Acme does not support LDAP."), `["saml","oauth"]`, []int{1}},
		{"none of them", widgets.many, said("Acme supports Kerberos."), "", nil},
		{"text", widgets.text, said("Acme builds bikes."), `"Acme builds bikes."`, []int{1}},
		{"two texts", widgets.text, said("Acme builds bikes.", "Globex rents cars in Leipzig."), `"Acme builds bikes. Globex rents cars in Leipzig."`, []int{1, 2}},
		{"a disputed text", widgets.text, said("Acme supports SAML.", "Acme does not support SAML."), "", nil},
		{"silence", widgets.text, nil, "", nil},
	} {
		value, used, ok := claims.Answer(wish(tt.of), tt.list)
		if ok != (tt.want != "") || string(value) != tt.want || !slices.Equal(used, tt.used) {
			t.Errorf("%s: %s from %v (%v), want %s from %v", tt.name, value, used, ok, tt.want, tt.used)
			continue
		}
		if ok {
			if err := claims.CheckAnswer(wish(tt.of), value, tt.list); err != nil {
				t.Errorf("%s: own answer %s is refused: %v", tt.name, value, err)
			}
		}
	}
	if _, _, ok := claims.Answer(nil, said("Acme builds bikes.")); ok {
		t.Error("an answer to nothing")
	}
}

func TestAnswerAlwaysPassesItsCheck(t *testing.T) {
	t.Parallel()

	all := []obligations.Template{widgets.people, widgets.money, widgets.months, widgets.plain, widgets.integer, widgets.date, widgets.one, widgets.many, widgets.text}
	rapid.Check(t, func(t *rapid.T) {
		var texts []string
		for range rapid.IntRange(0, 4).Draw(t, "claims") {
			texts = append(texts, rapid.OneOf(rapid.String(), rapid.Map(statements(), func(s statement) string { return s.text }), rapid.SampledFrom([]string{"It takes 3 to 5 years.", "SAML in the cloud.", "Since May 2024.", "\x00", "$1e999 9999999999999999999999999"})).Draw(t, "text"))
		}
		o := wish(rapid.SampledFrom(all).Draw(t, "template"))
		value, used, ok := claims.Answer(o, said(texts...))
		if !ok {
			return
		}
		if err := o.Check(value); err != nil || len(used) == 0 || !json.Valid(value) {
			t.Fatalf("%s from %v: %v", value, used, err)
		}
	})
}

func TestCheckAnswer(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name  string
		of    obligations.Template
		value string
		list  []claims.Claim
		fine  bool
	}{
		{"a number", widgets.people, `250`, said("Acme employs 250 people."), true},
		{"another number", widgets.people, `251`, said("Acme employs 250 people."), false},
		{"of another unit", widgets.people, `250`, said("Acme runs 250 stores."), false},
		{"a bound", widgets.people, `250`, said("Acme employs up to 250 people."), false},
		{"a range of two claims", widgets.people, `{"min":250,"max":300}`, said("Acme employs 250 people.", "Acme employs 300 people."), true},
		{"half a range", widgets.people, `{"min":250,"max":400}`, said("Acme employs 250 people."), false},
		{"a coarser date", widgets.date, `"2026"`, said("The rule applies on 12 May 2026."), true},
		{"a finer date", widgets.date, `"2026-05"`, said("The rule applies in 2026."), false},
		{"a choice", widgets.one, `"saas"`, said("Acme runs in the cloud."), true},
		{"a choice nobody named", widgets.one, `"licence"`, said("Acme runs in the cloud."), false},
		{"a choice that is denied", widgets.many, `["ldap"]`, said("Acme does not support LDAP."), false},
		{"text of two claims", widgets.text, `"Acme builds bikes and has 12 stores."`, said("Acme builds bikes.", "Acme has 12 stores."), true},
		{"a number added", widgets.text, `"Acme builds 500 bikes."`, said("Acme builds bikes."), false},
		{"a name added", widgets.text, `"Acme and Globex build bikes."`, said("Acme builds bikes."), false},
		{"turned round", widgets.text, `"Acme does not build bikes."`, said("Acme builds bikes."), false},
		{"out of the air", widgets.text, `"A great success for everybody involved."`, said("Acme builds bikes."), false},
		{"no claims", widgets.text, `"Acme builds bikes."`, nil, false},
		{"no value of its kind", widgets.people, `"many"`, said("Acme employs 250 people."), false},
	} {
		if err := claims.CheckAnswer(wish(tt.of), json.RawMessage(tt.value), tt.list); (err == nil) != tt.fine {
			t.Errorf("%s: CheckAnswer(%s) = %v, want fine %v", tt.name, tt.value, err, tt.fine)
		}
	}
}

func TestSummarise(t *testing.T) {
	t.Parallel()

	list := said("Acme employs 250 people.", "Globex rents cars in Leipzig.", "Bikes are sold in May.", "Cars are sold in June.")
	list[1].Host = "b.example"
	for _, tt := range []struct {
		name string
		list []claims.Claim
		want string
	}{
		{"none", nil, ""},
		{"one", list[:1], "Acme employs 250 people (a.example)."},
		{"three at most", list, "Acme employs 250 people (a.example). Globex rents cars in Leipzig (b.example). Bikes are sold in May (a.example)."},
		{"contradicted", said("Acme employs 250 people.", "Bikes are sold in May.", "Acme employs 900 people."), "The sources differ. Acme employs 250 people (a.example). Acme employs 900 people (a.example)."},
	} {
		if got := claims.Summarise(claims.ResearchQuestion{}, tt.list, tt.name == "contradicted"); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	long := said(strings.Repeat("word ", 98)+"one.", strings.Repeat("word ", 98)+"two.")
	if got := claims.Summarise(claims.ResearchQuestion{}, long, false); len(got) > 600 || !strings.HasSuffix(got, "one (a.example).") {
		t.Errorf("%d bytes: %q", len(got), got)
	}
}
