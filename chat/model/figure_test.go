package model

import (
	"encoding/json"
	"testing"

	"quaestor/obligations"
)

// A number or a date that a model gives must be one that can have been said with the
// words it quotes.
func TestFiguresCanHaveBeenSaidWithTheirQuote(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		widget obligations.Widget
		value  string
		quote  string
		want   bool
	}{
		{obligations.Number, `12`, "We are 12 people", true},
		{obligations.Number, `12`, "twelve of us", true},
		{obligations.Number, `12`, "a dozen", true},
		{obligations.Number, `2`, "me and my wife", true},
		{obligations.Number, `1`, "just me", true},
		{obligations.Number, `6`, "4 full time and 2 part time", true},
		{obligations.Number, `20000`, "20k", true},
		{obligations.Number, `20000`, "€ 20.000", true},
		{obligations.Number, `1200000`, "1.200.000", true},
		{obligations.Number, `1200000`, "1.2 million", true},
		{obligations.Number, `24`, "2 years", true},
		{obligations.Number, `24`, "two years", true},
		{obligations.Number, `9600`, "800 a month", true},
		{obligations.Number, `{"min":10,"max":12}`, "10-12", true},
		{obligations.Number, `{"min":0,"max":50}`, "up to 50", true},
		{obligations.Number, `3`, "троих", true},
		{obligations.Number, `500`, "a bakery", false},
		{obligations.Number, `1000000`, "bakery in a small town", false},
		{obligations.Number, `500`, "a", false},
		{obligations.Number, `500`, "12 staff", false},
		{obligations.Number, `500`, "I have a team of 12", false},
		{obligations.Number, `12`, "I have a team of 12", true},
		{obligations.Number, `5`, "me and 4 others", true},
		{obligations.Number, `{"min":10,"max":90}`, "10-12", false},
		{obligations.Date, `"2019"`, "since 2019", true},
		{obligations.Date, `"2027-03"`, "next March", true},
		{obligations.Date, `"2020"`, "six years ago", true},
		{obligations.Date, `"1999"`, "small town", false},
		{obligations.Text, `"bread"`, "We sell bread", true},
	} {
		if got := figureMatches(&obligations.Template{Widget: tt.widget}, json.RawMessage(tt.value), tt.quote); got != tt.want {
			t.Errorf("figureMatches(%s %s, %q) = %v, want %v", tt.widget, tt.value, tt.quote, got, tt.want)
		}
	}
}
