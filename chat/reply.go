package chat

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"quaestor/internal/language/messages"
	"quaestor/internal/llm"
	"quaestor/sessions"
)

// reply words and streams the answer, and returns the plan that it follows. It begins at
// once, while the model still reads the message. whole is false when the person stopped the
// reply.
func (e *Engine) reply(r *run, answer *pendingUnderstanding) (followed *Plan, whole bool, err error) {
	p, err := e.word(r, answer)
	if errors.Is(context.Cause(r.ctx), errStopped) {
		return p, false, nil
	}
	if err != nil && r.ctx.Err() != nil {
		return p, false, context.Cause(r.ctx)
	}
	return p, err == nil, err
}

// word has the model make the reply, or the rules where there is no model, or it could not
// read the message.
func (e *Engine) word(r *run, answer *pendingUnderstanding) (*Plan, error) {
	u, known := answer.now()
	if r.models.Talking == nil || len(r.scene.Files) > 0 { // what a file says is in no word of the message: nothing is likely
		u, known = answer.wait(r.ctx), true
	}
	if known && (r.models.Talking == nil || u.Degraded != "") {
		p := Decide(r.scene, u)
		return p, r.by(e.Rules, p)
	}
	p, err := e.byModelAtOnce(r, answer)
	if err == nil || r.ctx.Err() != nil {
		return p, err
	}
	r.degrade = FailureClass(err)
	r.deltas.Reset()            // half an answer is never kept as a whole one
	p = e.decided(r, answer, p) // on what will be recorded, so that the rules name no other values
	p.Begun = false
	return p, r.by(e.Rules, p)
}

// ErrOvertaken is the cause of the context of, and ends, a reply of which nothing has gone out when the message turns out to
// mean something else than seemed likely.
var ErrOvertaken = errors.New("the message means something else")

// byModelAtOnce streams the model's reply on what is known of the message, or is likely, and
// brings it to its end once the plan is decided.
func (e *Engine) byModelAtOnce(r *run, answer *pendingUnderstanding) (*Plan, error) {
	likely, known := e.likely(r, answer)
	s, err := e.stream(r, likely, known, answer)
	if errors.Is(err, ErrOvertaken) {
		u := answer.wait(r.ctx)
		likely, known = Decide(r.scene, u), true
		if u.Degraded != "" {
			return likely, r.by(e.Rules, likely)
		}
		s, err = e.stream(r, likely, known, answer)
	}
	if err != nil {
		return likely, err
	}
	if known {
		return likely, e.conclude(r, s, likely)
	}
	p := e.decided(r, answer, likely)
	if p == likely || sameTask(likely, p) || e.asksBesides(r, s, likely, p) {
		return p, e.conclude(r, s, p)
	}
	r.usage.Unsaid += tokensIn(s.drop())
	return p, e.rest(r, s, p)
}

// asksBesides reports whether a reply that was made for the likely plan asks what p asks all
// the same.
func (e *Engine) asksBesides(r *run, s *speech, likely, p *Plan) bool {
	return p.Question != nil && p.Question.Purpose == sessions.ToAsk && p.Ends == likely.Ends && p.Phase == likely.Phase && !p.announces(likely) &&
		len(s.questions()) > 0 && len(faultsOf(r.scene, p, s.questions(), similarity(r.ctx, e.Rules))) == 0
}

// likely returns the plan that holds if the message means what it seems to, by the rules.
// known is true when the message is understood already.
func (e *Engine) likely(r *run, answer *pendingUnderstanding) (p *Plan, known bool) {
	if u, known := answer.now(); known {
		return Decide(r.scene, u), true
	}
	p = likelyPlan(r.scene, answer.fallback())
	p.AcknowledgeOnly = p.AcknowledgeOnly || answer.inReply
	return p, false
}

// decided returns the plan on what the message means. When the model takes longer than
// QuestionWait to read it, that is the likely plan, unless it might end the interview.
func (e *Engine) decided(r *run, answer *pendingUnderstanding, likely *Plan) *Plan {
	if u, known := answer.within(r.ctx, e.QuestionWait-time.Since(r.started)); known {
		return Decide(r.scene, u)
	}
	if likely.AcknowledgeOnly {
		return Decide(r.scene, answer.wait(r.ctx))
	}
	return likely
}

// stream has the model word p and passes the words on by the rules of [speech]. It ends with
// ErrOvertaken when the message turns out to mean something else before anything has gone
// out.
func (e *Engine) stream(r *run, p *Plan, known bool, answer *pendingUnderstanding) (*speech, error) {
	ctx, cancel := context.WithCancelCause(r.ctx)
	defer cancel(nil)
	var first race
	s := &speech{check: factsOf(r.scene, p).fit, say: func(text string) error {
		if !first.win(theWords) {
			return ErrOvertaken
		}
		return r.say(text)
	}}
	if !known && !answer.inReply {
		defer e.watchReading(ctx, r, p, answer, func() {
			if first.win(theReading) {
				cancel(ErrOvertaken)
			}
		})()
	}
	r.answers = r.models.Talking.Name() // unless another steps in
	err := e.call(ctx, r, p, known, answer, s.add)
	if err == nil {
		err = s.end()
	}
	switch {
	case errors.Is(context.Cause(ctx), ErrOvertaken):
		err = ErrOvertaken
	case s.unfit != nil:
		err = s.unfit // rather than what the client makes of it
	}
	return s, err
}

