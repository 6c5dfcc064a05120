package chat

import (
	"testing"
	"time"
)

func TestPatience(t *testing.T) {
	t.Parallel()

	const ms = time.Millisecond
	for _, tt := range []struct {
		name         string
		ahead, procs int
		want         time.Duration
	}{
		{"nobody", 0, 2, 25 * ms},
		{"one", 1, 1, 25 * ms},
		{"as many as share the processors well", 8, 2, 25 * ms},
		{"not yet twice as many", 15, 2, 25 * ms},
		{"twice as many", 16, 2, 50 * ms},
		{"the most", 80, 2, 250 * ms},
		{"a crowd beyond that", 100_000, 2, 250 * ms},
		{"the same crowd on many processors", 80, 64, 25 * ms},
	} {
		if got := patience(tt.ahead, tt.procs); got != tt.want {
			t.Errorf("%s: patience(%d, %d) = %s, want %s", tt.name, tt.ahead, tt.procs, got, tt.want)
		}
	}
}
