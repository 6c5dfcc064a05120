package reader

import (
	"io"
	"sync/atomic"
	"time"
)

// leastBytes is how many bytes of a body must arrive in each interval.
const leastBytes = 1024

// watchedBody is a body that counts the bytes that arrive.
type watchedBody struct {
	from    io.Reader
	arrived atomic.Int64 // bytes in this interval
}

// Read reads from the body.
func (d *watchedBody) Read(p []byte) (int, error) {
	n, err := d.from.Read(p)
	d.arrived.Add(int64(n))
	return n, err
}

// watch calls slow, once, when fewer than leastBytes arrived in an interval. The
// function it returns stops watching.
func (d *watchedBody) watch(interval time.Duration, slow func()) (stop func()) {
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
				if d.arrived.Swap(0) < leastBytes {
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
