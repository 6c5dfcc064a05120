package obligations

import (
	"cmp"
	"fmt"
	"slices"
)

// Candidate is an obligation that may be asked now, and what asking it is worth.
type Candidate struct {
	Obligation *Obligation
	Gain       float64 // see [Rank]
	Unlocks    int     // open obligations that wait for it, directly or not
	Returning  bool    // it was put off and returns because nothing else is left
	FollowUp   bool    // a return to it was noted and is now due
	Because    Rationale
	first      int // tier: all candidates of a higher tier come before those of a lower one
}

// Rationale explains why an obligation is asked: each factor of its gain, and one
// plain sentence. The gain is the product of all factors except the cost, divided by
// the cost. A question that was not chosen by gain has only the sentence.
type Rationale struct {
	Sentence    string  `json:"sentence"`
	Gain        float64 `json:"gain,omitempty"`
	Priority    float64 `json:"priority,omitempty"`    // 1–10
	Uncertainty float64 `json:"uncertainty,omitempty"` // 0–1: 1 − confidence
	Unlocking   float64 `json:"unlocking,omitempty"`   // 1, plus ¼ for each open obligation that waits for it
	Directness  float64 `json:"directness,omitempty"`  // ½ if it is to be inferred or researched and nothing is proposed yet, else 1
	Topic       float64 `json:"topic,omitempty"`       // 1.15 if it stays in the last question's category, else 1
	Relation    float64 `json:"relation,omitempty"`    // up to 1.5 if the last answer bears on it, else 1
	Cost        float64 `json:"cost,omitempty"`        // the person's effort: by widget, plus ½ for each earlier attempt
}

// FollowUp is a return to an obligation that is now due.
type FollowUp struct {
	Key       string
	Priority  int  // 1–10
	Scheduled bool // for a certain turn; only a scheduled return brings back what was deferred
}

// Relevance tells that what was just learnt of From bears on To.
type Relevance struct {
	From, To   string
	Confidence float64 // 0–1
}

// SelectionContext is what the conversation adds to the choice of the next question. The
// zero value adds nothing.
type SelectionContext struct {
	FollowUps []FollowUp  // those due; from [HighPriority] on they come before candidates of higher gain
	Bearings  []Relevance // from what was just answered
	Wanted    []string    // keys to ask before all others: the required ones when few questions are left
}

// HighPriority is the priority from which a follow-up that is due is asked first,
// whatever else could be gained. It is the upper third of the scale of 1 to 10.
const HighPriority = 7

// What an answer is worth beyond its own priority, and what asking costs. The figures
// are judgements: next_test.go holds the order of questions that they lead to.
const (
	unlockGain    = 0.25 // for each obligation that waits for it
	sameTopicGain = 0.15 // for staying with the category of the last question
	bearingGain   = 0.5  // for a relation that is certain
	indirectShare = 0.5  // inferred and researched ones are asked late
	attemptCost   = 0.5  // for each time it was asked before
)

// effort is a person's effort for one answer, by widget; writing a sentence takes the
// most. It only decides between questions of nearly equal worth.
var effort = map[Widget]float64{Text: 1, MultiSelect: 0.95, ChoiceOne: 0.9, Date: 0.9, Number: 0.9}

// pendingEffort is the person's effort for a yes to what was concluded or found. It is a
// fifth of writing a sentence, so that a proposal is put while its premises are fresh.
const pendingEffort = 0.2

// Tiers of candidates, lowest first.
const (
	awaiting = iota - 1 // it may still be concluded; asked only when nothing else is left
	plainly
	followed
	wanted
)

// Next returns the obligation to ask about now, and false if nothing is left to ask.
// It never returns one that is resolved or whose dependencies are open.
func Next(list []Obligation) (Obligation, bool) {
	ranked := Rank(list)
	if len(ranked) == 0 {
		return Obligation{Template: &Template{}}, false
	}
	return *ranked[0].Obligation, true
}

