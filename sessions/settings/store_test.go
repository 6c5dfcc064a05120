package settings_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/fault"
	"quaestor/sessions/settings"
)

func TestSettingsAreSavedWithWhoChangedThem(t *testing.T) {
	t.Parallel()

	h := open(t)
	other := h.another()
	turns, days, money := 40, 90, 1.25
	first, err := settings.Save(t.Context(), h.pool, h.tenant, "ada", 0, settings.Policy{SessionTurns: &turns, SessionMoney: &money})
	if err != nil || first.Version != 1 || first.By != "ada" || first.At.IsZero() {
		t.Fatalf("the first is saved as %+v, %v", first, err)
	}

	second, err := settings.Save(t.Context(), h.pool, h.tenant, "max", 1, settings.Policy{SessionTurns: &turns, KeptFinishedDays: &days})

	if err != nil || second.Version != 2 || second.By != "max" || second.SessionMoney != nil {
		t.Fatalf("the second is saved as %+v, %v", second, err)
	}
	found, err := settings.Find(t.Context(), h.pool, h.tenant)
	if diff := cmp.Diff(second, found); err != nil || diff != "" {
		t.Errorf("what is found, %v (-saved +found):\n%s", err, diff)
	}
	lines, err := settings.Journal(t.Context(), h.pool, h.tenant, 0, 10)
	want := []settings.Change{{Field: "sessionMoney", From: "1.25"}, {Field: "keptFinishedDays", To: "90"}}
	if err != nil || len(lines) != 2 || lines[0].Actor != "max" || lines[0].Kind != settings.Changed || !cmp.Equal(want, lines[0].Detail.Changes) {
		t.Errorf("the journal says %+v, %v; want %v first", lines, err, want)
	}
	if older, err := settings.Journal(t.Context(), h.pool, h.tenant, lines[0].ID, 10); err != nil || len(older) != 1 || older[0].Actor != "ada" {
		t.Errorf("before that it says %+v, %v", older, err)
	}
	if theirs, err := settings.Find(t.Context(), h.pool, other.tenant); err != nil || theirs.Version != 0 || other.count("tenant_journal") != 0 {
		t.Errorf("the other tenant has %+v, %v", theirs, err)
	}
}

func TestRefusedSettingsChangeNothing(t *testing.T) {
	t.Parallel()

	h := open(t)
	turns, low, days := 40, -1, 36_501
	saved, err := settings.Save(t.Context(), h.pool, h.tenant, "ada", 0, settings.Policy{SessionTurns: &turns})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name    string
		version int
		policy  settings.Policy
		kind    fault.Kind
	}{
		{"below", 1, settings.Policy{SessionTurns: &low}, fault.Unprocessable},
		{"above", 1, settings.Policy{KeptIdleDays: &days}, fault.Unprocessable},
		{"overtaken", 0, settings.Policy{}, fault.Conflict},
		{"ahead", 2, settings.Policy{}, fault.Conflict},
	} {
		if _, err := settings.Save(t.Context(), h.pool, h.tenant, "max", tt.version, tt.policy); !fault.Is(err, tt.kind) {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.kind)
		}
	}
	if same, err := settings.Save(t.Context(), h.pool, h.tenant, "max", 1, saved.Policy); err != nil || same.Version != 1 || same.By != "ada" {
		t.Errorf("saving what is there gives %+v, %v", same, err)
	}
	if found, err := settings.Find(t.Context(), h.pool, h.tenant); err != nil || !cmp.Equal(saved, found) || h.count("tenant_journal") != 1 {
		t.Errorf("there is now %+v, %v, and %d lines in the journal", found, err, h.count("tenant_journal"))
	}
}

// Of many who change the same version at once, one does.
func TestOneOfManyChangesAVersion(t *testing.T) {
	t.Parallel()

	h := open(t)
	var won atomic.Int32
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			turns := i + 1
			_, err := settings.Save(t.Context(), h.pool, h.tenant, "someone", 0, settings.Policy{SessionTurns: &turns})
			if err == nil {
				won.Add(1)
			} else if !fault.Is(err, fault.Conflict) {
				t.Errorf("%d: %v", i, err)
			}
		})
	}
	wg.Wait()
	if won.Load() != 1 || h.count("tenant_journal") != 1 {
		t.Errorf("%d of them changed it, with %d lines in the journal", won.Load(), h.count("tenant_journal"))
	}
}

func TestTestsAreKeptUntilTheNext(t *testing.T) {
	t.Parallel()

	h := open(t)
	other := h.another()
	for _, says := range []string{"No answer.", "It answers."} {
		if err := settings.KeepTest(t.Context(), h.pool, h.tenant, settings.TestResult{Part: "model", Well: says == "It answers.", Says: says, By: "ada"}); err != nil {
			t.Fatal(err)
		}
	}
	got, err := settings.Tests(t.Context(), h.pool, h.tenant)
	if m := got["model"]; err != nil || len(got) != 1 || !m.Well || m.Says != "It answers." || m.By != "ada" || m.At.IsZero() {
		t.Errorf("what is kept: %+v, %v", got, err)
	}
	if theirs, err := settings.Tests(t.Context(), h.pool, other.tenant); err != nil || len(theirs) != 0 {
		t.Errorf("the other tenant reads %v, %v", theirs, err)
	}
}
