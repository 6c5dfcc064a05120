package obligations

import (
	"cmp"
	"slices"
)

// Candidate is an obligation that may be asked now, with what asking it is
// worth.
type Candidate struct {
	Obligation *Obligation
	Gain       float64 // priority × uncertainty × what it unlocks × how it is collected
	Unlocks    int     // open obligations that wait for it, directly or not
	Returning  bool    // was put off; comes back because nothing else is left
}

// What an answer is worth beyond its own priority.
const (
	unlockGain    = 0.25 // for each obligation that waits for it
	sameTopicGain = 0.15 // for staying with the category of the last question
	indirectShare = 0.5  // inferred and researched ones are asked late
)

// Next returns the obligation to pursue now, and false when nothing is left to
// ask. It never returns one that is satisfied or skipped, nor one whose
// dependencies are open.
func Next(list []Obligation) (Obligation, bool) {
	ranked := Rank(list)
	if len(ranked) == 0 {
		return Obligation{Template: &Template{}}, false
	}
	return *ranked[0].Obligation, true
}

// Rank returns what may be asked now, the most worthwhile first. Ties go to the
// higher priority, then to the order of the objective. What was put off comes
// back when nothing else is left; what was asked as often as its template
// allows does not.
func Rank(list []Obligation) []Candidate {
	last := lastCategory(list)
	var fresh, deferred []Candidate
	for i := range list {
		o := &list[i]
		if o.Resolved() || o.Attempts >= o.maxAttempts() || !Ready(list, o) {
			continue
		}
		c := candidate(list, o, last)
		if o.Status == Deferred {
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
			cmp.Compare(b.Gain, a.Gain),
			cmp.Compare(b.Obligation.Priority, a.Obligation.Priority),
			cmp.Compare(a.Obligation.Position, b.Obligation.Position))
	})
	return fresh
}

func candidate(list []Obligation, o *Obligation, last string) Candidate {
	unlocks := waiting(list, o.Key)
	gain := float64(o.Priority) * (1 - o.Confidence.Float()) * (1 + unlockGain*float64(unlocks))
	if o.Collection != DirectQuestion {
		gain *= indirectShare
	}
	if o.Category != "" && o.Category == last {
		gain *= 1 + sameTopicGain
	}
	return Candidate{Obligation: o, Gain: gain, Unlocks: unlocks}
}

// waiting counts the open obligations that depend on key, directly or through
// others.
func waiting(list []Obligation, key string) int {
	blocked := map[string]bool{key: true}
	for range list { // a chain is at most as long as the list
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

func lastCategory(list []Obligation) string {
	turn, category := 0, ""
	for i := range list {
		if list[i].LastTurn > turn {
			turn, category = list[i].LastTurn, list[i].Category
		}
	}
	return category
}

// minForm and maxForm bound a compact form: below three closed fields, one
// question at a time is kinder; above five, a form is a wall.
const (
	minForm = 3
	maxForm = 5
)

// Form returns the closed obligations to ask together in one compact form:
// those of the leading candidate's category, when at least three that were never
// asked are ready and the leader is one of them. Otherwise it returns nil and
// one question is asked.
func Form(ranked []Candidate) []Candidate {
	if len(ranked) < minForm || ranked[0].Returning {
		return nil
	}
	lead := ranked[0].Obligation
	var form []Candidate
	for _, c := range ranked {
		o := c.Obligation
		if o.Closed() && o.Attempts == 0 && o.Status == Pending && o.Category == lead.Category && len(form) < maxForm {
			form = append(form, c)
		}
	}
	if len(form) < minForm || form[0].Obligation != lead {
		return nil
	}
	return form
}
