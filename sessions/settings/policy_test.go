package settings_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quaestor/internal/fault"
	"quaestor/sessions/settings"
)

// field returns the field of that name.
func field(t testing.TB, name string) settings.Field {
	t.Helper()
	for _, f := range settings.Fields() {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("there is no field %s", name)
	return settings.Field{}
}

func TestFieldsAreReadWithinBounds(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ field, text, want, refused string }{
		{"sessionTurns", "", "", ""},
		{"sessionTurns", " 40 ", "40", ""},
		{"sessionTurns", "0", "0", ""},
		{"sessionTurns", "1000000", "1000000", ""},
		{"sessionTurns", "1000001", "", "sessionTurns: must be 0 to 1000000, not 1.000001e+06"},
		{"sessionTurns", "-1", "", "sessionTurns: must be 0 to 1000000, not -1"},
		{"sessionTurns", "2.5", "", "sessionTurns: must be a whole number, not 2.5"},
		{"sessionTurns", "many", "", "sessionTurns: must be a number, or empty for what the server says"},
		{"sessionTurns", "NaN", "", "sessionTurns: must be 0 to 1000000, not NaN"},
		{"sessionMinutes", "2.5", "2.5", ""},
		{"sessionMoney", "0.0001", "0.0001", ""},
		{"sessionMoney", "0.00001", "", "sessionMoney: has four decimal places at most"},
		{"keptIdleDays", "36500", "36500", ""},
		{"keptIdleDays", "36501", "", "keptIdleDays: must be 0 to 36500, not 36501"},
		{"keptJobsDays", "30", "30", ""},
		{"keptJobsDays", "31", "", "keptJobsDays: must be 0 to 30, not 31"},
		{"contact", "  Jane Doe,\n +1 555 0100\x00 ", "Jane Doe, +1 555 0100", ""},
		{"contact", " \t", "", ""},
		{"contact", strings.Repeat("ä", 300), strings.Repeat("ä", 300), ""},
		{"contact", strings.Repeat("ä", 301), "", "contact: has at most 300 characters, not 301"},
	} {
		f := field(t, tt.field)
		var p settings.Policy
		err := f.Put(&p, tt.text)
		says := ""
		if err != nil {
			says = err.Error()
		}
		if got := f.Of(p); got != tt.want || says != tt.refused || err != nil && !fault.Is(err, fault.Unprocessable) {
			t.Errorf("%s = %q is read as %q, refused by %q; want %q, %q", tt.field, tt.text, got, says, tt.want, tt.refused)
		}
	}
}

// What a field says can be put into another policy, and what was refused leaves it
// as it was.
func TestFieldsComeBackAsTheyWere(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		var p, q settings.Policy
		for _, f := range settings.Fields() {
			text := rapid.OneOf(rapid.Just(""), rapid.StringMatching(`[0-9]{1,6}(\.[0-9]{1,4})?`), rapid.String()).Draw(t, f.Name)
			before := f.Of(p)
			if err := f.Put(&p, text); err != nil && f.Of(p) != before {
				t.Fatalf("%s = %q is refused, but is now %q", f.Name, text, f.Of(p))
			}
			if err := f.Put(&q, f.Of(p)); err != nil {
				t.Fatalf("%s gives %q, which it refuses: %v", f.Name, f.Of(p), err)
			}
		}
		if changes := p.Changes(q); len(changes) != 0 {
			t.Fatalf("the copy differs: %v", changes)
		}
		if err := p.Check(); err != nil {
			t.Fatalf("what the fields took does not check: %v", err)
		}
	})
}

func TestPolicyIsChecked(t *testing.T) {
	t.Parallel()

	low, part, none := -1, 1.00001, math.Inf(1)
	for name, p := range map[string]settings.Policy{"sessionTurns": {SessionTurns: &low}, "sessionMinutes": {SessionMinutes: &none}, "sessionMoney": {SessionMoney: &part}, "keptJobsDays": {KeptJobsDays: &low}} {
		if err := p.Check(); !fault.Is(err, fault.Unprocessable) {
			t.Errorf("%s: %v, want a refusal", name, err)
		}
	}
}

func TestOrganisationsWordOutranksTheServers(t *testing.T) {
	t.Parallel()

	server := settings.Values{SessionTurns: 40, SessionMinutes: 30, ResearchDaily: 200, KeptPromptsDays: 30, KeptJobsDays: 7}
	zero, ten := 0, 10
	got := settings.Policy{SessionTurns: &zero, ResearchDaily: &ten, KeptIdleDays: &ten}.Over(server)
	want := settings.Values{SessionMinutes: 30, ResearchDaily: 10, KeptIdleDays: 10, KeptPromptsDays: 30, KeptJobsDays: 7}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("in force (-want +got):\n%s", diff)
	}
}
