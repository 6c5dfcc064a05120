package chat

import (
	"context"
	"runtime"
	"time"

	"quaestor/internal/postgres"
)

// A turn that is worked ahead and over within a moment is written once, from its
// beginning to its end. Nobody has seen anything of it before, so there is nothing
// that a server which dies could lose. Only what takes longer begins by itself.

// A turn may take promptly to be written at once, which is much less than a model takes
// for its first word. When more turns share the processors each takes longer, and a write
// less each helps them all: then it is longer in proportion, but never over a quarter of
// a second.
const (
	promptly     = 25 * time.Millisecond
	promptlyMost = 250 * time.Millisecond
	crowd        = 4 // turns for each processor
)

// patience returns how long a turn may take when so many are worked ahead.
func patience(ahead, procs int) time.Duration {
	return min(promptly*time.Duration(max(1, ahead/(crowd*procs))), promptlyMost)
}

// atOnce waits whether the turn ends within a moment and reports that. When it does
// not, the caller begins it, and nobody else. An error means that it is not known
// whether the turn was written.
func (e *Engine) atOnce(r *run) (over bool, err error) {
	if r == nil {
		return false, nil
	}
	g := r.scene.gate
	d := e.Promptly
	if n := int(e.early.Add(1)); d == 0 {
		d = patience(n, runtime.GOMAXPROCS(0))
	}
	defer e.early.Add(-1)
	if d < 0 && g.claim() {
		return false, nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-g.over:
	case <-t.C:
		if g.claim() {
			return false, nil
		}
		<-g.over
	}
	if err := r.ahead.refusal; err != nil && postgres.Code(err) == "" {
		e.Hub.Doubt(r.turn.Scope)
		return false, err
	}
	return r.ahead.refusal == nil, nil
}

// settleAtOnce records a turn that was worked ahead, all of it or nothing. It is not
// tried again: what the session refuses begins as other turns do.
func (e *Engine) settleAtOnce(r *run, p *Plan, u Understanding) (string, error) {
	defer r.deltas.Close() // until then somebody waits for the reply
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.ctx), beginLimit)
	defer cancel()
	r.opens = r.ahead.beginning.Started(r.turn.Number, r.scene.Session.ContextType)
	rec, err := e.worked(ctx, e.Pool, r, p, u, true, r.scene.Session, r.scene.Obligations, r.past())
	if err == nil {
		err = e.write(ctx, r, rec, false)
	}
	if err != nil {
		r.ahead.refusal = err
		r.scene.gate.decide(hasNot)
		return "", errNotBegun
	}
	e.keep(r, rec)
	e.Hub.Publish(r.turn.Scope, rec.events)
	r.log, r.ahead.begun, r.turn.Status = rec.events, time.Now(), rec.status
	r.scene.gate.decide(hasBegun)
	return string(rec.status), nil
}
