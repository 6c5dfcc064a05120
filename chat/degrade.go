package chat

import (
	"context"
	"errors"
	"time"

	"quaestor/internal/llm"
)

// byModel reads the message with the model; when that fails, by the rules.
func (e *Engine) byModel(r *run) Understanding {
	u, err := e.Model.Understand(r.ctx, r.scene)
	if err == nil {
		return Screen(r.scene, u)
	}
	usage := u.Usage
	u = e.byRules(r)
	u.Usage = usage
	u.Degraded = reason(err)
	return u
}

// reply words and streams the answer and returns the plan it followed, which is
// another than p when the model failed before the message was understood. whole
// is false when the person stopped it.
// When the model fails, what it said so far is taken back and the rules answer:
// a half answer is never kept as a whole one.
func (e *Engine) reply(r *run, p *Plan, known bool) (followed *Plan, whole bool, err error) {
	say := func(text string) error {
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
	mind := e.Rules
	if e.Model != nil && (!known || p.Understanding.Degraded == "") {
		mind = e.Model
	}
	usage, err := mind.Reply(r.ctx, r.scene, p, say)
	r.usage.add(usage)
	if err == nil && mind == e.Model {
		err = r.mend(p, say)
	}
	if err != nil && mind == e.Model && r.ctx.Err() == nil {
		r.degrade = reason(err)
		r.deltas.Reset()
		mind = e.Rules
		if !known { // the model is of no use for this turn: do not wait for it
			p = Decide(r.scene, e.byRules(r))
		}
		_, err = mind.Reply(r.ctx, r.scene, p, say)
	}
	r.mind = mind.Name()
	if errors.Is(context.Cause(r.ctx), errStopped) {
		return p, false, nil
	}
	if err != nil && r.ctx.Err() != nil {
		return p, false, context.Cause(r.ctx)
	}
	return p, err == nil, err
}

// reason names the failure of a model for people who look at the turn: the class
// of the fault, never the provider's words.
func reason(err error) string {
	var e *llm.Error
	if errors.As(err, &e) {
		return string(e.Class)
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return "timeout"
	}
	return "bad_output"
}

func (u *Usage) add(v Usage) {
	u.Calls += v.Calls
	u.PromptTokens += v.PromptTokens
	u.CompletionTokens += v.CompletionTokens
}
