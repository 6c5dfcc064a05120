package chat

import (
	"context"
	"slices"
	"time"

	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
)

// watch says that this server lives, and takes over the turns of servers that do not,
// until the engine ends. Time is the database's alone: clocks of servers may differ.
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

// beat says that this server lives, and looks for what others may have asked of
// it and was not heard.
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

// deadAfter is how long a server is silent before its turns are taken over, though its
// lock still holds.
func (e *Engine) deadAfter() time.Duration { return missedHeartbeats * e.Heartbeat }

// takeOver goes on with the turns of dead servers, tenant by tenant: nobody sees
// the rows of all tenants at once, this sweep included.
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
		return // the dead stay listed, the next round tries again
	}
	for _, id := range dead {
		if err := sessions.Gone(ctx, e.Pool, id); err != nil {
			e.Log.WarnContext(ctx, "forget dead server", "err", err)
		}
	}
}

// dead returns the servers that have been silent for long, and those whose lock was
// free at this look and the last: one that lives may be connecting again.
func (e *Engine) dead(ctx context.Context) ([]string, error) {
	dead, unlocked, err := sessions.Silent(ctx, e.Pool, e.Instance, e.deadAfter())
	if err != nil {
		e.suspects = nil // the database may have been away for them, too
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

// adoptOrphans takes up turns that are this server's and that nobody works: the
// connection broke after the turn was recorded and before that was known here, or the
// database was away when it was to be settled.
func (e *Engine) adoptOrphans(ctx context.Context) {
	if !e.orphans.Swap(false) {
		return
	}
	tenants, err := e.Tenants(ctx)
	for i := 0; i < len(tenants) && err == nil; i++ {
		err = e.adoptOrphansOf(ctx, tenants[i])
	}
	if err != nil {
		e.orphans.Store(true) // the next round tries again
		e.Log.WarnContext(ctx, "look for orphaned turns", "err", err)
	}
}

func (e *Engine) adoptOrphansOf(ctx context.Context, tenant string) error {
	turns, err := sessions.Held(ctx, e.Pool, tenant, e.Instance)
	if err != nil {
		return err
	}
	for _, t := range turns {
		if !e.unworked(t) {
			continue
		}
		again, err := t.Again(ctx, e.Pool)
		if err != nil {
			return err
		}
		if again {
			e.resume(ctx, t)
		}
	}
	return nil
}

// unworked reports whether a turn is not worked here, nor just beginning.
func (e *Engine) unworked(t sessions.Turn) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.running[place{t.Scope.Session, t.Number}] == nil && e.begins[t.Scope.Session] == 0
}

// resume works a turn that another server began, or another attempt here. When it
// cannot, the turn is tried again at the next look.
func (e *Engine) resume(ctx context.Context, t sessions.Turn) {
	if err := e.tryResume(ctx, t); err != nil {
		e.orphans.Store(true)
		e.Log.ErrorContext(ctx, "resume turn", "session", t.Scope.Session, "turn", t.Number, "err", err)
	}
}

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

// saidIn returns the person's message of a turn; empty if there was none.
func saidIn(turn int, transcript []sessions.Message) string {
	for _, m := range transcript {
		if m.Turn == turn && m.Role == sessions.FromUser {
			return m.Content
		}
	}
	return ""
}

// Running returns the turn that runs in a session, wherever it does; 0 for none.
func (e *Engine) Running(ctx context.Context, s obligations.Scope) (int, error) {
	t, err := sessions.RunningTurn(ctx, e.Pool, s)
	if err != nil || t == nil {
		return 0, err
	}
	return t.Number, nil
}
