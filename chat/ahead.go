package chat

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"time"

	"quaestor/obligations"
	"quaestor/sessions"
)

// A turn may be worked ahead: while its beginning is still on its way to the
// database, in the scene that the turn before left. It counts once the turn has begun
// in just that scene. Until then it waits at its gate with whatever others would see
// of it: no piece is said, nothing is recorded, no call of the model is kept.

// gate holds a turn back that is worked ahead.
type gate struct {
	over chan struct{} // closed with the verdict

	mu      sync.Mutex
	claimed bool     // somebody writes what the verdict depends on; guarded by mu
	verdict verdict  // guarded by mu
	waiting []func() // to be done once the turn has begun; guarded by mu
}

type verdict int

const (
	undecided verdict = iota
	hasBegun
	hasNot
)

var errNotBegun = errors.New("the turn did not begin as it was worked ahead")

// ahead is what a turn that is worked ahead rests on.
type ahead struct {
	beginning sessions.Beginning
	stand     sessions.Stand
	begun     time.Time // when it was known that the turn has begun; read after the verdict
	refusal   error     // why it could not be written at once; read after the verdict
}

// workAhead works a turn that is about to begin, unless that takes more than was
// left; nil then. Whoever did not speak last in the session is not worked ahead:
// whether they may speak in it is not known yet. Neither is a request that looks like
// the last one sent again.
func (e *Engine) workAhead(in Input, b sessions.Beginning, k *left) *run {
	if len(in.Files) > 0 || k == nil || k.rest == nil || k.talker == nil || !k.talker.goesOn(in, b.BodyHash) {
		return nil
	}
	scene := e.next(in, b.Scope, k)
	if scene == nil {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closing {
		return nil
	}
	scene.gate = &gate{over: make(chan struct{})}
	r := &run{scene: scene, over: make(chan struct{}), started: scene.Now, ahead: &ahead{beginning: b, stand: k.stand()}}
	r.turn = sessions.Turn{Scope: b.Scope, Number: scene.Turn, Attempt: 1, Status: sessions.TurnRunning, User: b.User, BodyHash: b.BodyHash, Answers: b.Answers, FirstSeq: k.last + 1, Instance: b.Instance}
	r.deltas = e.Hub.Draft(r.turn)
	r.ctx, r.cancel = context.WithCancelCause(e.life)
	e.wg.Go(func() { e.work(r) }) // under mu, so that Drain waits for it
	return r
}

// goesOn reports whether in is from whoever spoke last, about the same thing, and not
// what they said before.
func (t *talker) goesOn(in Input, hash []byte) bool {
	switch {
	case in.User != t.user, !in.Anyone && !t.part.MayTalk(), in.ContextType != "" && in.ContextType != t.session.ContextType:
		return false
	}
	return in.ClientMessageID == "" || !bytes.Equal(hash, t.request)
}

// next returns the scene of the session's next turn as it was left; nil if that does
// not tell what the session has used up.
func (e *Engine) next(in Input, s obligations.Scope, k *left) *Scene {
	sc := &Scene{Part: k.talker.part, Voice: in.Voice}
	k.into(sc)
	t := sessions.Turn{Scope: s, Number: k.talker.session.Turns, Attempt: 1, User: in.User, Answers: in.Answers}
	e.enter(sc, k.talker.session, t, k.talker.objective, in.Message)
	if sc.accounted() {
		if k.talker.spent == nil {
			return nil
		}
		sc.Spent = k.talker.spent.Until(sc.Now)
	}
	return sc
}

// letBegin lets a turn that was worked ahead go on as the one that has begun, if the
// session stands as it was left, and reports whether it does. One that could not be
// written at once is over, however the session stands.
func (e *Engine) letBegin(r *run, l *loader) bool {
	b, sc := l.begun, r.scene
	if r.ahead.refusal != nil {
		return false
	}
	if !l.recalled || b.Turn.Number != sc.Turn || b.Part != sc.Part || b.Session.ObjectiveID != sc.Session.ObjectiveID {
		return false
	}
	if e.admit(r) != nil {
		return false
	}
	r.deltas.Open(b.Event)
	r.ahead.begun = time.Now()
	sc.gate.decide(hasBegun)
	return true
}

// drop ends a turn that was worked ahead and did not begin.
func (r *run) drop() {
	if r != nil && r.scene.gate.decide(hasNot) {
		r.cancel(errNotBegun)
		<-r.over
	}
}

// began waits until it is known whether the turn has begun, and tells.
func (r *run) began() bool {
	g := r.scene.gate
	if g == nil {
		return true
	}
	<-g.over
	return g.verdict == hasBegun
}

// claim gives whoever asks first the right to write what decides.
func (g *gate) claim() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	first := !g.claimed && g.verdict == undecided
	g.claimed = true
	return first
}

// decide gives the first verdict and does what waited for it; false when there was
// one.
func (g *gate) decide(v verdict) bool {
	g.mu.Lock()
	if g.verdict != undecided {
		g.mu.Unlock()
		return false
	}
	g.verdict = v
	waited := g.waiting
	g.waiting = nil
	close(g.over)
	g.mu.Unlock()
	if v == hasBegun {
		for _, f := range waited {
			f()
		}
	}
	return true
}

// onceBegun does f once it is certain that the turn of s has begun, and never if it
// does not.
func (s *Scene) onceBegun(f func()) {
	if s.gate == nil {
		f()
		return
	}
	s.gate.then(f)
}

func (g *gate) then(f func()) {
	g.mu.Lock()
	v := g.verdict
	if v == undecided {
		g.waiting = append(g.waiting, f)
	}
	g.mu.Unlock()
	if v == hasBegun {
		f()
	}
}
