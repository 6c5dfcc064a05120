package chat_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"quaestor/chat"
	"quaestor/internal/fault"
	"quaestor/internal/llm/llmtest"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/sessions"
)

// writes returns the kinds of each row of a turn in the log.
func (d *desk) writes(turn int) [][]string {
	d.t.Helper()
	rows, err := postgrestest.Superuser(d.t, d.pool).Query(d.t.Context(), `SELECT kinds FROM session_events WHERE session_id = $1 AND turn = $2 ORDER BY seq`, d.scope.Session, turn)
	if err != nil {
		d.t.Fatal(err)
	}
	defer rows.Close()
	var out [][]string
	for rows.Next() {
		var kinds []string
		if err := rows.Scan(&kinds); err != nil {
			d.t.Fatal(err)
		}
		out = append(out, kinds)
	}
	if rows.Err() != nil {
		d.t.Fatal(rows.Err())
	}
	return out
}

// wantAtOnce checks that a turn is one row of the log, from its beginning to its end.
func (d *desk) wantAtOnce(turn int) {
	d.t.Helper()
	rows := d.writes(turn)
	if len(rows) != 1 || rows[0][0] != "session" || rows[0][len(rows[0])-1] != "done" {
		d.t.Errorf("turn %d was written as %v, want once, from session to done", turn, rows)
	}
}

// prompt is a model that answers at once, whatever is said.
func prompt(t *testing.T) *llmtest.Server {
	t.Helper()
	model := llmtest.New(t)
	model.Handle(func(r llmtest.Request) llmtest.Reply {
		if r.Structured() {
			return llmtest.Reply{JSON: heard("answer")}
		}
		return llmtest.Reply{Text: furtherQuestion}
	})
	return model
}

func TestTurnIsWrittenAtOnce(t *testing.T) {
	t.Parallel()

	model := prompt(t)
	for _, tt := range []struct {
		name, interviewer string
		conditions        conditions
	}{
		{"rules", "rules", conditions{promptly: patience}},
		{"a model", "model scripted", conditions{model: model, unhurried: true, promptly: patience}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			d := seat(t, tt.conditions)
			d.take(d.input("We sell bread."))
			<-d.reports
			release := d.hold() // so that a slow machine does not begin it: it is worked by then
			in := d.input("And rolls.")
			in.ClientMessageID, in.Answers = "second", map[string]json.RawMessage{"team_size": json.RawMessage(`12`)}
			began, failed := d.begin(in)
			d.blocked("TurnAtOnce")
			release("")
			var started chat.Started
			select {
			case err := <-failed:
				t.Fatal(err)
			case started = <-began:
			}

			d.wantAtOnce(2)
			d.wantStored(in, tt.interviewer)
			d.wantLog(started)
			r := <-d.reports
			if r.Status != "done" || r.FirstPiece <= 0 || r.FirstPiece > r.Total || r.Interviewer != tt.interviewer {
				t.Errorf("the report is %+v, want the first piece before the end", r)
			}
		})
	}
}

// wantStored checks the row and the messages of the second turn.
func (d *desk) wantStored(in chat.Input, interviewer string) {
	d.t.Helper()
	turn, err := sessions.FindTurn(d.t.Context(), d.pool, d.scope, 2)
	if err != nil || turn.Status != sessions.TurnDone || turn.FinishedAt == nil || !turn.StartedAt.Before(*turn.FinishedAt) || turn.Instance != d.engine.Instance ||
		turn.Interviewer != interviewer || turn.Degraded != "" || turn.Attempt != 1 || string(turn.Answers["team_size"]) != "12" || turn.User != in.User {
		d.t.Errorf("the turn is %+v (%v)", turn, err)
	}
	byID, err := sessions.TurnByClientMessage(d.t.Context(), d.pool, d.scope, in.ClientMessageID)
	if err != nil || byID == nil || byID.Number != 2 {
		d.t.Errorf("the turn of %q is %+v (%v)", in.ClientMessageID, byID, err)
	}
	list := d.transcript()
	if len(list) != 4 || list[2].Content != in.Message || list[2].Role != sessions.FromUser || list[2].User != in.User || list[3].Role != sessions.FromAssistant || list[3].Content == "" || !list[3].Complete {
		d.t.Errorf("the transcript is %+v", list)
	}
}

// wantLog checks that the turn's log in hand is the one that is stored.
func (d *desk) wantLog(s chat.Started) {
	d.t.Helper()
	stored, _, err := sessions.After(d.t.Context(), d.pool, d.scope, s.Turn.FirstSeq-1)
	if err != nil {
		d.t.Fatal(err)
	}
	for i := range stored {
		stored[i].At = s.Log[min(i, len(s.Log)-1)].At
	}
	if diff := cmp.Diff(stored, s.Log); diff != "" || s.Replay || s.Turn.Status != sessions.TurnDone {
		d.t.Errorf("the log in hand of a turn that is %s, replay %t (-stored +got):\n%s", s.Turn.Status, s.Replay, diff)
	}
}

