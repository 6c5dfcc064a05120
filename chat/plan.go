package chat

import (
	"cmp"
	"slices"

	"quaestor/internal/language/messages"
	"quaestor/obligations"
	"quaestor/sessions"
)

// Decide works out what a turn does: what changes, what is asked next, whether the
// session ends. It is pure, and the same for every interviewer. An understanding without
// an intent is provisional: the plan then goes on to the next question as if the last
// one, and whatever the message touched, had been answered.
func Decide(s *Scene, u Understanding) *Plan {
	d := decision{scene: s, plan: &Plan{Understanding: u, PhaseBefore: s.Session.Phase, Returning: returning(s, u)},
		allowed: allow(s.budget(), s.Turn-s.Session.RevisedTurns, s.Spent)}
	p := d.plan
	p.Changes = obligations.Apply(s.Obligations, u.Findings, s.Turn)
	closeThirdValues(s, u, p.Changes)
	p.List = obligations.Merge(s.Obligations, p.Changes)
	p.Completeness = s.Objective.Completion.Score(p.List)
	p.Phase = sessions.PhaseFor(p.Completeness.Progress, s.Session.Phase)
	d.ranked = obligations.Rank(p.List, d.selection())
	if u.Intent == "" {
		answered := append(s.Asked.Keys(), u.Touched...)
		d.ranked = slices.DeleteFunc(d.ranked, func(c obligations.Candidate) bool { return slices.Contains(answered, c.Obligation.Key) })
	}
	p.Research, p.Steered = agenda(s, u, p.List, p.Changes, s.Research), steered(s.Research, u.Steering)
	d.setAside()
	d.holdBack()
	d.choose()
	d.annotate()
	p.News = d.news()
	return p
}

// returning reports whether the person comes back after a pause: they had left, or they
// open a conversation that was paused.
func returning(s *Scene, u Understanding) bool {
	switch s.Session.StopReason {
	case "", sessions.EndError:
		return false
	case sessions.EndLeft:
		return true
	default:
		return u.Intent == Opened
	}
}

// decision is a plan in the making.
type decision struct {
	scene   *Scene
	plan    *Plan
	ranked  []obligations.Candidate // what may be asked next, the best first
	held    []string                // keys that are being looked up
	allowed allowance
	because obligations.Rationale // why the plan's question is asked
}

// setAside keeps out of the next question what the person wants looked up, and what they were
// just asked to confirm and said neither yes nor no to, as long as there is something else to ask
// and nothing waits for it.
func (d *decision) setAside() {
	asked := d.scene.Asked
	waits := func(c obligations.Candidate) bool {
		key := c.Obligation.Key
		return asked != nil && asked.Purpose == sessions.ToConfirm && asked.Key == key && !d.scene.Voice && !d.awaited(key) ||
			slices.ContainsFunc(d.plan.Understanding.Research, func(r ResearchRequest) bool { return r.Key == key })
	}
	if rest := slices.DeleteFunc(slices.Clone(d.ranked), waits); len(rest) > 0 {
		d.ranked = rest
	}
}

// awaited reports whether something cannot be asked before key is settled.
func (d *decision) awaited(key string) bool {
	if o := obligations.Find(d.plan.List, key); o != nil && o.Bears() {
		return false
	}
	return slices.ContainsFunc(d.plan.List, func(o obligations.Obligation) bool { return !o.Resolved() && slices.Contains(o.Dependencies, key) })
}

// holdBack puts what is to be learnt by research, and is being looked up or ordered in
// this turn, and what is to be concluded, behind everything else that can be asked.
func (d *decision) holdBack() {
	for _, f := range d.scene.Research.Open() {
		if f.Note == "" && (f.Kind.OwnData() || !d.scene.Sourceless) { // else it waits, and nobody knows for how long
			d.held = append(d.held, f.Key)
		}
	}
	for _, o := range d.plan.Research.Orders {
		if o.Kind.OwnData() || !d.scene.Sourceless {
			d.held = append(d.held, o.Key)
		}
	}
	slices.SortStableFunc(d.ranked, func(a, b obligations.Candidate) int { return cmp.Compare(d.waits(a), d.waits(b)) })
}

