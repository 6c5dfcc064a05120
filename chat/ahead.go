package chat

import (
	"bytes"
	"context"
	"errors"
	"sync"

	"quaestor/obligations"
	"quaestor/sessions"
)

// ahead is a model's reading of a message that is asked for while the beginning of
// its turn is still being written, in the scene as the turn before left it. It counts
// once the turn has begun in just that scene; until then nothing of it is kept, and a
// beginning that is refused ends it.
type ahead struct {
	scene  *Scene
	answer *understood
	ctx    context.Context //nolint:containedctx // of the turn to be
	cancel context.CancelCauseFunc

	mu      sync.Mutex
	verdict verdict  // guarded by mu
	waiting []func() // what to do once the turn has begun; guarded by mu
}

type verdict int

const (
	undecided verdict = iota
	hasBegun
	hasNot
)

var errNotBegun = errors.New("the turn did not begin")

// readAhead asks the model what a message says, unless that takes more than was
// left; nil then. Whoever did not speak last in the session has nothing read ahead:
// whether they may speak in it is not known yet. Neither has a request that looks like
// the last one sent again.
func (e *Engine) readAhead(in Input, s obligations.Scope, hash []byte, k *left) *ahead {
	if e.Model == nil || in.Message == "" || len(in.Files) > 0 || k == nil || k.rest == nil || k.talker == nil || k.talker.user != in.User ||
		in.ContextType != "" && in.ContextType != k.talker.session.ContextType || in.ClientMessageID != "" && bytes.Equal(hash, k.talker.request) {
		return nil
	}
	a := &ahead{scene: k.next(in, s)}
	a.scene.ahead = a
	a.ctx, a.cancel = context.WithCancelCause(e.life)
	a.answer = &understood{ready: make(chan struct{}), fallback: func() Understanding { return e.byRules(a.ctx, a.scene) }}
	e.ask(a.ctx, a.scene, a.answer)
	return a
}

// next returns the scene of the session's next turn, as far as reading a message
// takes it.
func (k *left) next(in Input, s obligations.Scope) *Scene {
	sc := &Scene{Part: k.talker.part, Voice: in.Voice}
	k.into(sc)
	t := sessions.Turn{Scope: s, Number: k.talker.session.Turns, Attempt: 1, User: in.User, Answers: in.Answers}
	sc.begin(k.talker.session, t, k.talker.objective, in.Message)
	return sc
}

// of returns a if it was read in the scene that was loaded; else it ends it and
// returns nil.
func (a *ahead) of(l *loader) *ahead {
	if a == nil {
		return nil
	}
	if !l.recalled || l.scene.Turn != a.scene.Turn || l.scene.Part != a.scene.Part || l.scene.Objective != a.scene.Objective {
		a.drop()
		return nil
	}
	l.scene.Now, l.scene.told = a.scene.Now, a.scene.told
	return a
}

// begun says that the turn has begun.
func (a *ahead) begun() {
	if a == nil {
		return
	}
	for _, f := range a.decide(hasBegun) {
		f()
	}
}

// drop ends a reading whose turn has not begun, and waits until it is over.
func (a *ahead) drop() {
	if a == nil {
		return
	}
	a.decide(hasNot)
	if a.verdict == hasNot {
		a.cancel(errNotBegun)
		<-a.answer.ready
	}
}

// decide notes the first verdict and returns what waited for it.
func (a *ahead) decide(v verdict) (waited []func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.verdict == undecided {
		a.verdict = v
	}
	waited, a.waiting = a.waiting, nil
	return waited
}

// then does f once the turn has begun, and never if it does not.
func (a *ahead) then(f func()) {
	a.mu.Lock()
	v := a.verdict
	if v == undecided {
		a.waiting = append(a.waiting, f)
	}
	a.mu.Unlock()
	if v == hasBegun {
		f()
	}
}

// onceBegun does f once it is certain that the turn of s has begun.
func (s *Scene) onceBegun(f func()) {
	if s.ahead == nil {
		f()
		return
	}
	s.ahead.then(f)
}
