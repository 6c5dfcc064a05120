package rules

import "sync"

// Ways to excuse what was said or how, in the language of [pattern]. They are heard only
// where a sign ends them, so that what the person goes on with stays whole.
var (
	wrongLines = []string{
		"i|we said|gave|told|wrote|typed|put|put_in|entered|picked|chose|answered|mentioned you? something|the|a|an? wrong|incorrect|mistaken|other? thing|things|answer|number|figure|word|one|date|name|wrong|wrongly|option before|earlier|just_now|there|last_time|at_first|above|by_mistake?",
		"i|we said|put|wrote|answered|expressed|explained|worded|phrased|got|had|typed|told_you it|that|this|myself|ourselves|them? wrong|wrongly|badly|poorly|incorrectly|the_wrong_way|backwards before|earlier|just_now|there|last_time|at_first?",
		"i|we made a|some mistake|error|mistakes before|earlier|just_now|there|last_time|above", "i|we was|were wrong|mistaken before|earlier|just_now|there|about_that?",
		"that|this|it came out|across all? wrong|badly", "the? wrong answer|number|figure|thing|word|date|one before|earlier|just_now|there?",
		"ignore|forget|scratch|strike|disregard what i|we said|wrote|told_you before|earlier|just_now|there|above",
		"ignore|forget|scratch|strike|disregard my last|previous|earlier|first? answer|message|reply",
		"what i|we said before|earlier|just_now is|was wrong|not_right|not_correct|a_mistake",
	}
	excuseMeLines = []string{
		"sorry|apologies for|about +", "my|many|sincere|humble apologies …", "sorry? my english|spelling|typing|grammar|german|keyboard is|was not? +",
		"forgive|excuse|pardon me|my_english|my_spelling|my_typing|the_typos …", "sorry? i am|was slow|late|distracted|confused|interrupted|new_to_this|not_good_at_this|bad_at_this",
		"sorry that|this|it took +",
	}
)

// apologies are the ways compiled: of something wrong said before, and of all else.
var apologies = sync.OnceValues(func() (wrong, other *pattern) {
	return compile(wrongLines...), compile(excuseMeLines...)
})

// maxApology bounds an apology, in words.
const maxApology = 11

// apology returns how many words from word i on, before word to, are an apology, and whether
// it is for something wrong said before: "I said the wrong thing before: …". It is none
// where no sign ends it.
func (u *utterance) apology(i, to int) (n int, wrong bool) {
	amiss, other := apologies()
	if i >= to || len(amiss.first[u.at(i)])+len(other.first[u.at(i)]) == 0 {
		return 0, false
	}
	for end := i + 2; end <= min(to, i+maxApology); end++ {
		if !u.parted(end) && !breaks(u.gap(end), ":") && end < len(u.words) {
			continue
		}
		words := u.texts(i, end)
		if amiss.fits(words) {
			return end - i, true
		}
		if other.fits(words) {
			return end - i, false
		}
		return 0, false
	}
	return 0, false
}
