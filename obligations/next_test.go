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

	partial := func(o *Obligation, sure Confidence) {
		o.Status, o.Value, o.Confidence, o.Attempts = Partial, red, sure, 1
	}
	for _, tt := range []struct {
		name string
		edit func(list []Obligation) // of a, b and c
		want []string
	}{
		{"ties go by position", func([]Obligation) {}, []string{"a", "b", "c"}},
		{"priority first", func(l []Obligation) { l[2].Priority = 6 }, []string{"c", "a", "b"}},
		{"what was told unsurely comes after what is new", func(l []Obligation) { partial(&l[0], 60); l[0].Priority = 9 }, []string{"b", "c", "a"}},
		{"what others wait for counts as much as they do", func(l []Obligation) { l[0].Dependencies, l[0].Priority = []string{"c"}, 7 }, []string{"c", "b"}},
		{"through others too", func(l []Obligation) {
			l[0].Dependencies, l[0].Priority, l[1].Dependencies = []string{"b"}, 7, []string{"c"}
			l[1].Priority = 1
		}, []string{"c"}},
		{"satisfied and skipped ones are done", func(l []Obligation) { l[0].Status, l[1].Status = Satisfied, Skipped }, []string{"c"}},
		{"deferred ones wait", func(l []Obligation) { l[0].Status = Deferred }, []string{"b", "c"}},
		{"deferred ones return when nothing else is left", func(l []Obligation) { l[0].Status, l[1].Status, l[2].Status = Satisfied, Deferred, Skipped }, []string{"b"}},
		{"attempts have an end, and what was asked in vain comes after what is new", func(l []Obligation) { l[0].Attempts, l[1].Attempts = 3, 2 }, []string{"c", "b"}},
		{"a template's own end", func(l []Obligation) { l[0].MaxAttempts, l[0].Attempts = 1, 1 }, []string{"b", "c"}},
		{"a deferred one that was asked enough does not return", func(l []Obligation) {
			l[0].Status, l[0].Attempts, l[1].Status, l[2].Status = Deferred, 3, Satisfied, Satisfied
		}, nil},
		{"what waits for a vague answer is asked after the last attempt", func(l []Obligation) {
			l[0].Status, l[0].Value, l[0].Attempts, l[1].Dependencies, l[2].Status = Partial, red, 3, []string{"a"}, Satisfied
		}, []string{"b"}},
		{"and before what was asked in vain twice", func(l []Obligation) {
			l[0].Status, l[0].Value, l[0].Attempts, l[1].Dependencies, l[2].Status = Partial, red, 2, []string{"a"}, Satisfied
		}, []string{"b", "a"}},
		{"not before", func(l []Obligation) {
			l[0].Status, l[0].Value, l[0].Attempts, l[1].Dependencies, l[2].Status = Partial, red, 1, []string{"a"}, Satisfied
		}, []string{"a"}},
		{"what waits for no answer stays locked", func(l []Obligation) {
			l[0].Status, l[0].Attempts, l[1].Dependencies, l[2].Status = InProgress, 3, []string{"a"}, Satisfied
		}, nil},
		{"what is not to be asked at first comes late", func(l []Obligation) {
			l[0].Collection, l[1].Collection = Inferred, Research
			l[0].Priority = 9
		}, []string{"c", "a", "b"}},
		{"the category being talked about comes first", func(l []Obligation) {
			l[0].Category, l[1].Category, l[2].Category = "x", "y", "y"
			l[0].Priority = 10
			l[1].LastTurn, l[1].Status = 4, Satisfied
		}, []string{"c", "a"}},
		{"a category is as important as its most important question, and is not interrupted", func(l []Obligation) {
			l[0].Category, l[1].Category, l[2].Category = "x", "y", "y"
			l[1].Priority, l[2].Priority = 1, 6
		}, []string{"c", "b", "a"}},
		{"categories that count the same go by position", func(l []Obligation) {
			l[0].Category, l[1].Category, l[2].Category = "x", "y", "x"
		}, []string{"a", "c", "b"}},
		{"what was told unsurely is not gone back to at once", func(l []Obligation) {
			l[0].Category, l[0].LastTurn, l[1].Category, l[2].Category = "x", 4, "y", "y"
			partial(&l[0], 60)
		}, []string{"b", "c", "a"}},
		{"unless something waits for it", func(l []Obligation) {
			l[0].Category, l[0].LastTurn, l[1].Category, l[2].Category = "x", 4, "y", "y"
			partial(&l[0], 60)
			l[2].Dependencies = []string{"a"}
		}, []string{"a", "b"}},
		{"a proposal is put after the open questions of its category", func(l []Obligation) {
			l[0].Category, l[1].Category, l[2].Category = "x", "y", "x"
			l[0].Priority, l[0].Collection, l[0].Status, l[0].Value, l[0].Evidence = 9, Inferred, Partial, red, []Evidence{{Kind: InferredEvidence}}
		}, []string{"c", "a", "b"}},
		{"a field passed over in a form is asked while its category is talked about", func(l []Obligation) {
			l[0].Category, l[1].Category, l[2].Category = "x", "y", "y"
			l[0].Priority, l[1].Attempts, l[1].LastTurn, l[2].Attempts, l[2].LastTurn, l[2].Status = 9, 1, 4, 1, 4, Satisfied
		}, []string{"b", "a"}},
		{"what was asked alone in vain is not", func(l []Obligation) {
			l[0].Category, l[1].Category, l[2].Category = "x", "y", "y"
			l[1].Attempts, l[1].LastTurn, l[2].Attempts, l[2].LastTurn, l[2].Status = 1, 4, 1, 3, Satisfied
		}, []string{"a", "b"}},
		{"the same is not asked twice in a row", func(l []Obligation) {
			l[0].LastTurn, l[1].LastTurn, l[2].Status = 4, 3, Satisfied
			partial(&l[0], 20)
			partial(&l[1], 60)
		}, []string{"b", "a"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			list := open("a", "b", "c")
			tt.edit(list)

			if diff := cmp.Diff(tt.want, keysOf(Rank(list, SelectionContext{}))); diff != "" {
				t.Errorf("Rank() (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRankInAConversation(t *testing.T) {
	t.Parallel()

	confirmable := func(l []Obligation) {
		for i := range l[:3] {
			l[i].Status, l[i].Value, l[i].Attempts, l[i].LastTurn, l[i].Confidence = Partial, red, 1, i+1, 60
			l[i].Category = l[i].Key
		}
		l[0].Attempts, l[0].Collection, l[0].Evidence = 0, Inferred, []Evidence{{Kind: InferredEvidence}} // a proposal
	}
	for _, tt := range []struct {
		name string
		edit func(list []Obligation) // of a, b, c and d, which is satisfied and was asked last
		c    SelectionContext
		want []string
	}{
		{"nothing", nil, SelectionContext{}, []string{"a", "b", "c"}},
		{"a follow-up of high priority goes first", func(l []Obligation) { l[0].Priority = 10 }, SelectionContext{FollowUps: []FollowUp{{Key: "c", Priority: 7}}}, []string{"c", "a", "b"}},
		{"one of low priority does not", nil, SelectionContext{FollowUps: []FollowUp{{Key: "c", Priority: 6}}}, []string{"a", "b", "c"}},
		{"what was put off does not come back unscheduled", func(l []Obligation) { l[2].Status = Deferred }, SelectionContext{FollowUps: []FollowUp{{Key: "c", Priority: 9}}}, []string{"a", "b"}},
		{"what was put off comes back on schedule", func(l []Obligation) { l[2].Status = Deferred }, SelectionContext{FollowUps: []FollowUp{{Key: "c", Priority: 9, Scheduled: true}}}, []string{"c", "a", "b"}},
		{"no follow-up on what is satisfied", func(l []Obligation) { l[2].Status = Satisfied }, SelectionContext{FollowUps: []FollowUp{{Key: "c", Priority: 9}}}, []string{"a", "b"}},
		{"no follow-up on what is locked", func(l []Obligation) { l[2].Dependencies = []string{"b"} }, SelectionContext{FollowUps: []FollowUp{{Key: "c", Priority: 9}}}, []string{"a", "b"}},
		{"no follow-up on what was asked enough", func(l []Obligation) { l[2].Attempts = 3 }, SelectionContext{FollowUps: []FollowUp{{Key: "c", Priority: 9}}}, []string{"a", "b"}},
		{"a follow-up goes before the category being talked about", func(l []Obligation) { l[0].Category, l[1].Category, l[3].Category = "x", "x", "x" },
			SelectionContext{FollowUps: []FollowUp{{Key: "c", Priority: 7}}}, []string{"c", "a", "b"}},
		{"what is wanted goes before follow-ups", func(l []Obligation) { l[2].Priority = 1 }, SelectionContext{Wanted: []string{"c"}, FollowUps: []FollowUp{{Key: "b", Priority: 9}}}, []string{"c", "b", "a"}},
		{"what is wanted but put off waits", func(l []Obligation) { l[2].Status = Deferred }, SelectionContext{Wanted: []string{"c"}}, []string{"a", "b"}},
		{"a proposal belongs to its category as long as the session explores", confirmable, SelectionContext{}, []string{"a", "b", "c"}},
		{"while it checks, what counts most is confirmed first", func(l []Obligation) { confirmable(l); l[1].Priority = 6 }, SelectionContext{Checking: true}, []string{"b", "a", "c"}},
		{"of that, what is required", func(l []Obligation) { confirmable(l); l[1].Priority = 6 }, SelectionContext{Checking: true, Required: []string{"c"}}, []string{"c", "b", "a"}},
		{"and of equals, what is least certain", func(l []Obligation) { confirmable(l); l[2].Confidence = 45 }, SelectionContext{Checking: true}, []string{"c", "a", "b"}},
		{"gaps are filled before that", func(l []Obligation) { confirmable(l); l[2].Status, l[2].Attempts, l[2].Value = Pending, 0, nil }, SelectionContext{Checking: true, Required: []string{"a"}}, []string{"c", "a", "b"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			list := open("a", "b", "c", "d")
			list[3].Status, list[3].LastTurn = Satisfied, 9
			if tt.edit != nil {
				tt.edit(list)
			}

			if diff := cmp.Diff(tt.want, keysOf(Rank(list, tt.c))); diff != "" {
				t.Errorf("Rank() (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEveryCandidateSaysWhy(t *testing.T) {
	t.Parallel()

	named := func(edit func(list []Obligation)) []Candidate {
		list := open("a", "b", "c")
		list[0].Category, list[1].Category, list[2].Category = "Goals", "Goals", "Means"
		edit(list)
		return Rank(list, SelectionContext{})
	}
	list := open("a", "b")
	deferred := open("a")
	deferred[0].Status = Deferred
	for want, got := range map[string][]Candidate{
		"Of what is open it counts most: its priority is 5 of 10.":                                                                             Rank(list, SelectionContext{}),
		"It was put off before, and nothing else is left to ask.":                                                                              Rank(deferred, SelectionContext{}),
		"It is required, or something required waits for it, and few questions are left.":                                                      Rank(list, SelectionContext{Wanted: []string{"b"}}),
		"A return to it was noted earlier, and its turn has come.":                                                                             Rank(list, SelectionContext{FollowUps: []FollowUp{{Key: "b", Priority: 10}}}),
		"The interview begins with “Goals”, which holds what counts most; its priority is 5 of 10, and a question of priority 8 waits for it.": named(func(l []Obligation) { l[1].Dependencies, l[1].Priority = []string{"a"}, 8 }),
		"It belongs to “Goals”, which is being talked about; its priority is 5 of 10.":                                                         named(func(l []Obligation) { l[0].Status, l[0].LastTurn = Satisfied, 1 }),
		"Of the categories that are open, “Means” holds what counts most; its priority is 5 of 10.":                                            named(func(l []Obligation) { l[0].Status, l[0].LastTurn, l[1].Status = Satisfied, 1, Satisfied }),
		"It was asked before and is still open, and what is new was asked; its priority is 5 of 10.": named(func(l []Obligation) {
			l[0].Status, l[1].Status, l[2].Attempts, l[2].LastTurn = Satisfied, Satisfied, 1, 2
		}),
		"What was understood is being checked, what counts most first; its priority is 5 of 10, and the confidence in it is 0.60.": named(func(l []Obligation) {
			l[0].Status, l[1].Status, l[2].Status, l[2].Confidence = Satisfied, Satisfied, Partial, 60
		}),
		"Other questions wait for it, and the answer to it is not sure enough yet.": named(func(l []Obligation) { l[0].Status, l[1].Dependencies, l[2].Status = Partial, []string{"a"}, Satisfied }),
	} {
		if got[0].Because.Sentence != want {
			t.Errorf("Because.Sentence = %q, want %q", got[0].Because.Sentence, want)
		}
	}
}

// Whatever else holds, an obligation's place never gets worse when it matters more or
// is less certain.
func TestRankIsMonotone(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		list := anyState(t)
		c := anyContext(t, list)
		ranked := Rank(list, c)
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

		again := Rank(better, c)

		now := slices.IndexFunc(again, func(c Candidate) bool { return c.Obligation.Key == chosen.Key })
		if now < 0 || now > at {
			t.Fatalf("%s was at %d because %v, is at %d of %v", chosen.Key, at, ranked[at].Because, now, keysOf(again))
		}
	})
}

// Whatever the conversation adds, nothing is asked that is known, left out, locked or
// asked enough, each once, and the same every time.
func TestRankKeepsItsPromises(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		list := anyState(t)
		c := anyContext(t, list)

		ranked := Rank(list, c)

		seen := map[string]bool{}
		for _, x := range ranked {
			o := x.Obligation
			if o.Resolved() || !Ready(list, o) || o.Attempts >= o.maxAttempts() || seen[o.Key] {
				t.Fatalf("%+v is ranked", *o)
			}
			seen[o.Key] = true
			if x.Because.Sentence == "" {
				t.Fatalf("%s is ranked without a reason", o.Key)
			}
		}
		shuffled := Rank(rapid.Permutation(list).Draw(t, "order"), c)
		if diff := cmp.Diff(keysOf(ranked), keysOf(shuffled)); diff != "" {
			t.Fatalf("another order of the list gives (-first +second):\n%s", diff)
		}
	})
}

// A person who answers everything stays with one category until nothing of it can be asked.
func TestInterviewStaysWithACategory(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		list := Fresh(anyTemplates(t), Origin{})
		last := ""
		for i := range list {
			o := *list[i].Template
			o.Category = rapid.SampledFrom([]string{"x", "y", "z"}).Draw(t, "category")
			o.Collection, o.Inference = DirectQuestion, nil
			list[i].Template = &o
		}
		for turn := 1; ; turn++ {
			ranked := Rank(list, SelectionContext{})
			if len(ranked) == 0 {
				return
			}
			category := ranked[0].Obligation.Category
			if category != last && slices.ContainsFunc(ranked, func(c Candidate) bool { return c.Obligation.Category == last }) {
				t.Fatalf("turn %d moves on to %s, though %s has something to ask: %v", turn, category, last, keysOf(ranked))
			}
			last = category
			o := ranked[0].Obligation
			o.Status, o.Attempts, o.LastTurn = Satisfied, 1, turn
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

func anyContext(t *rapid.T, list []Obligation) SelectionContext {
	var keys []string
	for i := range list {
		keys = append(keys, list[i].Key)
	}
	c := SelectionContext{Checking: rapid.Bool().Draw(t, "checking")}
	for range rapid.IntRange(0, 4).Draw(t, "leanings") {
		key := rapid.SampledFrom(keys).Draw(t, "key")
		switch rapid.IntRange(0, 2).Draw(t, "kind") {
		case 0:
			c.FollowUps = append(c.FollowUps, FollowUp{key, rapid.IntRange(1, 10).Draw(t, "priority"), rapid.Bool().Draw(t, "scheduled")})
		case 1:
			c.Required = append(c.Required, key)
		case 2:
			c.Wanted = append(c.Wanted, key)
		}
	}
	return c
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
			if diff := cmp.Diff(tt.want, keysOf(Form(Rank(tt.in, SelectionContext{})))); diff != "" {
				t.Errorf("Form() (-want +got):\n%s", diff)
			}
		})
	}
}
