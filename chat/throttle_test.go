package chat

import (
	"context"
	"testing"
	"time"
)

func TestIndexingRestsWhilePeopleWait(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name    string
		waiting int
		want    int // times as long as it worked, at least
	}{
		{"nobody waits", 0, 1},
		{"two wait", 2, 2 * restPerReply},
		{"more wait than it heeds", 500, maxRest},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			const worked = time.Millisecond
			began := time.Now()
			w := &throttle{replying: func() int { return tt.waiting }, start: began.Add(-worked)}

			if !w.rest(t.Context()) {
				t.Error("rest = false though nothing ended")
			}
			if rested := w.start.Sub(began); rested < time.Duration(tt.want)*worked || rested > 5*time.Second {
				t.Errorf("rested %v after %v of work, want %d times as long", rested, worked, tt.want)
			}
		})
	}
}

func TestIndexingDoesNotRestPastItsEnd(t *testing.T) {
	t.Parallel()

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	began := time.Now()
	w := &throttle{replying: func() int { return maxRest }, start: began.Add(-time.Hour)}

	if w.rest(ctx) || time.Since(began) > 5*time.Second {
		t.Errorf("rest went on for %v after the end", time.Since(began))
	}
}
