package sessions_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"
	"pgregory.net/rapid"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/obligations"
	"quaestor/sessions"
)

// beginning is what a turn of the journal's session is begun with.
func (j *journal) beginning() sessions.NewTurn {
	return sessions.NewTurn{Scope: j.scope, ContextType: "business_profile", User: "someone", Message: "We sell cheese", BodyHash: []byte("hash"),
		Instance: uuid.NewString(), Interviewer: "rules"}
}

// try begins the next turn, unless in says which.
func (j *journal) try(in sessions.NewTurn) (*sessions.BegunTurn, error) {
	j.t.Helper()
	if in.Number == 0 {
		in.Number = j.turns(in.Scope) + 1
	}
	var begun *sessions.BegunTurn
	b := postgres.NewBatch(in.Scope.Tenant)
	if err := sessions.BeginTurn(b, in, &begun); err != nil {
		j.t.Fatal(err)
	}
	err := b.Send(j.t.Context(), j.pool)
	return begun, err
}

// rows counts what turns write.
type rows struct{ Turns, Messages, Events, Head, Counted int64 }

func (j *journal) rows() rows {
	j.t.Helper()
	var out rows
	b := postgres.NewBatch(j.scope.Tenant)
	postgrestest.Rows[rows](b, func(r *rows) error { out = *r; return nil }, `SELECT (SELECT count(*) FROM turns), (SELECT count(*) FROM messages),
		(SELECT coalesce(sum(cardinality(kinds)), 0)::bigint FROM session_events), (SELECT sum(last_seq)::bigint FROM session_heads), (SELECT sum(turn_count) FROM elicitation_sessions)`)
	j.send(b)
	return out
}

