package rules

import (
	"slices"
	"strings"
	"sync"

	"quaestor/chat"
	"quaestor/obligations"
)

// mark is what a whole utterance, or one clause of it, wants.
type mark struct {
	intent   chat.Intent
	skip     obligations.SkipReason // for SkipThis
	examples bool                   // for AskHelp: wants examples
	scratch  bool                   // for Disagree: takes back the last answer
	steers   bool                   // for AskResearch: says where to look
	cancels  bool                   // for AskResearch: wants no more of it
	follows  bool                   // for AskResearch: asks what came of it
	excuse   bool                   // for Leave: may as well be what was asked for
	aside    *aside                 // what is said to us about the talk, with what to say to it
}

// phrasing is the ways to say one thing.
type phrasing struct {
	mark  mark
	lines []string
}

// phrasings are tried in order; the first that fits the whole of what was said
// counts.
var phrasings = []phrasing{
	{mark{intent: chat.AskResearch, follows: true}, outcomeLines},
	{mark{intent: chat.AskResearch}, researchLines},
	{mark{intent: chat.AskMemory}, memoryLines},
	{mark{intent: chat.AskProgress}, progressLines},
	{mark{intent: chat.AskHelp, examples: true}, exampleLines},
	{mark{intent: chat.AskHelp}, helpLines},
	{mark{intent: chat.AskRepeat}, repeatLines},
	{mark{intent: chat.AskWhy}, whyLines},
	{mark{intent: chat.SkipThis, skip: obligations.NotApplicable}, pointlessLines},
	{mark{intent: chat.SkipThis, skip: obligations.Declined}, declineLines},
	{mark{intent: chat.Leave}, leaveLines},
	{mark{intent: chat.Leave, excuse: true}, excuseLines},
	{mark{intent: chat.Later}, laterLines},
	{mark{intent: chat.Finish}, finishLines},
	{mark{intent: chat.DontKnow}, dontKnowLines},
	{mark{intent: chat.Disagree, scratch: true}, scratchLines},
	{mark{intent: chat.Disagree}, disagreeLines},
	{mark{intent: chat.Agree}, agreeLines},
	{mark{intent: chat.SmallTalk}, smallTalkLines},
	{mark{intent: chat.OffTopic}, offTopicLines},
}

type compiledPhrasing struct {
	mark    mark
	pattern *pattern
}

// lexicon is the words that phrasings are made of.
type lexicon struct {
	words   map[string]bool
	byFirst map[byte][]string // by their first letters
}

// table is phrasings compiled, and the words they are made of.
var table = sync.OnceValues(func() ([]compiledPhrasing, lexicon) {
	var out []compiledPhrasing
	known := lexicon{map[string]bool{}, map[byte][]string{}}
	for _, p := range append(asidePhrasings(), phrasings...) {
		out = append(out, compiledPhrasing{p.mark, compile(p.lines...)})
		for _, w := range vocabulary(p.lines) {
			if !known.words[w] {
				known.words[w] = true
				known.byFirst[w[0]] = append(known.byFirst[w[0]], w)
			}
		}
	}
	return out, known
})

// directing is what is said of research under way. What does not speak of a search, or
// says only what to leave out or to keep to, may be an answer as well.
type directing struct{ cancels, steers, leans, without, only *pattern }

// directions is directing compiled.
var directions = sync.OnceValue(func() directing {
	return directing{compile(cancelLines...), compile(steerLines...), compile(leanLines...), compile(withoutLines...), compile(onlyLines...)}
})

// maxIntentWords bounds what may be an intent and nothing else; longer ones are
// answers.
const maxIntentWords = 16

// intent returns what words from to (excluded) want when they want something of
// the conversation rather than answer it.
func (u *utterance) intent(from, to int) (mark, bool) {
	if to <= from {
		return mark{}, false
	}
	if to-from > maxIntentWords {
		return u.longWish(from, to)
	}
	words := strings.Fields(u.join(from, to))
	if m, ok := match(words); ok {
		return m, true
	}
	return match(mend(words))
}

// maxWishWords bounds a wish for research, which says what it is about.
const maxWishWords = 40

// longWish reports whether more words than an intent has begin as a wish for
// research does: "can you please find out how many …".
func (u *utterance) longWish(from, to int) (mark, bool) {
	words := trimFillers(strings.Fields(u.join(from, min(to, from+maxIntentWords))))
	if to-from > maxWishWords || len(words) == 0 || !interrogatives[words[0]] {
		return mark{}, false
	}
	m, ok := match(words)
	return m, ok && m.intent == chat.AskResearch
}

// match tries the words as they are, then without fillers at their ends.
func match(words []string) (mark, bool) {
	for _, form := range [][]string{words, trimFillers(words)} {
		compiled, _ := table()
		for _, p := range compiled {
			if p.pattern.fits(form) {
				return p.mark, true
			}
		}
	}
	return mark{}, false
}

var (
	leadFillers  = set("ok okay well um uh erm er hmm hm oh ah so please pls plz sorry hey right honestly and but then just actually also")
	trailFillers = set("please pls plz thanks sorry then though mate really actually lol haha ok okay thank you now right")
)

func trimFillers(words []string) []string {
	for len(words) > 0 && leadFillers[words[0]] {
		words = words[1:]
	}
	for len(words) > 0 && trailFillers[words[len(words)-1]] {
		words = words[:len(words)-1]
	}
	return words
}

// mend puts right slips of the fingers in short utterances: a letter missing,
// doubled or swapped, first letter and everything else as they should be. Real
// words are left alone.
func mend(words []string) []string {
	if len(words) == 0 || len(words) > 7 {
		return nil
	}
	_, known := table()
	out := slices.Clone(words)
	changed := false
	for i, w := range words {
		if known.words[w] || realWords[w] || len(w) < 2 || isDigit(w) {
			continue
		}
		if fixed := slip(w, known); fixed != "" {
			out[i], changed = fixed, true
		}
	}
	if !changed {
		return nil
	}
	return out
}

// realWords look like slips and are none.
var realWords = set(`net nets late past ship were hell hep way pay shy non ski skis lets late lather stops nope wood thin now one
	ones not note done down do does text tax car care sore store stores help held sell cell sold bread buy by pass pas pats rate role
	rule sue sues site sites sort shop shops ten tea team us use used user users web when where wine men me we he she they the then
	them art arts bar bars bus gas her his kids farm food form from far fair fast rest test tests yen yet no know known new news`)

// slip returns the one known word w is a slip of, or "".
func slip(w string, known lexicon) string {
	best := ""
	for _, k := range known.byFirst[w[0]] {
		if len(k) < 3 || !slipOf(w, k) {
			continue
		}
		if best == "" || len(k) > len(best) || (len(k) == len(best) && k < best) {
			best = k
		}
	}
	return best
}

// slipOf reports whether w is k with one letter missing, added or two swapped.
// A letter replaced makes another word too easily ("ship", "skip"); it counts
// from six letters on.
func slipOf(w, k string) bool {
	if distance(w, k, 1) != 1 {
		return false
	}
	if len(w) != len(k) {
		return true
	}
	a, b := []byte(w), []byte(k)
	slices.Sort(a)
	slices.Sort(b)
	return string(a) == string(b) || len(k) > 5
}
