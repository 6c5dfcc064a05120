package chat

import (
	"slices"
	"strings"
	"unicode"

	"quaestor/obligations"
)

// bearing weighs how much an obligation has to do with a turn.
type bearing struct {
	scene    *Scene
	asked    *obligations.Obligation // the first one asked; nil for none
	message  string                  // in lower case
	words    map[string]bool         // of the message, those that tell obligations apart
	disputed []string                // keys of open conflicts
	due      map[string]bool         // keys to come back to
}

// What each tie to the turn weighs.
const (
	askedWeight    = 1000
	disputedWeight = 300
	cueWeight      = 200 // the message holds words that announce an answer
	wordWeight     = 40  // for each word the message shares with its names
	relatedWeight  = 60  // same heading as what was asked, or one waits for the other
	dueWeight      = 30
	heldWeight     = 15 // has a value, which may be corrected
	readyWeight    = 20 // may be asked now
)

func newBearing(s *Scene) *bearing {
	b := &bearing{scene: s, message: strings.ToLower(s.Message), due: map[string]bool{}}
	b.words = telling(b.message)
	b.dropCommon()
	if keys := s.Asked.Keys(); len(keys) > 0 {
		b.asked = obligations.Find(s.Obligations, keys[0])
	}
	for _, c := range s.Conflicts {
		b.disputed = append(b.disputed, c.Keys...)
	}
	for _, f := range s.Memory.FollowUps {
		b.due[f.Key] = true
	}
	return b
}

// dropCommon forgets the words that stand in the names of many obligations:
// they tell none of them from the others.
func (b *bearing) dropCommon() {
	count := map[string]int{}
	for i := range b.scene.Obligations {
		for w := range telling(names(&b.scene.Obligations[i])) {
			if count[w]++; count[w] > maxNamesakes {
				delete(b.words, w)
			}
		}
	}
}

// names returns the words o goes by, in lower case.
func names(o *obligations.Obligation) string {
	list := []string{o.Name(), o.Key}
	for _, c := range o.Choices {
		list = append(list, c.Label)
		list = append(list, c.Synonyms...)
	}
	return strings.ToLower(strings.Join(list, " "))
}

// of returns o's weight.
func (b *bearing) of(o *obligations.Obligation) int {
	weight := o.Priority + b.spokenOf(o)
	for _, tie := range []struct {
		holds bool
		worth int
	}{
		{slices.Contains(b.scene.Asked.Keys(), o.Key), askedWeight},
		{slices.Contains(b.disputed, o.Key), disputedWeight},
		{b.related(o), relatedWeight},
		{b.due[o.Key], dueWeight},
		{o.Value != nil, heldWeight},
		{o.Open() && o.Unlocked, readyWeight},
	} {
		if tie.holds {
			weight += tie.worth
		}
	}
	return weight
}

// spokenOf weighs the words that the message and o have in common.
func (b *bearing) spokenOf(o *obligations.Obligation) int {
	weight := 0
	for _, cue := range o.Cues {
		if strings.Contains(b.message, strings.ToLower(cue)) {
			weight = cueWeight
		}
	}
	for w := range telling(names(o)) {
		if b.words[w] {
			weight += wordWeight
		}
	}
	return weight
}

// related reports whether o stands near what was asked.
func (b *bearing) related(o *obligations.Obligation) bool {
	if b.asked == nil {
		return false
	}
	return o.Category != "" && o.Category == b.asked.Category ||
		slices.Contains(o.Dependencies, b.asked.Key) || slices.Contains(b.asked.Dependencies, o.Key)
}

// minTelling is the length in bytes from which a word is likely to say what a
// text is about, maxNamesakes how many obligations may share it.
const (
	minTelling   = 4
	maxNamesakes = 10
)

// telling returns the words of a text in lower case that say something.
func telling(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len(w) >= minTelling {
			out[w] = true
		}
	}
	return out
}
