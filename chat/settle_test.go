package chat_test

import (
	"encoding/json"
	"testing"

	"quaestor/chat"
	"quaestor/internal/fault"
	"quaestor/internal/llm/llmtest"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/obligations"
	"quaestor/sessions"
)

// slowModel sets up a model that understands that they sell bread and replies until end.
func slowModel(t testing.TB) (c setup, end func()) {
	t.Helper()
	model, until := llmtest.New(t), make(chan struct{})
	model.OnUnderstand(llmtest.Reply{JSON: reading("answer", map[string]any{"key": "business", "value": "bread", "quote": "We sell bread"})})
	model.OnReply(llmtest.Reply{Text: "And how many people work there?", Until: until})
	return setup{model: model, unhurried: true}, func() { close(until) }
}

// A reviewer changes the session while a turn runs: what the turn found is applied
// to what the reviewer left.
func TestTurnIsAppliedToWhatChangedMeanwhile(t *testing.T) {
	t.Parallel()

	c, end := slowModel(t)
	d := newHarness(t, c)
	started := d.start(d.input("We sell bread"))
	d.piece(started.Turn)
	super := postgrestest.Superuser(t, d.pool)
	if _, err := super.Exec(t.Context(), `UPDATE elicitation_sessions SET version = version + 3`); err != nil {
		t.Fatal(err)
	}
	if _, err := super.Exec(t.Context(), `UPDATE elicitation_obligations SET status = 'skipped', skip_reason = 'declined' WHERE obligation_key = 'channel'`); err != nil {
		t.Fatal(err)
	}

	end()
	events := d.ended(started.Turn)

	if done := payload[sessions.DoneEvent](t, events, sessions.KindDone); done.Reason != "answered" {
		t.Errorf("the turn ended with %q, want answered", done.Reason)
	}
	list := d.list()
	for key, want := range map[string]obligations.Status{"business": obligations.Satisfied, "channel": obligations.Skipped} {
		if got := obligations.Find(list, key).Status; got != want {
			t.Errorf("%s is %s, want %s", key, got, want)
		}
	}
	if scored := payload[sessions.CompletenessEvent](t, events, sessions.KindCompleteness); scored.Skipped != 1 || scored.Satisfied != 1 {
		t.Errorf("the turn scored %+v, the reviewer's change left out", scored)
	}
}

func TestSessionIsNotCompletedWhileATurnRuns(t *testing.T) {
	t.Parallel()

	c, end := slowModel(t)
	d := newHarness(t, c)
	started := d.start(d.input("We sell bread"))

	_, err := d.engine.Complete(t.Context(), d.scope)
	end()
	d.ended(started.Turn)

	if !fault.Is(err, fault.Conflict) {
		t.Errorf("Complete = %v, want Conflict", err)
	}
}

// The audit trail of a whole conversation gives the obligations that are stored.
func TestTrailOfAConversationGivesWhatIsStored(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	for _, m := range []string{"", "We sell bread", "skip", "no, 12 people work there", "I don't know", "the team size is wrong", "9", "2019"} {
		d.take(d.input(m))
	}
	d.take(chat.Input{Tenant: d.scope.Tenant, User: "person", SessionID: d.scope.Session, Answers: map[string]json.RawMessage{"channel": json.RawMessage(`"online"`)}})

	trail, err := obligations.History(t.Context(), d.pool, d.scope, obligations.HistoryPage{Max: 1000})
	if err != nil {
		t.Fatal(err)
	}
	last := map[string]obligations.Status{}
	turn := 0
	for _, e := range trail {
		if e.NewStatus != "" {
			last[e.Key] = e.NewStatus
		}
		if e.Turn < turn {
			t.Errorf("event %d of turn %d stands after turn %d", e.ID, e.Turn, turn)
		}
		turn = e.Turn
	}
	for _, o := range d.list() {
		if last[o.Key] != o.Status {
			t.Errorf("%s is stored as %s, its trail ends with %s", o.Key, o.Status, last[o.Key])
		}
		if o.Value != nil && len(o.Evidence) == 0 {
			t.Errorf("%s has a value and no evidence", o.Key)
		}
	}
}