func TestBeginTurnKeepsWhatWasSaid(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	in := j.beginning()
	in.ClientMessageID, in.Answers = "m-1", map[string]json.RawMessage{"size": json.RawMessage(`12`)}

	begun, err := j.try(in)
	if err != nil {
		t.Fatal(err)
	}
	found, err := sessions.FindTurn(t.Context(), j.pool, j.scope, 1)
	if err != nil {
		t.Fatal(err)
	}
	said, err := sessions.Transcript(t.Context(), j.pool, j.scope, 0, 0)
	if err != nil {
		t.Fatal(err)
	}

	want := sessions.Turn{Scope: j.scope, Number: 1, Attempt: 1, Status: sessions.TurnRunning, User: "someone", BodyHash: []byte("hash"),
		Answers: in.Answers, FirstSeq: 1, Instance: in.Instance}
	if diff := cmp.Diff(want, found, cmpopts.IgnoreFields(sessions.Turn{}, "StartedAt")); diff != "" {
		t.Errorf("FindTurn (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, begun.Turn); diff != "" {
		t.Errorf("the turn that began (-want +got):\n%s", diff)
	}
	if got := j.session().Turns; got != 1 {
		t.Errorf("the session has %d turns, want 1", got)
	}
	message := sessions.Message{Turn: 1, Role: sessions.FromUser, User: "someone", Content: "We sell cheese", Complete: true}
	if diff := cmp.Diff([]sessions.Message{message}, said, cmpopts.IgnoreFields(sessions.Message{}, "At")); diff != "" {
		t.Errorf("transcript (-want +got):\n%s", diff)
	}
	wantStarted(t, j, in, begun)
}

// wantStarted checks that the first event of a turn is, in the log too, byte by
// byte what Encode gives.
func wantStarted(t rapid.TB, j *journal, in sessions.NewTurn, begun *sessions.BegunTurn) {
	t.Helper()
	kind, data := sessions.Encode(sessions.SessionEvent{SessionID: in.Scope.Session, Turn: begun.Turn.Number, ContextType: "business_profile",
		Message: in.Message, User: in.User, ClientID: in.ClientMessageID, Interviewer: in.Interviewer})
	want := sessions.Event{Seq: begun.Turn.FirstSeq, Turn: begun.Turn.Number, Kind: kind, Data: data}
	if diff := cmp.Diff(want, begun.Event); diff != "" {
		t.Errorf("the event that began (-want +got):\n%s", diff)
	}
	log, _, err := sessions.After(j.t.Context(), j.pool, in.Scope, want.Seq-1)
	if err != nil {
		t.Fatalf("read the log: %v", err)
	}
	if diff := cmp.Diff([]sessions.Event{want}, log, cmpopts.IgnoreFields(sessions.Event{}, "At")); diff != "" {
		t.Errorf("the log (-want +got):\n%s", diff)
	}
}

func TestFirstEventIsWhatEncodeGivesWhateverIsSaid(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	odd := rapid.OneOf(rapid.StringMatching(`[ -~é漢😀"\\<&\x01\t\n\x{2028}]{1,40}`), rapid.SampledFrom([]string{
		`0,"contextType":""`, `","turn":0,"contextType":""`, `%s%d`, `$1 @tail`, `</script>`, `'; DROP TABLE turns; --`}))
	rapid.Check(t, func(r *rapid.T) {
		in := j.beginning()
		in.Message, in.Interviewer = odd.Draw(r, "message"), odd.Draw(r, "interviewer")
		in.ClientMessageID, in.User, in.Anyone = odd.Draw(r, "client id")+uuid.NewString(), odd.Draw(r, "user"), true

		begun, err := j.try(in)
		if err != nil || begun == nil {
			r.Fatalf("BeginTurn(%+v) = %v, %v", in, begun, err)
		}

		wantStarted(r, j, in, begun)
		if err := j.end(begun, nil); err != nil {
			r.Fatal(err)
		}
	})
}

// turns returns how many turns a session has; 0 where there is none.
func (j *journal) turns(s obligations.Scope) (n int) {
	j.t.Helper()
	var found *sessions.Session
	b := postgres.NewBatch(s.Tenant)
	sessions.Load(b, s, &found)
	if j.send(b); found != nil {
		n = found.Turns
	}
	return n
}

// end finishes a turn as read when it began; change may alter how.
func (j *journal) end(begun *sessions.BegunTurn, change func(*sessions.Outcome)) error {
	j.t.Helper()
	session, err := sessions.Find(j.t.Context(), j.pool, begun.Turn.Scope)
	if err != nil {
		j.t.Fatal(err)
	}
	o := sessions.Outcome{Turn: begun.Turn, Version: session.Version, Status: sessions.TurnDone, Interviewer: "rules", Session: session}
	if change != nil {
		change(&o)
	}
	b := postgres.NewBatch(o.Turn.Scope.Tenant)
	if err := sessions.FinishTurn(b, o); err != nil {
		j.t.Fatal(err)
	}
	sessions.AddMessage(b, o.Turn.Scope, sessions.Message{Turn: o.Turn.Number, Role: sessions.FromAssistant, Content: "Which cheese?", Complete: true})
	sessions.Append(b, o.Turn.Scope, sessions.Events(o.Turn.Number, []sessions.Payload{sessions.DoneEvent{Turn: o.Turn.Number, Reason: "answered"}}))
	return b.Send(j.t.Context(), j.pool)
}

func TestInterviewerOpensWithoutAMessage(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	in := j.beginning()
	in.Message = ""

	begun, err := j.try(in)
	if err != nil {
		t.Fatal(err)
	}

	wantStarted(t, j, in, begun)
	if diff := cmp.Diff(rows{Turns: 1, Events: 1, Head: 1, Counted: 1}, j.rows()); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

func TestOneTurnAtATime(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	var began, refused atomic.Int32
	done := make(chan error, 8)
	for range cap(done) {
		go func() {
			in := j.beginning()
			in.Number = 1
			begun, err := j.try(in)
			switch {
			case err == nil && begun != nil:
				began.Add(1)
			case err == nil:
				refused.Add(1)
			}
			done <- err
		}()
	}
	for range cap(done) {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}

	if began.Load() != 1 || refused.Load() != 7 {
		t.Errorf("%d turns began and %d were refused, want 1 and 7", began.Load(), refused.Load())
	}
	if _, err := j.try(j.beginning()); !sessions.IsTurnRunning(err) || sessions.IsClientMessageUsed(err) {
		t.Errorf("the next turn meanwhile: %v, want the index turns_one_running", err)
	}
	if diff := cmp.Diff(rows{1, 1, 1, 1, 1}, j.rows()); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

func TestClientMessageIDBeginsOneTurn(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	in := j.beginning()
	in.ClientMessageID = "m-1"
	begun, err := j.try(in)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.end(begun, nil); err != nil {
		t.Fatal(err)
	}
	before := j.rows()

	_, err = j.try(in)

	if !sessions.IsClientMessageUsed(err) || sessions.IsTurnRunning(err) {
		t.Errorf("the same client message again: %v, want the index turns_client_message", err)
	}
	if diff := cmp.Diff(before, j.rows()); diff != "" {
		t.Errorf("rows changed:\n%s", diff)
	}
	for _, tt := range []struct {
		name, user, contextType, id string
		want                        bool
	}{
		{"the same", "someone", "business_profile", "m-1", true},
		{"another message", "someone", "business_profile", "m-2", false},
		{"another person", "somebody", "business_profile", "m-1", false},
		{"another context", "someone", "idea_discovery", "m-1", false},
	} {
		got, err := sessions.TurnByPersonMessage(t.Context(), j.pool, j.scope.Tenant, tt.user, tt.contextType, tt.id)
		if err != nil || (got != nil) != tt.want || (got != nil && got.Number != 1) {
			t.Errorf("%s: TurnByPersonMessage = %v, %v, found %t", tt.name, got, err, tt.want)
		}
	}
	var same *sessions.Turn
	b := postgres.NewBatch(j.scope.Tenant)
	sessions.LoadSent(b, j.scope, "m-1", &same)
	if j.send(b); same == nil || same.Number != 1 {
		t.Errorf("LoadSent = %v, want turn 1", same)
	}
}

func TestTurnsThatDoNotBegin(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	over := j.another("someone", "business_profile")
	j.exec(`UPDATE elicitation_sessions SET status = 'completed' WHERE id = $1`, over.Session)
	other := postgrestest.Tenant(t, j.pool)
	before := j.rows()
	for _, tt := range []struct {
		name   string
		change func(*sessions.NewTurn)
	}{
		{"unknown session", func(in *sessions.NewTurn) { in.Scope.Session = uuid.NewString() }},
		{"completed session", func(in *sessions.NewTurn) { in.Scope = over }},
		{"completed session, for anyone", func(in *sessions.NewTurn) { in.Scope, in.Anyone = over, true }},
		{"another person's session", func(in *sessions.NewTurn) { in.User = "somebody" }},
		{"nobody", func(in *sessions.NewTurn) { in.User = "" }},
		{"another number", func(in *sessions.NewTurn) { in.Number = 3 }},
		{"another tenant's session", func(in *sessions.NewTurn) { in.Scope.Tenant = other }},
		{"another tenant's session, for anyone", func(in *sessions.NewTurn) { in.Scope.Tenant, in.Anyone = other, true }},
	} {
		in := j.beginning()
		tt.change(&in)
		if begun, err := j.try(in); begun != nil || err != nil {
			t.Errorf("%s: BeginTurn = %+v, %v, want neither", tt.name, begun, err)
		}
	}
	if diff := cmp.Diff(before, j.rows()); diff != "" {
		t.Errorf("something was written (-before +after):\n%s", diff)
	}
}

func TestAnyoneMaySpeakInSessionsOfOthers(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	in := j.beginning()
	in.User, in.Anyone = "reviewer", true

	begun, err := j.try(in)
	if err != nil || begun == nil {
		t.Fatalf("BeginTurn = %v, %v", begun, err)
	}

	if owner := j.session().User; owner != "someone" || begun.Turn.User != "reviewer" {
		t.Errorf("%s speaks in a session of %s", begun.Turn.User, owner)
	}
}

func TestFinishTurnMovesTheSessionOn(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	begun, err := j.try(j.beginning())
	if err != nil {
		t.Fatal(err)
	}
	want := j.session()
	want.Phase, want.Score, want.Progress, want.StopReason = sessions.Exploration, 0.35, 0.4, sessions.EndLeft
	want.Question = &sessions.Question{Key: "size", Prompt: "How many people work there?"}

	err = j.end(begun, func(o *sessions.Outcome) {
		o.Session, o.Degraded, o.Usage = want, "model_unavailable", map[string]int{"prompt": 12}
	})
	if err != nil {
		t.Fatal(err)
	}

	got := j.session()
	want.Version, want.UpdatedAt = want.Version+1, got.UpdatedAt
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("the session (-want +got):\n%s", diff)
	}
	turn, err := sessions.FindTurn(t.Context(), j.pool, j.scope, 1)
	if err != nil || turn.Status != sessions.TurnDone || turn.Interviewer != "rules" || turn.Degraded != "model_unavailable" ||
		string(turn.Usage) != `{"prompt": 12}` || turn.FinishedAt == nil {
		t.Errorf("FindTurn = %+v, %v", turn, err)
	}
	if running, err := sessions.RunningTurn(t.Context(), j.pool, j.scope); running != nil || err != nil {
		t.Errorf("RunningTurn = %v, %v, want none", running, err)
	}
	next, err := j.try(j.beginning())
	if err != nil || next.Turn.Number != 2 || next.Turn.FirstSeq != 3 {
		t.Errorf("the next turn = %+v, %v, want number 2 from event 3", next, err)
	}
}

func TestFinishTurnThatLostItsRightWritesNothing(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name string
		in   func(*sessions.Outcome)
		want func(error) bool
	}{
		{"another attempt", func(o *sessions.Outcome) { o.Turn.Attempt = 2 }, sessions.IsFenced},
		{"another turn", func(o *sessions.Outcome) { o.Turn.Number = 2 }, sessions.IsFenced},
		{"an older session", func(o *sessions.Outcome) { o.Version-- }, sessions.IsStale},
		{"a newer session", func(o *sessions.Outcome) { o.Version++ }, sessions.IsStale},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			j := newJournal(t)
			begun, err := j.try(j.beginning())
			if err != nil {
				t.Fatal(err)
			}
			rows, session := j.rows(), j.session()

			err = j.end(begun, func(o *sessions.Outcome) {
				tt.in(o)
				o.Session.Progress, o.Trim = 0.5, true
			})

			if !tt.want(err) || sessions.IsFenced(err) == sessions.IsStale(err) {
				t.Errorf("FinishTurn = %v", err)
			}
			if diff := cmp.Diff(rows, j.rows()); diff != "" {
				t.Errorf("rows (-before +after):\n%s", diff)
			}
			if diff := cmp.Diff(session, j.session()); diff != "" {
				t.Errorf("the session (-before +after):\n%s", diff)
			}
			if err := j.end(begun, nil); err != nil {
				t.Errorf("the turn's own end: %v", err)
			}
			if err := j.end(begun, nil); !sessions.IsFenced(err) {
				t.Errorf("a second end: %v, want fenced", err)
			}
		})
	}
}

