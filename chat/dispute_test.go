package chat_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/chat"
	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
)

// dated is an objective whose dates must be in order.
const dated = `{"contextType":"dated","version":"1.0.0","displayName":"Dated","description":"A plan.","greeting":"Hello.",
"obligations":[
 {"key":"start","fieldPath":"start","label":"Start","prompt":"When does it start?","widgetType":"date","priority":9},
 {"key":"launch","fieldPath":"launch","label":"Launch","prompt":"When does it launch?","widgetType":"date","priority":8},
 {"key":"team","fieldPath":"team","label":"Team","prompt":"How many people work on it?","widgetType":"number","integer":true,"min":1,"priority":7}],
"constraints":[{"name":"in_order","when":"launch < start","message":"The launch lies before the start."}],
"phases":{"opening":{"goal":"g"},"exploration":{"goal":"g"},"validation":{"goal":"g"},"closing":{"goal":"g"}},
"completion":{"minObligationsSatisfied":3,"minConfidenceScore":0.5,"requiredObligations":["start"]}}`

var rae = chat.Actor{User: "rae", Reviewer: true}

// fill takes a turn with filled-in widgets.
func (d *harness) fill(answers map[string]string) []sessions.Event {
	d.t.Helper()
	in := chat.Input{Tenant: d.scope.Tenant, User: "person", SessionID: d.scope.Session, Answers: map[string]json.RawMessage{}}
	for key, v := range answers {
		in.Answers[key] = json.RawMessage(v)
	}
	return d.take(in)
}

func (d *harness) conflicts(which obligations.ConflictFilter) []obligations.Conflict {
	d.t.Helper()
	var out []obligations.Conflict
	b := postgres.NewBatch(d.scope.Tenant)
	obligations.LoadConflicts(b, d.scope, which, &out)
	if err := b.Send(d.t.Context(), d.pool); err != nil {
		d.t.Fatal(err)
	}
	return out
}

// replayed rebuilds the obligations from their history.
func (d *harness) replayed() []obligations.Obligation {
	d.t.Helper()
	trail, err := obligations.History(d.t.Context(), d.pool, d.scope, obligations.HistoryPage{})
	if err != nil {
		d.t.Fatal(err)
	}
	events := make([]obligations.Event, len(trail))
	for i, e := range trail {
		events[i] = e.Event
	}
	var templates []obligations.Template
	for _, o := range d.list() {
		templates = append(templates, *o.Template)
	}
	list, err := obligations.Replay(templates, events)
	if err != nil {
		d.t.Fatal(err)
	}
	return list
}

func (d *harness) checkReplay() {
	d.t.Helper()
	if diff := cmp.Diff(d.list(), d.replayed(), cmp.Comparer(obligations.SameValue)); diff != "" {
		d.t.Errorf("Replay (-stored +replayed):\n%s", diff)
	}
}

// A reviewer decides while a turn runs: the turn goes on and is applied to what
// the reviewer left, its value for the same key is a conflict.
func TestReviewerDecidesWhileATurnRuns(t *testing.T) {
	t.Parallel()

	c, end := slowModel(t)
	d := newHarness(t, c)
	started := d.start(d.input("We sell bread"))
	d.piece(started.Turn)
	decided, err := d.engine.SetValue(t.Context(), d.scope, rae, "business", json.RawMessage(`"cakes"`), "seen there")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.engine.SetValue(t.Context(), d.scope, rae, "channel", json.RawMessage(`"online"`), ""); err != nil {
		t.Fatal(err)
	}

	end()
	events := d.ended(started.Turn)

	if decided.Status != obligations.Satisfied {
		t.Errorf("the decision left it %s", decided.Status)
	}
	if done := payload[sessions.DoneEvent](t, events, sessions.KindDone); done.Reason != "answered" {
		t.Errorf("the turn ended with %q, want answered", done.Reason)
	}
	list := d.list()
	for key, want := range map[string]string{"business": `"cakes"`, "channel": `"online"`} {
		if got := obligations.Find(list, key); string(got.Value) != want || !got.Decided() {
			t.Errorf("%s holds %s, want the reviewer's %s", key, got.Value, want)
		}
	}
	if open := d.conflicts(obligations.OpenConflicts); len(open) != 1 || open[0].Kind != obligations.BetweenPersons {
		t.Errorf("open conflicts %+v, want one between persons", open)
	}
	d.checkReplay()
}

