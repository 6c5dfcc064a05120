package chat_test

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"quaestor/chat"
	"quaestor/internal/fault"
	"quaestor/internal/llm/llmtest"
	"quaestor/internal/postgres"
	"quaestor/sessions"
)

// hold keeps everybody out of the desk's session until release is called, which
// does change before it lets them in.
func (d *desk) hold() (release func(change string)) {
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

// listening is a desk after its first turn, whose model tells of every call.
func listening(t *testing.T, objective string) (d *desk, asked chan string) {
	t.Helper()
	model := llmtest.New(t)
	asked = make(chan string, 10)
	model.Handle(func(r llmtest.Request) llmtest.Reply {
		if r.Structured() {
			asked <- "read " + r.LastUser()
			return llmtest.Reply{JSON: heard("answer")}
		}
		asked <- "answer " + r.LastUser()
		return llmtest.Reply{Text: "And what else do you sell?"}
	})
	d = seat(t, conditions{model: model, calls: true, objective: objective})
	in := d.input("We sell bread.")
	in.ClientMessageID = "first"
	d.take(in)
	for range 2 {
		<-asked
	}
	return d, asked
}

// begin starts a turn that waits.
func (d *desk) begin(in chat.Input) (began chan chat.Started, failed chan error) {
	began, failed = make(chan chat.Started, 1), make(chan error, 1)
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

// ahead starts a turn that waits until both calls of its model were made; release
// does change and lets it begin.
func (d *desk) ahead(asked chan string) (release func(change string), began chan chat.Started, failed chan error) {
	d.t.Helper()
	release = d.hold()
	began, failed = d.begin(d.input("And rolls."))
	for _, want := range []string{"read And rolls.", "answer And rolls."} {
		if got := <-asked; got != want {
			d.t.Errorf("the model was asked to %q while the turn waited to begin, want %q", got, want)
		}
	}
	return release, began, failed
}

func TestTurnIsWorkedAhead(t *testing.T) {
	t.Parallel()

	d, asked := listening(t, "")
	sub := d.hub.Subscribe(d.pool, d.scope, 0)
	defer sub.Close()
	seen, err := sub.Next(t.Context(), patience)
	if err != nil {
		t.Fatal(err)
	}
	release, began, _ := d.ahead(asked)
	if all, _, err := sessions.After(t.Context(), d.pool, d.scope, 0); err != nil || len(all) != len(seen) {
		t.Errorf("a turn that has not begun added to the log of %d events: %d (%v)", len(seen), len(all), err)
	}
	release("")
	turn := (<-began).Turn

	if next, err := sub.Next(t.Context(), patience); err != nil || next[0].Kind != sessions.KindSession || next[0].Turn != turn.Number {
		t.Errorf("the turn's first event is %+v (%v)", next, err)
	}
	if m := payload[sessions.Reply](t, d.ended(turn), sessions.KindMessage); m.Degraded != "" || m.Content != "And what else do you sell?" {
		t.Errorf("the turn answered %+v", m)
	}
	d.endCalls()
	if list := d.callsOf(turn.Number); len(list) != 2 || list[0].Purpose != "understand" || list[1].Purpose != "reply" {
		t.Errorf("%+v is kept of the turn's calls, want one of each", list)
	}
	if len(asked) > 0 {
		t.Errorf("the model was asked once more to %q", <-asked)
	}
}

func TestWhatIsWorkedAheadOfARefusedTurnIsNotKept(t *testing.T) {
	t.Parallel()

	d, asked := listening(t, "")
	release, _, failed := d.ahead(asked)
	release("status = 'completed', completed_at = now(), stop_reason = 'completed'")

	if err := <-failed; !fault.Is(err, fault.Conflict) {
		t.Errorf("a turn of a completed session: %v", err)
	}
	d.endCalls()
	if list := d.callsOf(2); len(list) > 0 || d.calls.Dropped() > 0 {
		t.Errorf("%+v is kept of a turn that did not begin, %d were tried", list, d.calls.Dropped())
	}
	if list := d.transcript(); len(list) != 2 {
		t.Errorf("the transcript is %+v, want the first turn's", list)
	}
	if report := <-d.reports; report.Status != "done" || len(d.reports) > 0 {
		t.Errorf("turns were reported that did not begin, after %+v", report)
	}
}

func TestWhatIsWorkedAheadOfAChangeIsWorkedAgain(t *testing.T) {
	t.Parallel()

	d, asked := listening(t, "")
	release, began, _ := d.ahead(asked)
	release(`version = version + 1, working_memory_snapshot = '{"recentTopics":["the rent"]}'`)
	turn := (<-began).Turn
	d.ended(turn)

	if got := <-asked; got != "read And rolls." {
		t.Errorf("the model was asked to %q", got)
	}
	d.endCalls()
	list := d.callsOf(turn.Number)
	if len(list) != 2 || !strings.Contains(list[0].Prompt[0].Content, "the rent") || !strings.Contains(list[1].Prompt[0].Content, "the rent") {
		t.Errorf("the turn's calls %+v were not made in what the session is now", list)
	}
}

// A turn that is worked ahead knows what the session has used up.
func TestBudgetOfWhatIsWorkedAhead(t *testing.T) {
	t.Parallel()

	d, asked := listening(t, strings.Replace(small, `"greeting"`, `"budget":{"minutes":30},"greeting"`, 1))
	diff, kept, ahead, err := d.engine.CheckLeft(t.Context(), d.scope)
	if err != nil || diff != "" || !kept || !ahead {
		t.Errorf("the next turn would begin with what was kept: %v, and be worked ahead: %v (%v); (-stored +kept):\n%s", kept, ahead, err, diff)
	}
	d.take(d.input("And rolls."))
	if len(asked) != 2 {
		t.Errorf("the model was asked %d times", len(asked))
	}
}

func TestOnlyWhoSpokeLastIsWorkedAhead(t *testing.T) {
	t.Parallel()

	for name, in := range map[string]func(*chat.Input){
		"a stranger":              func(in *chat.Input) { in.User = "stranger" },
		"another context":         func(in *chat.Input) { in.ContextType = "garden" },
		"the last one once more":  func(in *chat.Input) { in.Message, in.ClientMessageID = "We sell bread.", "first" },
		"a file that is not here": func(in *chat.Input) { in.Files = []string{"0b0c0c63-6a5b-4b5e-9a55-2f4f5d1f3a10"} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			d, asked := listening(t, "")
			said := d.input("Tell me all.")
			in(&said)
			if s, err := d.engine.Start(t.Context(), said); err == nil && !s.Replay {
				t.Errorf("the turn began: %+v", s)
			}
			if len(asked) > 0 {
				t.Errorf("the model was asked to %q", <-asked)
			}
		})
	}
}
