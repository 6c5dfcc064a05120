package objectives_test

import (
	"testing"

	"quaestor/sessions/objectives"
)

func TestTighterBoundHolds(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ a, b, want objectives.Budget }{
		{objectives.Budget{}, objectives.Budget{}, objectives.Budget{}},
		{objectives.Budget{Turns: 10}, objectives.Budget{}, objectives.Budget{Turns: 10}},
		{objectives.Budget{Turns: 10}, objectives.Budget{Turns: 4, Minutes: 2.5}, objectives.Budget{Turns: 4, Minutes: 2.5}},
		{objectives.Budget{Turns: 3, Minutes: 2, Money: 0.5}, objectives.Budget{Turns: 4, Minutes: 2.5, Money: 1}, objectives.Budget{Turns: 3, Minutes: 2, Money: 0.5}},
	} {
		if got := tt.a.Within(tt.b); got != tt.want {
			t.Errorf("%+v within %+v = %+v, want %+v", tt.a, tt.b, got, tt.want)
		}
		if got := tt.b.Within(tt.a); got != tt.want {
			t.Errorf("%+v within %+v = %+v, want %+v", tt.b, tt.a, got, tt.want)
		}
	}
}
