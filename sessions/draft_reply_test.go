package sessions_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/postgres/postgrestest"
	"quaestor/sessions"
)

// unseen begins a turn that nobody is told of yet.
func (j *journal) unseen() *sessions.Begun {
	j.t.Helper()
	begun, err := j.try(j.beginning())
	if err != nil || begun == nil {
		j.t.Fatalf("BeginTurn = %v, %v", begun, err)
	}
	return begun
}

// nothing checks that there is nothing to read now.
func (r *reader) nothing(when string) {
	r.t.Helper()
	if events, err := r.sub.Next(r.ctx, time.Millisecond); err != nil || len(events) > 0 {
		r.t.Errorf("%v was read %s (%v)", kinds(events), when, err)
	}
}

func TestDraftIsSeenOnceItIsOpened(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	r := j.read(0)
	r.nothing("of an empty log")
	draft := j.hub.Draft(sessions.Turn{Scope: j.scope, Number: 1, Attempt: 1})
	defer draft.Close()
	draft.Write("One ")
	draft.Write("moment, ")
	r.nothing("of a draft")
	begun := j.unseen()

	draft.Open(begun.Event)
	r.until("what was drafted", func(all []sessions.Event) bool { return spoken(t, all) == "One moment, " })
	draft.Write("please.")
	r.until("what came later", func(all []sessions.Event) bool { return spoken(t, all) == "One moment, please." })

	if diff := cmp.Diff([]sessions.Kind{sessions.KindSession, sessions.KindDelta, sessions.KindDelta}, kinds(r.events)); diff != "" {
		t.Errorf("the turn was read as (-want +got):\n%s", diff)
	}
}

// A draft that was begun again before anybody saw it is seen from its last beginning.
func TestDraftThatWasResetIsSeenAsItIs(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	r := j.read(0)
	draft := j.hub.Draft(sessions.Turn{Scope: j.scope, Number: 1, Attempt: 1})
	defer draft.Close()
	draft.Write("Half a thou")
	draft.Reset()
	draft.Write("A whole one.")
	draft.Open(j.unseen().Event)

	r.until("the reply", func(all []sessions.Event) bool { return spoken(t, all) == "A whole one." })
	if got := pieces(t, r.events); len(got) != 1 || got[0].Offset != 0 {
		t.Errorf("the pieces are %+v, want one", got)
	}
}

func TestDraftThatIsNotOpenedLeavesNothing(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	r := j.read(0)
	turn := sessions.Turn{Scope: j.scope, Number: 1, Attempt: 1}
	draft := j.hub.Draft(turn)
	draft.Write("Never mind.")
	if got := j.hub.Replying(); got != 1 {
		t.Errorf("Replying() = %d while a draft is made, want 1", got)
	}
	running := j.hub.Reply(turn) // the turn began in another way
	defer running.Close()
	if got := j.hub.Replying(); got != 2 {
		t.Errorf("Replying() = %d beside a draft, want 2", got)
	}
	running.Write("Mind.")
	for range 2 {
		draft.Close()
		if got := j.hub.Replying(); got != 1 {
			t.Errorf("Replying() = %d after the draft was dropped, want the other reply", got)
		}
	}

	r.until("the other reply", func(all []sessions.Event) bool { return spoken(t, all) == "Mind." })
	r.nothing("of a draft that was dropped")
}

// Who reads along while a turn that was drafted begins sees it in its order, each
// piece once.
func TestTurnThatWasDraftedIsReadInOrder(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	for range 100 {
		got := j.drafted("One ", "moment.")

		if text := spoken(t, got); text != "One moment." || got[0].Kind != sessions.KindSession || len(pieces(t, got)) > 2 {
			t.Fatalf("the turn was read as %v: %+v", kinds(got), pieces(t, got))
		}
	}
}

