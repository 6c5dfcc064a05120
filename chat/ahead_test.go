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

// listening is a desk after its first turn, whose model tells of every message it is
// asked to read.
func listening(t *testing.T) (d *desk, asked chan string) {
	t.Helper()
	model := llmtest.New(t)
	asked = make(chan string, 10)
	model.Handle(func(r llmtest.Request) llmtest.Reply {
		if r.Structured() {
			asked <- r.LastUser()
			return llmtest.Reply{JSON: heard("answer")}
		}
		return llmtest.Reply{Text: "And what else do you sell?"}
	})
	d = seat(t, conditions{model: model, calls: true})
	in := d.input("We sell bread.")
	in.ClientMessageID = "first"
	d.take(in)
	<-asked
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

func TestMessageIsReadAheadOfItsTurn(t *testing.T) {
	t.Parallel()

	d, asked := listening(t)
	release := d.hold()
	began, _ := d.begin(d.input("And rolls."))
	if got := <-asked; got != "And rolls." {
		t.Errorf("the model was asked to read %q while the turn waited to begin", got)
	}
	release("")
	turn := (<-began).Turn

	if m := payload[sessions.Reply](t, d.ended(turn), sessions.KindMessage); m.Degraded != "" || m.Content != "And what else do you sell?" {
		t.Errorf("the turn answered %+v", m)
	}
	d.endCalls()
	if list := d.callsOf(turn.Number); len(list) != 2 || list[0].Purpose != "understand" || list[1].Purpose != "reply" {
		t.Errorf("%+v is kept of the turn's calls, want one of each", list)
	}
	if len(asked) > 0 {
		t.Errorf("the model was asked again to read %q", <-asked)
	}
}

func TestWhatIsReadAheadOfARefusedTurnIsNotKept(t *testing.T) {
	t.Parallel()

	d, asked := listening(t)
	release := d.hold()
	_, failed := d.begin(d.input("And rolls."))
	<-asked
	release("status = 'completed', completed_at = now(), stop_reason = 'completed'")

	if err := <-failed; !fault.Is(err, fault.Conflict) {
		t.Errorf("a turn of a completed session: %v", err)
	}
	d.endCalls()
	if list := d.callsOf(2); len(list) > 0 || d.calls.Dropped() > 0 {
		t.Errorf("%+v is kept of a turn that did not begin, %d were tried", list, d.calls.Dropped())
	}
}

func TestWhatIsReadAheadOfAChangeIsReadAgain(t *testing.T) {
	t.Parallel()

	d, asked := listening(t)
	release := d.hold()
	began, _ := d.begin(d.input("And rolls."))
	<-asked
	release(`version = version + 1, working_memory_snapshot = '{"recentTopics":["the rent"]}'`)
	turn := (<-began).Turn
	d.ended(turn)

	if got := <-asked; got != "And rolls." {
		t.Errorf("the model was asked to read %q", got)
	}
	d.endCalls()
	list := d.callsOf(turn.Number)
	if len(list) != 2 || !strings.Contains(list[0].Prompt[0].Content, "the rent") || !strings.Contains(list[1].Prompt[0].Content, "the rent") {
		t.Errorf("the turn's calls %+v were not made in what the session is now", list)
	}
}

func TestOnlyWhoSpokeLastIsReadAhead(t *testing.T) {
	t.Parallel()

	for name, in := range map[string]func(*chat.Input){
		"a stranger":              func(in *chat.Input) { in.User = "stranger" },
		"another context":         func(in *chat.Input) { in.ContextType = "garden" },
		"the last one once more":  func(in *chat.Input) { in.Message, in.ClientMessageID = "We sell bread.", "first" },
		"a file that is not here": func(in *chat.Input) { in.Files = []string{"0b0c0c63-6a5b-4b5e-9a55-2f4f5d1f3a10"} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			d, asked := listening(t)
			said := d.input("Tell me all.")
			in(&said)
			if s, err := d.engine.Start(t.Context(), said); err == nil && !s.Replay {
				t.Errorf("the turn began: %+v", s)
			}
			if len(asked) > 0 {
				t.Errorf("the model was asked to read %q", <-asked)
			}
		})
	}
}
