package support

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"quaestor/internal/language"
	"quaestor/internal/listening"
)

// word is a word of a text as it is compared.
type word struct {
	language.Word

	folded  string
	content bool // says something of what the text is about
	denied  bool // stands in what a "not" or "no" reaches
	inside  bool // is quoted
	figure  bool // belongs to a number
}

// text is a text cut into words.
type text []word

// wording is a statement whose words were cut and read.
type wording struct {
	*Statement

	said     text // the sentences of the context that the quote stands in
	question text // the words by which the template asks
	german   bool
	crosses  bool // the words are in another language than the question
}

// newWording reads the words of s.
func newWording(s *Statement) *wording {
	t := s.Template
	w := &wording{Statement: s}
	w.question = cut(strings.Join(append([]string{t.Prompt, t.Name(), strings.ReplaceAll(t.Key, "_", " "), t.Unit}, t.Cues...), " "))
	around, from := s.Context, strings.Index(s.Context, s.Quote)
	if from < 0 || s.Quote == "" {
		around, from = s.Quote, 0
	}
	start, end := sentences(around, from, from+len(s.Quote))
	w.said = cut(around[start:end])
	for i := range w.said {
		at := &w.said[i]
		at.inside = start+at.From >= from && start+at.To <= from+len(s.Quote)
	}
	w.german = german(t.Prompt + " " + around)
	spoken, asked := tongue(around), tongue(t.Prompt)
	w.crosses = spoken != "" && asked != "" && spoken != asked || w.foreign()
	return w
}

// quoted returns the words of the quote alone.
func (w *wording) quoted() []language.Word {
	var out []language.Word
	for _, at := range w.said {
		if at.inside {
			out = append(out, at.Word)
		}
	}
	return out
}

// cut returns the words of s.
func cut(s string) text {
	words := language.Words(s)
	out := make(text, len(words))
	for i, w := range words {
		out[i] = word{Word: w, folded: language.Fold(w.Text)}
		out[i].content = len(listening.Stems(w.Text)) > 0 || strings.ContainsFunc(w.Text, unicode.IsDigit)
	}
	for _, f := range reader(s).Figures(words) {
		for i := f.From; i < f.To; i++ {
			out[i].figure = true
		}
	}
	out.deny()
	for i := range out {
		_, n := out.kind("deny", i)
		out[i].content = out[i].content && n == 0 && !strings.HasSuffix(out[i].folded, "n't")
	}
	return out
}

// reader returns a reader of figures in the language of s.
func reader(s string) *language.Reader {
	if german(s) {
		return language.NewReader("de")
	}
	return language.NewReader("en")
}

// german reports whether s is rather German than English.
func german(s string) bool { return tongue(s) == "de" }

// tongue returns the language that s has more closed words of, "de" or "en"; "" when it
// has none, and "?" when so many words without any are likely to be of another language.
func tongue(s string) string {
	de, en := 0, 0
	for _, w := range language.Words(s) {
		switch f := language.Fold(w.Text); {
		case strings.ContainsAny(w.Text, "äöüßÄÖÜ"), plainGerman[f]:
			de++
		case plainEnglish[f]:
			en++
		}
	}
	switch {
	case de > en:
		return "de"
	case en > 0:
		return "en"
	case len(strings.Fields(s)) > maxBare:
		return "?"
	}
	return ""
}

// maxBare is how many words of English or German stand without a closed word among them.
const maxBare = 5

// Words that stand in nearly every sentence of one language and in none of the other.
var (
	plainGerman  = set("der die das den dem des ein eine einen einem einer und oder ist sind wir ich sie mit fuer von zu im am wie wer wo wann welche nicht kein keine ja nein haben hat auf bei unser unsere ihr ihre auch nur aber es gibt")
	plainEnglish = set("the a an of and or is are we i you with for to on at how who where when which what not no yes have has our your my it that this from but only by there do does")
)

func set(list string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		out[w] = true
	}
	return out
}

// foreign reports whether the quote has letters that neither English nor German use.
func (w *wording) foreign() bool {
	return strings.ContainsFunc(w.Quote, func(r rune) bool { return unicode.IsLetter(r) && r > 0x24f })
}

// sentences returns the bounds of the sentences of s that reach into from to to.
func sentences(s string, from, to int) (start, end int) {
	end = len(s)
	for i, r := range s {
		next := i + utf8.RuneLen(r)
		if !strings.ContainsRune(".!?;\n", r) || next < len(s) && r != '\n' && !strings.ContainsRune(" \n\t\"”", rune(s[next])) || abbreviates(s[:i], s[next:]) {
			continue
		}
		if next <= from {
			start = next
		} else if next >= to {
			return start, next
		}
	}
	return start, end
}

// abbreviates reports whether a full stop between the two ends no sentence: after a short
// word or a figure, when the next word begins small, and after a title.
func abbreviates(before, after string) bool {
	fields := strings.Fields(before)
	if len(fields) == 0 {
		return false
	}
	last := fields[len(fields)-1]
	first, _ := utf8.DecodeRuneInString(strings.TrimSpace(after))
	figure := strings.Trim(last, "0123456789") == "" // "3. Mai"
	return figure || len(last) <= 3 && (unicode.IsLower(first) || len(last) == 2 && unicode.IsUpper(rune(last[0])))
}

// kind returns what the words from i on mean as one of a kind, in any language, and how
// many they are; 0 for none.
func (t text) kind(kind string, i int) (value string, n int) {
	for n := min(4, len(t)-i); n > 0; n-- {
		parts := make([]string, n)
		for k := range parts {
			parts[k] = t[i+k].folded
		}
		for _, l := range language.All() {
			if v, ok := l.Value(kind, strings.Join(parts, "_")); ok {
				return v, n
			}
		}
	}
	return "", 0
}

// is reports whether word i is one of a kind.
func (t text) is(kind string, i int) bool {
	if i < 0 || i >= len(t) {
		return false
	}
	_, n := t[i:i+1].kind(kind, 0)
	return n > 0
}

// minPart is how long the part of a compound must be to stand for it: Kreditkarte, Karte.
const minPart = 5

// alike reports whether two words are forms of one, or one is the head of the other's
// compound.
func alike(a, b *word) bool {
	if a.folded == b.folded || literal(a.Text) || literal(b.Text) {
		return a.folded == b.folded
	}
	if listening.Alike(a.folded, b.folded) {
		return true
	}
	long, short := a.folded, b.folded
	if len(long) < len(short) {
		long, short = short, long
	}
	if len(short) < minPart || len(long) < len(short)+minPart-1 { // "unhappy" is no kind of happy
		return false
	}
	return strings.HasSuffix(long, short) || len(short) > minPart && strings.HasSuffix(long, strings.TrimRight(short, "ens"))
}
