package sessions_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"
	"pgregory.net/rapid"

	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/obligations"
	"quaestor/sessions"
)

// whole is a turn from its beginning to its end.
type whole struct {
	in     sessions.Beginning
	stand  sessions.Stand
	out    sessions.Outcome
	reply  *sessions.Message
	events []sessions.Event
}

// whole returns a turn of a session as it stands.
func (j *journal) whole(s obligations.Scope) *whole {
	j.t.Helper()
	session, err := sessions.Find(j.t.Context(), j.pool, s)
	if err != nil {
		j.t.Fatal(err)
	}
	head, err := sessions.Head(j.t.Context(), j.pool, s)
	if err != nil {
		j.t.Fatal(err)
	}
	w := &whole{in: j.beginning(), stand: sessions.Stand{Version: session.Version, Last: head, Part: sessions.OwnerPart}}
	w.in.Scope = s
	w.out = sessions.Outcome{Turn: sessions.Turn{Scope: s, Number: session.Turns + 1, Attempt: 1}, Version: session.Version, Status: sessions.TurnDone, Interviewer: "rules",
		Session: session, Took: 20 * time.Millisecond}
	w.says("Which cheese?")
	return w
}

// says has the turn reply; empty for nothing.
func (w *whole) says(text string) {
	n := w.out.Turn.Number
	list := []sessions.Payload{w.in.Started(n, w.out.Session.ContextType)}
	w.reply = nil
	if text != "" {
		w.reply = &sessions.Message{Turn: n, Role: sessions.FromAssistant, Content: text, Complete: true}
		list = append(list, sessions.Reply{Turn: n, MessageID: w.reply.ID(), Role: string(sessions.FromAssistant), Content: text, Complete: true, Interviewer: w.out.Interviewer})
	}
	w.events = sessions.Events(n, append(list, sessions.Done{Turn: n, Reason: "answered"}))
}

// take writes the turn at once.
func (j *journal) take(w *whole) error {
	j.t.Helper()
	b := postgres.NewBatch(w.out.Turn.Scope.Tenant)
	if err := sessions.TakeTurn(b, w.in, w.stand, w.out, w.reply, w.events); err != nil {
		j.t.Fatal(err)
	}
	return b.Send(j.t.Context(), j.pool)
}

// step writes the turn as two.
func (j *journal) step(w *whole) error {
	j.t.Helper()
	begun, err := j.try(w.in)
	if err != nil || begun == nil {
		j.t.Fatalf("BeginTurn = %v, %v", begun, err)
	}
	out := w.out
	out.Turn = begun.Turn
	b := postgres.NewBatch(out.Turn.Scope.Tenant)
	if err := sessions.FinishTurn(b, out); err != nil {
		j.t.Fatal(err)
	}
	if w.reply != nil {
		sessions.AddMessage(b, out.Turn.Scope, *w.reply)
	}
	var last int64
	sessions.Append(b, out.Turn.Scope, w.events[1:], &last)
	return b.Send(j.t.Context(), j.pool)
}

// stored is all that turns leave of a session, but for times and its id.
type stored struct {
	Session  sessions.Session
	Turns    []sessions.Turn
	Messages []sessions.Message
	Events   []sessions.Event
	Head     int64
}

func (j *journal) stored(s obligations.Scope) stored {
	j.t.Helper()
	must := func(err error) {
		j.t.Helper()
		if err != nil {
			j.t.Fatal(err)
		}
	}
	var out stored
	var err error
	out.Session, err = sessions.Find(j.t.Context(), j.pool, s)
	must(err)
	out.Turns, err = sessions.Turns(j.t.Context(), j.pool, s, 0)
	must(err)
	out.Messages, err = sessions.Transcript(j.t.Context(), j.pool, s, 0, 0)
	must(err)
	out.Events, _, err = sessions.After(j.t.Context(), j.pool, s, 0)
	must(err)
	out.Head, err = sessions.Head(j.t.Context(), j.pool, s)
	must(err)
	for i := range out.Events {
		out.Events[i].Data = bytes.ReplaceAll(out.Events[i].Data, []byte(s.Session), []byte("SESSION"))
	}
	return out
}

// butTimes compares what is stored of two sessions.
var butTimes = cmp.Options{cmpopts.EquateEmpty(), cmpopts.IgnoreFields(sessions.Session{}, "ID", "CreatedAt", "UpdatedAt"),
	cmpopts.IgnoreFields(sessions.Turn{}, "Scope", "StartedAt", "FinishedAt"), cmpopts.IgnoreFields(sessions.Message{}, "At"), cmpopts.IgnoreFields(sessions.Event{}, "At"),
	cmp.FilterPath(func(p cmp.Path) bool { return p.String() == "Session.CompletedAt" }, cmp.Comparer(func(a, b *time.Time) bool { return (a == nil) == (b == nil) }))}