func TestOneRevisionForOneCorrection(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name  string
		later []string
	}{
		{"explicit", []string{"No, actually 15 people work there"}},
		{"implicit, and then said which holds", []string{"By the way, 15 people work there", "15"}},
		{"explicit, and said again", []string{"No, actually 15 people work there", "15 people work there"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			d := newHarness(t, setup{})
			for _, m := range append([]string{"", "We sell bread", "12 people work there"}, tt.later...) {
				d.take(d.input(m))
			}

			o := obligations.Find(d.list(), "team_size")
			if string(o.Value) != "15" || o.Negotiation == nil || len(o.Negotiation.Rounds) != 1 || o.Negotiation.Status != obligations.NegotiationResolved || o.Negotiation.Resolution != obligations.AgentAccepted {
				t.Errorf("%s, negotiation = %+v, want 15 and one round, resolved by the person's value", o.Value, o.Negotiation)
			}
			trail, err := obligations.History(t.Context(), d.pool, d.scope, obligations.HistoryPage{Key: "team_size"})
			if err != nil {
				t.Fatal(err)
			}
			var values []string
			for _, e := range trail {
				if v := string(e.Meta.Set.Value); v != "" && (len(values) == 0 || values[len(values)-1] != v) {
					values = append(values, v)
				}
			}
			if diff := cmp.Diff([]string{"12", "15"}, values); diff != "" {
				t.Errorf("values in the history (-want +got):\n%s", diff)
			}
			d.checkReplay()
		})
	}
}

func TestConstraintIsHeldAgainstEachSetOfValuesOnce(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{objective: dated})
	d.take(d.input(""))
	d.fill(map[string]string{"start": `"2026-03-01"`})
	events := d.fill(map[string]string{"launch": `"2025-12-01"`})
	if c := payload[sessions.ConflictEvent](t, events, sessions.KindConflict); c.Kind != obligations.Constrained || c.Message == "" || c.ID == "" || len(c.Sides) != 2 {
		t.Fatalf("conflict %+v, want the constraint's with both sides", c)
	}
	for _, at := range []struct {
		launch      string
		open, total int
	}{
		{`"2026-09-01"`, 0, 1}, // fits
		{`"2025-12-01"`, 0, 1}, // does not, and was raised before
		{`"2025-11-01"`, 1, 2}, // another one that does not
	} {
		if _, err := d.engine.SetValue(t.Context(), d.scope, rae, "launch", json.RawMessage(at.launch), ""); err != nil {
			t.Fatal(err)
		}
		all := d.conflicts(obligations.ConstraintConflicts)
		open := 0
		for _, c := range all {
			if c.Status == obligations.ConflictOpen {
				open++
			}
		}
		if open != at.open || len(all) != at.total {
			t.Errorf("with %s there are %d conflicts, %d open, want %d and %d", at.launch, len(all), open, at.total, at.open)
		}
	}
	d.checkReplay()
}

// What a constraint says is raised in the conversation, and not a second time.
func TestConflictOfAConstraintIsRaisedOnce(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{objective: dated})
	d.take(d.input(""))
	d.fill(map[string]string{"start": `"2026-03-01"`})
	d.fill(map[string]string{"launch": `"2025-12-01"`})
	turns := [][]sessions.Event{d.fill(map[string]string{"team": `3`})}
	for _, m := range []string{"What do you mean?", "Thanks.", "How far are we?"} {
		turns = append(turns, d.take(d.input(m)))
	}
	raised := 0
	for _, e := range slices.Concat(turns...) {
		if e.Kind == sessions.KindConflict {
			raised++
		}
	}

	all := d.conflicts(obligations.AllConflicts)
	if raised != 1 || len(all) != 1 || all[0].Raised == 0 {
		t.Errorf("the conflict was told of %d times after it was found and stands as %+v, want it raised once", raised, all)
	}
	d.checkReplay()
}

// What a completed session found, a reviewer may still decide; nobody has it asked
// again, and no phase begins.
func TestCompletedSessionTakesNoChangesButAReviewers(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{objective: dated})
	d.take(d.input(""))
	d.fill(map[string]string{"start": `"2026-03-01"`, "launch": `"2026-09-01"`, "team": `3`})
	if _, err := d.engine.Complete(t.Context(), d.scope); err != nil {
		t.Fatal(err)
	}

	for name, do := range map[string]func() error{
		"dispute": func() error {
			_, err := d.engine.StartNegotiation(t.Context(), d.scope, chat.Actor{User: "person"}, "team", nil, "no")
			return err
		},
		"reopen": func() error { _, err := d.engine.Reopen(t.Context(), d.scope, rae, "team", ""); return err },
	} {
		if err := do(); !fault.Is(err, fault.Conflict) {
			t.Errorf("%s = %v, want a Conflict", name, err)
		}
	}
	if o := obligations.Find(d.list(), "team"); string(o.Value) != "3" || o.Negotiation != nil {
		t.Errorf("the completed session holds %s, %+v", o.Value, o.Negotiation)
	}
	if _, err := d.engine.SetValue(t.Context(), d.scope, rae, "team", json.RawMessage(`4`), ""); err != nil {
		t.Fatal(err)
	}
	if _, err := d.engine.StartNegotiation(t.Context(), d.scope, rae, "team", nil, "the register says five"); err != nil {
		t.Fatal(err)
	}
	var session *sessions.Session
	b := postgres.NewBatch(d.scope.Tenant)
	sessions.Load(b, d.scope, &session)
	if err := b.Send(t.Context(), d.pool); err != nil {
		t.Fatal(err)
	}
	if session.Status != sessions.Completed || session.Phase != sessions.Closing {
		t.Errorf("the session is %s in the phase %s", session.Status, session.Phase)
	}
	d.checkReplay()
}
