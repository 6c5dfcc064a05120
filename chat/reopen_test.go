package chat_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/chat"
	"quaestor/internal/fault"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

var (
	person   = chat.Actor{User: "person"}
	reviewer = chat.Actor{User: "rae", Reviewer: true}
)

// completed takes an interview about a bakery to its end.
func (d *harness) completed() sessions.Session {
	d.t.Helper()
	for _, m := range []string{"", "We sell bread", "12 people work there", "in 2019"} {
		d.take(d.input(m))
	}
	s, err := d.engine.Complete(d.t.Context(), d.scope)
	if err != nil {
		d.t.Fatal(err)
	}
	return s
}

// values returns what is held, by key.
func values(list []obligations.Obligation) map[string]string {
	out := map[string]string{}
	for _, o := range list {
		if o.Value != nil {
			out[o.Key] = string(o.Value)
		}
	}
	return out
}

func TestReopenedSessionIsCompletedAgain(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	before, held := d.completed(), values(d.list())
	done, err := d.engine.ReopenSession(t.Context(), d.scope, person, chat.Reopening{Revision: 1, Reason: "the price changed"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(done, d.session()); diff != "" {
		t.Errorf("returned and stored differ (-returned +stored):\n%s", diff)
	}
	if done.Status != sessions.Active || done.Revision != 2 || done.RevisedTurns != before.Turns || done.Turns != before.Turns+1 || done.CompletedAt != nil || done.StopReason != "" {
		t.Errorf("reopened: %+v", done)
	}
	if diff := cmp.Diff(held, values(d.list())); diff != "" {
		t.Errorf("reopening changed values (-before +after):\n%s", diff)
	}
	turn, err := sessions.FindTurn(t.Context(), d.pool, d.scope, done.Turns)
	if err != nil || turn.Status != sessions.TurnDone {
		t.Fatalf("the turn of the reopening is %+v, %v", turn, err)
	}
	told := payload[sessions.ReopenedEvent](t, d.ended(turn), sessions.KindReopened)
	if told.Revision != 2 || told.By != "person" || told.Reviewer || told.Reason != "the price changed" || !told.CompletedAt.Equal(*before.CompletedAt) {
		t.Errorf("the event is %+v", told)
	}
	said := d.transcript()
	if last := said[len(said)-1]; last.Role != sessions.FromAssistant || !strings.Contains(last.Content, "open again, as revision 2. Revision 1, completed on") || !strings.Contains(last.Content, "the price changed") {
		t.Errorf("the conversation says %q", last.Content)
	}

	d.take(d.input("no, 14 people work there"))
	events := d.take(d.input("yes"))
	for n := 0; d.session().Status == sessions.Active && n < 6; n++ {
		d.take(d.input("close it please"))
		events = d.take(d.input("yes"))
	}
	end := payload[sessions.DoneEvent](t, events, sessions.KindDone)
	if now := d.session(); now.Status != sessions.Completed || now.Revision != 2 || now.CompletedAt == nil || end.Reason != string(sessions.EndCompleted) {
		t.Errorf("revision 2 ended with %s: %+v", end.Reason, now)
	}
	list, err := sessions.Revisions(t.Context(), d.pool, d.session())
	if err != nil || len(list) != 1 {
		t.Fatalf("revisions: %+v, %v", list, err)
	}
	first := list[0]
	kept, err := first.Obligations(t.Context(), d.pool, objectives.NewLibrary(d.pool))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(held, values(kept)); diff != "" {
		t.Errorf("revision 1 is not as it was (-completed +kept):\n%s", diff)
	}
	if now := values(d.list()); now["team_size"] != "14" || held["team_size"] != "12" {
		t.Errorf("the team is %s, was %s", now["team_size"], held["team_size"])
	}
	if s := first.Session; s.Revision != 1 || s.Status != sessions.Completed || s.Progress != before.Progress || s.Score != before.Score || !s.CompletedAt.Equal(*before.CompletedAt) {
		t.Errorf("revision 1 is kept as %+v", s)
	}
}

// What a reviewer changes after completion belongs to the completed revision, and does not
// move the time of completion.
func TestReviewersChangeIsPartOfTheCompletedRevision(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	before := d.completed()
	if _, err := d.engine.SetValue(t.Context(), d.scope, reviewer, "team_size", []byte("13"), "counted"); err != nil {
		t.Fatal(err)
	}
	if now := d.session(); !now.CompletedAt.Equal(*before.CompletedAt) {
		t.Errorf("the time of completion moved from %s to %s", before.CompletedAt, now.CompletedAt)
	}
	if _, err := d.engine.ReopenSession(t.Context(), d.scope, reviewer, chat.Reopening{}); err != nil {
		t.Fatal(err)
	}
	if said := d.transcript(); !strings.HasPrefix(said[len(said)-1].Content, "A reviewer has opened") {
		t.Errorf("the conversation says %q", said[len(said)-1].Content)
	}
	d.take(d.input("no, 20 people work there"))
	if o := obligations.Find(d.list(), "team_size"); string(o.Value) != "13" || !o.Decided() {
		t.Errorf("what the reviewer decided is %s now", o.Value)
	}
	first, err := sessions.FindRevision(t.Context(), d.pool, d.session(), 1)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := first.Obligations(t.Context(), d.pool, objectives.NewLibrary(d.pool))
	if err != nil || values(kept)["team_size"] != "13" {
		t.Errorf("revision 1 holds %v, %v", values(kept), err)
	}
	if _, err := sessions.FindRevision(t.Context(), d.pool, d.session(), 2); !fault.Is(err, fault.NotFound) {
		t.Errorf("the revision that goes on is found among the kept: %v", err)
	}
}

// Asking twice reopens once, at the same time too, and a late repetition does not reopen
// what was completed again.
func TestReopeningTwiceReopensOnce(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	d.completed()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if s, err := d.engine.ReopenSession(t.Context(), d.scope, person, chat.Reopening{Revision: 1}); err != nil || s.Revision != 2 {
				t.Errorf("reopened to %d, %v", s.Revision, err)
			}
		})
	}
	all.Wait()
	if _, err := d.engine.Complete(t.Context(), d.scope); err != nil {
		t.Fatal(err)
	}
	s, err := d.engine.ReopenSession(t.Context(), d.scope, person, chat.Reopening{Revision: 1})
	if err != nil || s.Status != sessions.Completed || s.Revision != 2 {
		t.Errorf("a late repetition gives %s of revision %d, %v", s.Status, s.Revision, err)
	}
	if s, err = d.engine.ReopenSession(t.Context(), d.scope, person, chat.Reopening{}); err != nil || s.Revision != 3 {
		t.Errorf("the next gives revision %d, %v", s.Revision, err)
	}
}

