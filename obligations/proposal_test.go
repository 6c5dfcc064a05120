package obligations

import "testing"

// What research or inference proposes never takes the place of what a person gave,
// however doubtful, and brings nothing back that was left out.
func TestProposalsDoNotReplaceAPersonsWord(t *testing.T) {
	t.Parallel()

	doubtful := tell("a", red, said("m1"))
	doubtful.Grade = Grade{Hedged: true, Vague: true}
	inferred := Evidence{Kind: InferredEvidence, Premises: []string{"b"}}
	for _, tt := range []struct {
		name  string
		say   []Finding
		want  string // value of a; "" for none
		kind  ConflictKind
		clash bool
	}{
		{"research against a doubtful word", []Finding{doubtful, tell("a", blue, claim)}, string(red), AgainstResearch, true},
		{"a conclusion against a doubtful word", []Finding{tell("b", red, said("m0")), doubtful, tell("a", blue, inferred)}, string(red), Changed, true},
		{"research that agrees", []Finding{doubtful, tell("a", red, claim)}, string(red), "", false},
		{"research for what was left out", []Finding{{Key: "a", Act: Skip, Skip: Declined}, tell("a", blue, claim)}, "", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			list, changes := played(tt.say...)

			o := Find(list, "a")
			if string(o.Value) != tt.want {
				t.Errorf("a holds %s, want %q", o.Value, tt.want)
			}
			var got *Conflict
			for _, c := range changes {
				if c.After.Key == "a" {
					got = c.Conflict
				}
			}
			if (got != nil) != tt.clash || got != nil && got.Kind != tt.kind {
				t.Errorf("conflict %+v, want one: %v, of kind %q", got, tt.clash, tt.kind)
			}
		})
	}
}

// What research found after the last attempt is put before the person once more.
func TestNewlyFoundIsAskedOnceMore(t *testing.T) {
	t.Parallel()

	var say []Finding
	for range DefaultMaxAttempts {
		say = append(say, Finding{Key: "a", Act: Asked})
	}
	asks := func(list []Obligation) bool {
		for _, c := range Rank(list, SelectionContext{}) {
			if c.Obligation.Key == "a" {
				return true
			}
		}
		return false
	}
	if list, _ := played(say...); asks(list) {
		t.Fatal("what was asked as often as it may be is asked again")
	}
	found, _ := played(append(say, tell("a", red, claim))...)
	if !asks(found) {
		t.Fatal("what research found is not put before the person")
	}
	again := Merge(found, Apply(found, []Finding{{Key: "a", Act: Asked}}, 99))
	if asks(again) {
		t.Error("it is put before the person a second time")
	}
}
