package chat_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/chat"
	"quaestor/internal/fault"
	"quaestor/internal/language/messages"
	"quaestor/obligations"
	"quaestor/sessions"
)

func TestStyleOf(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name string
		in   sessions.Memory
		want chat.ConversationStyle
	}{
		{"nothing known", sessions.Memory{}, chat.ConversationStyle{}},
		{"formal", sessions.Memory{Style: sessions.Formal, Preferences: map[string]string{chat.TechnicalDepth: "High"}}, chat.ConversationStyle{Style: sessions.Formal, Depth: "high"}},
		{"casual and brief", sessions.Memory{Style: sessions.Casual, Preferences: map[string]string{chat.Brevity: " Yes", chat.PrefersExamples: "true"}},
			chat.ConversationStyle{Style: sessions.Casual, Brief: true, Examples: true}},
		{"taken back", sessions.Memory{Preferences: map[string]string{chat.Brevity: "false", chat.TechnicalDepth: "medium"}}, chat.ConversationStyle{}},
	} {
		got := chat.StyleOf(tt.in)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestRecall(t *testing.T) {
	t.Parallel()

	m := sessions.Memory{
		FollowUps:     []sessions.FollowUp{{Key: "team", Reason: "the person was not sure."}, {Key: "gone", Reason: "x"}},
		Relationships: []sessions.Relation{{From: "team", To: "budget", Type: "limits"}, {From: "team", To: "gone"}},
		Preferences:   map[string]string{chat.Brevity: "true", "call_me": "Sam", chat.TechnicalDepth: "low"},
		Style:         sessions.Casual,
	}
	labels := map[string]string{"team": "Team", "budget": "Budget"}

	got := chat.Recall(messages.In("en"), m, func(key string) string { return labels[key] })

	want := []string{"I keep it informal, short and in plain words, as you like it.", "You like: call me, Sam.",
		"I mean to come back to “Team”: the person was not sure.", "I take it that “Team” has to do with “Budget”."}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Recall (-want +got):\n%s", diff)
	}
	if got := chat.Recall(messages.In("en"), sessions.Memory{}, func(string) string { return "" }); got != nil {
		t.Errorf("Recall of nothing = %q", got)
	}
}

func (d *harness) session() sessions.Session {
	d.t.Helper()
	s, err := sessions.Find(d.t.Context(), d.pool, d.scope)
	if err != nil {
		d.t.Fatal(err)
	}
	return s
}

// likeBrief is an edit that notes that the person likes it short.
func likeBrief(in sessions.Session, _ func(string) bool) (sessions.Memory, error) {
	return in.Memory.Patch([]byte(`{"userPreferences":{"brevity":true}}`), func(string) bool { return true })
}

func TestEditOfMemoryIsLogged(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	d.take(d.input(""))
	head, err := sessions.Head(t.Context(), d.pool, d.scope)
	if err != nil {
		t.Fatal(err)
	}
	before := d.session()

	got, err := d.engine.EditMemory(t.Context(), d.scope, "vera", func(in sessions.Session, isKey func(string) bool) (sessions.Memory, error) {
		if !isKey("business") || isKey("nothing") {
			t.Error("the edit does not know the session's obligations")
		}
		return likeBrief(in, isKey)
	})

	if err != nil || got.Preferences["brevity"] != "true" || d.session().Memory.Preferences["brevity"] != "true" || d.session().Version != before.Version+1 {
		t.Errorf("EditMemory = %+v, %v; the session holds %+v in version %d after %d", got, err, d.session().Memory, d.session().Version, before.Version)
	}
	events, _, err := sessions.After(t.Context(), d.pool, d.scope, head)
	if err != nil || len(events) != 1 || events[0].At.IsZero() {
		t.Fatalf("the log tells %d events, %v, want one", len(events), err)
	}
	told := payload[sessions.MemoryEvent](t, events, sessions.KindMemory)
	if told.By != "vera" || !cmp.Equal(told.Changed, []string{"userPreferences.brevity"}) || told.Turn != 1 || told.Memory.Preferences["brevity"] != "true" {
		t.Errorf("the log tells %+v", told)
	}
}

func TestEditOfMemoryThatChangesNothingWritesNothing(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	mine := errors.New("changed my mind")
	for name, tt := range map[string]struct {
		edit chat.MemoryEdit
		want error
	}{
		"the same": {func(in sessions.Session, _ func(string) bool) (sessions.Memory, error) { return in.Memory, nil }, nil},
		"refused": {func(sessions.Session, func(string) bool) (sessions.Memory, error) {
			return sessions.Memory{Style: sessions.Formal}, mine
		}, mine},
	} {
		if _, err := d.engine.EditMemory(t.Context(), d.scope, "vera", tt.edit); !errors.Is(err, tt.want) {
			t.Errorf("%s: EditMemory = %v, want %v", name, err, tt.want)
		}
	}
	head, err := sessions.Head(t.Context(), d.pool, d.scope)
	if err != nil || head != 0 || d.session().Version != 1 || d.session().Memory.Style != "" {
		t.Errorf("the log is at %d, %v, the session %+v; want nothing changed", head, err, d.session())
	}
	other := obligations.Scope{Tenant: d.scope.Tenant, Session: "0b9f4c3e-0000-4000-8000-000000000000"}
	if _, err := d.engine.EditMemory(t.Context(), other, "vera", likeBrief); !fault.Is(err, fault.NotFound) {
		t.Errorf("EditMemory of a session that is not there = %v, want not_found", err)
	}
}

// Somebody edits the memory while a turn runs: the turn keeps its own notes on top
// of the edit, and what was forgotten stays forgotten.
func TestTurnRemembersOnTopOfAnEdit(t *testing.T) {
	t.Parallel()

	c, end := slowModel(t)
	d := newHarness(t, c)
	if _, err := d.engine.EditMemory(t.Context(), d.scope, "person", func(in sessions.Session, _ func(string) bool) (sessions.Memory, error) {
		return in.Memory.Note(sessions.Signals{FollowUps: []sessions.FollowUp{{Key: "founded", Reason: "they would rather not say", Priority: 9}}, Topic: "founded"}), nil
	}); err != nil {
		t.Fatal(err)
	}
	started := d.start(d.input("We sell bread"))
	d.piece(started.Turn)
	_, err := d.engine.EditMemory(t.Context(), d.scope, "person", func(in sessions.Session, isKey func(string) bool) (held sessions.Memory, err error) {
		if in.Memory, err = in.Memory.Forget("pendingFollowUps", "0"); err != nil {
			return in.Memory, err
		}
		return likeBrief(in, isKey)
	})
	if err != nil {
		t.Fatalf("EditMemory while a turn runs: %v", err)
	}

	end()
	events := d.ended(started.Turn)

	if done := payload[sessions.DoneEvent](t, events, sessions.KindDone); done.Reason != "answered" {
		t.Errorf("the turn ended with %q, want answered", done.Reason)
	}
	got := d.session().Memory
	if got.Preferences["brevity"] != "true" || len(got.FollowUps) != 0 {
		t.Errorf("after the turn %+v is remembered, want the edit kept and the note forgotten", got)
	}
	if o := obligations.Find(d.list(), "business"); o.Value == nil {
		t.Error("the turn's own finding is lost")
	}
}
