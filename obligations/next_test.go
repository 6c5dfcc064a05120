package obligations

import (
	"math"
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
		{"attempts have an end, and each makes the next dearer", func(l []Obligation) { l[0].Attempts, l[1].Attempts = 3, 2 }, []string{"c", "b"}},
		{"a template's own end", func(l []Obligation) { l[0].MaxAttempts, l[0].Attempts = 1, 1 }, []string{"b", "c"}},
		{"a deferred one that was asked enough does not return", func(l []Obligation) {
			l[0].Status, l[0].Attempts, l[1].Status, l[2].Status = Deferred, 3, Satisfied, Satisfied
		}, nil},
		{"what waits for a vague answer is asked after the last attempt", func(l []Obligation) {
			l[0].Status, l[0].Value, l[0].Attempts, l[1].Dependencies, l[2].Status = Partial, red, 3, []string{"a"}, Satisfied
		}, []string{"b"}},
		{"and not before", func(l []Obligation) {
			l[0].Status, l[0].Value, l[0].Attempts, l[1].Dependencies, l[2].Status = Partial, red, 2, []string{"a"}, Satisfied
		}, []string{"a"}},
		{"what waits for no answer stays locked", func(l []Obligation) {
			l[0].Status, l[0].Attempts, l[1].Dependencies, l[2].Status = InProgress, 3, []string{"a"}, Satisfied
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

func TestRankLeaning(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name string
		edit func(list []Obligation) // of a, b and c
		l    SelectionContext
		want []string
	}{
		{"nothing", nil, SelectionContext{}, []string{"a", "b", "c"}},
		{"a follow-up of high priority goes first", func(l []Obligation) { l[0].Priority = 10 }, SelectionContext{FollowUps: []FollowUp{{Key: "c", Priority: 7}}}, []string{"c", "a", "b"}},
		{"one of low priority does not", nil, SelectionContext{FollowUps: []FollowUp{{Key: "c", Priority: 6}}}, []string{"a", "b", "c"}},
		{"what was put off does not come back unscheduled", func(l []Obligation) { l[2].Status = Deferred }, SelectionContext{FollowUps: []FollowUp{{Key: "c", Priority: 9}}}, []string{"a", "b"}},
		{"what was put off comes back on schedule", func(l []Obligation) { l[2].Status = Deferred }, SelectionContext{FollowUps: []FollowUp{{Key: "c", Priority: 9, Scheduled: true}}}, []string{"c", "a", "b"}},
		{"no follow-up on what is satisfied", func(l []Obligation) { l[2].Status = Satisfied }, SelectionContext{FollowUps: []FollowUp{{Key: "c", Priority: 9}}}, []string{"a", "b"}},
		{"no follow-up on what is locked", func(l []Obligation) { l[2].Dependencies = []string{"b"} }, SelectionContext{FollowUps: []FollowUp{{Key: "c", Priority: 9}}}, []string{"b", "a"}},
		{"no follow-up on what was asked enough", func(l []Obligation) { l[2].Attempts = 3 }, SelectionContext{FollowUps: []FollowUp{{Key: "c", Priority: 9}}}, []string{"a", "b"}},
		{"what the last answer bears on", nil, SelectionContext{Bearings: []Relevance{{"a", "c", 0.9}, {"a", "b", 0.2}}}, []string{"c", "b", "a"}},
		{"a bearing is no order", func(l []Obligation) { l[0].Priority = 8 }, SelectionContext{Bearings: []Relevance{{"a", "c", 1}}}, []string{"a", "c", "b"}},
		{"what is wanted goes before follow-ups", func(l []Obligation) { l[2].Priority = 1 }, SelectionContext{Wanted: []string{"c"}, FollowUps: []FollowUp{{Key: "b", Priority: 9}}}, []string{"c", "b", "a"}},
		{"what is wanted but put off waits", func(l []Obligation) { l[2].Status = Deferred }, SelectionContext{Wanted: []string{"c"}}, []string{"a", "b"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			list := open("a", "b", "c")
			if tt.edit != nil {
				tt.edit(list)
			}

			if diff := cmp.Diff(tt.want, keysOf(RankLeaning(list, tt.l))); diff != "" {
				t.Errorf("RankLeaning() (-want +got):\n%s", diff)
			}
		})
	}
}

func TestBecauseIsTheGain(t *testing.T) {
	t.Parallel()

	list := open("a", "b", "c")
	list[0].Label, list[0].Status, list[0].LastTurn, list[0].Category = "The first", Satisfied, 3, "x"
	list[1].Category, list[1].Collection, list[1].Attempts, list[1].Confidence, list[1].Status = "x", Inferred, 1, 50, Partial
	list[2].Dependencies = []string{"b"}
	l := SelectionContext{Bearings: []Relevance{{"a", "b", 0.4}}}

	got := RankLeaning(list, l)[0]

	want := Rationale{Sentence: "The last answer, on The first, bears on it; its priority is 5 of 10.",
		Gain: 5 * 0.5 * 1.25 * 0.5 * 1.15 * 1.2 / 1.5, Priority: 5, Uncertainty: 0.5, Unlocking: 1.25, Directness: 0.5, Topic: 1.15, Relation: 1.2, Cost: 1.5}
	if diff := cmp.Diff(want, got.Because, cmp.Comparer(func(x, y float64) bool { return math.Abs(x-y) < 1e-9 })); diff != "" || got.Gain != got.Because.Gain {
		t.Errorf("Because (-want +got):\n%s", diff)
	}
}

func TestEveryCandidateSaysWhy(t *testing.T) {
	t.Parallel()

	list := open("a", "b", "c", "d")
	list[1].Dependencies, list[2].Dependencies = []string{"a"}, []string{"b"}
	list[3].Value, list[3].Status, list[3].Confidence = []byte(`"x"`), Partial, 60
	deferred := open("a")
	deferred[0].Status = Deferred
	for want, got := range map[string][]Candidate{
		"Its priority is 5 of 10, nothing is known of it yet, and 2 other questions wait for it.":                       Rank(list),
		"Of what is open it is worth most: its priority is 5 of 10, and the confidence in what is known of it is 0.60.": Rank(list)[1:],
		"It was put off before, and nothing else is left to ask.":                                                       Rank(deferred),
		"It is required, or something required waits for it, and few questions are left.":                               RankLeaning(list, SelectionContext{Wanted: []string{"d"}}),
		"A return to it was noted earlier, and its turn has come.":                                                      RankLeaning(list, SelectionContext{FollowUps: []FollowUp{{Key: "d", Priority: 10}}}),
		"Its priority is 5 of 10, nothing is known of it yet, and one other question waits for it.":                     Rank(list[:2]),
	} {
		if got[0].Because.Sentence != want {
			t.Errorf("Because.Sentence = %q, want %q", got[0].Because.Sentence, want)
		}
	}
}

// Whatever else holds, an obligation's place never gets worse when it matters more or
// is less certain, and its gain never falls.
func TestRankIsMonotone(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		list := anyState(t)
		l := anyLeaning(t, list)
		ranked := RankLeaning(list, l)
		if len(ranked) == 0 {
			return
		}
		at := rapid.IntRange(0, len(ranked)-1).Draw(t, "place")
		chosen := *ranked[at].Obligation
		better := slices.Clone(list)
		o := Find(better, chosen.Key)
		o.Template = new(Template)
		*o.Template = *chosen.Template
		o.Priority = min(10, chosen.Priority+rapid.IntRange(0, 9).Draw(t, "more"))
		o.Confidence = Confidence(rapid.IntRange(0, int(chosen.Confidence)).Draw(t, "less sure"))

		again := RankLeaning(better, l)

		now := slices.IndexFunc(again, func(c Candidate) bool { return c.Obligation.Key == chosen.Key })
		if now < 0 || now > at || again[now].Gain < ranked[at].Gain {
			t.Fatalf("%s was at %d with %v, is at %d of %v", chosen.Key, at, ranked[at].Because, now, keysOf(again))
		}
	})
}

