package language

import (
	"strings"
	"unicode"
)

// Gist returns the part of a statement that is worth saying back, in its own words: without
// what opens it ("well, we run …"), cut short where a new thought begins, most words at most,
// and turned round ("our bread" is "your bread"). It is empty where nothing so short can stand
// for the statement: where it cannot be turned round, where a cut would tell half of a thought,
// and where what is left is only said of something.
func Gist(tag, text string, most int) string {
	l := Lexicons()[tag]
	if l == nil {
		return ""
	}
	g := gist{l: l, words: Words(text)}
	from := g.opening(g.statement())
	to := g.sentence(from)
	switch {
	case to-from <= most:
	case from == 0 && !g.is(from, "speaker"), from > 0 && g.is(from-1, "verblast"): // a scrap; or what is cut off would be the verb
		return ""
	default:
		end := g.cut(from, to, most)
		if g.is(from, "verblast") && end < to && g.spoken(end) {
			return ""
		}
		to = end
	}
	for to-1 > from && (g.is(to-1, "vocative") || !g.spoken(to-1) && g.is(to-2, "vocative")) {
		to--
	}
	for to > from && !g.spoken(to-1) && !(to-2 >= from && g.figure(to-2) && strings.Contains(unitMarks, g.words[to-1].Text)) {
		to--
	}
	if from >= to || g.count(from, to) == 0 || g.verbal(from, to) {
		return ""
	}
	return g.mirrored(text, from, to)
}

// StandsAlone reports whether words that are said back are a thing or a thought of their own, three words
// at least: "a bakery in Leeds", "you lost two bakers"; and no scrap, no thought without who has it ("open
// a second shop") and none that leads on.
func StandsAlone(tag, text string) bool {
	l := Lexicons()[tag]
	if l == nil {
		return false
	}
	g := gist{l: l, words: Words(text)}
	last, spoken := 0, 0
	for i := range g.words {
		if g.spoken(i) {
			last, spoken = i, spoken+1
		}
	}
	if spoken < leastAlone || g.leads(last) {
		return false
	}
	whole := g.speaks(0)
	switch {
	case g.is(0, "whword"), g.is(0, "whhow"), g.is(0, "doing"), g.is(0, "predicate"), g.is(0, "being"), !whole && g.is(0, "topic") && !g.is(0, "article") && !g.is(0, "definite"):
		return false
	case g.is(0, "boundary") && !g.is(0, "definite"):
		return false
	case !g.l.Has("capitals", "things"):
		return !strings.HasSuffix(Fold(g.words[0].Text), "ed")
	}
	return whole || unicode.IsUpper([]rune(g.words[last].Text)[0]) || g.figure(last)
}

// leastAlone is how many words stand alone at least.
const leastAlone = 3

// speaks reports whether word i is who a thought is told of once it is turned round: "you", "your".
func (g *gist) speaks(i int) bool {
	for _, w := range []string{"you", "your", "sie", "ihr", "ihre"} {
		if Fold(g.words[i].Text) == w {
			return true
		}
	}
	return false
}

// leads reports whether word i cannot end what stands alone.
func (g *gist) leads(i int) bool {
	return !g.figure(i) && (g.is(i, "boundary") || g.is(i, "loose") || g.is(i, "predicate") || g.is(i, "asks") && !g.is(i, "doing"))
}

// verbal reports whether words from one to another (excluded) are clearly no thing but something
// done, without who does it ("runterlaufen und gucken"): in a language that writes things with a
// capital, where they end with another word.
func (g *gist) verbal(from, to int) bool {
	last := []rune(g.words[to-1].Text)
	return to-from > 1 && g.l.Has("capitals", "things") && !g.is(from, "speaker") && unicode.IsLower(last[0])
}

// mirrored returns words from one to another (excluded) as said to whom they are from; "" where
// that takes more than other pronouns.
func (g *gist) mirrored(text string, from, to int) string {
	var out strings.Builder
	at := g.words[from].From
	for i := from; i < to; i++ {
		w := g.words[i]
		out.WriteString(text[at:w.From])
		at = w.To
		other, ok := g.l.Value("mirror", Fold(w.Text))
		switch {
		case ok:
			out.WriteString(other)
		case i == from && (g.is(i, "loose") || g.is(i, "topic") || g.is(i, "boundary")) && !g.is(i, "speaker"):
			out.WriteString(strings.ToLower(w.Text))
		case Fold(w.Text) == "was" && i > from && Fold(g.words[i-1].Text) == "i":
			out.WriteString("were")
		case g.is(i, "speaker"):
			return ""
		default:
			out.WriteString(w.Text)
		}
	}
	return out.String()
}

// gist is a statement that is being shortened.
type gist struct {
	l     *Lexicon
	words []Word
}

func (g *gist) is(i int, kind string) bool {
	return i < len(g.words) && g.l.Has(kind, Fold(g.words[i].Text))
}

