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
		{"two wait", 2, 2 * restEach},
		{"more wait than it heeds", 500, mostRest},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			const worked = time.Millisecond
			began := time.Now()
			w := &throttle{waiting: func() int { return tt.waiting }, began: began.Add(-worked)}

			if !w.rest(t.Context()) {
				t.Error("rest = false though nothing ended")
			}
			if rested := w.began.Sub(began); rested < time.Duration(tt.want)*worked || rested > 5*time.Second {
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
	w := &throttle{waiting: func() int { return mostRest }, began: began.Add(-time.Hour)}

	if w.rest(ctx) || time.Since(began) > 5*time.Second {
		t.Errorf("rest went on for %v after the end", time.Since(began))
	}
}