// waits returns 1 for a candidate that is held back, and 0 for others: what is looked up waits
// for that, and what follows from answers, or may, until what is known is checked.
func (d *decision) waits(c obligations.Candidate) int {
	o := c.Obligation
	if (o.Collection == obligations.Research || o.Metric != nil) && o.Value == nil && slices.Contains(d.held, o.Key) {
		return 1
	}
	if o.Collection == obligations.Inferred && !Short(d.plan.List) && (d.plan.Phase == sessions.Opening || d.plan.Phase == sessions.Exploration) {
		return 1
	}
	return 0
}

// selection returns what memory, the phase and the budget add to the order of
// questions. A follow-up counts from the turn after it was noted, unless the message
// settled it. What the person put off has priority once the session could close.
func (d *decision) selection() obligations.SelectionContext {
	s, u := d.scene, &d.plan.Understanding
	l := obligations.SelectionContext{Required: s.Objective.Completion.Required, Checking: d.plan.Phase == sessions.Validation || d.plan.Phase == sessions.Closing}
	for _, f := range s.Memory.FollowUps {
		switch {
		case f.Turn > s.Turn || slices.Contains(u.Signals.Done, f.Key):
		case f.Promised && d.plan.closable():
			l.FollowUps = append(l.FollowUps, obligations.FollowUp{Key: f.Key, Priority: obligations.HighPriority, Scheduled: true})
		default:
			l.FollowUps = append(l.FollowUps, obligations.FollowUp{Key: f.Key, Priority: f.Priority, Scheduled: f.Turn > 0})
		}
	}
	if now, _ := d.hurry(); now || d.allowed.left <= scarceQuestions {
		l.Wanted = withDependencies(d.plan.List, d.plan.Completeness.MissingKeys)
	}
	return l
}

// told reports whether the message gave the value of key.
func (d *decision) told(key string) bool {
	return slices.ContainsFunc(d.plan.Understanding.Findings, func(f obligations.Finding) bool {
		return f.Key == key && !f.Evidence.Unfounded() && (f.Act == obligations.Tell || f.Act == obligations.Correct || f.Act == obligations.Confirm)
	})
}

// withDependencies returns keys and everything they depend on, directly or indirectly.
func withDependencies(list []obligations.Obligation, keys []string) []string {
	out := slices.Clone(keys)
	for i := 0; i < len(out); i++ {
		o := obligations.Find(list, out[i])
		if o == nil {
			continue
		}
		for _, key := range o.Dependencies {
			if !slices.Contains(out, key) {
				out = append(out, key)
			}
		}
	}
	return out
}

// annotate notes why the plan's question is asked, which follow-ups it settles, and how
// many questions are left if the person should know.
func (d *decision) annotate() {
	p := d.plan
	if p.Question == nil {
		return
	}
	if d.allowed.tell && p.Question.Purpose != sessions.ToFinish {
		p.Left = d.allowed.left
	}
	q, because := *p.Question, d.because // a copy, since the question may be the scene's
	q.ChosenBecause = &because
	p.Question = &q
	if p.Digression || q.Purpose == sessions.ToResolve {
		return
	}
	for _, f := range d.scene.Memory.FollowUps {
		if f.Turn <= d.scene.Turn && slices.Contains(q.Keys(), f.Key) {
			p.Followed = append(p.Followed, f.Key)
		}
	}
}

