package brief

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"quaestor/internal/language"
	"quaestor/obligations"
	"quaestor/research"
)

// open returns what has no value and was not skipped: what the interview needs first, then
// in the order of the objective.
func (m *maker) open() []Gap {
	var out []Gap
	for i := range m.Obligations {
		if o := &m.Obligations[i]; o.Value == nil && o.Status != obligations.Skipped {
			out = append(out, Gap{line(o.Name()), m.asks(o), m.whyOpen(o), m.needed(o.Key)})
		}
	}
	slices.SortStableFunc(out, func(a, b Gap) int {
		switch {
		case a.Needed == b.Needed:
			return 0
		case a.Needed:
			return -1
		}
		return 1
	})
	return out
}

// needed reports whether the criteria require key.
func (m *maker) needed(key string) bool {
	return slices.Contains(m.Definition.Completion.Required, key)
}

// asks returns the question for o, or "" when it is asked as part of others.
func (m *maker) asks(o *obligations.Obligation) string {
	if o.MergedInto != "" || len(o.SplitInto) > 0 {
		return ""
	}
	return line(o.Prompt)
}

// whyOpen explains why o has no value.
func (m *maker) whyOpen(o *obligations.Obligation) string {
	switch {
	case o.MergedInto != "":
		return "It is asked together with " + m.name(o.MergedInto) + "."
	case len(o.SplitInto) > 0:
		return "It is asked in parts: " + language.And(m.namesOf(o.SplitInto)) + "."
	case o.Status == obligations.Deferred:
		return "It was put off for later" + askedWords(o.Attempts) + "."
	case len(m.waitsFor(o)) > 0:
		return "It comes after " + language.And(m.waitsFor(o)) + "."
	case o.Attempts > 0:
		return "There is no answer yet" + askedWords(o.Attempts) + "."
	}
	return "It was not asked yet."
}

// waitsFor names what must be resolved before o is asked.
func (m *maker) waitsFor(o *obligations.Obligation) []string {
	var out []string
	for _, key := range o.Dependencies {
		if before := obligations.Find(m.Obligations, key); before != nil && !before.Bears() {
			out = append(out, line(before.Name()))
		}
	}
	return out
}

// askedWords words how often something was asked, to be appended to a sentence.
func askedWords(attempts int) string {
	if attempts == 0 {
		return ""
	}
	return ", after " + language.Count(attempts, "question")
}

// skipped returns what was left out.
func (m *maker) skipped() []Gap {
	var out []Gap
	for i := range m.Obligations {
		if o := &m.Obligations[i]; o.Status == obligations.Skipped {
			out = append(out, Gap{Name: line(o.Name()), Why: cmp.Or(skipWords[o.SkipReason], "It was left out.")})
		}
	}
	return out
}

// skipWords explains why something was left out.
var skipWords = map[obligations.SkipReason]string{obligations.NotApplicable: "It does not apply.", obligations.NoPreference: "Any answer suits: there is no preference.", obligations.Declined: "It was not answered, by choice."}

// summary returns sentences on how much is known and what is not settled.
func (m *maker) summary() string {
	total, known, part := len(m.Obligations), 0, 0
	for i := range m.Obligations {
		switch o := &m.Obligations[i]; {
		case o.Value == nil || o.Status == obligations.Skipped:
		case o.Status == obligations.Satisfied:
			known++
		default:
			part++
		}
	}
	out := []string{fmt.Sprintf("Of %s, %d %s.", language.Count(total, "question"), known, verb(known, "is answered", "are answered"))}
	say := func(n int, one, many string) {
		if n > 0 {
			out = append(out, fmt.Sprintf("%d %s.", n, verb(n, one, many)))
		}
	}
	say(part, "is answered in part", "are answered in part")
	say(len(m.open()), "is open", "are open")
	say(len(m.skipped()), "was left out", "were left out")
	say(len(m.disputed()), "value is disputed or contradicts another", "values are disputed or contradict others")
	waiting := m.waiting()
	say(len(m.Research)-waiting+m.Omitted, "thing was looked up", "things were looked up")
	say(waiting, "thing is still to be looked up", "things are still to be looked up")
	return strings.Join(out, " ")
}

// waiting counts the pieces of research that are not over.
func (m *maker) waiting() int {
	n := 0
	for _, r := range m.Research {
		if r.Task.Status == research.Pending || r.Task.Status == research.Running {
			n++
		}
	}
	return n
}

// verb returns the verb for a number.
func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
