package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"
)

// clock gives instants as the time since the run began.
type clock struct{ began time.Time }

func newClock() clock { return clock{time.Now()} }

func (c clock) now() time.Duration { return time.Since(c.began) }

// waitUntil waits for an instant and reports whether it came before ctx ended.
func (c clock) waitUntil(ctx context.Context, at time.Duration) bool {
	wait := at - c.now()
	if wait <= 0 {
		return ctx.Err() == nil
	}
	select {
	case <-time.After(wait):
		return true
	case <-ctx.Done():
		return false
	}
}

// sample is a set of durations. The zero value is empty and usable.
type sample struct{ all []time.Duration }

func (s *sample) add(d ...time.Duration) { s.all = append(s.all, d...) }

func (s *sample) len() int { return len(s.all) }

// quantile returns the smallest value that at least the share q of the sample
// does not exceed (nearest rank); 0 for an empty sample.
func (s *sample) quantile(q float64) time.Duration {
	if len(s.all) == 0 {
		return 0
	}
	slices.Sort(s.all)
	rank := int(math.Ceil(q * float64(len(s.all))))
	return s.all[min(max(rank, 1), len(s.all))-1]
}

func (s *sample) p50() time.Duration { return s.quantile(0.50) }
func (s *sample) p99() time.Duration { return s.quantile(0.99) }

// String returns "p50 / p99" in milliseconds, "–" for an empty sample.
func (s *sample) String() string {
	if len(s.all) == 0 {
		return "–"
	}
	return millis(s.p50()) + " / " + millis(s.p99())
}

// millis writes d in milliseconds with three figures that mean something.
func millis(d time.Duration) string { return figure(float64(d) / float64(time.Millisecond)) }

// figure writes x with about three significant figures and no exponent.
func figure(x float64) string {
	switch a := math.Abs(x); {
	case a >= 100:
		return fmt.Sprintf("%.0f", x)
	case a >= 10:
		return fmt.Sprintf("%.1f", x)
	default:
		return fmt.Sprintf("%.2f", x)
	}
}
