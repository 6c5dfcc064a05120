package eval

import (
	"encoding/json"
	"math"
	"testing"

	"quaestor/obligations"
)

func TestScore(t *testing.T) {
	t.Parallel()

	for _, c := range []struct {
		name    string
		widget  obligations.Widget
		v, gold string
		want    float64
	}{
		{"a number", obligations.Number, `12`, `12.0`, 1},
		{"another number", obligations.Number, `12`, `13`, 0},
		{"a range", obligations.Number, `{"max":2,"min":1}`, `{"min": 1, "max": 2}`, 1},
		{"a number for a range", obligations.Number, `1`, `{"min":1,"max":2}`, 0},
		{"a choice", obligations.ChoiceOne, `"growing"`, `"growing"`, 1},
		{"a date", obligations.Date, `"2027-03"`, `"2027-03"`, 1},
		{"a less exact date", obligations.Date, `"2027"`, `"2027-03"`, 0},
		{"the same choices in another order", obligations.MultiSelect, `["b","a"]`, `["a","b"]`, 1},
		{"half of the choices", obligations.MultiSelect, `["a"]`, `["a","b","c"]`, 0.5},
		{"a choice too many", obligations.MultiSelect, `["a","b"]`, `["a"]`, 2.0 / 3},
		{"no choice in common", obligations.MultiSelect, `["c"]`, `["a"]`, 0},
		{"the same words", obligations.Text, `"The BOARD, of three."`, `"a board of three"`, 1},
		{"more words", obligations.Text, `"bread and cakes"`, `"bread"`, 2.0 / 3},
		{"a word said twice counts twice", obligations.Text, `"bread"`, `"bread bread bread"`, 0.5},
		{"other words", obligations.Text, `"cars"`, `"bread"`, 0},
		{"words without content", obligations.Text, `"me"`, `"me"`, 1},
		{"nothing held", obligations.Text, ``, `"bread"`, 0},
	} {
		var v json.RawMessage
		if c.v != "" {
			v = json.RawMessage(c.v)
		}
		if got := score(c.widget, v, json.RawMessage(c.gold)); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: score(%s, %s) = %v, want %v", c.name, c.v, c.gold, got, c.want)
		}
	}
}

func TestStands(t *testing.T) {
	t.Parallel()

	for _, c := range []struct {
		widget obligations.Widget
		v, own string
		want   bool
	}{
		{obligations.MultiSelect, `["a"]`, `["a","b"]`, true},
		{obligations.MultiSelect, `["a","c"]`, `["a","b"]`, false},
		{obligations.Number, `5`, `7`, false},
		{obligations.Text, `"fresh bread"`, `"bread"`, true},
		{obligations.Text, `"what a morning"`, `"bread"`, false},
	} {
		if got := supported(c.widget, json.RawMessage(c.v), json.RawMessage(c.own)); got != c.want {
			t.Errorf("supported(%s, %s) = %v, want %v", c.v, c.own, got, c.want)
		}
	}
}
