package chat

import (
	"context"
	"slices"
	"time"

	"quaestor/internal/postgres"
	"quaestor/sessions"
)

// watch reports that this server is alive and takes over the turns of servers that are
// not, until the engine ends. All times are the database's, since the clocks of servers
// may differ.
func (e *Engine) watch() {
	tick := time.NewTicker(e.Heartbeat)
	defer tick.Stop()
	for {
		e.takeOver()
		select {
		case <-e.life.Done():
			return
		case <-tick.C:
		}
		if err := e.beat(); err != nil && e.life.Err() == nil {
			e.Log.WarnContext(e.life, "heartbeat", "err", err)
		}
	}
}

// beat reports that this server is alive, and stops the turns that others asked it to
// stop by a notification that was lost.
func (e *Engine) beat() error {
	ctx, cancel := context.WithTimeout(e.life, max(e.Heartbeat, time.Second))
	defer cancel()
	others, err := sessions.Seen(ctx, e.Pool, e.Instance, e.Hub.Locked(), e.deadAfter())
	if err != nil {
		return err
	}
	e.Hub.Alone(others == 0)
	if others == 0 {
		return nil
	}
	for _, tenant := range e.runningTenants() {
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

// runningTenants returns the tenants whose turns run here.
func (e *Engine) runningTenants() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	var out []string
	for _, r := range e.running {
		out = append(out, r.turn.Scope.Tenant)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// deadAfter returns how long a server must be silent before its turns are taken over
// although its lock still holds.
func (e *Engine) deadAfter() time.Duration { return missedHeartbeats * e.Heartbeat }

// takeOver continues the turns of dead servers and those of this one that nobody works.
func (e *Engine) takeOver() {
	ctx, cancel := context.WithTimeout(e.life, time.Minute)
	defer cancel()
	e.adoptOrphans(ctx)
	dead, err := e.dead(ctx)
	if err != nil {
		if e.life.Err() == nil {
			e.Log.WarnContext(ctx, "look for dead servers", "err", err)
		}
		return
	}
	if len(dead) == 0 {
		return
	}
	if err := e.takeOverFrom(ctx, dead); err != nil {
		e.Log.WarnContext(ctx, "take over", "err", err)
		return // the dead servers stay listed, and the next round tries again
	}
	for _, id := range dead {
		if err := sessions.Gone(ctx, e.Pool, id); err != nil {
			e.Log.WarnContext(ctx, "forget dead server", "err", err)
		}
	}
}

// dead returns the servers that have been silent for too long, and those whose lock was
// free at this look and the last. One look is not enough: a living server may just be
// reconnecting.
func (e *Engine) dead(ctx context.Context) ([]string, error) {
	dead, unlocked, err := sessions.Silent(ctx, e.Pool, e.Instance, e.deadAfter())
	if err != nil {
		e.suspects = nil // the database may have been away for the others, too
		return nil, err
	}
	for _, id := range unlocked {
		if slices.Contains(e.suspects, id) {
			dead = append(dead, id)
		}
	}
	e.suspects = unlocked
	return dead, nil
}

// takeOverFrom continues the turns of dead servers, tenant by tenant: row-level security
// shows nobody the rows of all tenants at once.
func (e *Engine) takeOverFrom(ctx context.Context, dead []string) error {
	tenants, err := e.Tenants(ctx)
	if err != nil {
		return err
	}
	for _, tenant := range tenants {
		turns, err := sessions.TakeOver(ctx, e.Pool, tenant, e.Instance, dead)
		if err != nil {
			return err
		}
		for _, t := range turns {
			e.Log.InfoContext(ctx, "taking over turn", "tenant", tenant, "session", t.Scope.Session, "turn", t.Number, "attempt", t.Attempt)
			e.resume(ctx, t)
		}
	}
	return nil
}

// adoptOrphans continues turns of this server that nobody works. They come about when
// the connection breaks after a turn was recorded and before this server learns of it,
// and when the database is away for too long while a turn settles.
func (e *Engine) adoptOrphans(ctx context.Context) {
	if !e.orphans.Swap(false) {
		return
	}
	if err := e.tryAdoptOrphans(ctx); err != nil {
		e.orphans.Store(true) // the next round tries again
		e.Log.WarnContext(ctx, "look for orphaned turns", "err", err)
	}
}

// tryAdoptOrphans starts a new attempt of each orphaned turn.
func (e *Engine) tryAdoptOrphans(ctx context.Context) error {
	tenants, err := e.Tenants(ctx)
	if err != nil {
		return err
	}
	for _, tenant := range tenants {
		turns, err := sessions.Held(ctx, e.Pool, tenant, e.Instance)
		if err != nil {
			return err
		}
		for _, t := range slices.DeleteFunc(turns, func(t sessions.Turn) bool { return !e.unworked(t) }) {
			again, err := t.Again(ctx, e.Pool)
			if err != nil {
				return err
			}
			if again {
				e.resume(ctx, t)
			}
		}
	}
	return nil
}

// unworked reports whether a turn is neither worked here nor just beginning.
func (e *Engine) unworked(t sessions.Turn) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.running[turnKey{t.Scope.Session, t.Number}] == nil && e.begins[t.Scope.Session] == 0
}

// resume works a turn that another server, or an earlier attempt here, began. When that
// fails, the next look tries again.
func (e *Engine) resume(ctx context.Context, t sessions.Turn) {
	if err := e.tryResume(ctx, t); err != nil {
		e.orphans.Store(true)
		e.Log.ErrorContext(ctx, "resume turn", "session", t.Scope.Session, "turn", t.Number, "err", err)
	}
}

// tryResume loads the scene of a turn and launches it.
func (e *Engine) tryResume(ctx context.Context, t sessions.Turn) error {
	started, err := e.starting(t.Scope.Session)
	if err != nil {
		return err
	}
	defer started()
	l, err := e.load(ctx, t.Scope, t.User, "", windowTurns)
	if err != nil {
		return err
	}
	if l.session == nil {
		return sessions.NoSession()
	}
	var given []sessions.TurnFile
	b := postgres.NewBatch(t.Scope.Tenant)
	sessions.LoadGiven(b, t.Scope, &given)
	if err := b.Send(ctx, e.Pool); err != nil {
		return err
	}
	if l.scene.Files, err = e.given(ctx, t.Scope, filesOf(t.Number, given)); err != nil {
		return err
	}
	if err := e.enter(ctx, l, t, saidIn(t.Number, l.scene.Transcript)); err != nil {
		return err
	}
	return e.launch(t, l.scene, nil)
}

// saidIn returns the person's message of a turn, or "" if there was none.
func saidIn(turn int, transcript []sessions.Message) string {
	for _, m := range transcript {
		if m.Turn == turn && m.Role == sessions.FromUser {
			return m.Content
		}
	}
	return ""
}