func TestTurnTakenAtOnceLeavesWhatTwoStepsLeave(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	rapid.Check(t, func(r *rapid.T) {
		once, twice := j.another("someone", "business_profile"), j.another("someone", "business_profile")
		for range rapid.IntRange(1, 3).Draw(r, "turns") {
			a, b := j.whole(once), j.whole(twice)
			drawTurn(r, a, b)
			if err := j.take(a); err != nil {
				r.Fatalf("TakeTurn = %v", err)
			}
			if err := j.step(b); err != nil {
				r.Fatalf("FinishTurn = %v", err)
			}
			if a.out.Session.Status == sessions.Completed {
				break
			}
		}

		got := j.stored(once)
		if diff := cmp.Diff(j.stored(twice), got, butTimes); diff != "" {
			r.Fatalf("what is stored (-two steps +at once):\n%s", diff)
		}
		for _, turn := range got.Turns {
			if turn.FinishedAt == nil || !turn.StartedAt.Before(*turn.FinishedAt) {
				r.Fatalf("turn %d began %s and ended %v", turn.Number, turn.StartedAt, turn.FinishedAt)
			}
		}
	})
}

// drawTurn makes two turns the same turn.
func drawTurn(r *rapid.T, both ...*whole) {
	text := rapid.StringMatching(`[ -~é漢😀"\\<&\t\n]{1,40}`)
	said, answer, mind, degraded := text.Draw(r, "message"), rapid.OneOf(text, rapid.Just("")).Draw(r, "reply"), text.Draw(r, "interviewer"), rapid.SampledFrom([]string{"", "timeout"}).Draw(r, "degraded")
	client, instance := "", uuid.NewString()
	if rapid.Bool().Draw(r, "has an id") {
		client = uuid.NewString()
	}
	var answers map[string]json.RawMessage
	if rapid.Bool().Draw(r, "has answers") {
		answers = map[string]json.RawMessage{"size": json.RawMessage(`12`), "name": json.RawMessage(`"Ä"`)}
	}
	var usage any
	if rapid.Bool().Draw(r, "has usage") {
		usage = map[string]int{"calls": 2}
	}
	var question *sessions.Question
	if rapid.Bool().Draw(r, "asks") {
		question = &sessions.Question{Key: "size", Prompt: "How many people work there?"}
	}
	phase, stop := rapid.SampledFrom([]sessions.Phase{sessions.Opening, sessions.Exploration}).Draw(r, "phase"), rapid.SampledFrom([]sessions.StopReason{"", sessions.EndLeft, sessions.EndCompleted}).Draw(r, "stop")
	score, topics := float64(rapid.IntRange(0, 100).Draw(r, "score"))/100, rapid.SliceOfN(rapid.StringMatching(`[a-z]{1,9}`), 0, 3).Draw(r, "topics")
	for _, w := range both {
		w.in.Message, w.in.ClientMessageID, w.in.Answers, w.in.Instance, w.in.BodyHash = said, client, answers, instance, []byte(said)
		w.out.Interviewer, w.out.Degraded, w.out.Usage = mind, degraded, usage
		s := &w.out.Session
		s.Phase, s.Score, s.Progress, s.StopReason, s.Question, s.Memory = phase, score, score/2, stop, question, sessions.Memory{RecentTopics: topics}
		if stop == sessions.EndCompleted {
			s.Status = sessions.Completed
		}
		w.says(answer)
	}
}

