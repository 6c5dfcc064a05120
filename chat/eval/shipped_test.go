package eval

import (
	"strings"
	"testing"
	"time"
)

// TestShippedPersonasAreInterviewedByTheRules holds what must be true of every
// interview by the rules: nothing that is known is asked again, nothing before its
// time, a correction is one revision, values rest on what was said, chit-chat fills
// nothing, and each session ends for a reason within its budget.
func TestShippedPersonasAreInterviewedByTheRules(t *testing.T) {
	t.Parallel()

	engine, tenant := house(t)
	held := map[string]Interview{}
	card, err := RunAll(t.Context(), Options{Engine: engine, Tenant: tenant}, func(i Interview) { held[i.Persona.Context+"/"+i.Persona.Name] = i })
	if err != nil {
		t.Fatal(err)
	}

	breaches := 0
	for i := range card.Runs {
		r := &card.Runs[i]
		for _, b := range r.Breaches() {
			breaches++
			t.Logf("%s/%s, turn %d, %s: %s\n\tsaid   %q\n\tstored %s", r.Context, r.Persona, b.Turn, b.Key, b.What, b.Said, b.Got)
		}
		if t.Failed() && testing.Verbose() {
			var b strings.Builder
			i := held[r.Context+"/"+r.Persona]
			_ = i.Transcript.Markdown(&b)
			t.Logf("%s/%s\n%s", r.Context, r.Persona, b.String())
		}
	}
	if breaches > mostBreaches {
		t.Errorf("%d lines of the personas are misread; it was %d", breaches, mostBreaches)
	}
	if len(card.Runs) != len(held) || card.Total.Runs < 18 {
		t.Errorf("%d results, %d told of, want at least 18 of each", len(card.Runs), len(held))
	}
	notVacuous(t, &card)
}

// mostBreaches is how many lines of all personas were misread when that was measured: they
// may become fewer, not more. What is learned from examples is never right about all.
const mostBreaches = 13

// notVacuous fails when the personas no longer try what must hold.
func notVacuous(t *testing.T, card *Scorecard) {
	t.Helper()
	if card.Total.Corrections < 12 || card.Total.Contradictions < 5 {
		t.Errorf("%d corrections and %d contradictions were said, want at least 12 and 5", card.Total.Corrections, card.Total.Contradictions)
	}
	for _, k := range card.Kinds {
		if k.Name == string(Cooperative) && (k.Completed != k.Runs || k.Accuracy < 0.95 || k.Coverage < 0.9) {
			t.Errorf("of %d cooperative people %d come to the end, with accuracy %.2f and coverage %.2f", k.Runs, k.Completed, k.Accuracy, k.Coverage)
		}
	}
	if card.Total.Accuracy < 0.85 || card.Calibration.Count < 200 {
		t.Errorf("accuracy %.2f over %d values, want at least 0.85 over 200", card.Total.Accuracy, card.Calibration.Count)
	}
}

func TestShippedPersonasCoverEveryKind(t *testing.T) {
	t.Parallel()

	people, err := Shipped(time.Now().Year())
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]map[Kind]bool{}
	for _, p := range people {
		if seen[p.Context] == nil {
			seen[p.Context] = map[Kind]bool{}
		}
		seen[p.Context][p.Kind] = true
		for _, o := range objective(t, p.Context).Obligations {
			if p.fact(o.Key) == nil {
				t.Errorf("%s/%s says nothing about %s", p.Context, p.Name, o.Key)
			}
		}
	}
	for _, context := range []string{"business_profile", "idea_discovery", "project_discovery"} {
		for _, k := range kinds {
			if !seen[context][k] {
				t.Errorf("no %s persona for %s", k, context)
			}
		}
	}
}

func TestInterviewThatRunsOutOfBudgetIsCutOff(t *testing.T) {
	t.Parallel()

	engine, tenant := house(t)
	people, err := Shipped(time.Now().Year())
	if err != nil {
		t.Fatal(err)
	}

	card, err := RunAll(t.Context(), Options{Engine: engine, Tenant: tenant, Personas: people[:1], Budget: Budget{Turns: 3}, Label: "short"}, nil)

	if err != nil {
		t.Fatal(err)
	}
	r := card.Runs[0]
	if r.Turns != 3 || r.Stop != "" || r.InBudget || card.Total.InBudget != 0 || len(r.Breaches()) != 1 {
		t.Errorf("after a budget of 3: %d turns, stop %q, in budget %v, %+v", r.Turns, r.Stop, r.InBudget, r.Breaches())
	}
}

func TestRunAllSaysWhatFailed(t *testing.T) {
	t.Parallel()

	engine, tenant := house(t)
	people, err := Shipped(time.Now().Year())
	if err != nil {
		t.Fatal(err)
	}
	people[0].Facts[0].Key = "nothing_of_the_kind"

	_, unfit := RunAll(t.Context(), Options{Engine: engine, Tenant: tenant, Personas: people[:1]}, nil)
	_, nowhere := RunAll(t.Context(), Options{Engine: engine, Tenant: "00000000-0000-0000-0000-000000000001", Personas: people[1:2]}, nil)

	if unfit == nil || !strings.Contains(unfit.Error(), "facts[0].key") {
		t.Errorf("a persona that does not fit gives %v, want the field", unfit)
	}
	if nowhere == nil {
		t.Error("a tenant without objectives gives no error")
	}
}

func TestCalibrationOfSessions(t *testing.T) {
	t.Parallel()

	engine, tenant := house(t)
	people, err := Shipped(time.Now().Year())
	if err != nil {
		t.Fatal(err)
	}
	var changing []Persona
	for _, p := range people {
		if p.Name == "print_shop" {
			changing = append(changing, p)
		}
	}
	if _, err := RunAll(t.Context(), Options{Engine: engine, Tenant: tenant, Personas: changing}, nil); err != nil {
		t.Fatal(err)
	}

	all, err := CalibrationOf(t.Context(), engine.Pool, tenant, "")
	if err != nil {
		t.Fatal(err)
	}
	other, err := CalibrationOf(t.Context(), engine.Pool, tenant, "idea_discovery")
	if err != nil {
		t.Fatal(err)
	}

	if all.Count < len(changing[0].Corrections) || all.Brier == 0 {
		t.Errorf("the calibration of a session with %d corrections is %+v", len(changing[0].Corrections), all)
	}
	if other.Count != 0 {
		t.Errorf("a context without sessions has %d outcomes", other.Count)
	}
}
