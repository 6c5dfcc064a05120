package chat_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
)

// A turn gets its place between edits, however quickly they come, and nobody
// waits for the other in a circle.
func TestTurnsAreRecordedAmongEndlessEdits(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	d.take(d.input(""))
	ctx, stop := context.WithCancel(t.Context())
	var editors errgroup.Group
	for range 3 {
		editors.Go(func() error {
			for n := 1; ctx.Err() == nil; n++ {
				_, err := d.engine.SetValue(ctx, d.scope, rae, "team_size", json.RawMessage(fmt.Sprint(n%50+1)), "")
				if err != nil && ctx.Err() == nil {
					return err
				}
			}
			return nil
		})
	}

	for i := range 8 {
		done := payload[sessions.DoneEvent](t, d.take(d.input(fmt.Sprintf("We sell bread number %d", i))), sessions.KindDone)
		if done.Reason != "answered" {
			t.Errorf("turn %d ended with %q, want answered", i, done.Reason)
		}
	}

	stop()
	if err := editors.Wait(); err != nil {
		t.Error(err)
	}
}

// What contradicts itself is put to the person before the end, and keeps a
// reviewer from ending it.
func TestOpenContradictionsComeBeforeTheEnd(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{objective: dated})
	d.take(d.input(""))
	d.fill(map[string]string{"start": `"2026-09-01"`, "launch": `"2026-03-01"`, "team": `3`})

	_, err := d.engine.Complete(t.Context(), d.scope)
	if !fault.Is(err, fault.Conflict) {
		t.Errorf("Complete = %v, want a Conflict that names the contradiction", err)
	}

	events := d.take(d.input("yes"))
	asked := payload[sessions.QuestionEvent](t, events, sessions.KindQuestion)
	if done := payload[sessions.DoneEvent](t, events, sessions.KindDone); done.Reason != "answered" || asked.Purpose != sessions.ToResolve {
		t.Errorf("the turn ended with %q and asks for %q, want the contradiction put to the person", done.Reason, asked.Purpose)
	}

	d.take(d.input(map[string]string{"start": "1 January 2026", "launch": "1 October 2026"}[asked.Key]))
	if open := d.conflicts(obligations.OpenConflicts); len(open) > 0 {
		t.Errorf("%d contradictions are open after the person corrected it", len(open))
	}
	if _, err := d.engine.Complete(t.Context(), d.scope); err != nil {
		t.Errorf("Complete = %v, want it done", err)
	}
}

// Saying nothing in the middle of a conversation does not begin it anew.
func TestSilenceAsksAgain(t *testing.T) {
	t.Parallel()

	d := newHarness(t, setup{})
	opening := payload[sessions.MessageEvent](t, d.take(d.input("")), sessions.KindMessage)
	d.take(d.input("We sell bread"))

	events := d.take(d.input("  "))

	again := payload[sessions.MessageEvent](t, events, sessions.KindMessage)
	if strings.Contains(again.Content, "Hello") || !strings.Contains(opening.Content, "Hello") {
		t.Errorf("the reply is %q, want the question once more and no greeting", again.Content)
	}
	if asked := payload[sessions.QuestionEvent](t, events, sessions.KindQuestion); asked.Key == "business" {
		t.Error("what was answered is asked again")
	}
}