func TestTurnOfACompletedSessionIsStale(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	begun, err := j.try(j.beginning())
	if err != nil {
		t.Fatal(err)
	}
	j.exec(`UPDATE elicitation_sessions SET status = 'completed'`)

	if err := j.end(begun, nil); !sessions.IsStale(err) {
		t.Errorf("FinishTurn = %v, want stale", err)
	}
}

func TestFailTurnOnce(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	begun, err := j.try(j.beginning())
	if err != nil {
		t.Fatal(err)
	}
	j.append(1, sessions.DeltaEvent{Turn: 1, Content: "Whi"})
	failed := sessions.ErrorEvent{Turn: 1, Code: "internal", Detail: "That went wrong.", Retryable: true}
	stranger := begun.Turn
	stranger.Attempt = 2

	_, lost, err := sessions.FailTurn(t.Context(), j.pool, stranger, failed)
	if lost || err != nil {
		t.Errorf("FailTurn of another attempt = %t, %v, want false", lost, err)
	}
	e, ended, err := sessions.FailTurn(t.Context(), j.pool, begun.Turn, failed)
	if !ended || err != nil {
		t.Fatalf("FailTurn = %t, %v, want true", ended, err)
	}
	_, again, err := sessions.FailTurn(t.Context(), j.pool, begun.Turn, failed)
	if again || err != nil {
		t.Errorf("FailTurn again = %t, %v, want false", again, err)
	}

	kind, data := sessions.Encode(failed)
	if diff := cmp.Diff(sessions.Event{Seq: 3, Turn: 1, Kind: kind, Data: data}, e); diff != "" {
		t.Errorf("the event (-want +got):\n%s", diff)
	}
	log, _, err := sessions.After(t.Context(), j.pool, j.scope, 0)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int64{1, 3}, numbers(log)); diff != "" {
		t.Errorf("the log (-want +got):\n%s", diff)
	}
	turn, err := sessions.FindTurn(t.Context(), j.pool, j.scope, 1)
	if err != nil || turn.Status != sessions.TurnFailed || turn.Degraded != "internal" || turn.FinishedAt == nil {
		t.Errorf("FindTurn = %+v, %v, want failed", turn, err)
	}
	if s, err := sessions.Find(t.Context(), j.pool, j.scope); err != nil || s.StopReason != sessions.EndError || s.Status != sessions.Active {
		t.Errorf("the session stands at %q, %q (%v), want stopped by an error and taking turns", s.Status, s.StopReason, err)
	}
}

