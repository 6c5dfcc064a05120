package sessions_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/sync/errgroup"

	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/sessions"
)

// put appends payloads in a batch of their own and returns them numbered.
func (j *journal) put(turn int, payloads ...sessions.Payload) ([]sessions.Event, error) {
	events := sessions.Events(turn, payloads)
	b := postgres.NewBatch(j.scope.Tenant)
	sessions.Append(b, j.scope, events)
	err := b.Send(j.t.Context(), j.pool)
	return events, err
}

// reply is a payload that names the writer and its piece of work.
func reply(writer, n int) sessions.Payload {
	return sessions.MessageEvent{Turn: 1, MessageID: fmt.Sprintf("%d/%d", writer, n), Content: "Which cheese?"}
}

func TestAppendNumbersEventsInOrder(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	first, err := j.put(1, reply(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	more, err := j.put(2, reply(0, 1), sessions.DoneEvent{Turn: 2, Reason: "answered"}, reply(0, 2))
	if err != nil {
		t.Fatal(err)
	}
	if none, err := j.put(3); len(none) != 0 || err != nil {
		t.Errorf("no events = %v, %v", none, err)
	}

	got, _, err := sessions.After(t.Context(), j.pool, j.scope, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := append(first, more...)
	for i := range got {
		if got[i].At.IsZero() {
			t.Errorf("event %d has no time", got[i].Seq)
		}
		got[i].At = want[i].At
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the log (-want +got):\n%s", diff)
	}
	if head, err := sessions.Head(t.Context(), j.pool, j.scope); head != 4 || err != nil {
		t.Errorf("Head = %d, %v, want 4", head, err)
	}
}

// Appenders race and half of them give up; a reader that asks for what comes
// after its last event sees every event that was kept, once and in order.
func TestReaderMissesNothingOfRacingAppenders(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	const writers, each = 8, 40
	var work errgroup.Group
	for w := range writers {
		work.Go(func() error {
			for n := range each {
				if err := j.appendOrGiveUp(w, n); err != nil {
					return err
				}
			}
			return nil
		})
	}
	written := make(chan error, 1)
	go func() { written <- work.Wait() }()

	var got []sessions.Event
	for over := false; ; {
		after := int64(0)
		if len(got) > 0 {
			after = got[len(got)-1].Seq
		}
		list, _, err := sessions.After(t.Context(), j.pool, j.scope, after)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, list...)
		if over && len(list) == 0 {
			break
		}
		select {
		case err := <-written:
			if err != nil {
				t.Fatal(err)
			}
			over = true // one more read sees the last of them
		default:
		}
	}

	wantEachOnce(t, got, writers, each)
}

// appendOrGiveUp appends two events; every other time in a transaction that is
// undone, which must leave no gap a reader could fall into.
func (j *journal) appendOrGiveUp(w, n int) error {
	if n%2 == 0 {
		_, err := j.put(1, reply(w, n), reply(w, n+1))
		return err
	}
	tx, err := j.pool.Begin(j.t.Context())
	if err != nil {
		return err
	}
	b := postgres.NewBatch(j.scope.Tenant)
	sessions.Append(b, j.scope, sessions.Events(1, []sessions.Payload{reply(w, n)}))
	if err := b.Send(j.t.Context(), tx); err != nil {
		return err
	}
	return tx.Rollback(j.t.Context())
}

func wantEachOnce(t *testing.T, got []sessions.Event, writers, each int) {
	t.Helper()
	if diff := cmp.Diff(sequence(1, int64(writers*each)), numbers(got)); diff != "" {
		t.Errorf("numbers (-want +got):\n%s", diff)
	}
	next := map[int]int{}
	for _, e := range got {
		var said struct{ MessageID string }
		var w, n int
		if err := json.Unmarshal(e.Data, &said); err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Sscanf(said.MessageID, "%d/%d", &w, &n); err != nil {
			t.Fatal(err)
		}
		if n != next[w] {
			t.Errorf("event %d of writer %d is its number %d, want %d", e.Seq, w, n, next[w])
		}
		next[w] = n + 1
	}
}

func TestLogOfAnotherTenantIsEmpty(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	if _, err := j.put(1, reply(0, 0)); err != nil {
		t.Fatal(err)
	}
	stranger := *j
	stranger.scope.Tenant = postgrestest.Tenant(t, j.pool)

	if list, _, err := sessions.After(t.Context(), j.pool, stranger.scope, 0); len(list) > 0 || err != nil {
		t.Errorf("After for another tenant = %v, %v, want nothing", list, err)
	}
	if _, err := stranger.put(1, reply(0, 1)); err != nil {
		t.Errorf("Append for another tenant = %v", err)
	}
	if head, err := sessions.Head(t.Context(), j.pool, j.scope); head != 1 || err != nil {
		t.Errorf("Head = %d, %v, want 1", head, err)
	}
}

func TestTrimTakesThePiecesOfItsTurnOnly(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	if _, err := j.put(7, sessions.DeltaEvent{Turn: 7, Content: "Ear"}); err != nil { // 1
		t.Fatal(err)
	}
	if _, err := j.put(7, reply(0, 0)); err != nil { // 2
		t.Fatal(err)
	}
	begun, err := j.try(j.beginning()) // 3
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []sessions.Payload{sessions.DeltaEvent{Turn: 1, Content: "Whi"}, sessions.QuestionEvent{Turn: 1}, sessions.DeltaEvent{Turn: 1, Offset: 3, Content: "ch?"}} { // 4, 5, 6
		if _, err := j.put(1, p); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := j.put(8, sessions.DeltaEvent{Turn: 8, Content: "Lat"}); err != nil { // 7
		t.Fatal(err)
	}

	if err := j.end(begun, func(o *sessions.Outcome) { o.Trim = true }); err != nil { // 8
		t.Fatal(err)
	}

	log, _, err := sessions.After(t.Context(), j.pool, j.scope, 0)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int64{1, 2, 3, 5, 7, 8}, numbers(log)); diff != "" {
		t.Errorf("what is left (-want +got):\n%s", diff)
	}
	if head, err := sessions.Head(t.Context(), j.pool, j.scope); head != 8 || err != nil {
		t.Errorf("Head = %d, %v, want 8", head, err)
	}
}

// A row of the log holds what was written together; whoever asks for what comes
// after an event in the middle gets the rest of it.
func TestAfterStartsInTheMiddleOfAWrite(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	if _, err := j.put(1, reply(0, 0), reply(0, 1), reply(0, 2)); err != nil {
		t.Fatal(err)
	}
	if _, err := j.put(2, reply(0, 3)); err != nil {
		t.Fatal(err)
	}

	for after, want := range [][]int64{{1, 2, 3, 4}, {2, 3, 4}, {3, 4}, {4}, {}} {
		got, more, err := sessions.After(t.Context(), j.pool, j.scope, int64(after))
		if err != nil || more {
			t.Fatalf("After(%d): more %v, %v", after, more, err)
		}
		if diff := cmp.Diff(want, numbers(got), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("After(%d) (-want +got):\n%s", after, diff)
		}
	}
}
