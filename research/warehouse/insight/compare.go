package insight

import (
	"cmp"
	"slices"
	"strings"
)

// Change is what became of an insight between two runs.
type Change string

// The changes, in the order in which they are told.
const (
	Turned     Change = "reversed"     // the same is seen, with the opposite sign
	Moved      Change = "changed"      // it is seen with another effect, or as another kind of effect
	Appeared   Change = "new"          // the earlier run did not see it
	Vanished   Change = "gone"         // the later run searched the table and did not see it
	Unsearched Change = "not_searched" // the later run did not search its table, or could not
	Stayed     Change = "confirmed"    // it is seen again with much the same effect
)

// Changes lists the changes in the order in which they are told.
var Changes = []Change{Turned, Moved, Appeared, Vanished, Unsearched, Stayed}

// Compared is an insight in an earlier and in a later run. Before is nil for one that is new, and After
// for one that is gone or was not searched for.
type Compared struct {
	Change Change
	Before *Insight
	After  *Insight
}

// thread is what a key is about apart from the kind of effect, so that a rise after a drop of the same
// measure and segment is recognised.
func thread(key string) string {
	_, rest, _ := strings.Cut(key, "|")
	return rest
}

// Compare returns what became of the insights of an earlier run in a later one. Insights are the same
// if their keys are, else if they are about the same table, measure and segment. searched reports
// whether the later run could search a table. The result is in the order of [Changes], and within one
// change in that of after and before.
func Compare(before, after []Insight, searched func(table string) bool) []Compared {
	left := make([]*Insight, len(before))
	for i := range before {
		left[i] = &before[i]
	}
	take := func(same func(*Insight) bool) *Insight {
		at := slices.IndexFunc(left, func(b *Insight) bool { return b != nil && same(b) })
		if at < 0 {
			return nil
		}
		was := left[at]
		left[at] = nil
		return was
	}
	partners := make([]*Insight, len(after))
	for i := range after {
		partners[i] = take(func(b *Insight) bool { return b.Key == after[i].Key })
	}
	for i := range after {
		if partners[i] == nil {
			partners[i] = take(func(b *Insight) bool { return thread(b.Key) == thread(after[i].Key) })
		}
	}
	var out []Compared
	for i, was := range partners {
		out = append(out, Compared{changeOf(was, &after[i]), was, &after[i]})
	}
	for _, was := range left {
		switch {
		case was == nil:
		case searched(was.Table):
			out = append(out, Compared{Vanished, was, nil})
		default:
			out = append(out, Compared{Unsearched, was, nil})
		}
	}
	slices.SortStableFunc(out, func(a, b Compared) int {
		return cmp.Compare(slices.Index(Changes, a.Change), slices.Index(Changes, b.Change))
	})
	return out
}

// changeOf returns how an insight that is seen stands against one that was seen before, nil for none.
func changeOf(was, now *Insight) Change {
	switch {
	case was == nil:
		return Appeared
	case was.Effect*now.Effect < 0:
		return Turned
	case was.Key == now.Key && Stand(was.Effect, now.Effect) == Again:
		return Stayed
	}
	return Moved
}

// Figures returns the figure that shows the change, as it was and as it is: the same one of both
// insights where both have it. A side is nil if there is no insight on it, or it has no figure.
func (c Compared) Figures() (was, now *Figure) {
	find := func(i *Insight, id string) *Figure {
		if i == nil {
			return nil
		}
		for k := range i.Figures {
			if i.Figures[k].ID == id {
				return &i.Figures[k]
			}
		}
		return nil
	}
	for _, id := range []string{"now", "change"} {
		if was, now = find(c.Before, id), find(c.After, id); was != nil && now != nil {
			return was, now
		}
	}
	first := func(i *Insight) *Figure {
		if i == nil {
			return nil
		}
		f, ok := i.Main()
		if !ok {
			return nil
		}
		return &f
	}
	return first(c.Before), first(c.After)
}
