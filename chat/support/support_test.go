package support_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"quaestor/chat/support"
	"quaestor/obligations"
)

var now = time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)

func ExampleOf() {
	t := &obligations.Template{Key: "days", Prompt: "On which days are you open?", Widget: obligations.MultiSelect,
		Choices: []obligations.Choice{{Value: "fri", Label: "Fridays"}, {Value: "sat", Label: "Saturdays"}}}
	value := json.RawMessage(`["sat"]`)
	fmt.Println(support.Of(support.Statement{Template: t, Value: value, Quote: "On Saturdays", Asked: true, Now: now}))
	fmt.Println(support.Of(support.Statement{Template: t, Value: value, Quote: "Saturdays", Context: "Fridays, but not Saturdays", Asked: true, Now: now}))
	// Output:
	// full
	// none
}

func TestFiguresAreHeldAgainstTheirQuote(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		widget obligations.Widget
		unit   string
		value  string
		quote  string
		want   support.Level
	}{
		{obligations.Number, "people", `12`, "We are 12 people", support.Full},
		{obligations.Number, "people", `12`, "a dozen", support.Full},
		{obligations.Number, "people", `2`, "me and my wife", support.Full},
		{obligations.Number, "people", `5`, "me and 4 others", support.Full},
		{obligations.Number, "people", `6`, "4 full time and 2 part time", support.Full},
		{obligations.Number, "people", `0`, "nobody", support.Full},
		{obligations.Number, "people", `3`, "троих", support.Weak},
		{obligations.Number, "people", `22`, "20 to 25", support.Weak},
		{obligations.Number, "people", `500`, "a bakery", support.None},
		{obligations.Number, "people", `500`, "I have a team of 12", support.None},
		{obligations.Number, "people", `12`, "12 euros", support.None},
		{obligations.Number, "people", `3`, "the 3rd", support.None},
		{obligations.Number, "people", `12`, "", support.None},
		{obligations.Number, "people", `"twelve"`, "twelve", support.None}, // no number
		{obligations.Number, "money", `20000`, "20k", support.Full},
		{obligations.Number, "money", `20000`, "€ 20.000", support.Full},
		{obligations.Number, "money", `1200000`, "1.200.000", support.Full},
		{obligations.Number, "EUR", `500`, "500 dollars", support.None},
		{obligations.Number, "months", `24`, "2 years", support.Full},
		{obligations.Number, "months", `{"min":3,"max":6}`, "three to six months", support.Full},
		{obligations.Number, "months", `{"min":3,"max":9}`, "three to six months", support.None},
		{obligations.Number, "people", `{"min":0,"max":50}`, "up to 50", support.Full},
		{obligations.Number, "people", `{"min":0,"max":50}`, "50", support.Weak},
		{obligations.Number, "percent", `50`, "half of it", support.Full},
		{obligations.Date, "", `"2019"`, "since 2019", support.Full},
		{obligations.Date, "", `"2027-03"`, "in March 2027", support.Full},
		{obligations.Date, "", `"2027-03-01"`, "in March 2027", support.Weak},
		{obligations.Date, "", `"2020"`, "six years ago", support.Full},
		{obligations.Date, "", `"1999"`, "small town", support.None},
	} {
		o := &obligations.Template{Key: "k", Prompt: "How many?", Widget: tt.widget, Unit: tt.unit}
		if got := support.Of(support.Statement{Template: o, Value: json.RawMessage(tt.value), Quote: tt.quote, Asked: true, Now: now}); got != tt.want {
			t.Errorf("%s %s from %q = %v, want %v", tt.widget, tt.value, tt.quote, got, tt.want)
		}
	}
}

func TestWordsInAnotherLanguageAreDoubtful(t *testing.T) {
	t.Parallel()

	o := &obligations.Template{Key: "pay", Prompt: "How do your customers pay?", Widget: obligations.ChoiceOne, Choices: []obligations.Choice{{Value: "cash", Label: "Cash"}, {Value: "card", Label: "By card"}}}
	for _, quote := range []string{"Die zahlen alle bar bei uns", "Todos pagan siempre en efectivo aquí mismo", "наличными"} {
		if got := support.Of(support.Statement{Template: o, Value: json.RawMessage(`"cash"`), Quote: quote, Asked: true, Now: now}); got != support.Weak {
			t.Errorf("cash from %q = %v, want weak", quote, got)
		}
	}
}

func TestAssents(t *testing.T) {
	t.Parallel()

	for message, want := range map[string]bool{
		"yes": true, "Yes, that's right": true, "Exactly": true, "sounds good": true, "ja genau": true, "Einverstanden": true, "👍": true, "Of course": true, "no problem, yes": true,
		"no": false, "Of course not": false, "not quite": false, "nein, zwölf": false, "natürlich nicht": false, "We open at six": false, "What do you mean?": false, "": false,
	} {
		if got := support.Assents(message); got != want {
			t.Errorf("Assents(%q) = %v, want %v", message, got, want)
		}
	}
}

// Words of any kind are judged without a panic, and a text is supported by itself.
func TestEverythingIsJudged(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.StringMatching(`[a-zäöüA-Z0-9 ,.?!'“”—]{0,60}`), rapid.String(), rapid.SampledFrom([]string{"not", "no, ", "12 to", "and", ",", "yes.", "half a", "don't and"}))
		quote, around := text.Draw(t, "quote"), text.Draw(t, "context")
		value, err := json.Marshal(text.Draw(t, "value"))
		if err != nil {
			t.Skip(err)
		}
		for _, widget := range []obligations.Widget{obligations.Text, obligations.ChoiceOne, obligations.Number, obligations.Date} {
			o := &obligations.Template{Key: "k", Prompt: "What is it?", Widget: widget, AllowOther: true}
			for _, v := range []string{string(value), "12", `"2026-03"`} {
				support.Of(support.Statement{Template: o, Value: json.RawMessage(v), Quote: quote, Context: around + quote, Now: now})
			}
		}
	})
}
