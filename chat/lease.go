package chat

import (
	"context"
	"errors"
	"slices"
	"time"

	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
)

// keepLease says that this server lives, and takes over the turns of servers
// that do not. Time is the database's alone: clocks of servers may differ.
func (e *Engine) keepLease() {
	tick := time.NewTicker(e.Heartbeat)
	defer tick.Stop()
	for {
		e.takeOver()
		select {
		case <-e.life.Done():
			return
		case now := <-tick.C:
			e.kept.expire(now.Add(-keptLong))
		}
		if err := e.beat(); err != nil && e.life.Err() == nil {
			e.Log.WarnContext(e.life, "heartbeat", "err", err)
		}
	}
}

// beat says that this server lives, and looks for what others may have asked of
// it and was not heard.
func (e *Engine) beat() error {
	ctx, cancel := context.WithTimeout(e.life, max(e.Heartbeat, time.Second))
	defer cancel()
	others, err := sessions.Seen(ctx, e.Pool, e.Instance, e.deadAfter())
	if err != nil {
		return err
	}
	e.Hub.Alone(others == 0)
	if others == 0 {
		return nil
	}
	for _, tenant := range e.tenants() {
		asked, err := sessions.Stopping(ctx, e.Pool, tenant, e.Instance)
		if err != nil {
			return err
		}
		for _, t := range asked {
			e.stopHere(t.Scope.Session, t.Number)
		}
	}
	return nil
}

// tenants returns whose turns run here.
func (e *Engine) tenants() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	var out []string
	for _, r := range e.running {
		out = append(out, r.turn.Scope.Tenant)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// deadAfter is how long a server is silent before its turns are taken over.
func (e *Engine) deadAfter() time.Duration { return missedHeartbeats * e.Heartbeat }

// takeOver goes on with the turns of dead servers, tenant by tenant: nobody sees
// the rows of all tenants at once, this sweep included.
func (e *Engine) takeOver() {
	ctx, cancel := context.WithTimeout(e.life, time.Minute)
	defer cancel()
	e.workAstray(ctx)
	dead, err := sessions.Dead(ctx, e.Pool, e.deadAfter())
	if err != nil || len(dead) == 0 {
		if err != nil && e.life.Err() == nil {
			e.Log.WarnContext(ctx, "look for dead servers", "err", err)
		}
		return
	}
	tenants, err := e.Tenants(ctx)
	if err != nil {
		e.Log.WarnContext(ctx, "list tenants", "err", err)
		return
	}
	for _, tenant := range tenants {
		if err := e.takeOverFrom(ctx, tenant); err != nil {
			e.Log.WarnContext(ctx, "take over", "tenant", tenant, "err", err)
			return // the dead stay listed, the next round tries again
		}
	}
	for _, id := range dead {
		if err := sessions.Gone(ctx, e.Pool, id); err != nil {
			e.Log.WarnContext(ctx, "forget dead server", "err", err)
		}
	}
}

func (e *Engine) takeOverFrom(ctx context.Context, tenant string) error {
	turns, err := sessions.TakeOver(ctx, e.Pool, tenant, e.Instance, e.deadAfter())
	if err != nil {
		return err
	}
	for _, t := range turns {
		e.Log.InfoContext(ctx, "taking over turn", "tenant", tenant, "session", t.Scope.Session, "turn", t.Number, "attempt", t.Attempt)
		if err := e.resume(ctx, t); err != nil {
			e.astray.Store(true)
			e.Log.ErrorContext(ctx, "resume turn", "session", t.Scope.Session, "turn", t.Number, "err", err)
		}
	}
	return nil
}

// workAstray takes up turns that are this server's and that nobody works: the
// connection broke after the turn was recorded and before that was known here.
func (e *Engine) workAstray(ctx context.Context) {
	if !e.astray.Swap(false) {
		return
	}
	tenants, err := e.Tenants(ctx)
	for i := 0; i < len(tenants) && err == nil; i++ {
		err = e.workAstrayOf(ctx, tenants[i])
	}
	if err != nil {
		e.astray.Store(true) // the next round tries again
		e.Log.WarnContext(ctx, "look for stray turns", "err", err)
	}
}

// workAstrayOf takes up a tenant's stray turns once they cannot be just
// beginning. By the database's clock: servers' clocks may differ.
func (e *Engine) workAstrayOf(ctx context.Context, tenant string) error {
	all, err := sessions.Held(ctx, e.Pool, tenant, e.Instance, 0)
	if err != nil || !slices.ContainsFunc(all, e.unworked) {
		return err
	}
	e.astray.Store(true)
	old, err := sessions.Held(ctx, e.Pool, tenant, e.Instance, beginLimit)
	for _, t := range old {
		if e.unworked(t) {
			err = errors.Join(err, e.resume(ctx, t))
		}
	}
	return err
}

// unworked reports whether a turn is not worked here.
func (e *Engine) unworked(t sessions.Turn) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.running[place{t.Scope.Session, t.Number}] == nil
}

// resume works a turn that another server began.
func (e *Engine) resume(ctx context.Context, t sessions.Turn) error {
	l := e.loader(ctx, t.Scope)
	var session *sessions.Session
	b := postgres.NewBatch(t.Scope.Tenant)
	sessions.Load(b, t.Scope, &session)
	l.queue(b)
	var given []sessions.Given
	sessions.LoadGiven(b, t.Scope, &given)
	message := ""
	err := b.Send(ctx, e.Pool)
	if err != nil {
		return err
	}
	if session == nil {
		return sessions.NoSession()
	}
	if l.scene.Files, err = e.givenIn(ctx, t, given); err != nil {
		return err
	}
	for _, m := range l.scene.Transcript {
		if m.Turn == t.Number && m.Role == sessions.FromUser {
			message = m.Content
		}
	}
	if err := l.finish(*session, t, message); err != nil {
		return err
	}
	if _, l.scene.Part, err = sessions.FindAs(ctx, e.Pool, t.Scope, t.User); err != nil {
		return err
	}
	r := e.newRun(t, l.scene)
	if err := e.admit(r); err != nil {
		r.deltas.Close()
		return err
	}
	if t.Stopping {
		r.cancel(errStopped)
	}
	e.wg.Go(func() { e.work(r) })
	return nil
}

// Running returns the turn that runs in a session, wherever it does; 0 for none.
func (e *Engine) Running(ctx context.Context, s obligations.Scope) (int, error) {
	t, err := sessions.RunningTurn(ctx, e.Pool, s)
	if err != nil || t == nil {
		return 0, err
	}
	return t.Number, nil
}
