package chat_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"quaestor/chat"
	"quaestor/internal/fault"
	"quaestor/internal/llm/llmtest"
	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
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

// road is how a turn that is worked ahead comes into the log: written at once, or
// begun while part of the model's work is still to come.
type road struct {
	name  string
	waits string // the statement that waits for the session
	holds string // what of the model's second turn waits until it may go on; empty for nothing
}

var roads = []road{
	{"at once", "TurnAtOnce", ""},
	{"begun before the reply", "TurnBegin", "answer"},
	{"begun after the reply", "TurnBegin", "read"},
}

// listener is a desk after its first turn, whose model tells of every call.
type listener struct {
	*desk
	road  road
	asked chan string
	goOn  func() // lets the model go on
}

// onRoads runs a test for each road.
func onRoads(t *testing.T, test func(t *testing.T, l *listener)) {
	t.Helper()
	for _, r := range roads {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()

			test(t, listening(t, "", r))
		})
	}
}

func listening(t *testing.T, objective string, r road) *listener {
	t.Helper()
	model := llmtest.New(t)
	let := make(chan struct{})
	l := &listener{road: r, asked: make(chan string, 10), goOn: sync.OnceFunc(func() { close(let) })}
	t.Cleanup(l.goOn)
	model.Handle(func(req llmtest.Request) llmtest.Reply {
		verb, reply := "answer", llmtest.Reply{Text: furtherQuestion}
		if req.Structured() {
			verb, reply = "read", llmtest.Reply{JSON: heard("answer")}
		}
		l.asked <- verb + " " + req.LastUser()
		if verb == r.holds && req.LastUser() == "And rolls." {
			<-let
		}
		return reply
	})
	c := conditions{model: model, calls: true, objective: objective, unhurried: true}
	if r.holds == "" {
		c.promptly = patience
	}
	if r.holds == "read" { // and the reply does not wait for it
		c.headStart = time.Millisecond
	}
	l.desk = seat(t, c)
	in := l.input("We sell bread.")
	in.ClientMessageID = "first"
	l.take(in)
	for range 2 {
		<-l.asked
	}
	return l
}

const furtherQuestion = "And what else do you sell?"

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

