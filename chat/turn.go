package chat

import (
	"context"
	"errors"
	"time"

	"quaestor/obligations"
	"quaestor/sessions"
)

// run is one turn being worked here.
type run struct {
	turn    sessions.Turn
	scene   *Scene
	deltas  *sessions.Deltas
	ctx     context.Context         //nolint:containedctx // of the turn, which outlives every call
	cancel  context.CancelCauseFunc // stops it
	over    chan struct{}           // closed when it has ended
	started time.Time
	first   time.Time // of the first piece of the reply; zero before it
	answers string    // name of the interviewer that answers
	degrade string    // why the model did not; empty when it did, or none is configured
	usage   Usage
}

func (r *run) place() place { return place{r.turn.Scope.Session, r.turn.Number} }

// work takes a turn to its end, which is always written to the log: done, or
// error.
func (e *Engine) work(r *run) {
	defer e.dismiss(r)
	defer r.cancel(nil)
	limit := time.AfterFunc(e.TurnLimit, func() { r.cancel(errTooLong) })
	defer limit.Stop()

	status, err := e.turn(r)
	if err != nil {
		status = e.giveUp(r, err)
	}
	e.report(r, status)
}

// report tells metrics of the turn, and the log when the model was of no use in it:
// the class of the fault, and nothing that anybody said.
func (e *Engine) report(r *run, status string) {
	if r.degrade != "" {
		s := r.turn.Scope
		e.Log.WarnContext(r.ctx, "turn was answered without the model", "tenant", s.Tenant, "session", s.Session, "turn", r.turn.Number, "err", r.degrade)
	}
	t := TurnReport{Status: status, Interviewer: r.answers, Degraded: r.degrade, Total: time.Since(r.started), Usage: r.usage}
	if !r.first.IsZero() {
		t.FirstPiece = r.first.Sub(r.started)
	}
	e.Observe(t)
}

// turn understands, decides, replies and settles.
func (e *Engine) turn(r *run) (status string, err error) {
	answer := e.understand(r)
	plan, known := e.plan(r, answer)
	plan, whole, err := e.reply(r, plan, known)
	if err != nil {
		return "", err
	}
	return e.settle(r, plan, answer.wait(r.ctx), whole)
}

// plan decides on what is understood by the end of the head start; known is false
// when the model was not done by then.
func (e *Engine) plan(r *run, answer *pendingUnderstanding) (p *Plan, known bool) {
	u, known := answer.within(r.ctx, e.headStart(r.scene))
	if known {
		return Decide(r.scene, u), true
	}
	if p := early(r.scene, answer.fallback()); !p.hasty() {
		return p, false
	}
	return Decide(r.scene, answer.wait(r.ctx)), true
}

// understand begins to read the message: by the rules at once, by a model in the
// background.
func (e *Engine) understand(r *run) *pendingUnderstanding {
	a := &pendingUnderstanding{ready: make(chan struct{}), fallback: func() Understanding { return e.byRules(r) }}
	switch {
	case r.scene.mute():
		a.u = Understanding{Intent: silent(r.scene)}
		close(a.ready)
	case e.Model == nil || r.scene.pickedOnly():
		a.u = a.fallback()
		close(a.ready)
	default:
		go func() { // ends with r.ctx at the latest; wait or settle takes its result before the run is over
			defer close(a.ready)
			a.u = e.byModel(r)
		}()
	}
	return a
}

// silent is what a person wants who says nothing: to be let in or, in the middle of
// a conversation, to hear once more what was asked.
func silent(s *Scene) Intent {
	if s.Asked != nil && s.Session.StopReason == "" {
		return AskRepeat
	}
	return Opened
}

func (e *Engine) byRules(r *run) Understanding {
	u, err := e.Rules.Understand(context.WithoutCancel(r.ctx), r.scene) // pure, and wanted even of a turn that is stopped
	if err != nil {
		e.Log.ErrorContext(r.ctx, "understand by rules", "session", r.scene.Scope.Session, "turn", r.scene.Turn, "err", err)
		return Understanding{Intent: Unclear}
	}
	return Screen(r.scene, u)
}

// giveUp ends a turn that failed. A turn that another attempt has taken over is
// not ours to end. One that the shutdown cut short, or that the database's absence
// kept from being settled, is left to the next attempt.
func (e *Engine) giveUp(r *run, err error) string {
	r.deltas.Close()
	at := []any{"tenant", r.turn.Scope.Tenant, "session", r.turn.Scope.Session, "turn", r.turn.Number}
	switch {
	case sessions.IsFenced(err):
		e.Log.InfoContext(r.ctx, "turn is another attempt's", at...)
		return "lost"
	case errors.Is(context.Cause(r.ctx), errDraining):
		return "lost"
	case transient(err):
		e.orphans.Store(true)
		e.Log.WarnContext(r.ctx, "turn is left to another attempt", append(at, "err", err)...)
		return "lost"
	}
	e.Log.ErrorContext(r.ctx, "turn failed", append(at, "err", err)...)
	e.fail(r)
	return "failed"
}

// fail writes the event error, trying until it is written or the engine ends: a
// turn must not stay running.
func (e *Engine) fail(r *run) {
	f := sessions.ErrorEvent{Turn: r.turn.Number, Code: "turn_failed", Detail: "Something went wrong on our side; your message was kept. Please send it again, as a new message.", Retryable: true}
	if errors.Is(context.Cause(r.ctx), errTooLong) {
		f.Code, f.Detail = "turn_timeout", "This took too long and was ended; your message was kept. Please send it again, as a new message."
	}
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, 5*time.Second) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(e.life), 5*time.Second) // the turn's own time is over
		event, ended, err := sessions.FailTurn(ctx, e.Pool, r.turn, f)
		cancel()
		if err == nil {
			if ended {
				e.Hub.Publish(r.turn.Scope, []sessions.Event{event})
			}
			return
		}
		e.Log.WarnContext(e.life, "fail turn", "session", r.turn.Scope.Session, "turn", r.turn.Number, "err", err)
		select {
		case <-e.life.Done():
			return
		case <-time.After(pause):
		}
	}
}

// Stop asks for a turn to be stopped, wherever it runs. A turn that does not run
// is left as it is.
func (e *Engine) Stop(ctx context.Context, s obligations.Scope, turn int) error {
	running, err := sessions.StopTurn(ctx, e.Pool, s, turn)
	if err != nil {
		return err
	}
	if !running {
		_, err := sessions.FindTurn(ctx, e.Pool, s, turn)
		return err
	}
	if !e.stopHere(s.Session, turn) {
		e.Hub.Stop(s.Session, turn)
	}
	return nil
}

// stopHere stops a turn that runs on this server.
func (e *Engine) stopHere(session string, turn int) bool {
	e.mu.Lock()
	r := e.running[place{session, turn}]
	e.mu.Unlock()
	if r != nil {
		r.cancel(errStopped)
	}
	return r != nil
}
