package reader

import (
	"io"
	"sync/atomic"
	"time"
)

// leastBytes must come in each interval of a body.
const leastBytes = 1024

// drip counts what comes.
type drip struct {
	from io.Reader
	came atomic.Int64 // since the last look
}

// Read reads on.
func (d *drip) Read(p []byte) (int, error) {
	n, err := d.from.Read(p)
	d.came.Add(int64(n))
	return n, err
}

// watch calls slow, once, when less than leastBytes came in an interval. The
// function it returns ends the watch.
func (d *drip) watch(interval time.Duration, slow func()) (stop func()) {
	done := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		t := time.NewTicker(interval)
		defer t.Stop()
		for {
			select {
			case <-done:
				return
			case <-t.C:
				if d.came.Swap(0) < leastBytes {
					slow()
					return
				}
			}
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}