// Whatever the conversation adds, nothing is asked that is known, left out, locked or
// asked enough, each once, and the same every time.
func TestRankLeaningKeepsItsPromises(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		list := anyState(t)
		l := anyLeaning(t, list)

		ranked := RankLeaning(list, l)

		seen := map[string]bool{}
		for _, c := range ranked {
			o := c.Obligation
			if o.Resolved() || !Ready(list, o) || o.Attempts >= o.maxAttempts() || seen[o.Key] {
				t.Fatalf("%+v is ranked", *o)
			}
			seen[o.Key] = true
			b := c.Because
			product := b.Priority * b.Uncertainty * b.Unlocking * b.Directness * b.Topic * b.Relation / b.Cost
			if b.Sentence == "" || math.Abs(product-c.Gain) > 1e-9 || c.Gain < 0 {
				t.Fatalf("%s: gain %v because %+v", o.Key, c.Gain, b)
			}
		}
		shuffled := RankLeaning(rapid.Permutation(list).Draw(t, "order"), l)
		if diff := cmp.Diff(keysOf(ranked), keysOf(shuffled)); diff != "" {
			t.Fatalf("another order of the list gives (-first +second):\n%s", diff)
		}
	})
}

// anyState is any objective in any state.
func anyState(t *rapid.T) []Obligation {
	list := Fresh(anyTemplates(t), Origin{})
	for i := range list {
		list[i].Status = rapid.SampledFrom(statuses).Draw(t, "status")
		list[i].Attempts = rapid.IntRange(0, 4).Draw(t, "attempts")
		list[i].Confidence = Confidence(rapid.IntRange(0, 100).Draw(t, "confidence"))
		list[i].LastTurn = i // who was asked last is certain in any order
	}
	return list
}

func anyLeaning(t *rapid.T, list []Obligation) SelectionContext {
	var keys []string
	for i := range list {
		keys = append(keys, list[i].Key)
	}
	var l SelectionContext
	for range rapid.IntRange(0, 4).Draw(t, "leanings") {
		from, to := rapid.SampledFrom(keys).Draw(t, "from"), rapid.SampledFrom(keys).Draw(t, "to")
		switch rapid.IntRange(0, 2).Draw(t, "kind") {
		case 0:
			l.FollowUps = append(l.FollowUps, FollowUp{to, rapid.IntRange(1, 10).Draw(t, "priority"), rapid.Bool().Draw(t, "scheduled")})
		case 1:
			l.Bearings = append(l.Bearings, Relevance{from, to, rapid.Float64Range(0, 1).Draw(t, "confidence")})
		case 2:
			l.Wanted = append(l.Wanted, to)
		}
	}
	return l
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
		{"the leader must be one", closed(4), func(l []Obligation) { l[0].Widget, l[0].Priority = Text, 6 }, nil},
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
