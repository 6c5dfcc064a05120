package eval

import (
	"strings"
	"testing"
	"time"

	"quaestor/chat/rules"
	"quaestor/internal/listening"
	"quaestor/sessions/objectives"
)

func TestShippedObjectivesAreRehearsed(t *testing.T) {
	t.Parallel()

	year := time.Now().Year()
	for _, d := range objectives.Shipped() {
		t.Run(d.ContextType, func(t *testing.T) {
			t.Parallel()

			fitting, err := Fitting(year, &d)
			if err != nil || len(fitting) < 6 {
				t.Fatalf("%d people fit (%v), want at least 6", len(fitting), err)
			}
			for _, p := range append(fitting, Talkative(year, &d), Silent(&d)) {
				held, err := Rehearse(t.Context(), &d, rules.New(listening.New(nil)), &p)
				if err != nil {
					t.Fatalf("%s: %v", p.Name, err)
				}
				a := held.Summary(&d)
				if n := len(a.Settled) + len(a.Open) + len(a.Unasked); n != len(d.Obligations) {
					t.Errorf("%s: %d obligations are accounted for of %d", p.Name, n, len(d.Obligations))
				}
				if p.Name == "talkative" && !a.Score.Met {
					t.Errorf("somebody who answers everything does not complete it: %+v", a.Score)
				}
				if p.Name == "silent" && len(a.Settled) > 0 && a.Settled[0].Value != nil {
					t.Errorf("somebody who knows nothing settled %+v", a.Settled[0])
				}
			}
		})
	}
}

func TestPersonaWithoutItsQuestionDoesNotFit(t *testing.T) {
	t.Parallel()

	shipped := objectives.Shipped()[0]
	d, err := shipped.Clone()
	if err != nil {
		t.Fatal(err)
	}
	d.Remove(0)

	fitting, err := Fitting(time.Now().Year(), d)
	if err != nil || len(fitting) != 0 {
		var names []string
		for _, p := range fitting {
			names = append(names, p.Name)
		}
		t.Errorf("%s fit an objective that does not ask what they know (%v)", strings.Join(names, ", "), err)
	}
}