// run returns how many words from i on are an entry of kind, at most three; 0 for none.
func (g *gist) run(i int, kind string) int {
	for n := min(3, len(g.words)-i); n > 0; n-- {
		parts := make([]string, n)
		for k := range n {
			parts[k] = Fold(g.words[i+k].Text)
		}
		if g.l.Has(kind, strings.Join(parts, "_")) {
			return n
		}
	}
	return 0
}

// spoken reports whether word i is one, and no mark.
func (g *gist) spoken(i int) bool {
	return strings.ContainsFunc(g.words[i].Text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// count returns how many words from one to another (excluded) carry meaning.
func (g *gist) count(from, to int) int {
	n := 0
	for i := from; i < to; i++ {
		if g.spoken(i) && !g.is(i, "loose") && !g.is(i, "boundary") {
			n++
		}
	}
	return n
}

// longestSubject is how many words lead up to the predicate of an opening: "our main problem
// right now is".
const longestSubject = 5

// longestScrap is how many words a sentence has at most that says nothing by itself.
const longestScrap = 4

// statement returns the first word of the first sentence that says what the speaker is or does,
// where nothing but scraps stands before it: "Long day. I run a barber shop". It is 0 where there
// is none.
func (g *gist) statement() int {
	for at := 0; at < len(g.words); {
		end := g.sentence(at)
		if at > 0 && g.is(at, "speaker") && g.says(at, end) {
			return at
		}
		if end-at > longestScrap || g.says(at, end) {
			return 0
		}
		at = end + 1
	}
	return 0
}

// says reports whether a predicate stands among words from one to another (excluded).
func (g *gist) says(from, to int) bool {
	for i := from; i < to; i++ {
		if g.run(i, "predicate") > 0 || g.is(i, "contracted") {
			return true
		}
	}
	return false
}

// opening returns the first word of what the statement says that begins at word at.
func (g *gist) opening(at int) int {
	for at < len(g.words) {
		n := g.run(at, "opener")
		if n == 0 && g.spoken(at) {
			break
		}
		at += max(n, 1)
	}
	if g.is(at, "lead") && g.run(at+1, "predicate") == 0 {
		at++
	}
	switch {
	case g.is(at, "contracted") && (!g.is(at, "speaker") || g.is(at+1, "article") || g.run(at+1, "onward") > 0):
		return g.onward(at + 1)
	case !g.is(at, "speaker") && !g.is(at, "topic"):
		return at
	}
	for i := at + 1; i < len(g.words) && i <= at+longestSubject; i++ {
		if !g.spoken(i) || g.is(i, "boundary") {
			break
		}
		if n := g.run(i, "predicate"); n > 0 {
			if !g.is(i+n, "article") && g.onward(i+n) == i+n {
				return at // "I was ill", "the first one is full"
			}
			return g.onward(i + n)
		}
	}
	return at
}

// onward skips what only leads on from a predicate: "to", "that", "about".
func (g *gist) onward(at int) int {
	for at < len(g.words) {
		n := g.run(at, "onward")
		if n == 0 && (g.spoken(at) || g.run(at+1, "onward") == 0) {
			break
		}
		at += max(n, 1)
	}
	return at
}

// sentence returns the end of the sentence or clause that begins at from: the first mark that
// parts sentences, or the end of the text.
func (g *gist) sentence(from int) int {
	for i := from; i < len(g.words); i++ {
		if i > from && strings.ContainsAny(g.words[i].Text, ".!?;:…–—\n") && !g.spoken(i) {
			return i
		}
	}
	return len(g.words)
}

// unitMarks belong to the figure before them.
const unitMarks = "%‰€$£"

// cut returns where a new thought begins, up to most words after from and two at least, three
// after "I" or "we", who do something to something: at a mark, else before the last word with
// which something is added that can be left out ("a school in Lyon | with 14 teachers"). It is
// from where there is no such place: half a thought is worse than none.
func (g *gist) cut(from, to, most int) int {
	last, least := from, from+2
	if g.is(from, "speaker") && !g.is(from+1, "boundary") {
		least++
	}
	for i := min(to-1, from+most); i >= least; i-- {
		switch {
		case g.is(i-1, "loose"), g.is(i-1, "boundary"), g.figure(i - 1), g.joined(i):
		case !g.spoken(i):
			return i
		case last == from && (g.is(i, "adds") || g.is(i, "and") && g.is(i+1, "speaker")):
			last = i
		}
	}
	return last
}

// joined reports whether mark i stands within a word, as in "passive-aggressive", or belongs to
// the figure before it.
func (g *gist) joined(i int) bool {
	if g.spoken(i) {
		return !g.words[i].Spaced
	}
	if g.figure(i-1) && strings.Contains(unitMarks, g.words[i].Text) {
		return true
	}
	return strings.ContainsAny(g.words[i].Text, "-‐‑/&") && !g.words[i].Spaced
}

func (g *gist) figure(i int) bool { return strings.ContainsFunc(g.words[i].Text, unicode.IsDigit) }
