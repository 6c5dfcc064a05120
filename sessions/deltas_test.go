package sessions_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"quaestor/internal/postgres"
	"quaestor/sessions"
)

// pieces are the deltas among events.
func pieces(t rapid.TB, events []sessions.Event) []sessions.DeltaEvent {
	var out []sessions.DeltaEvent
	for _, e := range events {
		if e.Kind != sessions.KindDelta {
			continue
		}
		var d sessions.DeltaEvent
		if err := json.Unmarshal(e.Data, &d); err != nil {
			t.Fatalf("delta %s: %v", e.Data, err)
		}
		out = append(out, d)
	}
	return out
}

// assemble writes pieces at their UTF-16 offsets, as a page does.
func assemble(t rapid.TB, list []sessions.DeltaEvent) string {
	var text []uint16
	attempt := 0
	for _, d := range list {
		if d.Attempt > attempt {
			attempt, text = d.Attempt, nil
		}
		if d.Offset > len(text) {
			t.Fatalf("a piece begins at %d, the text has %d units", d.Offset, len(text))
		}
		text = append(text[:d.Offset], utf16.Encode([]rune(d.Content))...)
	}
	return string(utf16.Decode(text))
}

func TestPiecesMakeTheReplyWhateverItIsMadeOf(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	turn := j.begin()
	rapid.Check(t, func(r *rapid.T) {
		said := rapid.SliceOfN(rapid.StringMatching(`[a-zé漢😀👩‍👧 ]{0,6}`), 1, 12).Draw(r, "said")
		reply := j.hub.Reply(turn)
		defer reply.Close()
		sub := j.hub.Subscribe(j.pool, j.scope, turn.FirstSeq)
		defer sub.Close()
		var got []sessions.Event
		want := ""
		for _, piece := range said {
			reply.Write(piece)
			want += piece
			if rapid.Bool().Draw(r, "reads") {
				got = append(got, drain(t, r, sub, want, got)...)
			}
		}
		got = append(got, drain(t, r, sub, want, got)...)

		if text := assemble(r, pieces(r, got)); text != want || reply.Text() != want {
			r.Fatalf("pieces make %q, Text %q, want %q", text, reply.Text(), want)
		}
	})
}

// drain reads until the pieces make want.
func drain(t *testing.T, r *rapid.T, sub *sessions.Subscription, want string, before []sessions.Event) []sessions.Event {
	var got []sessions.Event
	for assemble(r, pieces(r, append(before[:len(before):len(before)], got...))) != want {
		events, err := sub.Next(t.Context(), patience)
		if err != nil || len(events) == 0 {
			r.Fatalf("the rest of %q never came: %v", want, err)
		}
		got = append(got, events...)
	}
	return got
}

func TestResetBeginsTheReplyAgain(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	turn := j.begin()
	reply := j.hub.Reply(turn)
	defer reply.Close()
	r := j.read(0)
	reply.Write("Half a thou")
	r.until("the first try", func(all []sessions.Event) bool { return assemble(t, pieces(t, all)) == "Half a thou" })

	reply.Reset()
	reply.Write("A whole one.")

	r.until("the second try", func(all []sessions.Event) bool { return assemble(t, pieces(t, all)) == "A whole one." })
}

// Pieces become rows only while somebody reads along elsewhere, and go with the
// end of the turn.
func TestPiecesAreLoggedForReadersElsewhereOnly(t *testing.T) {
	t.Parallel()

	alone := newJournal(t)
	quiet := alone.hub.Reply(alone.begin())
	quiet.Write("Nobody ")
	quiet.Write("else.")
	if quiet.Close() {
		t.Error("pieces were logged though nobody reads elsewhere")
	}

	here := newJournal(t)
	reply := here.hub.Reply(here.begin())
	r := here.elsewhere().read(0)
	r.count(1)
	reply.Write("Somebody else.")
	r.until("the reply", func(all []sessions.Event) bool { return assemble(t, pieces(t, all)) == "Somebody else." })
	if !reply.Close() {
		t.Error("no pieces were logged though somebody reads elsewhere")
	}
}

