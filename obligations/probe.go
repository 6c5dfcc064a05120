package obligations

import (
	"encoding/json"
	"slices"
	"strings"

	"quaestor/internal/language"
)

// Depth is how deep the interviewer goes for an obligation.
type Depth string

// The depths. The longer one is, the more a thin answer leaves out.
const (
	FactDepth   Depth = "fact"   // the value is enough; also what an empty depth means
	ReasonDepth Depth = "reason" // the value and what is behind it
	StoryDepth  Depth = "story"  // what happened, in some detail
)

// Known reports whether d is one of the depths, or empty.
func (d Depth) Known() bool {
	return slices.Contains([]Depth{"", FactDepth, ReasonDepth, StoryDepth}, d)
}

// Probe is a kind of question that goes deeper.
type Probe string

// The probes, as in handbooks of qualitative interviewing: elaboration, the last concrete
// time, a figure, what else.
const (
	WhyProbe    Probe = "why"
	LastProbe   Probe = "last_time"
	NumberProbe Probe = "number"
	ElseProbe   Probe = "what_else"
)

// Under so many words an answer is thin, unless it gives a reason. The bounds
// are chosen: a clause that says something has five words, and what happened takes more.
const (
	thinReason = 5
	thinStory  = 8
)

// ProbeFor returns the probe that an answer to t calls for, and "" when it is deep enough or
// t wants no more than the fact. The author's followUpStrategy chooses between probes where
// its words do; else a vague amount is asked for in figures, a reason for its grounds, and a
// story for the last time.
func ProbeFor(t *Template, value json.RawMessage, vague bool) Probe {
	said, err := decode[string](value)
	if err != nil || t.Widget != Text || t.Depth != ReasonDepth && t.Depth != StoryDepth {
		return ""
	}
	if !thin(t.Depth, said, vague) {
		return ""
	}
	if p := strategyProbe(t.FollowUpStrategy); p != "" {
		return p
	}
	switch {
	case hasAny(said, "amount"):
		return NumberProbe
	case t.Depth == StoryDepth:
		return LastProbe
	case t.ValueType == "list":
		return ElseProbe
	}
	return WhyProbe
}

// Vague reports whether the latest evidence for o was too general to act on.
func (o *Obligation) Vague() bool {
	if len(o.Evidence) == 0 {
		return false
	}
	g := o.Evidence[len(o.Evidence)-1].Grade
	return g != nil && g.Vague
}

// thin reports whether an answer leaves out what its depth wants.
func thin(d Depth, said string, vague bool) bool {
	words := len(strings.Fields(said))
	switch {
	case vague:
		return true
	case d == StoryDepth:
		return words < thinStory
	}
	return words < thinReason && !hasAny(said, "reason")
}

// strategyProbe returns the probe that an author's strategy names; "" for none.
func strategyProbe(strategy string) Probe {
	switch {
	case strategy == "":
		return ""
	case hasAny(strategy, "recent"):
		return LastProbe
	case hasAny(strategy, "quantity"):
		return NumberProbe
	case hasAny(strategy, "else"):
		return ElseProbe
	case hasAny(strategy, "why"):
		return WhyProbe
	}
	return ""
}

// hasAny reports whether one of the words of a text is of a kind of the lexicon.
func hasAny(text, kind string) bool {
	return slices.ContainsFunc(language.Words(text), func(w language.Word) bool { return language.IsWord(kind, w.Text) })
}