// race is between the first words of a reply and the reading that makes them wrong.
type race struct {
	mu     sync.Mutex
	winner racer // guarded by mu
}

type racer int

const (
	theWords racer = iota + 1
	theReading
)

// win reports whether who came first.
func (r *race) win(who racer) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.winner == 0 {
		r.winner = who
	}
	return r.winner == who
}

// call makes the call, or the one call of a turn that reads the message as well.
func (e *Engine) call(ctx context.Context, r *run, p *Plan, known bool, answer *pendingUnderstanding, say func(string) error) error {
	if known || !answer.inReply {
		usage, err := r.models.Talking.Reply(ctx, r.scene, p, say)
		r.usage.add(usage)
		r.answers = cmp.Or(usage.By, r.answers)
		return err
	}
	u, err := r.models.converser().Converse(ctx, r.scene, p, say) // inReply says that there is one
	r.usage.add(u.Usage)
	r.answers = cmp.Or(u.Usage.By, r.answers)
	u.Usage = Usage{}
	switch {
	case err == nil:
		answer.set(Screen(r.scene, u, similarity(r.ctx, e.Rules)))
	default:
		fallback := answer.fallback()
		fallback.Degraded = FailureClass(err)
		answer.set(fallback)
		if errors.Is(err, ErrUnread) {
			err = nil // what was said is whole; only what was understood is missing
		}
	}
	return err
}

// watchReading calls differs when the message turns out to mean something else than likely says.
// The function it returns ends the watch.
func (e *Engine) watchReading(ctx context.Context, r *run, likely *Plan, answer *pendingUnderstanding, differs func()) (end func()) {
	ctx, stop := context.WithCancel(ctx)
	var watcher sync.WaitGroup
	watcher.Go(func() { // ends with ctx
		u, known := answer.await(ctx)
		if known && (u.Degraded != "" || !sameTask(likely, Decide(r.scene, u))) {
			differs()
		}
	})
	return func() { stop(); watcher.Wait() }
}

// conclude ends a reply that was made for p: with the question held back if it is the
// plan's and well put, and with the plan's own words else.
func (e *Engine) conclude(r *run, s *speech, p *Plan) error {
	if p.AcknowledgeOnly { // the question is the server's
		r.usage.Unsaid += tokensIn(s.drop())
		return e.rest(r, s, p)
	}
	questions, similar := s.questions(), similarity(r.ctx, e.Rules)
	broken := faultsOf(r.scene, p, questions, similar)
	switch {
	case len(broken) == 0:
		return s.release()
	case p.Care && len(questions) == 1: // the plan's question waits for the next turn
		p.Question, p.Conflict = nil, nil
		return s.release()
	}
	r.usage.Repaired = strings.Join(broken, ",")
	r.usage.Unsaid += tokensIn(s.drop())
	switch {
	case len(s.asked) > 0 && p.Question != nil && asksFor(r.scene, p, s.asked[0], similar):
		return nil // it was asked in the first words
	case s.begun() && (p.Question == nil || p.Ends != ""):
		return nil
	case s.begun() && spoken(r.scene):
		return s.follow(strings.TrimSpace(inPlainWords(r.scene, p.Question)))
	}
	return e.rest(r, s, p)
}

// spoken reports whether the rules speak the language of the conversation.
func spoken(s *Scene) bool {
	tag := tongueOf(s)
	return tag == "" || messages.Languages()[messages.Base(tag)] != nil
}

// rest says what p still has to say after what has gone out: the rules do, in a language
// that they speak, and the model in others.
func (e *Engine) rest(r *run, s *speech, p *Plan) error {
	p.Begun = s.begun()
	if !spoken(r.scene) {
		if text, ok := e.restByModel(r, s, p); ok {
			return s.follow(text)
		}
	}
	_, err := e.Rules.Reply(r.ctx, r.scene, p, s.next())
	return err
}

// restByModel returns what p still has to say in the model's words, if they ask what p asks.
func (e *Engine) restByModel(r *run, s *speech, p *Plan) (string, bool) {
	p.Said = s.text.String()
	var text strings.Builder
	usage, err := r.models.Talking.Reply(r.ctx, r.scene, p, func(piece string) error { text.WriteString(piece); return nil })
	r.usage.add(usage)
	_, questions := splitQuestions(text.String())
	return text.String(), err == nil && len(faultsOf(r.scene, p, questions, similarity(r.ctx, e.Rules))) == 0
}

// by has an interviewer make the whole reply that p plans.
func (r *run) by(i Interviewer, p *Plan) error {
	r.answers = i.Name()
	usage, err := i.Reply(r.ctx, r.scene, p, r.say)
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

// FailureClass returns the class of a model's failure for people who inspect a turn:
// one word, and never the words of the provider.
func FailureClass(err error) string {
	var e *llm.Error
	switch {
	case errors.As(err, &e):
		return string(e.Class)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return "timeout"
	case errors.Is(err, errClaims):
		return "unfounded"
	case errors.Is(err, errTongue):
		return "language"
	}
	return "bad_output"
}

// add adds calls and tokens. What is noted once for a turn stays as it is.
func (u *Usage) add(v Usage) {
	u.Calls += v.Calls
	u.PromptTokens += v.PromptTokens
	u.CompletionTokens += v.CompletionTokens
}

// tokensIn returns about how many tokens n bytes of a reply are.
func tokensIn(n int) int { return (n + 3) / 4 }
