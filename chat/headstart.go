package chat

import (
	"context"
	"slices"
	"time"

	"quaestor/obligations"
	"quaestor/sessions"
)

// headStart is how long the reply waits for the understanding.
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

// pendingUnderstanding is an understanding on its way.
type pendingUnderstanding struct {
	ready    chan struct{}
	u        Understanding
	fallback func() Understanding // what the rules make of the message
}

// within waits for the understanding that long; known is false when it is not
// there by then.
func (a *pendingUnderstanding) within(ctx context.Context, d time.Duration) (u Understanding, known bool) {
	select {
	case <-a.ready:
		return a.u, true
	default:
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-a.ready:
		return a.u, true
	case <-timer.C:
	case <-ctx.Done():
	}
	return Understanding{}, false
}

// wait waits for the understanding; when the turn is stopped first, the rules'
// is taken, so that what the person said is not lost.
func (a *pendingUnderstanding) wait(ctx context.Context) Understanding {
	select {
	case <-a.ready:
		return a.u
	default:
	}
	select {
	case <-a.ready:
		return a.u
	case <-ctx.Done():
		return a.fallback()
	}
}

// ofTheTalk are the intents that are about the conversation itself: the rules tell
// them as surely as a model.
var ofTheTalk = []Intent{AskWhy, AskHelp, AskRepeat, AskProgress, AskMemory, Finish}

// provisional is what a turn of s goes by while the model still reads, out of what the
// rules make of the message: what the person wants of the talk itself, and what they
// seem to tell of, so that it is not asked and what waits for it can be. Nothing that
// is held is changed by it: to settle that is the model's.
func provisional(s *Scene, u Understanding) Understanding {
	var out Understanding
	for _, f := range u.Findings {
		out.Touched = append(out.Touched, f.Key)
		if o := obligations.Find(s.Obligations, f.Key); o != nil && o.Value == nil && f.Act == obligations.Tell {
			out.Findings = append(out.Findings, f)
		}
	}
	if u.Intent == Leave || len(out.Touched) == 0 && slices.Contains(ofTheTalk, u.Intent) {
		out.Intent, out.About = u.Intent, u.About
	}
	return out
}

// early is the plan on a provisional understanding. Its reply says nothing of values,
// for the model may find others.
func early(s *Scene, u Understanding) *Plan {
	p := Decide(s, provisional(s, u))
	p.Changes, p.Understanding.Findings = nil, nil
	return p
}

// hasty reports whether a plan ends the interview, or offers to, though the message is
// not understood yet: what it says may leave more to ask.
func (p *Plan) hasty() bool {
	return p.Understanding.Intent == "" && (p.Question == nil || p.Question.Purpose == sessions.ToFinish)
}
