package sessions_test

import (
	"testing"

	"quaestor/sessions"
)

func TestTighterBoundHolds(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ a, b, want sessions.Budget }{
		{sessions.Budget{}, sessions.Budget{}, sessions.Budget{}},
		{sessions.Budget{Turns: 10}, sessions.Budget{}, sessions.Budget{Turns: 10}},
		{sessions.Budget{Turns: 10}, sessions.Budget{Turns: 4, Minutes: 2.5}, sessions.Budget{Turns: 4, Minutes: 2.5}},
		{sessions.Budget{Turns: 3, Minutes: 2, Money: 0.5}, sessions.Budget{Turns: 4, Minutes: 2.5, Money: 1}, sessions.Budget{Turns: 3, Minutes: 2, Money: 0.5}},
	} {
		if got := tt.a.Within(tt.b); got != tt.want {
			t.Errorf("%+v within %+v = %+v, want %+v", tt.a, tt.b, got, tt.want)
		}
		if got := tt.b.Within(tt.a); got != tt.want {
			t.Errorf("%+v within %+v = %+v, want %+v", tt.b, tt.a, got, tt.want)
		}
	}
}