// Signals returns what the turn adds to the memory: what was understood, the follow-ups
// that the plan's question settles, and the promise to come back to what was put off.
// list is the obligations after the turn.
func (p *Plan) Signals(u Understanding, list []obligations.Obligation) sessions.Signals {
	s := u.Signals
	s.Done, s.FollowUps = append(slices.Clone(s.Done), p.Followed...), slices.Clone(s.FollowUps)
	if p.Question != nil && p.Question.Purpose == sessions.ToProbe {
		s.Probed = p.Question.Key
	}
	s.Course.Offered, s.Course.Approved, s.Course.Widened = p.Course.Offered, p.Course.Approved, p.Course.Widened
	for _, f := range u.Findings {
		if o := obligations.Find(list, f.Key); f.Act == obligations.Defer && o != nil && o.Status == obligations.Deferred {
			s.FollowUps = append(s.FollowUps, sessions.FollowUp{Key: o.Key, Reason: "the person wants to come back to it", Priority: o.Priority, Promised: true})
		}
	}
	return s
}

// choose takes the first that applies: an ending, what the person wants to talk about, what is
// wrong with what was read back, going back to what was asked, a conflict to raise, what was
// rejected or reopened, reading back what was heard, a probe, what a conflict interrupted, the offer to stop for who has
// little time, reading back, the offer to finish, the next question, and else a close.
func (d *decision) choose() {
	for _, step := range []func() bool{d.ending, d.wanted, d.amend, d.again, d.conflict, d.unsettled, d.readBack, d.probe, d.resume, d.pause, d.approve, d.finish, d.next} {
		if step() {
			return
		}
	}
	d.close()
}

// ending handles people who leave or agree to finish, and budgets that are used up. The
// last question of a session that has all it needs is whether to close it.
func (d *decision) ending() bool {
	s, p := d.scene, d.plan
	agreed := s.Asked != nil && s.Asked.Purpose == sessions.ToFinish && (p.Understanding.Intent == Agree || p.Understanding.Intent == Finish)
	switch {
	case (agreed || p.Understanding.Intent == Finish) && d.allowed.left > 0 && d.unraised():
		return false // a contradiction that nobody was asked about comes first
	case agreed && (p.Completeness.Met || len(s.Asked.Missing) > 0):
		p.Ends = sessions.EndCompleted
	case agreed && s.Asked.Pause:
		p.Ends = sessions.EndLeft
	case agreed:
		p.Ends = sessions.EndHandedOver
	case p.Understanding.Intent == Leave:
		p.Ends = sessions.EndLeft
	case p.Understanding.Intent == Finish:
		p.Question = d.finishQuestion()
		d.because.Sentence = "The person wants to be done."
	case d.allowed.left == 0:
		p.Ends = sessions.EndBudget
	case d.allowed.left == 1 && p.Completeness.Met && (s.Asked == nil || s.Asked.Purpose != sessions.ToFinish):
		p.Question = d.finishQuestion()
		d.because.Sentence = "It is the last question the budget allows, and what is needed is known."
	default:
		return false
	}
	return true
}

// unraised reports whether a contradiction is open that was never raised.
func (d *decision) unraised() bool {
	return slices.ContainsFunc(d.scene.Conflicts, func(c obligations.Conflict) bool {
		return c.Raised == 0 && !d.touched(c) && obligations.Find(d.plan.List, c.Keys[0]) != nil
	})
}

// digressions are the intents that leave the question unanswered. It is repeated then,
// without counting as asked again.
var digressions = []Intent{AskWhy, AskHelp, AskRepeat, AskProgress, AskMemory, AskMeta, SmallTalk, OffTopic, Attached}

// again goes back to what was asked: after a digression, after an answer that could not
// be the value, and after one that could not be understood.
func (d *decision) again() bool {
	s, p := d.scene, d.plan
	u := p.Understanding
	if len(u.Refused) > 0 {
		return d.ask(u.Refused[0].Key, sessions.ToAsk)
	}
	if s.Asked == nil || s.Asked.Pause { // whoever is offered to stop and says anything but yes goes on
		return false
	}
	if (slices.Contains(digressions, u.Intent) || u.Intent == Opened || d.aboutResearch()) && len(p.Changes) == 0 || d.elsewhere() {
		return d.backTo(s.Asked)
	}
	if u.Intent != Unclear || len(p.Changes) > 0 {
		return false
	}
	if s.Asked.Purpose == sessions.ToResolve {
		return d.repeatWhich(*s.Asked)
	}
	if s.Asked.Purpose == sessions.ToConfirm {
		return false // whoever says neither yes nor no is not pressed
	}
	if s.Asked.Key != "" {
		return d.ask(s.Asked.Key, s.Asked.Purpose)
	}
	return d.oneByOne()
}

