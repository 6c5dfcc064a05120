package chat_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"quaestor/chat"
	"quaestor/internal/fault"
	"quaestor/internal/llm/llmtest"
	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/sessions"
)

// wantConsistent checks that the session has that many turns, each whole: numbered,
// its events from its beginning to its end, its message and its reply.
// It returns what was said.
func (d *harness) wantConsistent(turns int) (said []string) {
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
		if m[0].Turn != turn.Number || m[0].Role != sessions.FromUser || m[1].Turn != turn.Number || m[1].Content != payload[sessions.MessageEvent](d.t, of, sessions.KindMessage).Content ||
			m[0].Content != payload[sessions.SessionEvent](d.t, of, sessions.KindSession).Message {
			d.t.Errorf("turn %d says %+v, and its log other things", turn.Number, m)
		}
		said = append(said, m[0].Content)
	}
	return said
}

// wholeLog returns all events of the session, whose numbers must rise and whose turns
// must not be mixed. Pieces that were logged leave gaps.
func (d *harness) wholeLog() (log []sessions.Event) {
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

// prompt is a model that answers at once, whatever is said.
func prompt(t *testing.T) *llmtest.Server {
	t.Helper()
	model := llmtest.New(t)
	model.Handle(func(r llmtest.Request) llmtest.Reply {
		if r.Structured() {
			return llmtest.Reply{JSON: reading("answer")}
		}
		return llmtest.Reply{Text: "And what else do you sell?"}
	})
	return model
}

// Two tabs send at the same moment: each message is taken whole or refused.
func TestMessagesAtTheSameMoment(t *testing.T) {
	t.Parallel()

	model := prompt(t)
	for name, c := range map[string]setup{"rules": {}, "a model": {model: model, unhurried: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			d := newHarness(t, c)
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
func (d *harness) together(text string, n int) (accepted []string) {
	d.t.Helper()
	var all errgroup.Group
	started := make([]*chat.StartedTurn, n)
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

	d := newHarness(t, setup{})
	d.take(d.input("We sell bread."))
	for round := range 10 {
		in := d.input(fmt.Sprintf("This is message %d", round))
		in.ClientMessageID = strings.ReplaceAll(in.Message, " ", "-")
		var all errgroup.Group
		started := make([]chat.StartedTurn, 8)
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

// hold keeps everybody out of the session until release is called, which
// does change before it lets them in.
func (d *harness) hold() (release func(change string)) {
	d.t.Helper()
	held, let, over := make(chan struct{}), make(chan string), make(chan error, 1)
	go func() {
		over <- postgres.InTx(context.Background(), d.pool, d.scope.Tenant, func(tx pgx.Tx) error {
			var s *sessions.Session
			b := postgres.NewBatch(d.scope.Tenant)
			sessions.Lock(b, d.scope, &s)
			err := b.Send(context.Background(), tx)
			close(held)
			if change := <-let; change != "" && err == nil {
				_, err = tx.Exec(context.Background(), "UPDATE elicitation_sessions SET "+change+" WHERE tenant_id = $1 AND id = $2", d.scope.Tenant, d.scope.Session)
			}
			return err
		})
	}()
	<-held
	return func(change string) {
		let <- change
		if err := <-over; err != nil {
			d.t.Fatal(err)
		}
	}
}

// begin starts a turn that waits.
func (d *harness) begin(in chat.Input) (began chan chat.StartedTurn, failed chan error) {
	began, failed = make(chan chat.StartedTurn, 1), make(chan error, 1)
	go func() {
		s, err := d.engine.Start(context.Background(), in)
		if err != nil {
			failed <- err
			return
		}
		began <- s
	}()
	return began, failed
}

// blocked waits until a statement waits for a lock in the harness's database.
func (d *harness) blocked(statement string) {
	d.t.Helper()
	super := postgrestest.Superuser(d.t, d.pool)
	await(d.t, "a "+statement+" that waits", func() bool {
		var n int
		err := super.QueryRow(d.t.Context(), `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`, "-- name: "+statement+" %").Scan(&n)
		if err != nil {
			d.t.Fatal(err)
		}
		return n > 0
	})
}

// A server that shuts down sees through what it was asked before.
func TestDrainSeesTurnsThroughThatAreBeginning(t *testing.T) {
	t.Parallel()

	for name, change := range map[string]string{"the session stands": "", "the session was completed": "status = 'completed', completed_at = now(), stop_reason = 'completed'",
		"the session was changed": "version = version + 1"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			d := newHarness(t, setup{})
			d.take(d.input("We sell bread."))
			<-d.reports
			release := d.hold()
			began, failed := d.begin(d.input("And rolls."))
			d.blocked("TurnBegin")
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

// wantDrained checks what is left of a second turn that was beginning while the server
// shut down: all of it or, where the session was completed, nothing.
func (d *harness) wantDrained(change string, err error) {
	d.t.Helper()
	running, findErr := sessions.RunningTurn(d.t.Context(), d.pool, d.scope)
	if findErr != nil || running != nil {
		d.t.Errorf("turn %+v runs on a server that is gone (%v)", running, findErr)
	}
	if strings.Contains(change, "completed") {
		if !fault.Is(err, fault.Conflict) {
			d.t.Errorf("Start = %v, want a Conflict", err)
		}
		d.wantConsistent(1)
		return
	}
	if err != nil {
		d.t.Errorf("Start = %v, want the turn", err)
	}
	d.wantConsistent(2)
}