// blocked waits until a statement waits for a lock in the desk's database.
func (d *desk) blocked(statement string) {
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

// ahead starts a turn that waits until both calls of its model were made and its road
// is taken; release does change and lets it go on. The model goes on before that,
// unless the turn is begun after the reply.
func (l *listener) ahead() (release func(change string), began chan chat.Started, failed chan error) {
	l.t.Helper()
	release = l.hold()
	began, failed = l.begin(l.input("And rolls."))
	l.wantAsked("while the turn waited to begin")
	l.blocked(l.road.waits)
	if l.road.holds == "answer" {
		l.goOn()
	}
	return release, began, failed
}

// wantAsked waits until the model was asked for both halves of the second turn.
func (l *listener) wantAsked(when string) {
	l.t.Helper()
	var got []string
	for range 2 {
		select {
		case call := <-l.asked:
			got = append(got, call)
		case <-time.After(patience):
			l.t.Fatalf("the model was asked to %q and nothing else %s", got, when)
		}
	}
	slices.Sort(got)
	if diff := cmp.Diff([]string{"answer And rolls.", "read And rolls."}, got); diff != "" {
		l.t.Errorf("what the model was asked %s (-want +got):\n%s", when, diff)
	}
}

// hear reads a turn's events from a subscription until one fits.
func hear(t testing.TB, sub *sessions.Subscription, seen []sessions.Event, what string, fits func([]sessions.Event) bool) []sessions.Event {
	t.Helper()
	for !fits(seen) {
		events, err := sub.Next(t.Context(), patience)
		if err != nil || len(events) == 0 {
			t.Fatalf("%s never came (%v) after %v", what, err, seen)
		}
		seen = append(seen, events...)
	}
	return seen
}

// spoken puts the pieces among events together; each must go on where the one before
// ended.
func spoken(t testing.TB, events []sessions.Event) string {
	t.Helper()
	text := ""
	for _, e := range events {
		if e.Kind != sessions.KindDelta {
			continue
		}
		var d sessions.Delta
		if err := json.Unmarshal(e.Data, &d); err != nil {
			t.Fatal(err)
		}
		if d.Offset != len(text) {
			t.Errorf("the piece %q begins at %d after %q", d.Content, d.Offset, text)
		}
		text += d.Content
	}
	return text
}

func TestTurnIsWorkedAhead(t *testing.T) {
	t.Parallel()

	onRoads(t, func(t *testing.T, l *listener) {
		sub := l.hub.Subscribe(l.pool, l.scope, 0)
		defer sub.Close()
		before := hear(t, sub, nil, "the first turn", func(all []sessions.Event) bool { return len(all) > 0 && all[len(all)-1].Kind.Last() })
		release, began, _ := l.ahead()
		if all, _, err := sessions.After(t.Context(), l.pool, l.scope, 0); err != nil || len(all) != len(before) {
			t.Errorf("a turn that has not begun added to the log of %d events: %d (%v)", len(before), len(all), err)
		}
		release("")
		turn := (<-began).Turn
		var heard []sessions.Event
		if l.road.holds == "read" { // what was said before the beginning is seen before the end
			heard = hear(t, sub, nil, "the reply", func(all []sessions.Event) bool { return spoken(t, all) == furtherQuestion })
		}
		l.goOn()
		heard = hear(t, sub, heard, "the turn's end", func(all []sessions.Event) bool { return len(all) > 0 && all[len(all)-1].Kind.Last() })

		wantInOrder(t, turn.Number, heard)
		if m := payload[sessions.Reply](t, l.ended(turn), sessions.KindMessage); m.Degraded != "" || m.Content != furtherQuestion {
			t.Errorf("the turn answered %+v", m)
		}
		l.endCalls()
		if list := l.callsOf(turn.Number); len(list) != 2 || list[0].Purpose != "understand" || list[1].Purpose != "reply" {
			t.Errorf("%+v is kept of the turn's calls, want one of each", list)
		}
		if len(l.asked) > 0 {
			t.Errorf("the model was asked once more to %q", <-l.asked)
		}
	})
}

// wantInOrder checks that a turn was heard from its first event by its pieces and its
// message to its end, each once.
func wantInOrder(t testing.TB, turn int, heard []sessions.Event) {
	t.Helper()
	var kinds []sessions.Kind
	for i, e := range heard {
		if e.Turn != turn {
			t.Errorf("event %d is turn %d's, want %d's", i, e.Turn, turn)
		}
		if e.Kind != sessions.KindDelta || i == 0 || heard[i-1].Kind != sessions.KindDelta {
			kinds = append(kinds, e.Kind)
		}
	}
	first := []sessions.Kind{sessions.KindSession, sessions.KindDelta, sessions.KindMessage}
	if len(kinds) < 4 || !slices.Equal(kinds[:3], first) || slices.ContainsFunc(kinds[3:], func(k sessions.Kind) bool { return slices.Contains(first, k) }) ||
		slices.IndexFunc(kinds, sessions.Kind.Last) != len(kinds)-1 {
		t.Errorf("the turn was heard as %v, want session, delta, message … done", kinds)
	}
	if got := spoken(t, heard); got != furtherQuestion {
		t.Errorf("the pieces make %q, want %q", got, furtherQuestion)
	}
}

func TestWhatIsWorkedAheadOfARefusedTurnIsNotKept(t *testing.T) {
	t.Parallel()

	onRoads(t, func(t *testing.T, l *listener) {
		release, _, failed := l.ahead()
		release("status = 'completed', completed_at = now(), stop_reason = 'completed'")

		if err := <-failed; !fault.Is(err, fault.Conflict) {
			t.Errorf("a turn of a completed session: %v", err)
		}
		l.goOn()
		l.endCalls()
		if list := l.callsOf(2); len(list) > 0 || l.calls.Dropped() > 0 {
			t.Errorf("%+v is kept of a turn that did not begin, %d were tried", list, l.calls.Dropped())
		}
		if list := l.transcript(); len(list) != 2 {
			t.Errorf("the transcript is %+v, want the first turn's", list)
		}
		if report := <-l.reports; report.Status != "done" || len(l.reports) > 0 {
			t.Errorf("turns were reported that did not begin, after %+v", report)
		}
	})
}

func TestWhatIsWorkedAheadOfAChangeIsWorkedAgain(t *testing.T) {
	t.Parallel()

	onRoads(t, func(t *testing.T, l *listener) {
		release, began, _ := l.ahead()
		release(`version = version + 1, working_memory_snapshot = '{"recentTopics":["the rent"]}'`)
		turn := (<-began).Turn
		l.goOn()
		events := l.ended(turn)

		l.wantAsked("after the change")
		l.endCalls()
		list := l.callsOf(turn.Number)
		if len(list) != 2 || !strings.Contains(list[0].Prompt[0].Content, "the rent") || !strings.Contains(list[1].Prompt[0].Content, "the rent") {
			t.Errorf("the turn's calls %+v were not made in what the session is now", list)
		}
		if m := payload[sessions.Reply](t, events, sessions.KindMessage); m.Content != furtherQuestion {
			t.Errorf("the turn answered %+v", m)
		}
	})
}

// The database may refuse what is written at once though the session stands as it
// was left: then the turn is worked once more, and not left to nobody.
func TestTurnThatCannotBeWrittenAtOnceBegins(t *testing.T) {
	t.Parallel()

	l := listening(t, "", roads[0])
	_, err := postgrestest.Superuser(t, l.pool).Exec(t.Context(), `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''not now''; END';
		CREATE TRIGGER refuse BEFORE INSERT ON turns FOR EACH ROW WHEN (NEW.status = 'done') EXECUTE FUNCTION refuse()`)
	if err != nil {
		t.Fatal(err)
	}

	events := l.take(l.input("And rolls."))

	if m := payload[sessions.Reply](t, events, sessions.KindMessage); m.Degraded != "" || m.Content != furtherQuestion {
		t.Errorf("the turn answered %+v", m)
	}
	if list := l.transcript(); len(list) != 4 {
		t.Errorf("the transcript is %+v, want two turns", list)
	}
}

// A turn that is worked ahead knows what the session has used up.
func TestBudgetOfWhatIsWorkedAhead(t *testing.T) {
	t.Parallel()

	d := listening(t, strings.Replace(small, `"greeting"`, `"budget":{"minutes":30},"greeting"`, 1), roads[0])
	diff, kept, ahead, err := d.engine.CheckLeft(t.Context(), d.scope)
	if err != nil || diff != "" || !kept || !ahead {
		t.Errorf("the next turn would begin with what was kept: %v, and be worked ahead: %v (%v); (-stored +kept):\n%s", kept, ahead, err, diff)
	}
	d.take(d.input("And rolls."))
	if len(d.asked) != 2 {
		t.Errorf("the model was asked %d times", len(d.asked))
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

			d := listening(t, "", roads[0])
			said := d.input("Tell me all.")
			in(&said)
			if s, err := d.engine.Start(t.Context(), said); err == nil && !s.Replay {
				t.Errorf("the turn began: %+v", s)
			}
			if len(d.asked) > 0 {
				t.Errorf("the model was asked to %q", <-d.asked)
			}
		})
	}
}
