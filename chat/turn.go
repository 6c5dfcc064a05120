package chat

import (
	"context"
	"errors"
	"time"

	"quaestor/obligations"
	"quaestor/sessions"
)

// run is one turn that is worked here.
type run struct {
	turn    sessions.Turn
	scene   *Scene
	models  Models // of the tenant, as of the beginning of the work
	deltas  *sessions.Deltas
	ctx     context.Context         //nolint:containedctx // the turn's, which outlives every call
	cancel  context.CancelCauseFunc // stops it
	started time.Time
	first   time.Time // of the first piece of the reply; zero before it
	answers string    // name of the interviewer that answers
	degrade string    // why the model did not answer; empty when it did, or none is configured
	usage   Usage
}

func (r *run) key() turnKey { return turnKey{r.turn.Scope.Session, r.turn.Number} }

// work brings a turn to its end, which is always written to the log as the event done
// or error, here or by the next attempt.
func (e *Engine) work(r *run) {
	defer func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		delete(e.running, r.key())
	}()
	defer r.cancel(nil)
	limit := time.AfterFunc(e.TurnLimit, func() { r.cancel(errTooLong) })
	defer limit.Stop()

	status, err := e.takeTurn(r)
	if err != nil {
		status = e.giveUp(r, err)
	}
	e.report(r, status)
}

// takeTurn understands, decides, replies and settles.
func (e *Engine) takeTurn(r *run) (status string, err error) {
	r.models = e.modelsOf(r.ctx, r.turn.Scope.Tenant)
	answer := e.understand(r)
	plan, whole, err := e.reply(r, answer)
	if err != nil {
		return "", err
	}
	return e.settle(r, plan, answer.wait(r.ctx), whole)
}

// report passes the turn on to metrics, and logs when the model did not answer: the
// class of its failure, and nothing that anybody said.
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

// giveUp ends a turn that failed. It leaves alone a turn that another attempt has
// taken over, and leaves to the next attempt one that was cut short by the shutdown or
// could not be settled because the database was away.
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

// fail writes the event error. It tries until that succeeds or the engine ends, since a
// turn must not stay running.
func (e *Engine) fail(r *run) {
	l := MessagesOf(r.scene)
	f := sessions.ErrorEvent{Turn: r.turn.Number, Code: "turn_failed", Detail: l.Text("turn.failed", nil), Retryable: true}
	if errors.Is(context.Cause(r.ctx), errTooLong) {
		f.Code, f.Detail = "turn_timeout", l.Text("turn.timeout", nil)
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

// Stop asks for a turn to be stopped, wherever it runs. It does nothing to a turn that
// does not run, and is NotFound for one that does not exist.
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

// stopHere stops a turn on this server, and reports whether it runs here.
func (e *Engine) stopHere(session string, turn int) bool {
	e.mu.Lock()
	r := e.running[turnKey{session, turn}]
	e.mu.Unlock()
	if r != nil {
		r.cancel(errStopped)
	}
	return r != nil
}

// Running returns the number of the turn that runs in a session, wherever it does, or 0.
func (e *Engine) Running(ctx context.Context, s obligations.Scope) (int, error) {
	t, err := sessions.RunningTurn(ctx, e.Pool, s)
	if err != nil || t == nil {
		return 0, err
	}
	return t.Number, nil
}
