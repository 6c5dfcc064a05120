package chat

import (
	"testing"

	"quaestor/obligations"
)

func TestConflictBetweenPeopleEndsWhenTheyAgree(t *testing.T) {
	t.Parallel()

	says := func(person, value string, turn int) obligations.Contribution {
		return obligations.Contribution{Person: person, Value: []byte(value), Evidence: obligations.Evidence{Kind: obligations.Stated, By: person, Turn: turn}}
	}
	for _, tt := range []struct {
		name   string
		merge  obligations.MergeRule
		stands []obligations.Contribution
		want   bool
	}{
		{"still two values", "", []obligations.Contribution{says("ada", `"red"`, 1), says("bo", `"blue"`, 2)}, false},
		{"one has come round", "", []obligations.Contribution{says("ada", `"blue"`, 3), says("bo", `"blue"`, 2)}, true},
		{"a majority has formed", obligations.MergeMajority, []obligations.Contribution{says("ada", `"red"`, 1), says("bo", `"blue"`, 2), says("cy", `"blue"`, 3)}, true},
		{"a reviewer has to say", obligations.MergeReviewer, []obligations.Contribution{says("ada", `"red"`, 1), says("bo", `"blue"`, 2)}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			o := obligations.Obligation{Template: &obligations.Template{Key: "colour", Merge: tt.merge}, Stands: tt.stands}
			open := obligations.Conflict{ID: "c", Kind: obligations.BetweenPersons, Keys: []string{"colour"}, Status: obligations.ConflictOpen}
			_, changed := settleConflicts(&Scene{Conflicts: []obligations.Conflict{open}}, &Plan{}, Understanding{}, []obligations.Change{{After: o}}, 3, true)

			if got := len(changed) == 1 && changed[0].Status == obligations.ConflictResolved; got != tt.want {
				t.Errorf("the conflict is resolved: %v, want %v (%+v)", got, tt.want, changed)
			}
		})
	}
}
