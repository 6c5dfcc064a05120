package model

import (
	"slices"
	"strings"
	"unicode"

	"quaestor/chat"
	"quaestor/obligations"
)

// mostRelevant returns the obligations a model is shown, in the order of the
// objective: all of them when they fit, else those that matter most to this turn.
func mostRelevant(s *chat.Scene) []*obligations.Obligation {
	all := make([]*obligations.Obligation, len(s.Obligations))
	place := make(map[*obligations.Obligation]int, len(all))
	for i := range s.Obligations {
		all[i] = &s.Obligations[i]
		place[all[i]] = i
	}
	if len(all) <= limits.Obligations {
		return all
	}
	r := newRelevance(s)
	weights := make(map[*obligations.Obligation]int, len(all))
	for _, o := range all {
		weights[o] = r.of(o)
	}
	slices.SortStableFunc(all, func(a, b *obligations.Obligation) int { return weights[b] - weights[a] })
	all = all[:limits.Obligations]
	slices.SortFunc(all, func(a, b *obligations.Obligation) int { return place[a] - place[b] })
	return all
}

// relevance weighs how much obligations matter to one turn.
type relevance struct {
	scene     *chat.Scene
	asked     *obligations.Obligation // the first one asked; nil for none
	message   string                  // in lower case
	words     map[string]bool         // of the message, those that tell obligations apart
	disputed  []string                // keys of open conflicts
	followUps map[string]bool         // keys to come back to
}

// What each link to the turn adds. The weights are judgement, and only their order
// counts: what was asked is always shown; a conflict, or a cue in the message, beats
// any number of shared words that is likely; the rest breaks ties. An obligation's
// priority, 1 to 10, is added to them.
const (
	askedWeight    = 1000
	disputedWeight = 300
	cueWeight      = 200 // the message contains words that announce an answer
	relatedWeight  = 60  // same category as what was asked, or one depends on the other
	wordWeight     = 40  // for each word that the message shares with its names
	followUpWeight = 30
	readyWeight    = 20 // may be asked now
	heldWeight     = 15 // has a value, which may be corrected
)

// newRelevance prepares the weighing for the turn of s.
func newRelevance(s *chat.Scene) *relevance {
	r := &relevance{scene: s, message: strings.ToLower(s.Message), followUps: map[string]bool{}}
	r.words = contentWords(r.message)
	r.dropCommon()
	if keys := s.Asked.Keys(); len(keys) > 0 {
		r.asked = obligations.Find(s.Obligations, keys[0])
	}
	for _, c := range s.Conflicts {
		r.disputed = append(r.disputed, c.Keys...)
	}
	for _, f := range s.Memory.FollowUps {
		r.followUps[f.Key] = true
	}
	return r
}

// dropCommon removes words that occur in the names of many obligations, since they
// tell none of them from the others.
func (r *relevance) dropCommon() {
	count := map[string]int{}
	for i := range r.scene.Obligations {
		for w := range contentWords(names(&r.scene.Obligations[i])) {
			if count[w]++; count[w] > maxNamesakes {
				delete(r.words, w)
			}
		}
	}
}

// names returns the words that people may call o by, in lower case.
func names(o *obligations.Obligation) string {
	list := []string{o.Name(), o.Key}
	for _, c := range o.Choices {
		list = append(list, c.Label)
		list = append(list, c.Synonyms...)
	}
	return strings.ToLower(strings.Join(list, " "))
}

// of returns the weight of o.
func (r *relevance) of(o *obligations.Obligation) int {
	weight := o.Priority
	add := func(holds bool, n int) {
		if holds {
			weight += n
		}
	}
	add(slices.Contains(r.scene.Asked.Keys(), o.Key), askedWeight)
	add(slices.Contains(r.disputed, o.Key), disputedWeight)
	add(slices.ContainsFunc(o.Cues, func(cue string) bool { return strings.Contains(r.message, strings.ToLower(cue)) }), cueWeight)
	add(r.related(o), relatedWeight)
	add(r.followUps[o.Key], followUpWeight)
	add(o.Value != nil, heldWeight)
	add(o.Open() && o.Unlocked, readyWeight)
	for w := range contentWords(names(o)) {
		add(r.words[w], wordWeight)
	}
	return weight
}

// related reports whether o is of the same category as what was asked, or depends
// on it, or the other way round.
func (r *relevance) related(o *obligations.Obligation) bool {
	if r.asked == nil {
		return false
	}
	return o.Category != "" && o.Category == r.asked.Category ||
		slices.Contains(o.Dependencies, r.asked.Key) || slices.Contains(r.asked.Dependencies, o.Key)
}

// Words shorter than minContentBytes are mostly articles, prepositions and
// pronouns. A word that more than maxNamesakes obligations share, a quarter of what a
// prompt shows, points at none of them.
const (
	minContentBytes = 4
	maxNamesakes    = 10
)

// contentWords returns the words of a lower-case text that are likely to say what
// it is about.
func contentWords(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len(w) >= minContentBytes {
			out[w] = true
		}
	}
	return out
}
