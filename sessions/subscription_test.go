package sessions_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quaestor/sessions"
)

func TestSlowReaderLosesNothing(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	r := j.read(0)
	for i := range 300 { // more than a subscription keeps in memory
		j.write(fmt.Sprint(i))
	}

	if diff := cmp.Diff(sequence(1, 300), numbers(r.count(300))); diff != "" {
		t.Errorf("numbers (-want +got):\n%s", diff)
	}
}

func TestNextIsEmptyWhenNothingHappens(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	sub := j.hub.Subscribe(j.pool, j.scope, 0)
	defer sub.Close()

	events, err := sub.Next(t.Context(), time.Millisecond)

	if err != nil || len(events) != 0 {
		t.Errorf("Next = %v, %v, want nothing", kinds(events), err)
	}
}

func TestNextEndsWithItsContext(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	sub := j.hub.Subscribe(j.pool, j.scope, 0)
	defer sub.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()

	_, err := sub.Next(ctx, patience)

	if !errors.Is(err, context.Canceled) {
		t.Errorf("Next = %v, want context.Canceled", err)
	}
}

func TestFollowBringsTheFirstEventWithoutReading(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	first := j.write("first")[0]
	r := j.follow(j.hub.Follow(j.pool, j.scope, []sessions.Event{first}))
	j.write("second")

	if diff := cmp.Diff([]int64{1, 2}, numbers(r.count(2))); diff != "" {
		t.Errorf("numbers (-want +got):\n%s", diff)
	}
}

// A person reloads in the middle of a sentence and lands on another instance:
// the turn's first event is behind them, the reply is not.
func TestReaderWhoComesBackMidSentenceElsewhereSeesTheReplyGrow(t *testing.T) {
	t.Parallel()

	here := newJournal(t)
	turn := here.begin()
	reply := here.hub.Reply(turn)
	defer reply.Close()
	reply.Write("One moment, ")

	there := here.elsewhere()
	r := there.read(turn.FirstSeq)
	r.until("the first half", func(all []sessions.Event) bool { return spoken(t, all) == "One moment, " })
	reply.Write("please.")
	r.until("the second half", func(all []sessions.Event) bool { return spoken(t, all) == "One moment, please." })
}

// The same, for one who comes back to the instance that works the turn.
func TestReaderWhoComesBackMidSentenceHereSeesTheReplyGrow(t *testing.T) {
	t.Parallel()

	j := newJournal(t)
	turn := j.begin()
	reply := j.hub.Reply(turn)
	defer reply.Close()
	reply.Write("One moment, ")

	r := j.read(turn.FirstSeq)
	r.until("the first half", func(all []sessions.Event) bool { return spoken(t, all) == "One moment, " })
	reply.Write("please.")
	r.until("the second half", func(all []sessions.Event) bool { return spoken(t, all) == "One moment, please." })
}

// spoken puts the pieces of a reply where they belong, as a client does, and
// fails when one contradicts what is there.
func spoken(t testing.TB, events []sessions.Event) string {
	t.Helper()
	var text string
	attempt := 0
	for _, e := range events {
		if e.Kind != sessions.KindDelta {
			continue
		}
		if e.Seq != 0 {
			t.Errorf("a piece carries the number %d", e.Seq)
		}
		var d sessions.DeltaEvent
		if err := json.Unmarshal(e.Data, &d); err != nil {
			t.Fatal(err)
		}
		if d.Attempt > attempt {
			attempt, text = d.Attempt, ""
		}
		if d.Offset > len(text) || !strings.HasPrefix(d.Content, text[d.Offset:min(len(text), d.Offset+len(d.Content))]) {
			t.Fatalf("the piece %q at %d does not go with %q", d.Content, d.Offset, text)
		}
		if end := d.Offset + len(d.Content); end > len(text) {
			text = text[:d.Offset] + d.Content
		}
	}
	return text
}

// People lose their connection again and again while a session goes on: whatever
// they were shown, they see every event once, in order.
func TestThousandDisconnectsLoseAndRepeatNothing(t *testing.T) {
	t.Parallel()

	here := newJournal(t)
	there := here.elsewhere()
	const events, disconnects = 600, 1000
	written := make(chan struct{})
	go func() {
		defer close(written)
		for i := range events / 2 {
			from := []*journal{here, there}[i%2]
			from.write("a", "b")
		}
	}()
	defer func() { <-written }()

	var got []int64
	for cut := 0; len(got) < events || cut < disconnects; cut++ {
		got = append(got, stay(t, []*journal{here, there}[rand.IntN(2)], got, rand.IntN(4))...)
		if cut > 50*disconnects {
			t.Fatalf("only %d of %d events after %d disconnects", len(got), events, cut)
		}
	}

	if diff := cmp.Diff(sequence(1, events), got); diff != "" {
		t.Errorf("numbers (-want +got):\n%s", diff)
	}
}

// stay reads at most a few events from where the reader was and leaves.
func stay(t *testing.T, j *journal, got []int64, patience int) []int64 {
	t.Helper()
	after := int64(0)
	if len(got) > 0 {
		after = got[len(got)-1]
	}
	sub := j.hub.Subscribe(j.pool, j.scope, after)
	defer sub.Close()
	var seen []int64
	for range patience {
		events, err := sub.Next(t.Context(), time.Millisecond)
		if err != nil {
			t.Fatal(err)
		}
		all := numbers(events)
		keep := rand.IntN(len(all) + 1) // the connection broke in the middle of a batch
		seen = append(seen, all[:keep]...)
		if keep < len(all) {
			break
		}
	}
	return seen
}
