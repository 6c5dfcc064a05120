package chat

import (
	"context"
	"errors"
	"strings"
	"time"

	"quaestor/internal/llm"
)

// reply words and streams the answer. It returns the plan it followed, which differs
// from p when the model failed before the message was understood. whole is false when
// the person stopped the reply.
func (e *Engine) reply(r *run, p *Plan, known bool) (followed *Plan, whole bool, err error) {
	if e.Model != nil && (!known || p.Understanding.Degraded == "") {
		p, err = e.replyByModel(r, p, known)
	} else {
		err = r.word(e.Rules, p)
	}
	if errors.Is(context.Cause(r.ctx), errStopped) {
		return p, false, nil
	}
	if err != nil && r.ctx.Err() != nil {
		return p, false, context.Cause(r.ctx)
	}
	return p, err == nil, err
}

// replyByModel has the model reply and repairs what it said. When the model fails, its
// words are taken back and the rules answer, so that half an answer is never kept as a
// whole one.
func (e *Engine) replyByModel(r *run, p *Plan, known bool) (followed *Plan, err error) {
	if err = r.word(e.Model, p); err == nil {
		err = r.repair(p)
	}
	if err == nil || r.ctx.Err() != nil {
		return p, err
	}
	r.degrade = FailureClass(err)
	r.deltas.Reset()
	if !known { // the model cannot be relied on in this turn, so nobody waits for its understanding
		p = Decide(r.scene, e.byRules(r))
	}
	return p, r.word(e.Rules, p)
}

// word has an interviewer make the reply that p plans.
func (r *run) word(by Interviewer, p *Plan) error {
	r.answers = by.Name()
	usage, err := by.Reply(r.ctx, r.scene, p, r.say)
	r.usage.add(usage)
	return err
}

// say passes a piece of the reply on.
func (r *run) say(text string) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	if text == "" {
		return nil
	}
	if r.first.IsZero() {
		r.first = time.Now()
	}
	r.deltas.Write(text)
	return nil
}

// repair makes the reply ask what the plan asks, and ask it well, see [repaired]. The
// rules it broke are noted in the usage of the turn.
func (r *run) repair(p *Plan) error {
	text := r.deltas.Text()
	better, broken := repaired(r.scene, p, text)
	if len(broken) == 0 {
		return nil
	}
	r.usage.Repaired = strings.Join(broken, ",")
	if rest, ok := strings.CutPrefix(better, text); ok {
		return r.say(rest)
	}
	r.deltas.Reset()
	return r.say(better)
}

// FailureClass returns the class of a model's failure for people who inspect a turn:
// one word, and never the words of the provider.
func FailureClass(err error) string {
	var e *llm.Error
	if errors.As(err, &e) {
		return string(e.Class)
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return "timeout"
	}
	return "bad_output"
}

// add adds calls and tokens. What is noted once for a turn stays as it is.
func (u *Usage) add(v Usage) {
	u.Calls += v.Calls
	u.PromptTokens += v.PromptTokens
	u.CompletionTokens += v.CompletionTokens
}
