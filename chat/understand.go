package chat

import (
	"context"
	"slices"
	"sync"
	"time"

	"quaestor/obligations"
	"quaestor/sessions"
)

// understand starts to read the message: the rules do so at once, a model in the
// background, or in the same call as its reply.
func (e *Engine) understand(r *run) *pendingUnderstanding {
	a := &pendingUnderstanding{ready: make(chan struct{}), fallback: sync.OnceValue(func() Understanding { return e.byRules(r) })}
	switch {
	case r.scene.mute():
		a.set(Understanding{Intent: muteIntent(r.scene)})
	case r.models.Reading == nil || r.scene.widgetsOnly():
		a.set(a.fallback())
	case e.inReply(r):
		a.inReply = true
	default:
		go func() { a.set(e.byModel(r)) }() // ends with r.ctx at the latest
	}
	return a
}

// inReply reports whether the model reads the message in the call that replies. A file is
// too much to read on the side, and what follows the acknowledgement must be worded
// without the model.
func (e *Engine) inReply(r *run) bool {
	return r.models.converser() != nil && e.ModelCalls == 1 && len(r.scene.Files) == 0 && spoken(r.scene)
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
	u, err := r.models.Reading.Understand(r.ctx, r.scene)
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

// pendingUnderstanding is an understanding that may still be in the making.
type pendingUnderstanding struct {
	ready    chan struct{}        // closed when u is set
	u        Understanding        // not read before ready
	fallback func() Understanding // reads the message with the rules
	inReply  bool                 // the call that replies sets it
}

// set makes u known. It must be called once.
func (a *pendingUnderstanding) set(u Understanding) {
	a.u = u
	close(a.ready)
}

// now returns the understanding if it is known.
func (a *pendingUnderstanding) now() (u Understanding, known bool) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	return a.await(ended)
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

// passingIntents leave what was asked without an answer.
var passingIntents = []Intent{SkipThis, Later, DontKnow}

// likelyPlan returns what a turn does if the message means what the rules take it for. It
// goes by what the person wants of the conversation itself, and by which obligations they
// seem to speak of, so that those are not asked and what depends on them can be. It changes
// no value and names none: what the message says is left to the model.
func likelyPlan(s *Scene, u Understanding) *Plan {
	p := Decide(s, provisional(s, u))
	p.Changes, p.Understanding.Findings = nil, nil
	p.Care = slices.ContainsFunc(u.Beside, func(r Remark) bool { return r.Act == "feeling" })
	p.AcknowledgeOnly = p.AcknowledgeOnly || p.premature()
	return p
}

// provisional returns what a turn goes by while the model still reads, out of the
// understanding of the rules.
func provisional(s *Scene, u Understanding) Understanding {
	out := Understanding{First: u.First, Beside: announcedHandover(s)}
	passing := slices.Contains(passingIntents, u.Intent)
	for _, f := range u.Findings {
		out.Touched = append(out.Touched, f.Key)
		o := obligations.Find(s.Obligations, f.Key)
		if o != nil && o.Value == nil && (f.Act == obligations.Tell || passing) {
			out.Findings = append(out.Findings, f)
		}
	}
	if u.Intent == Leave || passing || len(out.Touched) == 0 && slices.Contains(conversationIntents, u.Intent) {
		out.Intent, out.About = u.Intent, u.About
	}
	return out
}

// premature reports whether a plan ends the interview, or offers to, although the
// message is not understood yet and may leave more to ask.
func (p *Plan) premature() bool {
	return !slices.Contains([]Intent{Leave, Finish}, p.Understanding.Intent) && (p.Question == nil || p.Question.Purpose == sessions.ToFinish)
}

// sameTask reports whether a reply that was made for the likely plan does what the decided
// plan p is to do: it asks the same, ends or goes on alike, and p has nothing else to say.
func sameTask(likely, p *Plan) bool {
	return !likely.AcknowledgeOnly && likely.Ends == p.Ends && sameAsked(likely.Question, p.Question) && likely.Phase == p.Phase && !p.announces(likely)
}

// sameAsked reports whether two questions ask the same.
func sameAsked(a, b *sessions.Question) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Purpose == b.Purpose && slices.Equal(a.Keys(), b.Keys()) && len(a.Keys()) > 0 && a.Purpose != sessions.ToResolve
}

// announces reports whether p has something to say that the likely plan had not: what
// cannot be noted, what contradicts, what is read in files, what research is ordered or told.
func (p *Plan) announces(likely *Plan) bool {
	u := &p.Understanding
	fromFile := func(f obligations.Finding) bool { return f.Evidence.File != "" }
	return len(u.Refused)+len(u.Research)+len(u.Steering)+len(p.Research.Orders)+len(p.Research.Refused)+len(p.Steered) > 0 || p.Conflict != nil ||
		AsksForHuman(u) != AsksForHuman(&likely.Understanding) || len(p.News) != len(likely.News) || p.Left != likely.Left || slices.ContainsFunc(u.Findings, fromFile)
}