// An instance that was taken for dead and lives goes on talking for a while: what
// it says is another attempt's turn by then and must not reach the log.
func TestAttemptThatLostItsTurnLogsNothing(t *testing.T) {
	t.Parallel()

	here := newJournal(t)
	there := here.elsewhere()
	turn := here.begin()
	reply := here.hub.Reply(turn)
	r := there.read(0)
	r.count(1)
	reply.Write("Before. ")
	r.until("the first piece", func(all []sessions.Event) bool { return len(pieces(t, all)) > 0 })
	taken, err := sessions.TakeOver(t.Context(), here.pool, here.scope.Tenant, uuid.NewString(), nil)
	if err != nil || len(taken) != 1 || taken[0].Attempt != 2 {
		t.Fatalf("TakeOver = %v, %v, want the turn's second attempt", taken, err)
	}
	head := here.head()

	reply.Write(strings.Repeat("After. ", 100))
	r.silent()
	reply.Close()

	if got := here.head(); got != head {
		t.Errorf("the log grew from %d to %d by an attempt that lost its turn", head, got)
	}
}

// silent reads until nothing has come for a while: long enough for a piece to be
// gathered, written and read.
func (r *reader) silent() {
	r.t.Helper()
	for {
		events, err := r.sub.Next(r.ctx, 400*time.Millisecond)
		if err != nil {
			r.t.Fatal(err)
		}
		if len(events) == 0 {
			return
		}
		r.events = append(r.events, events...)
	}
}

func (j *journal) head() int64 {
	j.t.Helper()
	head, err := sessions.Head(j.t.Context(), j.pool, j.scope)
	if err != nil {
		j.t.Fatal(err)
	}
	return head
}

// finish ends a turn the way the engine does.
func (j *journal) finish(turn sessions.Turn, logged bool) error {
	j.t.Helper()
	session, err := sessions.Find(j.t.Context(), j.pool, j.scope)
	if err != nil {
		j.t.Fatal(err)
	}
	b := postgres.NewBatch(j.scope.Tenant)
	err = sessions.FinishTurn(b, sessions.Outcome{Turn: turn, Version: session.Version, Status: sessions.TurnDone, Session: session, Trim: logged})
	if err != nil {
		j.t.Fatal(err)
	}
	return b.Send(j.t.Context(), j.pool)
}

func TestPiecesGoWhenTheTurnEnds(t *testing.T) {
	t.Parallel()

	here := newJournal(t)
	turn := here.begin()
	reply := here.hub.Reply(turn)
	there := here.elsewhere()
	r := there.read(0)
	r.count(1)
	reply.Write("Soon whole.")
	r.until("the piece", func(all []sessions.Event) bool { return len(pieces(t, all)) > 0 })

	if err := here.finish(turn, reply.Close()); err != nil {
		t.Fatal(err)
	}
	here.append(turn.Number, sessions.MessageEvent{Turn: turn.Number, Content: "Soon whole.", Complete: true}, sessions.DoneEvent{Turn: turn.Number, Reason: "answered"})

	events, _, err := sessions.After(t.Context(), here.pool, here.scope, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := pieces(t, events); len(got) != 0 {
		t.Errorf("the log keeps %d pieces of a reply that is whole", len(got))
	}
}

func TestFinishIsFencedByAttempt(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	turn := j.begin()
	taken, err := sessions.TakeOver(t.Context(), j.pool, j.scope.Tenant, uuid.NewString(), nil)
	if err != nil || len(taken) != 1 {
		t.Fatalf("TakeOver = %v, %v", taken, err)
	}

	if err := j.finish(turn, false); !sessions.IsFenced(err) {
		t.Errorf("the lost attempt finished the turn: %v", err)
	}
	if err := j.finish(taken[0], false); err != nil {
		t.Errorf("the attempt that has the turn could not finish it: %v", err)
	}
	if err := j.finish(taken[0], false); !sessions.IsFenced(err) {
		t.Errorf("a turn ended twice: %v", err)
	}
}
