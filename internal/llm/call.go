package llm

import (
	"context"
	"math/rand/v2"
	"time"
)

// firstPause is how long to wait before an unusable answer is asked for again; it
// doubles each time.
const firstPause = 200 * time.Millisecond

// attempt asks once and sets what came of it. A Reply whose Text is not empty has text
// that was passed on, which rules out another try.
type attempt func(x *exchange, into *Reply) *Error

// call asks, and asks again as the failure's class allows, unless the breaker is
// open, within the time left in ctx. It sets what came of the last attempt.
func (c *Client) call(ctx context.Context, into *Reply, ask attempt) *Error {
	if !c.breaker.TryAcquirePermit() {
		return &Error{Class: Upstream, Reason: ReasonCircuit}
	}
	fail := c.persist(ctx, into, ask)
	c.judge(fail)
	return fail
}

// persist is the loop of attempts. Connections that fail and statuses that may pass
// are retried by openai-go; what only the reader of an answer can tell, such as a
// stream that breaks off before its first words, is retried here. Both spend the same
// attempts.
func (c *Client) persist(ctx context.Context, into *Reply, ask attempt) *Error {
	x := &exchange{client: c}
	for {
		fail := x.once(ctx, into, ask)
		into.Attempts = x.attempts
		if fail == nil {
			return nil
		}
		if fail.Attempts = x.attempts; fail.lesson {
			continue
		}
		if into.Text != "" || x.attempts > fail.mayRetry(c.retries) {
			return fail
		}
		if !pause(ctx, x.attempts) {
			fail = classify(ctx, ctx.Err())
			fail.Attempts = x.attempts
			return fail
		}
	}
}

// once asks under a clock of its own.
func (x *exchange) once(ctx context.Context, into *Reply, ask attempt) *Error {
	x.watch = newWatch(ctx, x.client.first, x.client.idle)
	defer x.watch.stop()
	return ask(x, into)
}

// judge reports to the breaker how a call went. A server that answers, even with a refusal,
// is there; a call that its caller ended proves nothing, but a trial must have a verdict.
func (c *Client) judge(fail *Error) {
	switch {
	case fail == nil:
		c.breaker.RecordSuccess()
	case fail.Class == Canceled, fail.Reason == ReasonDeadline: // the caller ended the call, not the server
		if c.breaker.IsHalfOpen() {
			c.breaker.RecordFailure()
		}
	case fail.Class == Limited, fail.Class == Refused, fail.Class == TooLarge, fail.Class == BadJSON:
		c.breaker.RecordSuccess()
	default:
		c.breaker.RecordFailure()
	}
}

// mayRetry returns how many attempts beyond the first the failure deserves once
// openai-go has given up, at most limit.
func (e *Error) mayRetry(limit int) int {
	switch e.Class {
	case Broken, Truncated:
		return limit
	case NotJSON, Empty:
		return min(1, limit)
	case Limited, Upstream, Timeout, Refused, TooLarge, BadJSON, Canceled:
		return 0
	}
	return 0
}

// pause waits after attempt n, twice as long each time and spread by half so that
// clients do not return in step. It reports false if ctx ended first.
func pause(ctx context.Context, n int) bool {
	d := min(firstPause<<min(n-1, 8), longestRetryDelay)
	timer := time.NewTimer(d/2 + rand.N(d))
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
	reply.Total, reply.Model = time.Since(began), c.model
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
