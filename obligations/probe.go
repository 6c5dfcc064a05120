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
	case hasAny(said, amountWords):
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
	return words < thinReason && !hasAny(said, reasonWords)
}

// strategyProbe returns the probe that an author's strategy names; "" for none.
func strategyProbe(strategy string) Probe {
	switch {
	case strategy == "":
		return ""
	case hasAny(strategy, lastWords):
		return LastProbe
	case hasAny(strategy, figureWords):
		return NumberProbe
	case hasAny(strategy, elseWords):
		return ElseProbe
	case hasAny(strategy, whyWords):
		return WhyProbe
	}
	return ""
}

// Words that tell what an answer or a strategy is about, in English and German, folded.
var (
	reasonWords = wordSet("because since so as therefore due weil denn damit deshalb daher wegen")
	amountWords = wordSet("many much most often lots few several some rarely viele viel oft meistens wenige einige selten mehrere")
	lastWords   = wordSet("last example examples happened story time instance recent letzte letztes beispiel passiert geschichte")
	figureWords = wordSet("number numbers figure figures many much amount percent zahl zahlen wieviel anteil betrag")
	elseWords   = wordSet("else other others more another weitere andere anderes noch")
	whyWords    = wordSet("why reason reasons behind cause matter matters warum grund gründe wieso dahinter")
)

func wordSet(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[language.Fold(w)] = true
	}
	return out
}

// hasAny reports whether one of the words of a text is in a set.
func hasAny(text string, set map[string]bool) bool {
	return slices.ContainsFunc(language.Words(text), func(w language.Word) bool { return set[language.Fold(w.Text)] })
}