func TestTakeOverFromDeadInstancesOnly(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	living, dead, unknown := uuid.NewString(), uuid.NewString(), uuid.NewString()
	for _, id := range []string{living, dead} {
		if _, err := sessions.Seen(t.Context(), j.pool, id, false, time.Minute); err != nil {
			t.Fatal(err)
		}
	}
	lost := map[obligations.Scope]*sessions.BegunTurn{}
	for i, id := range []string{living, dead, unknown} {
		in := j.beginning()
		in.Instance, in.Scope = id, j.another("someone", "business_profile")
		in.Answers = map[string]json.RawMessage{"n": json.RawMessage(fmt.Sprint(i))}
		begun, err := j.try(in)
		if err != nil {
			t.Fatal(err)
		}
		if id != living {
			lost[in.Scope] = begun
		}
	}
	heir := uuid.NewString()
	if _, err := sessions.Seen(t.Context(), j.pool, heir, false, time.Minute); err != nil {
		t.Fatal(err)
	}
	if list, err := sessions.TakeOver(t.Context(), j.pool, postgrestest.Tenant(t, j.pool), heir, []string{dead}); len(list) > 0 || err != nil {
		t.Errorf("TakeOver for another tenant = %v, %v, want none", list, err)
	}

	list, err := sessions.TakeOver(t.Context(), j.pool, j.scope.Tenant, heir, []string{dead})
	if err != nil {
		t.Fatal(err)
	}
	again, err := sessions.TakeOver(t.Context(), j.pool, j.scope.Tenant, heir, []string{dead})
	if err != nil || len(again) > 0 {
		t.Errorf("TakeOver again = %v, %v, want none", again, err)
	}
	held, err := sessions.Held(t.Context(), j.pool, j.scope.Tenant, heir)
	if err != nil || len(held) != 2 {
		t.Errorf("Held = %v, %v, want 2 turns", held, err)
	}
	if len(list) != 2 {
		t.Fatalf("TakeOver = %v, want 2 turns", list)
	}
	for _, turn := range list {
		begun := lost[turn.Scope]
		if begun == nil {
			t.Fatalf("turn of %s was taken from an instance that lives", turn.Scope.Session)
		}
		want := begun.Turn
		want.Attempt, want.Instance, want.BodyHash = 2, heir, nil
		if diff := cmp.Diff(want, turn); diff != "" {
			t.Errorf("the turn taken over (-want +got):\n%s", diff)
		}
		if err := j.end(begun, nil); !sessions.IsFenced(err) {
			t.Errorf("the end by the instance that was dead: %v, want fenced", err)
		}
		begun.Turn = turn
		if err := j.end(begun, nil); err != nil {
			t.Errorf("the end by the heir: %v", err)
		}
	}
}

