package obligations

import (
	"cmp"
	"fmt"
	"slices"
)

// Candidate is an obligation that may be asked now, and its place in the order of [Rank].
type Candidate struct {
	Obligation *Obligation
	Returning  bool // it was put off and returns because nothing else is left
	FollowUp   bool // a return to it was noted and is now due
	Because    Rationale
	tier       tier
	step       step
}

// Rationale explains why an obligation is asked.
type Rationale struct {
	Sentence string `json:"sentence"` // plain and whole, in English
}

// FollowUp is a return to an obligation that is now due.
type FollowUp struct {
	Key       string
	Priority  int  // 1–10
	Scheduled bool // for a certain turn; only a scheduled return brings back what was deferred
}

// SelectionContext is what the conversation adds to the choice of the next question. The
// zero value adds nothing.
type SelectionContext struct {
	Wanted    []string   // keys to ask before all others: the required ones when few questions are left
	FollowUps []FollowUp // those due; from [HighPriority] on they come before other questions
	Required  []string   // keys that the completion rule requires; they are confirmed first
	Checking  bool       // what was understood is being checked: values are confirmed in the order of their weight
}

// HighPriority is the priority from which a follow-up that is due is asked first,
// whatever is being talked about. It is the upper third of the scale of 1 to 10.
const HighPriority = 7

// tier is a set of candidates that are asked before all those of lower tiers.
type tier int

// The tiers, lowest first.
const (
	awaiting tier = iota // it may still be concluded; asked only when nothing else is left
	again                // it was asked or told before and is not settled; see [ranking.later]
	plainly
	followed
	wanted
)

// step is the place of a candidate within its category; lower ones come first.
type step int

// The steps, first one first.
const (
	unasked  step = iota // to be asked, and never was
	indirect             // to be concluded or looked up, and nothing was proposed
	retried              // asked before in vain
	held                 // a value is held that takes a yes
)

// Next returns the obligation to ask about now, and false if nothing is left to ask.
// It never returns one that is resolved or whose dependencies are open.
func Next(list []Obligation) (Obligation, bool) {
	ranked := Rank(list, SelectionContext{})
	if len(ranked) == 0 {
		return Obligation{Template: &Template{}}, false
	}
	return *ranked[0].Obligation, true
}

