package llm

import (
	"context"
	"errors"
	"time"
)

// Chain returns a client that asks first, and those of rest in their order when the one
// before fails: unreachable, refused, limited, too slow, or with an answer that is none. What
// each of them learns, and its breaker, stay its own, so that a model that is down costs later
// calls no wait. A call that its caller ends, or whose words were passed on already, is not
// handed on. Chains in rest count with their first model.
//
// Reply.Usage and Reply.Attempts count all models that were asked; Reply.Model names the
// last.
func Chain(first *Client, rest ...*Client) *Client {
	return &Client{endpoint: first.endpoint, next: rest}
}

// Context returns how many tokens, of a prompt and its answer together, every model of the
// chain is known to take; 0 when that is known of none.
func (c *Client) Context() int {
	least := c.context
	for _, next := range c.next {
		if n := next.context; n > 0 && (least == 0 || n < least) {
			least = n
		}
	}
	return least
}

// ask has the models of a chain answer in turn until one does. again reports whether a failed
// answer may be given by another model.
func (c *Client) ask(ctx context.Context, purpose string, one func(*Client) (Reply, error), again func(failed Reply) bool) (Reply, error) {
	reply, err := c.admitted(ctx, purpose, one)
	for _, next := range c.next {
		if err == nil || !handsOn(ctx, err) || !again(reply) {
			break
		}
		failed := reply
		reply, err = next.admitted(ctx, purpose, one)
		reply.Usage = reply.Usage.plus(failed.Usage)
		reply.Attempts += failed.Attempts
		reply.Total += failed.Total
		if reply.FirstToken > 0 {
			reply.FirstToken += failed.Total
		}
	}
	return reply, err
}

// admitted makes a call unless Options.Admit keeps it from being made.
func (c *Client) admitted(ctx context.Context, purpose string, one func(*Client) (Reply, error)) (Reply, error) {
	if c.admit == nil {
		return one(c)
	}
	if err := c.admit(ctx); err != nil {
		var reply Reply
		return reply, c.finish(purpose, time.Now(), &reply, &Error{Class: Limited, Reason: ReasonQuota, cause: err})
	}
	return one(c)
}

// handsOn reports whether another model may answer a call that failed.
func handsOn(ctx context.Context, err error) bool {
	var e *Error
	return ctx.Err() == nil && errors.As(err, &e) && e.Class != Canceled && e.Reason != ReasonDeadline
}
