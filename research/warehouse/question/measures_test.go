package question_test

import (
	"testing"

	"quaestor/research/warehouse/question"
)

func TestMeasures(t *testing.T) {
	t.Parallel()

	for _, x := range []struct {
		asked, figure string
		want          bool
	}{
		{"What is your average order amount?", "average order amount", true},
		{"What is your average order amount?", "total order amount", false},
		{"What is the average order amount in the south?", "average order amount", false},
		{"What is your average order amount?", "average order amount for region “south”", false},
		{"How many orders do you get a day?", "orders a day", true},
		{"How many orders do you get?", "orders a day", false},
		{"Wie hoch ist der Anteil der late orders?", "share of orders that are late", true},
		{"How many people are there?", "people", true},
		{"What do you like about cheese?", "people", false},
	} {
		if got := question.Measures(x.asked, x.figure); got != x.want {
			t.Errorf("Measures(%q, %q) = %t, want %t", x.asked, x.figure, got, x.want)
		}
	}
}
