package chat

import (
	"context"
	"slices"
	"time"

	"quaestor/obligations"
	"quaestor/sessions"
)

// understand starts to read the message: the rules do so at once, a model in the
// background.
func (e *Engine) understand(r *run) *pendingUnderstanding {
	a := &pendingUnderstanding{ready: make(chan struct{}), fallback: func() Understanding { return e.byRules(r) }}
	switch {
	case r.scene.mute():
		a.u = Understanding{Intent: muteIntent(r.scene)}
		close(a.ready)
	case e.Model == nil || r.scene.widgetsOnly():
		a.u = a.fallback()
		close(a.ready)
	default:
		go func() { // ends with r.ctx at the latest
			defer close(a.ready)
			a.u = e.byModel(r)
		}()
	}
	return a
}

// muteIntent returns what a person wants who brings nothing: to be greeted or, in the
// middle of a conversation, to hear the question again.
func muteIntent(s *Scene) Intent {
	if s.Asked != nil && s.Session.StopReason == "" {
		return AskRepeat
	}
	return Opened
}

// byModel reads the message with the model or, when that fails, with the rules.
func (e *Engine) byModel(r *run) Understanding {
	u, err := e.Model.Understand(r.ctx, r.scene)
	if err == nil {
		return Screen(r.scene, u, similarity(r.ctx, e.Rules))
	}
	usage := u.Usage
	u = e.byRules(r)
	u.Usage, u.Degraded = usage, FailureClass(err)
	return u
}

// byRules reads the message with the rules, also in a turn that was stopped.
func (e *Engine) byRules(r *run) Understanding {
	u, err := e.Rules.Understand(context.WithoutCancel(r.ctx), r.scene)
	if err != nil {
		e.Log.ErrorContext(r.ctx, "understand by rules", "session", r.scene.Scope.Session, "turn", r.scene.Turn, "err", err)
		return Understanding{Intent: Unclear}
	}
	return Screen(r.scene, u, similarity(r.ctx, e.Rules))
}

// headStart returns how long the reply waits for the understanding.
func (e *Engine) headStart(s *Scene) time.Duration {
	switch {
	case len(s.Files) > 0: // the reply is about what is in them
		return max(e.HeadStart, filesHeadStart)
	case e.HeadStart > 0:
		return e.HeadStart
	case s.Voice:
		return voiceHeadStart
	}
	return defaultHeadStart
}

// pendingUnderstanding is an understanding that may still be in the making.
type pendingUnderstanding struct {
	ready    chan struct{}        // closed when u is set
	u        Understanding        // not read before ready
	fallback func() Understanding // reads the message with the rules
}

// within waits up to d for the understanding. known is false when it is not ready by
// then.
func (a *pendingUnderstanding) within(ctx context.Context, d time.Duration) (u Understanding, known bool) {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	return a.await(ctx)
}

// wait waits for the understanding. When the turn is stopped first, it returns that of
// the rules, so that what the person said is not lost.
func (a *pendingUnderstanding) wait(ctx context.Context) Understanding {
	if u, known := a.await(ctx); known {
		return u
	}
	return a.fallback()
}

// await prefers an understanding that is ready to a ctx that has ended.
func (a *pendingUnderstanding) await(ctx context.Context) (u Understanding, known bool) {
	select {
	case <-a.ready:
	case <-ctx.Done():
		select {
		case <-a.ready:
		default:
			return Understanding{}, false
		}
	}
	return a.u, true
}

// conversationIntents are about the conversation itself. The rules recognise them as
// surely as a model does.
var conversationIntents = []Intent{AskWhy, AskHelp, AskRepeat, AskProgress, AskMemory, Finish}

// provisional returns what a turn goes by while the model still reads, out of the
// understanding of the rules: what the person wants of the conversation itself, and
// which obligations they seem to speak of, so that those are not asked and what depends
// on them can be. It changes no value that is held: that is left to the model.
func provisional(s *Scene, u Understanding) Understanding {
	var out Understanding
	for _, f := range u.Findings {
		out.Touched = append(out.Touched, f.Key)
		if o := obligations.Find(s.Obligations, f.Key); o != nil && o.Value == nil && f.Act == obligations.Tell {
			out.Findings = append(out.Findings, f)
		}
	}
	if u.Intent == Leave || len(out.Touched) == 0 && slices.Contains(conversationIntents, u.Intent) {
		out.Intent, out.About = u.Intent, u.About
	}
	return out
}

// provisionalPlan returns the plan on a provisional understanding. Its reply mentions
// no values, since the model may find others.
func provisionalPlan(s *Scene, u Understanding) *Plan {
	p := Decide(s, provisional(s, u))
	p.Changes, p.Understanding.Findings = nil, nil
	return p
}

// premature reports whether a plan ends the interview, or offers to, although the
// message is not understood yet and may leave more to ask.
func (p *Plan) premature() bool {
	return p.Understanding.Intent == "" && (p.Question == nil || p.Question.Purpose == sessions.ToFinish)
}