func TestInstancesThatAreSilentAreDead(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	me, living, dead := uuid.NewString(), uuid.NewString(), uuid.NewString()
	for _, id := range []string{me, living, dead, living} { // seen again is no fault
		if _, err := sessions.Seen(t.Context(), j.pool, id, false, time.Minute); err != nil {
			t.Fatal(err)
		}
	}
	j.exec(`UPDATE instances SET seen_at = now() - interval '1 minute' WHERE id = ANY ($1)`, []string{me, dead})

	for _, want := range [][]string{{dead}, nil} {
		got, unlocked, err := sessions.Silent(t.Context(), j.pool, me, 20*time.Second)
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || len(unlocked) > 0 || err != nil {
			t.Errorf("Silent, unlocked %v, %v (-want +got):\n%s", unlocked, err, diff)
		}
		if err := sessions.Gone(t.Context(), j.pool, dead); err != nil {
			t.Fatal(err)
		}
	}
}

// An instance that said it holds its lock is missed as soon as its connection ends,
// however lately it was seen.
func TestInstanceWhoseConnectionEndedIsUnlocked(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	id, me := uuid.NewString(), uuid.NewString()
	hub := sessions.NewHub(j.pool, slog.New(slog.DiscardHandler), id)
	awaitListeners(t, postgrestest.Superuser(t, j.pool), 2)
	if _, err := sessions.Seen(t.Context(), j.pool, id, true, time.Minute); err != nil {
		t.Fatal(err)
	}
	unlocked := func() []string {
		dead, unlocked, err := sessions.Silent(t.Context(), j.pool, me, time.Minute)
		if err != nil || len(dead) > 0 {
			t.Errorf("silent: %v, %v", dead, err)
		}
		return unlocked
	}
	for end := time.Now().Add(patience); !hub.Locked(); {
		if time.Now().After(end) {
			t.Fatal("the hub never held its lock")
		}
		runtime.Gosched()
	}
	if got := unlocked(); len(got) > 0 {
		t.Errorf("%v are unlocked while their hub listens", got)
	}

	hub.Close()

	for end := time.Now().Add(patience); !slices.Equal(unlocked(), []string{id}); {
		if time.Now().After(end) {
			t.Fatal("the lock outlived its connection")
		}
	}
}