// Rank returns what may be asked now, in this order:
//
//  1. what is wanted because few questions are left;
//  2. follow-ups of high priority that are due;
//  3. the category that is being talked about, then the others, the one with the most
//     important question first; within a category what was never asked, the most important
//     first, then what is to be concluded or looked up and was not, then what was asked in
//     vain, and last what takes a yes;
//  4. what was asked or told before and is not settled, unless other questions wait for it
//     or it was passed over in a form: then it is in 3;
//  5. what may still be concluded from other answers.
//
// A question is as important as its priority, or as the most important question that is
// locked until it is answered. Ties go by the order of the objective. While the session is
// checking what was understood, all values that take a yes are in 4, which goes by weight:
// what is required first, then the most important, then what is least certain. There, what
// was asked in the last turn comes last, so that nobody is asked the same twice in a row.
//
// What was deferred comes back when nothing else is left. What was asked as often as
// its template allows does not come back, unless a value has been proposed since.
// Obligations that depend on such a one are asked if it holds any value at all, see
// [Obligation.Bears]; otherwise they stay locked and the session ends with both open.
func Rank(list []Obligation, c SelectionContext) []Candidate {
	r := newRanking(list, c)
	var fresh, deferred []Candidate
	for i := range list {
		o := &list[i]
		if o.Resolved() || o.Attempts >= o.maxAttempts() && !o.newlyFound() || !Ready(list, o) {
			continue
		}
		x := r.candidate(o)
		if x.Returning {
			deferred = append(deferred, x)
		} else {
			fresh = append(fresh, x)
		}
	}
	if len(fresh) == 0 {
		fresh = deferred
	}
	r.sort(fresh)
	for i := range fresh {
		fresh[i].Because.Sentence = r.sentence(&fresh[i])
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

// ranking is what the order of candidates goes by.
type ranking struct {
	SelectionContext
	list     []Obligation
	weight   map[string]int  // how important each obligation is: 1–10
	awaited  map[string]bool // keys that locked obligations wait for
	category string          // of the question asked last
	turn     int             // in which that was; 0 before the first
	asked    map[int]int     // number of obligations that were asked last in a turn; a form asks several
	sections map[section]place
}

// section is the candidates of one category in a tier.
type section struct {
	tier     tier
	category string
}

// place is how important a section's most important candidate is, and the position of its
// first in the objective.
type place struct{ weight, position int }

func newRanking(list []Obligation, c SelectionContext) *ranking {
	r := &ranking{SelectionContext: c, list: list, asked: map[int]int{}, sections: map[section]place{}}
	for i := range list {
		r.asked[list[i].LastTurn]++
		if list[i].LastTurn > r.turn {
			r.turn, r.category = list[i].LastTurn, list[i].Category
		}
	}
	r.weigh()
	return r
}

// weigh computes how important each obligation is, and which ones are waited for.
func (r *ranking) weigh() {
	r.weight, r.awaited = make(map[string]int, len(r.list)), map[string]bool{}
	var locked []*Obligation
	for i := range r.list {
		o := &r.list[i]
		r.weight[o.Key] = o.Priority
		if o.Open() && o.MergedInto == "" && o.SplitInto == nil && !Ready(r.list, o) {
			locked = append(locked, o)
		}
	}
	for changed := true; changed; { // it ends, because weights only rise, to 10 at most
		changed = false
		for _, o := range locked {
			for _, key := range o.Dependencies {
				d := Standing(r.list, key)
				if d == nil {
					continue
				}
				r.awaited[d.Key] = true
				if r.weight[d.Key] < r.weight[o.Key] {
					r.weight[d.Key], changed = r.weight[o.Key], true
				}
			}
		}
	}
}

// candidate returns o with its tier and its step.
func (r *ranking) candidate(o *Obligation) Candidate {
	c := Candidate{Obligation: o, FollowUp: r.follows(o), tier: plainly, step: stepOf(o)}
	c.Returning = o.Status == Deferred && !c.FollowUp
	switch {
	case c.Returning:
	case slices.Contains(r.Wanted, o.Key) && o.Status != Deferred:
		c.tier = wanted
	case c.FollowUp:
		c.tier = followed
	case o.Awaits(r.list):
		c.tier = awaiting
	case r.later(o):
		c.tier = again
	}
	return c
}

func stepOf(o *Obligation) step {
	switch {
	case o.Status == Partial:
		return held
	case o.Attempts > 0:
		return retried
	case o.Collection != DirectQuestion:
		return indirect
	}
	return unasked
}

// later reports whether o waits until what is new was asked. To go back at once to what
// somebody could not say, or did not say surely, would be a cross-examination; but what
// other questions wait for cannot be left, and a field of a form that was passed over is
// asked for once more while its category is being talked about.
func (r *ranking) later(o *Obligation) bool {
	switch {
	case o.Status == Partial && r.Checking:
		return true
	case o.Pending() || r.awaited[o.Key]:
		return false
	case o.Status == Partial:
		return true
	}
	return o.Attempts > 1 || o.Attempts == 1 && r.asked[o.LastTurn] == 1
}

// follows reports whether a follow-up of high priority on o is due. A deferred
// obligation comes back early only if the return was scheduled.
func (c *SelectionContext) follows(o *Obligation) bool {
	return slices.ContainsFunc(c.FollowUps, func(f FollowUp) bool {
		return f.Key == o.Key && f.Priority >= HighPriority && (f.Scheduled || o.Status != Deferred)
	})
}

// sort puts candidates in the order of [Rank].
func (r *ranking) sort(list []Candidate) {
	for i := range list {
		o, p := list[i].Obligation, list[i].section()
		at, known := r.sections[p]
		if !known || at.position > o.Position {
			at.position = o.Position
		}
		at.weight = max(at.weight, r.weight[o.Key])
		r.sections[p] = at
	}
	slices.SortStableFunc(list, func(a, b Candidate) int {
		switch {
		case a.tier != b.tier:
			return cmp.Compare(b.tier, a.tier)
		case a.tier == again:
			return r.byWeight(&a, &b)
		}
		return r.byCategory(&a, &b)
	})
}

func (c *Candidate) section() section { return section{c.tier, c.Obligation.Category} }

// byCategory compares candidates of a tier: the category being talked about comes first,
// then the one with the most important question.
func (r *ranking) byCategory(a, b *Candidate) int {
	p, q := r.sections[a.section()], r.sections[b.section()]
	return cmp.Or(
		first(r.talkedAbout(a), r.talkedAbout(b)),
		cmp.Compare(q.weight, p.weight),
		cmp.Compare(p.position, q.position),
		cmp.Compare(a.step, b.step),
		cmp.Compare(r.weight[b.Obligation.Key], r.weight[a.Obligation.Key]),
		cmp.Compare(a.Obligation.Position, b.Obligation.Position))
}

// byWeight compares candidates across categories: what counts most and is least certain
// comes first.
func (r *ranking) byWeight(a, b *Candidate) int {
	x, y := a.Obligation, b.Obligation
	return cmp.Or(
		first(x.LastTurn < r.turn, y.LastTurn < r.turn),
		first(slices.Contains(r.Required, x.Key), slices.Contains(r.Required, y.Key)),
		cmp.Compare(r.weight[y.Key], r.weight[x.Key]),
		cmp.Compare(x.Confidence, y.Confidence),
		cmp.Compare(x.Position, y.Position))
}

// first compares two conditions; the one that holds comes first.
func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// talkedAbout reports whether c belongs to the category of the last question.
func (r *ranking) talkedAbout(c *Candidate) bool {
	return r.turn > 0 && c.Obligation.Category == r.category
}

// sentence names what decided the place of c.
func (r *ranking) sentence(c *Candidate) string {
	o := c.Obligation
	switch {
	case c.tier == wanted:
		return "It is required, or something required waits for it, and few questions are left."
	case c.tier == followed:
		return "A return to it was noted earlier, and its turn has come."
	case c.Returning:
		return "It was put off before, and nothing else is left to ask."
	case c.tier == awaiting:
		return "It could not be concluded from other answers so far, and nothing else is left to ask."
	case c.tier == again && c.step == held:
		return fmt.Sprintf("What was understood is being checked, what counts most first; %s, and the confidence in it is %s.", r.counts(o), o.Confidence)
	case c.tier == again:
		return fmt.Sprintf("It was asked before and is still open, and what is new was asked; %s.", r.counts(o))
	case o.Pending():
		return "It was concluded from other answers or found by research, and takes only a yes."
	case c.step == held:
		return "Other questions wait for it, and the answer to it is not sure enough yet."
	case o.Category == "":
		return fmt.Sprintf("Of what is open it counts most: %s.", r.counts(o))
	case r.talkedAbout(c):
		return fmt.Sprintf("It belongs to “%s”, which is being talked about; %s.", o.Category, r.counts(o))
	case r.turn == 0:
		return fmt.Sprintf("The interview begins with “%s”, which holds what counts most; %s.", o.Category, r.counts(o))
	}
	return fmt.Sprintf("Of the categories that are open, “%s” holds what counts most; %s.", o.Category, r.counts(o))
}

// counts words how important o is.
func (r *ranking) counts(o *Obligation) string {
	if w := r.weight[o.Key]; w > o.Priority {
		return fmt.Sprintf("its priority is %d of 10, and a question of priority %d waits for it", o.Priority, w)
	}
	return fmt.Sprintf("its priority is %d of 10", o.Priority)
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
		if o.Closed() && c.tier != awaiting && o.Attempts == 0 && o.Status == Pending && o.Category == lead.Category && len(form) < maxForm {
			form = append(form, c)
		}
	}
	if len(form) < minForm || form[0].Obligation != lead {
		return nil
	}
	return form
}