// aboutResearch reports whether the message is about research only, and not a request to
// look up what was asked.
func (d *decision) aboutResearch() bool {
	u := d.plan.Understanding
	return u.Intent == AskResearch && !slices.ContainsFunc(u.Research, func(w ResearchRequest) bool { return slices.Contains(d.scene.Asked.Keys(), w.Key) })
}

// elsewhere reports whether the message is about other obligations only, such as a
// correction of an earlier answer. What was asked is then asked once more, as if nothing
// had come between.
func (d *decision) elsewhere() bool {
	u, asked := d.plan.Understanding, d.scene.Asked.Keys()
	if len(u.Findings) == 0 || len(asked) == 0 || d.scene.Asked.Purpose == sessions.ToResolve || d.scene.Asked.Purpose == sessions.ToConfirm {
		return false
	}
	return !slices.ContainsFunc(u.Findings, func(f obligations.Finding) bool {
		return slices.Contains(asked, f.Key) || f.Act == obligations.Deny
	}) && !slices.ContainsFunc(d.plan.Changes, func(c obligations.Change) bool { return c.Conflict != nil })
}

// maxWhich is how often the person is asked which of two values holds. A third time would
// be nagging; a reviewer decides instead.
const maxWhich = 2

// repeatWhich asks once more which of two values holds.
func (d *decision) repeatWhich(q sessions.Question) bool {
	if q.Attempt >= maxWhich {
		return false
	}
	q.Attempt++
	d.plan.Question, d.plan.Digression = &q, true
	d.because.Sentence = "The answer picked neither of the two values."
	return true
}

// backTo repeats a question without counting it as asked again, if it is still open.
func (d *decision) backTo(q *sessions.Question) bool {
	d.plan.Digression = d.stillOpen(q)
	if d.plan.Digression {
		d.plan.Question = d.inOtherWords(q)
		d.because.Sentence = "It was asked before something else came up, and is still open."
	}
	return d.plan.Digression
}

// inOtherWords returns a question that is repeated in the next of its wordings, where the person asked
// what it means or complained, and else as it is.
func (d *decision) inOtherWords(q *sessions.Question) *sessions.Question {
	puzzled := slices.ContainsFunc(d.plan.Understanding.Beside, func(r Remark) bool { return r.About == askedMeaning || r.Act == complaintAct })
	o := obligations.Find(d.plan.List, q.Key)
	if !puzzled || o == nil || q.Purpose != sessions.ToAsk {
		return q
	}
	for n := range len(d.scene.Objective.Pools[o.PoolID]) + 1 {
		if other := d.scene.Objective.Wording(o.Template, n+1); q.Prompt == d.scene.Objective.Wording(o.Template, n) && other != q.Prompt {
			put := *q
			put.Prompt = other
			return &put
		}
	}
	return q
}

// What remarks tell of who asks what a question means, and of who complains.
const (
	askedMeaning = "meaning"
	complaintAct = "complaint"
)

// stillOpen reports whether a question still makes sense.
func (d *decision) stillOpen(q *sessions.Question) bool {
	if len(q.Keys()) == 0 || q.Purpose == sessions.ToResolve || q.ReadBack {
		return true
	}
	return slices.ContainsFunc(q.Keys(), func(key string) bool {
		o := obligations.Find(d.plan.List, key)
		return o != nil && !o.Resolved()
	})
}