func TestStopTurnAsksOnlyTheOneThatRuns(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	begun, err := j.try(j.beginning())
	if err != nil {
		t.Fatal(err)
	}
	other := j.scope
	other.Tenant = postgrestest.Tenant(t, j.pool)
	for _, tt := range []struct {
		name   string
		scope  obligations.Scope
		number int
		want   bool
	}{
		{"another turn", j.scope, 2, false},
		{"another tenant", other, 1, false},
		{"the running one", j.scope, 1, true},
		{"again", j.scope, 1, true},
	} {
		if got, err := sessions.StopTurn(t.Context(), j.pool, tt.scope, tt.number); got != tt.want || err != nil {
			t.Errorf("%s: StopTurn = %t, %v, want %t", tt.name, got, err, tt.want)
		}
	}
	running, err := sessions.RunningTurn(t.Context(), j.pool, j.scope)
	if err != nil || running == nil || !running.Stopping {
		t.Fatalf("RunningTurn = %+v, %v, want one that is to stop", running, err)
	}

	if err := j.end(begun, func(o *sessions.Outcome) { o.Status = sessions.TurnStopped }); err != nil {
		t.Fatal(err)
	}

	if got, err := sessions.StopTurn(t.Context(), j.pool, j.scope, 1); got || err != nil {
		t.Errorf("StopTurn after its end = %t, %v, want false", got, err)
	}
	if _, err := sessions.FindTurn(t.Context(), j.pool, j.scope, 2); !fault.Is(err, fault.NotFound) {
		t.Errorf("FindTurn of turn 2 = %v, want not_found", err)
	}
}