// Rank returns what may be asked now, the most worthwhile first, by expected gain for
// each unit of the person's effort. This is the value of information of decision
// analysis, with the reduction of uncertainty standing in for the value:
//
//	gain = priority × uncertainty × unlocking × directness × topic × relation ÷ cost
//
// with the factors of [Rationale]. Ties go to the higher priority, then to the order
// of the objective.
//
// What was deferred comes back when nothing else is left. What was asked as often as
// its template allows does not come back, unless a value has been proposed since.
// Obligations that depend on such a one are asked if it holds any value at all, see
// [Obligation.Bears]; otherwise they stay locked and the session ends with both open.
func Rank(list []Obligation) []Candidate { return RankLeaning(list, SelectionContext{}) }

// RankLeaning is Rank with what the conversation adds: the wanted keys first, then
// follow-ups of high priority, then the rest, and last what may still be concluded from
// other answers, each group by gain.
func RankLeaning(list []Obligation, l SelectionContext) []Candidate {
	last := lastCategory(list)
	var fresh, deferred []Candidate
	for i := range list {
		o := &list[i]
		if o.Resolved() || o.Attempts >= o.maxAttempts() && !o.newlyFound() || !Ready(list, o) {
			continue
		}
		c := candidate(list, o, last, l)
		if o.Status == Deferred && c.first != followed {
			c.Returning = true
			deferred = append(deferred, c)
		} else {
			fresh = append(fresh, c)
		}
	}
	if len(fresh) == 0 {
		fresh = deferred
	}
	slices.SortStableFunc(fresh, func(a, b Candidate) int {
		return cmp.Or(
			cmp.Compare(b.first, a.first),
			cmp.Compare(b.Gain, a.Gain),
			cmp.Compare(b.Obligation.Priority, a.Obligation.Priority),
			cmp.Compare(a.Obligation.Position, b.Obligation.Position))
	})
	for i := range fresh {
		fresh[i].Because.Sentence = fresh[i].sentence(list, l)
	}
	return fresh
}

// newlyFound reports whether the value held was proposed by research, or follows from a
// rule, since the person was last asked.
func (o *Obligation) newlyFound() bool {
	if o.Value == nil || o.Status != Partial || len(o.Evidence) == 0 {
		return false
	}
	last := o.Evidence[len(o.Evidence)-1]
	return last.Kind == ResearchEvidence && last.Turn >= o.LastTurn || o.concluded() && last.Turn > o.LastTurn
}

// candidate computes what asking o is worth; last is the category of the last question.
func candidate(list []Obligation, o *Obligation, last string, l SelectionContext) Candidate {
	c := Candidate{Obligation: o, Unlocks: waiting(list, o.Key), FollowUp: l.follows(o)}
	b := Rationale{Priority: float64(o.Priority), Uncertainty: 1 - o.Confidence.Float(), Unlocking: 1 + unlockGain*float64(c.Unlocks),
		Directness: 1, Topic: 1, Relation: 1, Cost: cost(o)}
	if o.Collection != DirectQuestion && !o.Pending() {
		b.Directness = indirectShare
	}
	if o.Category != "" && o.Category == last {
		b.Topic = 1 + sameTopicGain
	}
	if bearing, ok := l.bearing(o.Key); ok {
		b.Relation = 1 + bearingGain*min(max(bearing.Confidence, 0), 1)
	}
	b.Gain = b.Priority * b.Uncertainty * b.Unlocking * b.Directness * b.Topic * b.Relation / b.Cost
	c.Gain, c.Because = b.Gain, b
	switch {
	case o.Status == Deferred && !c.FollowUp:
	case slices.Contains(l.Wanted, o.Key) && o.Status != Deferred:
		c.first = wanted
	case c.FollowUp:
		c.first = followed
	case o.Awaits(list):
		c.first = awaiting
	}
	return c
}

// cost is the effort that asking o takes, including earlier attempts.
func cost(o *Obligation) float64 {
	base, known := effort[o.Widget]
	switch {
	case o.Pending():
		base = pendingEffort
	case !known:
		base = 1
	}
	return base * (1 + attemptCost*float64(o.Attempts))
}