// oneByOne asks the open fields of a form whose answer could not be understood one at a
// time, since all at once was too much.
func (d *decision) oneByOne() bool {
	rest := unanswered(d.scene.Asked, d.plan.List)
	return rest != nil && slices.ContainsFunc(rest.Keys(), func(key string) bool { return d.ask(key, sessions.ToAsk) })
}

// resume repeats what a conflict interrupted, without counting it as asked again.
func (d *decision) resume() bool {
	if d.scene.Asked == nil {
		return false
	}
	q := unanswered(d.scene.Asked.Resume, d.plan.List)
	if q == nil {
		return false
	}
	d.plan.Question, d.plan.Digression = q, true
	d.because.Sentence = "It was asked before a contradiction had to be settled, and is still open."
	return true
}

// conflict raises a contradiction. Each is raised once.
func (d *decision) conflict() bool {
	p := d.plan
	for _, c := range p.Changes {
		if c.Conflict != nil && c.Conflict.Status != obligations.ConflictResolved {
			return d.raise(*c.Conflict)
		}
	}
	for _, c := range d.scene.Conflicts {
		if c.Raised == 0 && !d.touched(c) {
			return d.raise(c)
		}
	}
	return false
}

// touched reports whether the message changed one of the conflict's obligations anyway.
func (d *decision) touched(c obligations.Conflict) bool {
	return slices.ContainsFunc(d.plan.Changes, func(ch obligations.Change) bool { return slices.Contains(c.Keys, ch.After.Key) })
}

// raise asks which side of a conflict holds. What that interrupts is resumed afterwards.
func (d *decision) raise(c obligations.Conflict) bool {
	o := obligations.Find(d.plan.List, c.Keys[0])
	if o == nil {
		return false
	}
	q := d.question(o, sessions.ToResolve)
	q.Attempt = 1
	q.Values = c.Values(o.Key)
	if constrained(c) { // the sides are values of different obligations
		l := MessagesOf(d.scene)
		q.Prompt = l.Text("resolve.constraint", messages.Args{"message": messages.Text(c.Message), "label": messages.Text(l.Quoted(o.Name()))})
	}
	q.Resume = d.interrupted().Parked()
	d.plan.Conflict, d.plan.Question = &c, q
	d.because.Sentence = "Two values that were told cannot both hold."
	return true
}

// interrupted returns what the message left open of what was asked, or of what was
// interrupted before.
func (d *decision) interrupted() *sessions.Question {
	switch asked := d.scene.Asked; {
	case asked == nil:
		return nil
	case asked.Purpose == sessions.ToResolve:
		return unanswered(asked.Resume, d.plan.List)
	default:
		return unanswered(asked, d.plan.List)
	}
}

// unsettled asks at once for the right value after a rejection, and for an answer when
// the person went back to an obligation and left it open.
func (d *decision) unsettled() bool {
	for _, f := range d.plan.Understanding.Findings {
		if f.Act == obligations.Deny && d.ask(f.Key, sessions.ToAsk) {
			return true
		}
		if f.Act == obligations.Reopen && d.ask(f.Key, sessions.ToAsk) {
			d.because.Sentence = "The person wants to answer it after all."
			return true
		}
	}
	return false
}

// closable reports whether the criteria hold and the closing phase is reached.
func (p *Plan) closable() bool { return p.Completeness.Met && p.Phase == sessions.Closing }

// finish offers to finish once the criteria hold and nothing else can be asked, or the
// session is closable and everything left was asked before.
func (d *decision) finish() bool {
	p := d.plan
	if refused := d.scene.Asked != nil && d.scene.Asked.Purpose == sessions.ToFinish; p.closable() && !refused {
		d.ranked = slices.DeleteFunc(d.ranked, func(c obligations.Candidate) bool { return !outstanding(c) })
	}
	if !p.Completeness.Met || len(d.ranked) > 0 {
		return false
	}
	if d.widen() {
		return true
	}
	p.Question = d.finishQuestion()
	d.because.Sentence = "What is needed is known."
	return true
}

