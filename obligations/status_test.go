package obligations

import "testing"

// Every status has a way to every other: none is final.
func TestStatusMay(t *testing.T) {
	t.Parallel()

	for _, from := range statuses {
		for _, to := range statuses {
			if got := from.May(to); !got {
				t.Errorf("%q.May(%q) = false, want true", from, to)
			}
		}
	}
	for _, pair := range [][2]Status{{"", Pending}, {Pending, ""}, {"done", "done"}, {Satisfied, "done"}} {
		if pair[0].May(pair[1]) {
			t.Errorf("%q.May(%q) = true, want false", pair[0], pair[1])
		}
	}
}

func TestStatusesAreSix(t *testing.T) {
	t.Parallel()

	if len(statuses) != 6 || len(transitions) != 6 {
		t.Errorf("%d statuses, %d rows in the table, want 6", len(statuses), len(transitions))
	}
	for _, s := range statuses {
		if len(transitions[s]) == 0 || !s.Valid() {
			t.Errorf("%q has no way out", s)
		}
	}
}

func TestResolvedAndOpen(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		in             Status
		resolved, open bool
	}{
		{Pending, false, true}, {InProgress, false, true}, {Partial, false, true},
		{Satisfied, true, false}, {Skipped, true, false}, {Deferred, false, false},
	} {
		o := Obligation{Status: tt.in}
		if o.Resolved() != tt.resolved || o.Open() != tt.open {
			t.Errorf("%q: Resolved() = %v, Open() = %v, want %v, %v", tt.in, o.Resolved(), o.Open(), tt.resolved, tt.open)
		}
	}
}