// A reopening is recorded whole or not at all.
func TestReopeningThatFailsLeavesNothing(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	before := d.completed()
	super := postgrestest.Superuser(t, d.pool)
	if _, err := super.Exec(t.Context(), `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the server dies'; END $$;
		CREATE TRIGGER dies BEFORE INSERT ON messages FOR EACH ROW EXECUTE FUNCTION refuse()`); err != nil {
		t.Fatal(err)
	}
	if _, err := d.engine.ReopenSession(t.Context(), d.scope, person, chat.Reopening{}); err == nil {
		t.Fatal("it was reopened")
	}
	list, err := sessions.Revisions(t.Context(), d.pool, before)
	if diff := cmp.Diff(before, d.session()); diff != "" || len(list) != 0 || err != nil {
		t.Errorf("it left %d revisions, %v, and changed the session:\n%s", len(list), err, diff)
	}
}

// A message reopens a completed session only if it says so.
func TestMessageReopens(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	d.completed()
	in := d.input("no, 14 people work there")
	in.ClientMessageID = "late"
	if _, err := d.engine.Start(t.Context(), in); !fault.Is(err, fault.Conflict) {
		t.Errorf("a message to a completed session: %v", err)
	}
	in.Reopen = true
	d.take(in)
	if now := d.session(); now.Revision != 2 || values(d.list())["team_size"] != "14" {
		t.Errorf("revision %d holds %v", now.Revision, values(d.list()))
	}
	if _, err := d.engine.Complete(t.Context(), d.scope); err != nil {
		t.Fatal(err)
	}
	if again := d.start(in); !again.Replay {
		t.Errorf("sent again, the message began turn %d", again.Turn.Number)
	}
	if now := d.session(); now.Status != sessions.Completed || now.Revision != 2 {
		t.Errorf("sent again, it left revision %d %s", now.Revision, now.Status)
	}
}

// The budget of an objective is that of each revision.
func TestReopenedSessionHasABudget(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{objective: strings.Replace(small, `"completion":{`, `"budget":{"turns":5},"completion":{`, 1)})
	d.completed()
	if _, err := d.engine.ReopenSession(t.Context(), d.scope, person, chat.Reopening{}); err != nil {
		t.Fatal(err)
	}
	events := d.take(d.input("no, 14 people work there"))
	if done := payload[sessions.DoneEvent](t, events, sessions.KindDone); done.Reason != "answered" {
		t.Errorf("the first turn of revision 2 ended with %q", done.Reason)
	}
}

// A session that is replayed with its record is reopened where it was.
func TestRerunReopens(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	d.completed()
	in := d.input("no, 14 people work there")
	in.Reopen = true
	d.take(in)
	l := objectives.NewLibrary(d.pool)
	record, err := sessions.ReadRecord(t.Context(), d.pool, l, d.scope)
	if err != nil {
		t.Fatal(err)
	}
	branch, err := chat.Rerun(t.Context(), record, record.Objective.Definition, d.engine.Rules, d.engine.Rules, 0)
	if err != nil || values(branch.Obligations)["team_size"] != "14" {
		t.Errorf("the branch holds %v, %v", values(branch.Obligations), err)
	}
}

func TestReopeningInGerman(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	d.completed()
	super := postgrestest.Superuser(t, d.pool)
	if _, err := super.Exec(t.Context(), `UPDATE elicitation_sessions SET language = 'de', language_source = 'asked'`); err != nil {
		t.Fatal(err)
	}
	if _, err := d.engine.ReopenSession(t.Context(), d.scope, person, chat.Reopening{}); err != nil {
		t.Fatal(err)
	}
	said := d.transcript()
	if last := said[len(said)-1].Content; !strings.HasPrefix(last, "Dieses Gespräch ist wieder offen, als Fassung 2.") {
		t.Errorf("it says %q", last)
	}
}