// outstanding reports whether c must be asked before the session is closed: it never was
// asked, what was concluded or looked up for it was never put to the person, or it was put
// off with the promise to come back.
func outstanding(c obligations.Candidate) bool {
	o := c.Obligation
	if o.Status == obligations.Deferred {
		return c.FollowUp && o.Attempts < 2
	}
	return o.Attempts == 0 && (o.Value == nil || o.Pending())
}

// next asks what ranks first: several closed questions as a form, a value to confirm, or
// one question. A form cannot be spoken, and is too much for who has little time or strength.
func (d *decision) next() bool {
	if len(d.ranked) == 0 {
		return false
	}
	d.because = d.ranked[0].Because
	now := slices.DeleteFunc(slices.Clone(d.ranked), func(c obligations.Candidate) bool { return d.waits(c) == 1 })
	if form := obligations.Form(now); form != nil && !d.scene.Voice && d.plan.Understanding.Signals.Course.Hurry == 0 && !Weary(d.scene) {
		d.plan.Question = d.form(form)
		return true
	}
	o := d.ranked[0].Obligation
	purpose := sessions.ToAsk
	if confirmable(o) {
		purpose = sessions.ToConfirm
	}
	d.plan.Question = d.question(o, purpose)
	return true
}

// confirmable reports whether a yes is all that the value of o needs: it is held, in
// part, and not too vague to act on.
func confirmable(o *obligations.Obligation) bool {
	if o.Value == nil || o.Status != obligations.Partial {
		return false
	}
	last := o.Evidence[len(o.Evidence)-1]
	return last.Grade == nil || !last.Grade.Vague
}

// ask asks for one obligation, if it is open and may be asked again.
func (d *decision) ask(key string, purpose sessions.Purpose) bool {
	o := obligations.Find(d.plan.List, key)
	if o == nil || o.Resolved() || o.Attempts >= max(o.MaxAttempts, 1) {
		return false
	}
	if purpose == sessions.ToConfirm && !confirmable(o) {
		purpose = sessions.ToAsk
	}
	d.plan.Question = d.question(o, purpose)
	d.because.Sentence = "The answer to it could not be taken, or was taken back."
	return true
}

// confirmLast puts a required value to the person that was told in doubt when it could not be
// asked for again: a yes is all that is missing.
func (d *decision) confirmLast() bool {
	if d.allowed.left <= 1 {
		return false
	}
	for _, key := range d.plan.Completeness.MissingKeys {
		if o := obligations.Find(d.plan.List, key); o != nil && confirmable(o) && o.Attempts == max(o.MaxAttempts, 1) {
			d.plan.Question = d.question(o, sessions.ToConfirm)
			d.because.Sentence = "It is required, and a yes is all that it needs."
			return true
		}
	}
	return false
}

// close ends a session in which nothing more can be asked although the criteria do not
// hold. What is required and was told in doubt is put to the person once more. If the person declined something that is required, they are asked whether to
// finish without it. Otherwise the session is handed over: what was asked as often as
// allowed stays open, and so does what depends on it. When a reviewer fills it in, the
// next message continues the session.
func (d *decision) close() {
	if d.confirmLast() {
		return
	}
	if declined := d.declined(); len(declined) > 0 && d.allowed.left > 1 {
		d.plan.Question = finishWithoutQuestion(MessagesOf(d.scene), declined)
		d.because.Sentence = "It is required, and the person would not answer it."
		return
	}
	d.plan.Ends = sessions.EndHandedOver
}

// asked returns the findings that count the plan's question as asked.
func (p *Plan) asked() []obligations.Finding {
	if p.Question == nil || p.Digression {
		return nil
	}
	var out []obligations.Finding
	for _, key := range p.Question.Keys() {
		if p.Question.Purpose != sessions.ToResolve && p.Question.Purpose != sessions.ToProbe && !p.Question.ReadBack {
			out = append(out, obligations.Finding{Key: key, Act: obligations.Asked, Source: "interviewer"})
		}
	}
	return out
}