// follows reports whether a follow-up of high priority on o is due. A deferred
// obligation comes back early only if the return was scheduled.
func (l *SelectionContext) follows(o *Obligation) bool {
	return slices.ContainsFunc(l.FollowUps, func(f FollowUp) bool {
		return f.Key == o.Key && f.Priority >= HighPriority && (f.Scheduled || o.Status != Deferred)
	})
}

// bearing returns the strongest relevance to key; of two equally strong ones, the one
// whose From comes first in the alphabet.
func (l *SelectionContext) bearing(key string) (best Relevance, ok bool) {
	for _, b := range l.Bearings {
		if b.To != key || b.From == key {
			continue
		}
		if !ok || b.Confidence > best.Confidence || b.Confidence == best.Confidence && b.From < best.From {
			best, ok = b, true
		}
	}
	return best, ok
}

// sentence names what decided the choice of c.
func (c *Candidate) sentence(list []Obligation, l SelectionContext) string {
	bearing, related := l.bearing(c.Obligation.Key)
	switch {
	case c.first == wanted:
		return "It is required, or something required waits for it, and few questions are left."
	case c.first == followed:
		return "A return to it was noted earlier, and its turn has come."
	case c.Returning:
		return "It was put off before, and nothing else is left to ask."
	case c.first == awaiting:
		return "It could not be concluded from other answers so far, and nothing else is left to ask."
	case c.Obligation.Pending():
		return "It was concluded from other answers or found by research, and takes only a yes."
	case related && Find(list, bearing.From) != nil:
		return fmt.Sprintf("The last answer, on %s, bears on it; its priority is %d of 10.", Find(list, bearing.From).Name(), c.Obligation.Priority)
	case c.Unlocks == 1:
		return fmt.Sprintf("Its priority is %d of 10, %s, and one other question waits for it.", c.Obligation.Priority, c.known())
	case c.Unlocks > 1:
		return fmt.Sprintf("Its priority is %d of 10, %s, and %d other questions wait for it.", c.Obligation.Priority, c.known(), c.Unlocks)
	}
	return fmt.Sprintf("Of what is open it is worth most: its priority is %d of 10, and %s.", c.Obligation.Priority, c.known())
}

// known tells in words how much is known already.
func (c *Candidate) known() string {
	if c.Obligation.Value == nil {
		return "nothing is known of it yet"
	}
	return fmt.Sprintf("the confidence in what is known of it is %s", c.Obligation.Confidence)
}

// waiting counts the open obligations that depend on key, directly or through others.
func waiting(list []Obligation, key string) int {
	blocked := map[string]bool{key: true}
	for range list { // enough, because a chain is at most as long as the list
		before := len(blocked)
		for i := range list {
			if !list[i].Resolved() && slices.ContainsFunc(list[i].Dependencies, func(d string) bool { return blocked[d] }) {
				blocked[list[i].Key] = true
			}
		}
		if len(blocked) == before {
			break
		}
	}
	return len(blocked) - 1
}

// lastCategory returns the category of the question asked last; empty before the first.
func lastCategory(list []Obligation) string {
	turn, category := 0, ""
	for i := range list {
		if list[i].LastTurn > turn {
			turn, category = list[i].LastTurn, list[i].Category
		}
	}
	return category
}

// minForm and maxForm bound a compact form: fewer than three closed fields are better
// asked one at a time, and more than five are tiring to look at.
const (
	minForm = 3
	maxForm = 5
)

// Form returns the closed obligations to ask together in one compact form: at least
// three of the leading candidate's category that were never asked, the leader among
// them. Otherwise it returns nil and one question is asked.
func Form(ranked []Candidate) []Candidate {
	if len(ranked) < minForm || ranked[0].Returning {
		return nil
	}
	lead := ranked[0].Obligation
	var form []Candidate
	for _, c := range ranked {
		o := c.Obligation
		if o.Closed() && c.first != awaiting && o.Attempts == 0 && o.Status == Pending && o.Category == lead.Category && len(form) < maxForm {
			form = append(form, c)
		}
	}
	if len(form) < minForm || form[0].Obligation != lead {
		return nil
	}
	return form
}