// onCuts runs a test on a desk after its first turn, whose next answer of the database
// to the message fatal is lost: to a batch, or to a commit.
func onCuts(t *testing.T, test func(t *testing.T, d *desk, c *cutter)) {
	t.Helper()
	for name, first := range map[string]string{"a batch": "", "a transaction with a job": "We sell bread."} { // the second contradicts this, which is looked up
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			c := &cutter{}
			d := seat(t, conditions{})
			d = d.another(conditions{pool: c.pool(t, d.pool), promptly: patience})
			d.take(d.input(first))
			c.armed.Store(true)
			test(t, d, c)
		})
	}
}

func TestTurnWrittenAtOnceUnseenIsReplayed(t *testing.T) {
	t.Parallel()

	onCuts(t, func(t *testing.T, d *desk, c *cutter) {
		in := d.input(fatal)
		in.ClientMessageID = "second"

		got := d.start(in)

		if !got.Replay || got.Turn.Number != 2 || got.Turn.Status != sessions.TurnDone || c.armed.Load() {
			t.Errorf("Start = %+v, want the stored turn as a replay", got)
		}
		d.wantAtOnce(2)
		d.wantConsistent(2)
		if again := d.start(in); !again.Replay || again.Turn.Number != 2 {
			t.Errorf("the same request again = %+v, want the same turn", again)
		}
		d.take(d.input("And rolls."))
		d.wantConsistent(3)
	})
}

func TestTurnWrittenAtOnceUnseenStandsOnce(t *testing.T) {
	t.Parallel()

	onCuts(t, func(t *testing.T, d *desk, c *cutter) {
		if got, err := d.engine.Start(t.Context(), d.input(fatal)); err == nil || c.armed.Load() {
			t.Fatalf("Start = %+v though its answer was lost", got)
		}
		d.wantAtOnce(2)
		d.wantConsistent(2)
		d.take(d.input("And rolls."))
		d.wantConsistent(3)
	})
}

// wantConsistent checks that the session has that many turns, each whole: numbered,
// its events from its beginning to its end, its message and its reply.
// It returns what was said.
func (d *desk) wantConsistent(turns int) (said []string) {
	d.t.Helper()
	list, err := sessions.Turns(d.t.Context(), d.pool, d.scope, 0)
	if err != nil {
		d.t.Fatal(err)
	}
	session, _ := d.state()
	if len(list) != turns || session.Turns != turns {
		d.t.Errorf("%d turns are stored and %d counted, want %d", len(list), session.Turns, turns)
	}
	log := d.wholeLog()
	messages := d.transcript()
	if len(messages) == 2*len(list)-1 { // the interviewer opened
		messages = append([]sessions.Message{{Turn: 1, Role: sessions.FromUser}}, messages...)
	}
	if len(messages) != 2*len(list) {
		d.t.Fatalf("%d messages are stored of %d turns", len(messages), len(list))
	}
	for i, turn := range list {
		of := slices.DeleteFunc(slices.Clone(log), func(e sessions.Event) bool { return e.Turn != turn.Number })
		if turn.Number != i+1 || turn.Status != sessions.TurnDone || len(of) < 3 || of[0].Kind != sessions.KindSession || of[0].Seq != turn.FirstSeq ||
			slices.IndexFunc(of, func(e sessions.Event) bool { return e.Kind.Last() }) != len(of)-1 || slices.ContainsFunc(of[1:], func(e sessions.Event) bool { return e.Kind == sessions.KindSession }) {
			d.t.Errorf("turn %d of %d is %+v with the events %+v", i+1, len(list), turn, of)
			continue
		}
		m := messages[2*i : 2*i+2]
		if m[0].Turn != turn.Number || m[0].Role != sessions.FromUser || m[1].Turn != turn.Number || m[1].Content != payload[sessions.Reply](d.t, of, sessions.KindMessage).Content ||
			m[0].Content != payload[sessions.Started](d.t, of, sessions.KindSession).Message {
			d.t.Errorf("turn %d says %+v, and its log other things", turn.Number, m)
		}
		said = append(said, m[0].Content)
	}
	return said
}

// wholeLog returns all events of the session, whose numbers must rise and whose turns
// must not be mixed. Pieces that were logged leave gaps.
func (d *desk) wholeLog() (log []sessions.Event) {
	d.t.Helper()
	var last sessions.Event
	for more := true; more; {
		var events []sessions.Event
		var err error
		if events, more, err = sessions.After(d.t.Context(), d.pool, d.scope, last.Seq); err != nil {
			d.t.Fatal(err)
		}
		for _, e := range events {
			if e.Seq <= last.Seq || e.Turn < last.Turn {
				d.t.Fatalf("event %d of turn %d comes after %d of turn %d", e.Seq, e.Turn, last.Seq, last.Turn)
			}
			last = e
		}
		log = append(log, events...)
	}
	return log
}

