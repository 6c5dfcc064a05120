package rules

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode"

	"quaestor/obligations"
)

// leadIns open an answer without belonging to it.
var leadIns = phrases("well", "um", "uh", "erm", "er", "hmm", "hm", "oh", "ah", "so", "ok", "okay", "right", "yes", "yeah", "sure", "i think",
	"i guess", "i believe", "i suppose",
	"i would say", "i would guess", "probably", "maybe", "perhaps", "possibly", "likely", "it is", "it would be", "that would be", "it will be",
	"they are", "that is", "those are", "these are", "there is", "there are", "basically", "actually",
	"to be honest", "honestly", "frankly", "in short", "my answer is", "the answer is", "let us say", "like", "you know", "mainly it is", "i mean",
	"not sure but", "i am not sure but", "not sure",
	"i am not sure", "i do not know", "if i had to guess", "off the top of my head", "as i said", "like i said", "i told you", "i told you already", "i already told you", "i already said", "let me think", "let me see",
	"good question", "thanks", "thank you", "hello", "hi", "hey", "and", "but", "just", "roughly", "something like",
	"apologies", "my apologies", "forgive me", "pardon me", "i meant to say", "i meant to say that", "i wanted to say", "i wanted to say that", "what i wanted to say is", "what i wanted to say is that",
	"i should have said", "i should have said that",
	"i would have to say", "i have to say", "at the moment it is", "currently it is", "sorry", "no worries", "great question", "fine", "all right", "alright")

// closers end an answer without belonging to it.
var closers = phrases("i think", "i guess", "i believe", "i suppose", "probably", "maybe", "perhaps", "or so", "please", "thanks", "thank you",
	"for now", "really", "you know", "i would say", "basically", "mostly i think", "or something", "or something like that", "if that helps", "i hope",
	"lol", "haha", "duh", "roughly")

// maxTextBytes bounds a text answer; the rest of a long paste is not kept as a
// value.
const maxTextBytes = 6000

// readText keeps the person's own words, without what leads in and out.
func (u *utterance) readText(t *obligations.Template, from, to int) reading {
	r := reading{hedged: u.hedged(from, to)}
	from = u.skipNaming(t, u.withThere(from, u.skipLeadIns(from, to)), to)
	for n := u.ends(from, to, closers); n > 0 && to-n > from; n = u.ends(from, to, closers) {
		to -= n
	}
	if from >= to {
		return reading{}
	}
	start, end := u.extent(from, to)
	words := tidy(supposing.ReplaceAllString(u.raw[start:end], "$1"))
	if words == "" {
		return reading{}
	}
	r.from, r.to, r.value = from, to, encode(words)
	r.vague = u.vague(from, to) || tooShort(words)
	return r
}

// supposing is doubt at the end of a sentence within an answer: "food, I guess. Baking".
var supposing = regexp.MustCompile(`(?i)[ ,]+i (?:guess|suppose|reckon)([.,;?!])`)

// skipLeadIns returns the first word after what leads in. Something is always
// left.
func (u *utterance) skipLeadIns(from, to int) int {
	for from < to {
		n, _ := u.apology(from, to)
		n = max(n, u.starts(from, to, leadIns))
		if n == 0 || from+n >= to || u.belongs(from, n) {
			return from
		}
		from += n
	}
	return from
}

// withThere returns the first word of a statement that begins at word i after the lead-ins
// from word from on: "there are", which says that there is something, belongs to it. Of "there
// are none" the last word is enough.
func (u *utterance) withThere(from, i int) int {
	if i-2 < from || u.at(i-2) != "there" || u.at(i-1) != "is" && u.at(i-1) != "are" || noneWords[u.at(i)] {
		return i
	}
	return i - 2
}

// belongs reports whether a lead-in is part of the statement after all: "right
// now", "like-minded people", "sure-fire", "so that".
func (u *utterance) belongs(from, n int) bool {
	next := u.at(from + n)
	glue := u.gap(from+n) == "-"
	switch u.at(from + n - 1) {
	case "fine", "alright": // "fine jewellery"
		return glue || strings.TrimSpace(u.gap(from+n)) == ""
	case "right", "sure", "so", "well", "just", "hey", "like":
		bare := strings.TrimSpace(u.gap(from+n)) == ""
		return glue || (bare && n == 1 && u.at(from) != "like" && u.at(from) != "just" && u.at(from) != "well" && u.at(from) != "so") || next == "that" || next == "known"
	}
	return glue
}

// ends returns the longest of list that ends at word to, as a count of words.
func (u *utterance) ends(from, to int, list [][]string) int {
	best := 0
	for _, p := range list {
		if len(p) > best && to-len(p) >= from && u.has(to-len(p), to, p) {
			best = len(p)
		}
	}
	return best
}

// skipNaming drops the name of the question in front of the answer: "our target
// market is small clinics" leaves "small clinics".
func (u *utterance) skipNaming(t *obligations.Template, from, to int) int {
	at := from
	if owners[u.at(at)] {
		at++
	}
	n := 0
	for _, cue := range names(t) {
		if len(cue) > n && at+len(cue) <= to && u.like(at, stems(cue)) {
			n = len(cue)
		}
	}
	if n == 0 {
		return from
	}
	if next, ok := u.skipLink(at+n, to); ok && next < to {
		return next
	}
	return from
}

var owners = set("our the my their a an your")

// names are the words that name t: its label, its key and those cues that are no
// verbs.
func names(t *obligations.Template) [][]string {
	out := phrases(t.Name(), strings.ReplaceAll(t.Key, "_", " "))
	return append(out, phrases(t.Cues...)...)
}

var linkWords = set("is are was were be will would should includes include equals being currently now mainly mostly primarily actually really probably likely set at going to remains")

// skipLink returns the first word after "is", "will be", ":" or "=" at word i,
// and whether there is such a link.
func (u *utterance) skipLink(i, to int) (next int, ok bool) {
	at := i
	linked := strings.ContainsAny(u.gap(i), ":=") || strings.Contains(u.gap(i), " - ") || strings.Contains(u.gap(i), " – ")
	for at < to && linkWords[u.at(at)] && at < i+4 {
		linked = linked || linkVerbs[u.at(at)]
		at++
	}
	return at, linked
}

var linkVerbs = set("is are was were be includes include equals being remains")

// tidy makes a value of raw words: white space at the ends gone, control
// characters and closing signs too, and not too long.
func tidy(raw string) string {
	if len(raw) > maxTextBytes {
		raw = raw[:maxTextBytes]
		if at := strings.LastIndexFunc(raw, unicode.IsSpace); at > 0 {
			raw = raw[:at]
		}
		raw = strings.ToValidUTF8(raw, "")
	}
	raw = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, raw)
	return strings.TrimSpace(raw)
}

// tooShort reports whether words are a letter or two: initials at best.
func tooShort(words string) bool {
	letters := 0
	for _, r := range words {
		if r > 0x2E80 { // scripts where one sign may be a word
			return false
		}
		if isWordRune(r) {
			letters++
		}
	}
	return letters < 2
}

// text is the string in v, or "".
func text(v json.RawMessage) string {
	var s string
	if json.Unmarshal(v, &s) != nil {
		return ""
	}
	return s
}