// drafted opens a turn's draft while somebody reads without a pause, and returns what
// they read. The turn is over then.
func (j *journal) drafted(before, after string) []sessions.Event {
	j.t.Helper()
	sub := j.hub.Subscribe(j.pool, j.scope, j.head())
	defer sub.Close()
	if events, err := sub.Next(j.t.Context(), time.Nanosecond); err != nil || len(events) > 0 {
		j.t.Fatalf("Next at the log's end = %v, %v", kinds(events), err)
	}
	begun := j.unseen()
	draft := j.hub.Draft(begun.Turn)
	draft.Write(before)
	reading, read := make(chan struct{}), make(chan []sessions.Event, 1)
	go func() {
		var all []sessions.Event
		close(reading)
		for end := time.Now().Add(patience); time.Now().Before(end) && !strings.HasSuffix(asShown(all), after); {
			events, err := sub.Next(j.t.Context(), time.Nanosecond)
			if err != nil {
				break
			}
			all = append(all, events...)
		}
		read <- all
	}()
	<-reading
	draft.Open(begun.Event)
	draft.Write(after)
	got := <-read
	draft.Close()
	if err := j.end(begun, nil); err != nil {
		j.t.Fatal(err)
	}
	if len(got) == 0 {
		j.t.Fatal("nothing of the turn was read")
	}
	return got
}

// asShown is all that the pieces among events say.
func asShown(events []sessions.Event) string {
	text := ""
	for _, e := range events {
		var d sessions.Delta
		if e.Kind == sessions.KindDelta && json.Unmarshal(e.Data, &d) == nil {
			text += d.Content
		}
	}
	return text
}

// Who took a turn that was written at once has all of it in hand: nothing is read,
// and no other instance is asked to write the reply down.
func TestFollowBringsAWholeTurnWithoutReadingOrAsking(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	w := j.whole(j.scope)
	if err := j.take(w); err != nil {
		t.Fatal(err)
	}
	sessions.Number(w.events, int64(len(w.events)))
	away := postgrestest.DB(t)
	away.Close()
	heard := j.listens()
	r := j.follow(j.hub.Follow(away, j.scope, w.events))
	r.until("the turn's end", func(all []sessions.Event) bool { return len(all) > 0 && all[len(all)-1].Kind.Last() })
	r.nothing("after the turn")

	if diff := cmp.Diff([]sessions.Kind{sessions.KindSession, sessions.KindDelta, sessions.KindMessage, sessions.KindDone}, kinds(r.events)); diff != "" {
		t.Errorf("kinds (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int64{1, 0, 2, 3}, numbers(r.events)); diff != "" {
		t.Errorf("numbers (-want +got):\n%s", diff)
	}
	if got := pieces(t, r.events); len(got) != 1 || got[0].Content != w.reply.Content || got[0].Offset != 0 {
		t.Errorf("the pieces are %+v, want all of the reply", got)
	}
	for n := range 2 { // what was asked before the first has arrived with it, in whatever order
		j.hub.Stop(j.scope.Session, n)
		for _, payload := range heard("x:" + j.scope.Session) {
			if strings.HasPrefix(payload, "w:") {
				t.Errorf("other instances were told %q", payload)
			}
		}
	}
}

// listens returns what reads the hub's notifications until one begins like that.
func (j *journal) listens() func(until string) []string {
	j.t.Helper()
	pooled, err := postgrestest.Superuser(j.t, j.pool).Acquire(j.t.Context())
	if err != nil {
		j.t.Fatal(err)
	}
	j.t.Cleanup(pooled.Release)
	conn := pooled.Conn()
	if _, err := conn.Exec(j.t.Context(), "LISTEN quaestor"); err != nil {
		j.t.Fatal(err)
	}
	return func(until string) (heard []string) {
		j.t.Helper()
		ctx, cancel := context.WithTimeout(j.t.Context(), patience)
		defer cancel()
		for len(heard) == 0 || !strings.HasPrefix(heard[len(heard)-1], until) {
			n, err := conn.WaitForNotification(ctx)
			if err != nil {
				j.t.Fatalf("%s never came (%v) after %q", until, err, heard)
			}
			heard = append(heard, n.Payload)
		}
		return heard
	}
}
