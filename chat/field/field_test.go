package field

import (
	"encoding/json"
	"testing"

	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
)

func TestWhatIsAskedFor(t *testing.T) {
	t.Parallel()

	for _, x := range []struct {
		t            obligations.Template
		kind         listening.Type
		unit, period string
	}{
		{obligations.Template{Widget: obligations.Number, Prompt: "How many hours a week?", Unit: "hours"}, listening.Duration, "hour", "week"},
		{obligations.Template{Widget: obligations.Number, Prompt: "Was setzen Sie im Jahr um?", Unit: "money"}, listening.Amount, "money", "year"},
		{obligations.Template{Widget: obligations.Number, Prompt: "What is your monthly budget?", Unit: "€"}, listening.Amount, "money", "month"},
		{obligations.Template{Widget: obligations.Number, Prompt: "By how much did sales grow?", Unit: "%"}, listening.Percentage, "percent", ""},
		{obligations.Template{Widget: obligations.Number, Prompt: "How many people?", Unit: "people"}, listening.Count, "", ""},
		{obligations.Template{Widget: obligations.Text, Prompt: "What is your e-mail address?"}, listening.Email, "", ""},
		{obligations.Template{Widget: obligations.Text, Prompt: "What do you do?"}, listening.Text, "", ""},
		{obligations.Template{Widget: obligations.ChoiceOne, Choices: []obligations.Choice{{Value: "y", Label: "Ja, gern"}, {Value: "n", Label: "Nein"}}}, listening.YesNo, "", ""},
		{obligations.Template{Widget: obligations.ChoiceOne, Choices: []obligations.Choice{{Value: "s", Label: "Small"}, {Value: "l", Label: "Large"}}}, listening.Choice, "", ""},
	} {
		if kind, unit, period := Kind(&x.t), Unit(&x.t), Period(&x.t); kind != x.kind || unit != x.unit || period != x.period {
			t.Errorf("%s %q asks for %s, %q, %q; want %s, %q, %q", x.t.Widget, x.t.Prompt, kind, unit, period, x.kind, x.unit, x.period)
		}
	}
}

func TestFiguresBecomeValues(t *testing.T) {
	t.Parallel()

	hours := obligations.Template{Widget: obligations.Number, Prompt: "How many hours a week?", Unit: "hours"}
	budget := obligations.Template{Widget: obligations.Number, Prompt: "What is your budget?", Unit: "money", Min: new(0.0)}
	for _, x := range []struct {
		t        *obligations.Template
		in, want string
	}{
		{&hours, "90 minutes", "1.5"},
		{&hours, "2 hours every day", "14"},
		{&hours, "an hour a day", `{"min":5,"max":7}`},
		{&hours, "5 euros", ""},
		{&hours, "30 %", ""},
		{&budget, "up to 5,000 euros", `{"min":0,"max":5000}`},
		{&budget, "1.5m", "1500000"},
		{&budget, "3 hours", ""},
		{&budget, "-5 euros", ""},
	} {
		figures := language.NewReader("en").Figures(language.Words(x.in))
		if len(figures) != 1 {
			t.Fatalf("%q has %d figures", x.in, len(figures))
		}
		if got := string(Figure(x.t, &figures[0])); got != x.want {
			t.Errorf("%q is %s for %q, want %s", x.in, got, x.t.Prompt, x.want)
		}
	}
}

func TestChoicesAreSaid(t *testing.T) {
	t.Parallel()

	one := obligations.Template{Widget: obligations.ChoiceOne, Choices: []obligations.Choice{{Value: "web", Label: "Own website", Synonyms: []string{"web shop"}}, {Value: "shop", Label: "Shop"}, {Value: "fair", Label: "Trade fairs"}}}
	several := one
	several.Widget = obligations.MultiSelect
	for _, x := range []struct {
		t        *obligations.Template
		in, want string
	}{
		{&one, "our own website", `"web"`},
		{&one, "the web shop", `"web"`}, // of which more is said than of the shop
		{&one, "fairs, mostly", `"fair"`},
		{&one, "not the shop", ""},
		{&one, "nowhere", ""},
		{&several, "own website and trade fairs", `["web","fair"]`},
		{&several, "own website, but no trade fairs", `["web"]`},
	} {
		if got := string(Pick(x.t, ChoicesIn(x.t, language.Words(x.in)), PartSaid)); got != x.want {
			t.Errorf("%q picks %s of %s, want %s", x.in, got, x.t.Widget, x.want)
		}
	}
}

func TestItemsThatAChangeAddsOrTakesOff(t *testing.T) {
	t.Parallel()

	of := func(w obligations.Widget, v string) obligations.Obligation {
		return obligations.Obligation{Template: &obligations.Template{Widget: w}, Value: json.RawMessage(v)}
	}
	for _, x := range []struct {
		w                         obligations.Widget
		before, after, more, less string
	}{
		{obligations.MultiSelect, `["a"]`, `["a","b"]`, `["b"]`, ""},
		{obligations.MultiSelect, `["a","b"]`, `["b"]`, "", `["a"]`},
		{obligations.MultiSelect, `["a"]`, `["b"]`, "", ""},
		{obligations.Text, `"hens, ducks and geese"`, `"hens and geese"`, "", `"ducks"`},
		{obligations.Text, `"hens"`, `"ducks"`, "", ""},
		{obligations.Number, "1", "2", "", ""},
	} {
		more, less := ItemsChanged(obligations.Change{Before: of(x.w, x.before), After: of(x.w, x.after)})
		if string(more) != x.more || string(less) != x.less {
			t.Errorf("%s to %s adds %s and takes off %s, want %s and %s", x.before, x.after, more, less, x.more, x.less)
		}
	}
	left, dropped := WithoutItems("hens; ducks and geese", func(item string) bool { return item == "ducks" })
	if left != "hens and geese" || !dropped {
		t.Errorf("without ducks there is %q, dropped %v", left, dropped)
	}
}

func TestNamesAreSaid(t *testing.T) {
	t.Parallel()

	market := obligations.Template{Key: "target_market", Label: "Target market", Prompt: "Who buys from you?", Cues: []string{"our customers"}}
	budget := obligations.Template{Key: "budget", Label: "Budget", Prompt: "What can you spend?", Cues: []string{"budget", "spend"}}
	for _, words := range []string{"my customers", "the target market", "market"} {
		if m, b := NamedBy(&market, Stems(words)), NamedBy(&budget, Stems(words)); m < 0.75 || b > 0.2 {
			t.Errorf("%q names the market by %.2f and the budget by %.2f", words, m, b)
		}
	}
	if got := CuedBy(&budget, listening.Stems("we can spend 400 of our budget"), map[string]int{}); got != 2 {
		t.Errorf("two cues count %v", got)
	}
	if names := Names(&market); len(names) != 3 || names[2][0] != "customers" {
		t.Errorf("its names are %q", names)
	}
}
