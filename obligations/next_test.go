package obligations

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// open returns obligations of equal worth in the order of their keys.
func open(keys ...string) []Obligation {
	list := make([]Obligation, len(keys))
	for i, k := range keys {
		list[i] = Obligation{Template: &Template{Key: k, Priority: 5, Collection: DirectQuestion, Widget: Text}, Status: Pending, Position: i}
	}
	return list
}

func keysOf(ranked []Candidate) []string {
	var out []string
	for _, c := range ranked {
		out = append(out, c.Obligation.Key)
	}
	return out
}

func TestRank(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name string
		edit func(list []Obligation) // of a, b and c
		want []string
	}{
		{"ties go by position", func([]Obligation) {}, []string{"a", "b", "c"}},
		{"priority first", func(l []Obligation) { l[2].Priority = 6 }, []string{"c", "a", "b"}},
		{"what is half known comes later", func(l []Obligation) { l[0].Status, l[0].Confidence = Partial, 60 }, []string{"b", "c", "a"}},
		{"what unlocks others comes first", func(l []Obligation) { l[0].Dependencies = []string{"c"} }, []string{"c", "b"}},
		{"satisfied and skipped ones are done", func(l []Obligation) { l[0].Status, l[1].Status = Satisfied, Skipped }, []string{"c"}},
		{"deferred ones wait", func(l []Obligation) { l[0].Status = Deferred }, []string{"b", "c"}},
		{"deferred ones return when nothing else is left", func(l []Obligation) { l[0].Status, l[1].Status, l[2].Status = Satisfied, Deferred, Skipped }, []string{"b"}},
		{"attempts have an end", func(l []Obligation) { l[0].Attempts, l[1].Attempts = 3, 2 }, []string{"b", "c"}},
		{"a template's own end", func(l []Obligation) { l[0].MaxAttempts, l[0].Attempts = 1, 1 }, []string{"b", "c"}},
		{"a deferred one that was asked enough does not return", func(l []Obligation) {
			l[0].Status, l[0].Attempts, l[1].Status, l[2].Status = Deferred, 3, Satisfied, Satisfied
		}, nil},
		{"indirect ones come late", func(l []Obligation) { l[0].Collection, l[1].Collection = Inferred, Research }, []string{"c", "a", "b"}},
		{"staying with the topic", func(l []Obligation) {
			l[0].Category, l[1].Category, l[2].Category = "x", "y", "y"
			l[1].LastTurn, l[1].Status = 4, Satisfied
		}, []string{"c", "a"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			list := open("a", "b", "c")
			tt.edit(list)

			if diff := cmp.Diff(tt.want, keysOf(Rank(list))); diff != "" {
				t.Errorf("Rank() (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUnlocksCountsIndirectly(t *testing.T) {
	t.Parallel()

	list := open("a", "b", "c", "d")
	list[1].Dependencies, list[2].Dependencies, list[3].Dependencies = []string{"a"}, []string{"b"}, []string{"b"}
	list[3].Status = Skipped

	if got := Rank(list)[0]; got.Obligation.Key != "a" || got.Unlocks != 2 || got.Returning {
		t.Errorf("Rank()[0] = %s, unlocks %d, want a, 2", got.Obligation.Key, got.Unlocks)
	}
}

func TestNextOfNothing(t *testing.T) {
	t.Parallel()

	if got, ok := Next(nil); ok {
		t.Errorf("Next(nil) = %+v, want none", got)
	}
}

func TestNextKeepsItsPromises(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		templates := anyTemplates(t)
		list := Fresh(templates, Origin{})
		for i := range list {
			list[i].Status = rapid.SampledFrom(statuses).Draw(t, "status")
			list[i].Attempts = rapid.IntRange(0, 4).Draw(t, "attempts")
			list[i].Confidence = Confidence(rapid.IntRange(0, 100).Draw(t, "confidence"))
		}

		got, ok := Next(list)

		again, _ := Next(slices.Clone(list))
		shuffled, _ := Next(rapid.Permutation(list).Draw(t, "order"))
		if again.Key != got.Key || shuffled.Key != got.Key {
			t.Fatalf("Next() = %q, then %q, and %q in another order", got.Key, again.Key, shuffled.Key)
		}
		fresh := func(o *Obligation) bool { return o.Open() && o.Attempts < DefaultMaxAttempts && Ready(list, o) }
		for i := range list {
			if o := &list[i]; fresh(o) && (!ok || got.Status == Deferred) {
				t.Fatalf("Next() = %q (%s), %v, though %s may be asked", got.Key, got.Status, ok, o.Key)
			}
		}
		if ok && (got.Resolved() || got.Attempts >= DefaultMaxAttempts || !Ready(list, &got)) {
			t.Fatalf("Next() = %+v", got)
		}
	})
}

func TestForm(t *testing.T) {
	t.Parallel()

	closed := func(n int) []Obligation {
		list := open("a", "b", "c", "d", "e", "f")[:n]
		for i := range list {
			list[i].Widget = Number
		}
		return list
	}
	for _, tt := range []struct {
		name string
		in   []Obligation
		edit func(list []Obligation)
		want []string
	}{
		{"nothing", nil, nil, nil},
		{"two are too few", closed(2), nil, nil},
		{"three", closed(3), nil, []string{"a", "b", "c"}},
		{"at most five", closed(6), nil, []string{"a", "b", "c", "d", "e"}},
		{"texts are no fields", closed(3), func(l []Obligation) { l[1].Widget = Text }, nil},
		{"the leader must be one", closed(4), func(l []Obligation) { l[0].Widget = Text }, nil},
		{"one category", closed(4), func(l []Obligation) { l[2].Category = "other" }, []string{"a", "b", "d"}},
		{"what was asked before is not put in a form", closed(4), func(l []Obligation) { l[1].Attempts = 1 }, []string{"a", "c", "d"}},
		{"what comes back is asked alone", closed(3), func(l []Obligation) { l[0].Status, l[1].Status, l[2].Status = Deferred, Deferred, Deferred }, nil},
		{"what is locked is no field", closed(3), func(l []Obligation) { l[2].Dependencies = []string{"a"} }, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			if tt.edit != nil {
				tt.edit(tt.in)
			}
			if diff := cmp.Diff(tt.want, keysOf(Form(Rank(tt.in)))); diff != "" {
				t.Errorf("Form() (-want +got):\n%s", diff)
			}
		})
	}
}
