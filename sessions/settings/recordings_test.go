package settings_test

import (
	"testing"

	"quaestor/sessions/settings"
)

// sound keeps a recording of somebody, some days old, in a session.
func (h house) sound(session, user string, turn, days int) {
	h.t.Helper()
	h.exec(`INSERT INTO message_recordings (tenant_id, session_id, turn, user_id, milliseconds, sound, created_at)
		VALUES ($1, $2, $3, $4, 1000, '\x0000', now() - make_interval(days => $5, mins => 5))`, h.tenant, session, turn, user, days)
}

func TestRecordingsGoAfterTheirTime(t *testing.T) {
	t.Parallel()

	h := open(t)
	s, held := h.session("ann", "active", "", 1), h.session("ann", "active", "", 1)
	h.sound(s.Session, "ann", 1, 40)
	h.sound(s.Session, "ann", 2, 20)
	h.sound(held.Session, "ann", 1, 40)
	if err := settings.Hold(t.Context(), h.pool, held, "rita", "a dispute"); err != nil {
		t.Fatal(err)
	}
	other := h.another()
	others := other.session("eve", "active", "", 1)
	other.sound(others.Session, "eve", 1, 40)

	for _, tt := range []struct{ days, left int }{{30, 2}, {0, 1}} { // 0 keeps none but what is held
		if _, err := settings.Sweep(t.Context(), h.pool, h.tenant, settings.Values{KeptRecordingsDays: tt.days}); err != nil {
			t.Fatal(err)
		}
		if got := h.count("message_recordings"); got != tt.left {
			t.Errorf("with %d days %d recordings are left, want %d", tt.days, got, tt.left)
		}
	}
	if other.count("message_recordings") != 1 {
		t.Error("a recording of another organisation is gone")
	}
	if lines, err := settings.Journal(t.Context(), h.pool, h.tenant, 0, 10); err != nil || len(lines) < 2 || lines[0].Detail.Rule != "recordings" || lines[0].Detail.Count != 1 {
		t.Errorf("the journal says %+v, %v", lines, err)
	}
}

func TestErasingAPersonErasesTheirVoice(t *testing.T) {
	t.Parallel()

	h := open(t)
	own, elsewhere := h.session("ann", "active", "", 1), h.session("bob", "active", "", 1)
	h.sound(own.Session, "ann", 1, 1)
	h.sound(elsewhere.Session, "ann", 1, 1)
	h.sound(elsewhere.Session, "bob", 2, 1)

	if _, err := settings.ErasePerson(t.Context(), h.pool, h.tenant, "ann", "rita"); err != nil {
		t.Fatal(err)
	}
	if got := h.count("message_recordings"); got != 1 {
		t.Errorf("%d recordings are left, want the one of somebody else", got)
	}
}

// What a person left in the interviews of others ends with them: whether they agree to be recorded,
// by which more would be, and tickets that open calls in their name.
func TestErasingAPersonEndsWhatTheyLeftWithOthers(t *testing.T) {
	t.Parallel()

	h := open(t)
	elsewhere := h.session("bob", "active", "", 1)
	for _, user := range []string{"ann", "bob"} {
		h.exec(`INSERT INTO recording_consents (tenant_id, session_id, user_id, allowed) VALUES ($1, $2, $3, true)`, h.tenant, elsewhere.Session, user)
		h.exec(`INSERT INTO call_tickets (tenant_id, session_id, token_hash, user_id, created_at, expires_at) VALUES ($1, $2, sha256($3::text::bytea), $3, now(), now() + interval '1 minute')`, h.tenant, elsewhere.Session, user)
	}

	has, err := settings.FootprintOf(t.Context(), h.pool, h.tenant, "ann")
	if err != nil || has.None() || has.Traces != 1 {
		t.Errorf("of who only agreed to be recorded there is %+v, %v; want one trace", has, err)
	}
	if _, err := settings.ErasePerson(t.Context(), h.pool, h.tenant, "ann", "rita"); err != nil {
		t.Fatal(err)
	}
	if consents, tickets := h.count("recording_consents"), h.count("call_tickets"); consents != 1 || tickets != 1 {
		t.Errorf("%d consents and %d tickets are left, want those of somebody else", consents, tickets)
	}
	if has, err := settings.FootprintOf(t.Context(), h.pool, h.tenant, "ann"); err != nil || !has.None() {
		t.Errorf("after that there is %+v, %v", has, err)
	}
}
