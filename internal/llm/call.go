package llm

import (
	"context"
	"math/rand/v2"
	"time"
)

// How long to rest before another attempt.
const (
	firstRest   = 200 * time.Millisecond // before the second attempt; doubles each time
	longestRest = 2 * time.Second        // also the longest Retry-After worth waiting for
)

// attempt is one try of a call, which sets what came of it. A Reply whose Text is
// not empty has text that was passed on, which rules out another try.
type attempt func(ctx context.Context, into *Reply) *Error

// call tries once and again as the failure's class allows, unless the breaker is
// open, within the time left in ctx. It sets what came of the last attempt.
//
// A stream waits below it for most of its life, and a stack is halved only while
// less than a quarter of it is in use: so what lies between a turn and its
// connection takes pointers and has small frames.
func (c *Client) call(ctx context.Context, into *Reply, try attempt) *Error {
	if !c.breaker.TryAcquirePermit() {
		return &Error{Class: Upstream, Reason: ReasonCircuit}
	}
	fail := c.persist(ctx, into, try)
	c.judge(fail)
	return fail
}

// persist is the loop of attempts.
func (c *Client) persist(ctx context.Context, into *Reply, try attempt) *Error {
	for n := 1; ; n++ {
		fail := try(ctx, into)
		for fail != nil && fail.lesson {
			fail = try(ctx, into) // each lesson is learnt once, so this ends; it costs no attempt
		}
		into.Attempts = n
		if fail == nil {
			return nil
		}
		if fail.Attempts = n; into.Text != "" {
			return fail
		}
		if last := c.again(ctx, fail); last != nil {
			return last
		}
	}
}

// again waits until the call may be tried once more after fail, or returns the
// failure that ends it.
func (c *Client) again(ctx context.Context, fail *Error) *Error {
	if fail.Attempts > fail.mayRetry(c.retries) {
		return fail
	}
	if pause(ctx, fail.rest(fail.Attempts)) {
		return nil
	}
	late := classify(ctx, ctx.Err())
	late.Attempts = fail.Attempts
	return late
}

// judge tells the breaker how a call went. Whoever answers, even with a refusal,
// is there; a caller that left proves nothing, but a trial must have a verdict.
func (c *Client) judge(fail *Error) {
	switch {
	case fail == nil:
		c.breaker.RecordSuccess()
	case fail.unproven():
		if c.breaker.IsHalfOpen() {
			c.breaker.RecordFailure()
		}
	case fail.Class == Limited, fail.Class == Refused, fail.Class == TooLarge, fail.Class == BadJSON:
		c.breaker.RecordSuccess()
	default:
		c.breaker.RecordFailure()
	}
}

// unproven reports whether the caller ended the call, not the server.
func (e *Error) unproven() bool {
	return e.Class == Canceled || e.Reason == ReasonDeadline
}

// mayRetry returns how many attempts beyond the first the failure deserves, at
// most limit.
func (e *Error) mayRetry(limit int) int {
	switch e.Class {
	case Limited, Upstream:
		if e.RetryAfter > longestRest {
			return 0
		}
		return limit
	case Broken, Truncated:
		return limit
	case NotJSON, Empty:
		return min(1, limit)
	case Timeout, Refused, TooLarge, BadJSON, Canceled:
		return 0
	}
	return 0
}

// rest returns how long to wait after attempt n: what the server asked for, else
// twice as long each time, spread by half so that clients do not return in step.
func (e *Error) rest(n int) time.Duration {
	if e.RetryAfter > 0 {
		return e.RetryAfter + rand.N(firstRest/4)
	}
	d := min(firstRest<<min(n-1, 8), longestRest)
	return d/2 + rand.N(d)
}

// pause lets d pass and reports false if ctx ended first.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// finish reports a call to the observer and returns its failure as callers see it.
func (c *Client) finish(purpose string, began time.Time, reply *Reply, fail *Error) error {
	reply.Total = time.Since(began)
	seen := Call{
		Purpose: purpose, Model: c.model, Usage: reply.Usage, Attempts: reply.Attempts,
		FirstToken: reply.FirstToken, Total: reply.Total,
	}
	if fail != nil {
		seen.Class, seen.Status = fail.Class, fail.Status
	}
	if c.observe != nil {
		c.observe(seen)
	}
	if fail != nil {
		return fail
	}
	return nil
}
