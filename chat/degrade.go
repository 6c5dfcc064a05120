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
func (e *Engine) reply(r *run, p *Plan, known bool) (followed *Plan, whole bool, err error) {
	mind := e.Rules
	if e.Model != nil && (!known || p.Understanding.Degraded == "") {
		mind = e.Model
	}
	err = r.word(mind, p)
	if mind == e.Model {
		p, mind, err = e.afterModel(r, p, known, err)
	}
	r.answers = mind.Name()
	if errors.Is(context.Cause(r.ctx), errStopped) {
		return p, false, nil
	}
	if err != nil && r.ctx.Err() != nil {
		return p, false, context.Cause(r.ctx)
	}
	return p, err == nil, err
}

// word has mind make the reply that p plans.
func (r *run) word(mind Interviewer, p *Plan) error {
	usage, err := mind.Reply(r.ctx, r.scene, p, r.say)
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

// afterModel repairs what the model replied. When the model failed, what it said so
// far is taken back and the rules answer: a half answer is never kept as a whole
// one.
func (e *Engine) afterModel(r *run, p *Plan, known bool, err error) (followed *Plan, mind Interviewer, _ error) {
	p.recall(r.scene)
	if err == nil {
		err = r.repair(p, r.say)
	}
	if err == nil || r.ctx.Err() != nil {
		return p, e.Model, err
	}
	r.degrade = reason(err)
	r.deltas.Reset()
	if !known { // the model is of no use for this turn: do not wait for it
		p = Decide(r.scene, e.byRules(r))
	}
	return p, e.Rules, r.word(e.Rules, p)
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