// Two tabs send at the same moment: each message is taken whole or refused.
func TestMessagesAtTheSameMoment(t *testing.T) {
	t.Parallel()

	model := prompt(t)
	for name, c := range map[string]conditions{"rules": {}, "a model": {model: model, unhurried: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			d := seat(t, c)
			d.take(d.input("We sell bread."))
			want := []string{"We sell bread."}
			for round := range 25 {
				want = append(want, d.together(fmt.Sprintf("This is message %d", round), 2)...)
			}

			got := d.wantConsistent(len(want))
			slices.Sort(got)
			slices.Sort(want)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("what was said (-accepted +stored):\n%s", diff)
			}
		})
	}
}

// together sends n messages at once, waits for the turns' ends and returns the
// messages that were accepted.
func (d *desk) together(text string, n int) (accepted []string) {
	d.t.Helper()
	var all errgroup.Group
	started := make([]*chat.Started, n)
	for i := range n {
		all.Go(func() error {
			in := d.input(fmt.Sprintf("%s of tab %d", text, i))
			in.ClientMessageID = strings.ReplaceAll(in.Message, " ", "-")
			s, err := d.engine.Start(d.t.Context(), in)
			if err == nil {
				started[i] = &s
				return nil
			}
			if !fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), "already running") {
				return err
			}
			return nil
		})
	}
	if err := all.Wait(); err != nil {
		d.t.Fatal(err)
	}
	for i, s := range started {
		if s != nil {
			d.ended(s.Turn)
			accepted = append(accepted, fmt.Sprintf("%s of tab %d", text, i))
		}
	}
	if len(accepted) == 0 {
		d.t.Error("of messages sent at once none was taken")
	}
	return accepted
}

// A client that is impatient sends one message many times: it is one turn.
func TestOneMessageSentManyTimesAtOnce(t *testing.T) {
	t.Parallel()

	d := seat(t, conditions{})
	d.take(d.input("We sell bread."))
	for round := range 10 {
		in := d.input(fmt.Sprintf("This is message %d", round))
		in.ClientMessageID = strings.ReplaceAll(in.Message, " ", "-")
		var all errgroup.Group
		started := make([]chat.Started, 8)
		for i := range started {
			all.Go(func() (err error) {
				started[i], err = d.engine.Start(t.Context(), in)
				return err
			})
		}
		if err := all.Wait(); err != nil {
			t.Fatal(err)
		}
		fresh := 0
		for _, s := range started {
			if !s.Replay {
				fresh++
			}
			if s.Turn.Number != round+2 {
				t.Errorf("message %d is turn %d", round, s.Turn.Number)
			}
		}
		if fresh != 1 {
			t.Errorf("message %d began %d turns, want 1 and the others a replay", round, fresh)
		}
		d.ended(started[0].Turn)
	}
	d.wantConsistent(11)
}

// A server that shuts down sees through what it has begun to write at once.
func TestDrainSeesTurnsThroughThatAreWrittenAtOnce(t *testing.T) {
	t.Parallel()

	for name, change := range map[string]string{"the session stands": "", "the session was completed": "status = 'completed', completed_at = now(), stop_reason = 'completed'",
		"the session was changed": "version = version + 1"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			d := seat(t, conditions{promptly: patience})
			d.take(d.input("We sell bread."))
			<-d.reports
			release := d.hold()
			began, failed := d.begin(d.input("And rolls."))
			d.blocked("TurnAtOnce")
			drained := make(chan struct{})
			go func() { defer close(drained); drain(t, d.engine) }()
			late := d.input("Too late.")
			late.SessionID = uuid.NewString() // one that nobody holds, and that is not there
			await(t, "a server that shuts down", func() bool {
				_, err := d.engine.Start(t.Context(), late)
				return fault.Is(err, fault.Unavailable)
			})
			release(change)
			var err error
			select {
			case <-began:
			case err = <-failed:
			}
			<-drained

			d.wantDrained(change, err)
		})
	}
}

// wantDrained checks what is left of a second turn during which the server shut down:
// all of it or, where the session was changed, nothing that is not over.
func (d *desk) wantDrained(change string, err error) {
	d.t.Helper()
	running, findErr := sessions.RunningTurn(d.t.Context(), d.pool, d.scope)
	if findErr != nil || running != nil {
		d.t.Errorf("turn %+v runs on a server that is gone (%v)", running, findErr)
	}
	switch {
	case change == "":
		if err != nil {
			d.t.Errorf("Start = %v, want the turn, which was written", err)
		}
		d.wantAtOnce(2)
		d.wantConsistent(2)
	case strings.Contains(change, "completed"):
		if !fault.Is(err, fault.Conflict) {
			d.t.Errorf("Start = %v, want a Conflict", err)
		}
		d.wantConsistent(1)
	default: // it began after all, and was ended with an error that says to send it again
		turn, findErr := sessions.FindTurn(d.t.Context(), d.pool, d.scope, 2)
		if !fault.Is(err, fault.Unavailable) || findErr != nil || turn.Status != sessions.TurnFailed {
			d.t.Errorf("Start = %v with turn %+v (%v)", err, turn, findErr)
		}
		log := d.wholeLog()
		if last := log[len(log)-1]; last.Turn != 2 || last.Kind != sessions.KindError {
			d.t.Errorf("the log ends with %+v, want the turn's error", last)
		}
	}
}