func TestTurnTakenAtOnceWhereTheSessionStandsOtherwiseWritesNothing(t *testing.T) {
	t.Parallel()

	completed := func(j *journal, w *whole) {
		j.exec(`UPDATE elicitation_sessions SET status = 'completed' WHERE id = $1`, j.scope.Session)
	}
	begun := func(j *journal, w *whole) {
		in := j.beginning()
		if started, err := j.try(in); err != nil || started == nil {
			j.t.Fatal(started, err)
		}
	}
	for _, tt := range []struct {
		name string
		in   func(*journal, *whole)
	}{
		{"an older version", func(_ *journal, w *whole) { w.stand.Version-- }},
		{"a newer version", func(_ *journal, w *whole) { w.stand.Version++ }},
		{"an event since", func(_ *journal, w *whole) { w.stand.Last-- }},
		{"an event to come", func(_ *journal, w *whole) { w.stand.Last++ }},
		{"an event written since", func(j *journal, _ *whole) { j.write("something") }},
		{"other settings", func(_ *journal, w *whole) { w.stand.Policy++ }},
		{"settings made since", func(j *journal, _ *whole) {
			j.exec(`INSERT INTO tenant_settings (tenant_id, version, changed_by) VALUES ($1, 1, 'rae')`, j.scope.Tenant)
		}},
		{"an earlier turn", func(_ *journal, w *whole) { w.out.Turn.Number-- }},
		{"a later turn", func(_ *journal, w *whole) { w.out.Turn.Number++ }},
		{"a turn that runs", begun},
		{"a turn that runs, taken for over", func(j *journal, w *whole) { begun(j, w); w.stand.Last++ }},
		{"a completed session", completed},
		{"an unknown session", func(_ *journal, w *whole) { w.out.Turn.Scope.Session = uuid.NewString() }},
		{"another tenant", func(j *journal, w *whole) { w.out.Turn.Scope.Tenant = postgrestest.Tenant(j.t, j.pool) }},
		{"a stranger", func(_ *journal, w *whole) { w.in.User, w.stand.Part = "stranger", sessions.ContributorPart }},
		{"an owner's part without being one", func(_ *journal, w *whole) { w.in.User = "stranger" }},
		{"a contributor who left", func(j *journal, w *whole) {
			j.contributes(w)
			j.exec(`UPDATE session_participants SET left_at = now() WHERE session_id = $1`, j.scope.Session)
		}},
		{"a contributor who only reads now", func(j *journal, w *whole) {
			j.contributes(w)
			j.exec(`UPDATE session_participants SET role = 'observer' WHERE session_id = $1`, j.scope.Session)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			j := newJournal(t)
			if err := j.take(j.whole(j.scope)); err != nil {
				t.Fatal(err)
			}
			w := j.whole(j.scope)
			tt.in(j, w)
			before, rows := j.stored(j.scope), j.rows()

			if err := j.take(w); !sessions.IsStale(err) || sessions.IsClientMessageUsed(err) {
				t.Errorf("TakeTurn = %v, want stale", err)
			}
			if diff := cmp.Diff(before, j.stored(j.scope)); diff != "" {
				t.Errorf("what is stored (-before +after):\n%s", diff)
			}
			if diff := cmp.Diff(rows, j.rows()); diff != "" {
				t.Errorf("rows (-before +after):\n%s", diff)
			}
		})
	}
}

// contributes makes the turn a contributor's, who came before it.
func (j *journal) contributes(w *whole) {
	j.t.Helper()
	j.invited("other", sessions.ContributorPart)
	*w = *j.whole(j.scope)
	w.in.User, w.stand.Part = "other", sessions.ContributorPart
}

func TestContributorsMayTakeTurnsAtOnce(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	var w whole
	j.contributes(&w)
	w.says("Which cheese?")
	if err := j.take(&w); err != nil {
		t.Fatalf("TakeTurn of a contributor = %v", err)
	}
	if got := j.stored(j.scope); got.Turns[0].User != "other" || got.Messages[0].User != "other" || got.Messages[1].User != "" {
		t.Errorf("the turn is %+v with %+v, want the contributor's", got.Turns, got.Messages)
	}

	reviewed := j.whole(j.scope)
	reviewed.in.User, reviewed.in.Anyone, reviewed.stand.Part = "rae", true, sessions.NoPart
	if err := j.take(reviewed); err != nil {
		t.Errorf("TakeTurn of one who speaks in sessions of others = %v", err)
	}
}

func TestClientMessageIDTakesOneTurn(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	w := j.whole(j.scope)
	w.in.ClientMessageID = "m-1"
	if err := j.take(w); err != nil {
		t.Fatal(err)
	}
	again := j.whole(j.scope)
	again.in.ClientMessageID = "m-1"
	before := j.stored(j.scope)

	if err := j.take(again); !sessions.IsClientMessageUsed(err) || sessions.IsStale(err) {
		t.Errorf("TakeTurn with a used id = %v, want the index turns_client_message", err)
	}
	if diff := cmp.Diff(before, j.stored(j.scope)); diff != "" {
		t.Errorf("what is stored (-before +after):\n%s", diff)
	}
	if err := j.take(w); !sessions.IsStale(err) {
		t.Errorf("TakeTurn of the same turn again = %v, want stale", err)
	}
}
