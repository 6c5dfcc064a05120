package reading

import (
	"slices"
	"strings"

	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/obligations"
	"quaestor/research/claims"
)

// labelIndex finds the obligation that words name.
type labelIndex struct {
	list   []*obligations.Obligation
	labels map[string][]*obligations.Obligation // by the stems of a name, with blanks between
}

func newLabelIndex(all []obligations.Obligation) labelIndex {
	x := labelIndex{labels: map[string][]*obligations.Obligation{}}
	for i := range all {
		o := &all[i]
		if !wanted(o) {
			continue
		}
		x.list = append(x.list, o)
		for _, name := range field.Names(o.Template) {
			x.enter(strings.Join(name, " "), o)
			x.enter(unpadded(name), o)
		}
	}
	return x
}

func (x labelIndex) enter(label string, o *obligations.Obligation) {
	if label != "" && !slices.Contains(x.labels[label], o) {
		x.labels[label] = append(x.labels[label], o)
	}
}

// bareMark sets labels without words that tell nothing apart, such as "total", apart from whole
// ones.
const bareMark = "~ "

// unpadded returns words without those that tell nothing apart; empty when that leaves nothing.
func unpadded(words []string) string {
	rest := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return language.IsWord("padding", w) || language.IsWord("owner", w) })
	if len(rest) == 0 {
		return ""
	}
	return bareMark + strings.Join(rest, " ")
}

// maxLabelWords is how many words name something.
const maxLabelWords = 8

// named returns the one obligation that a label names: by its name, its key or a
// cue, word for word or but for words that tell nothing apart.
func (x labelIndex) named(label string) *obligations.Obligation {
	if len(label) > maxLabel {
		return nil
	}
	words := field.NameWords(label)
	if len(words) == 0 || len(words) > maxLabelWords {
		return nil
	}
	for _, form := range []string{strings.Join(words, " "), unpadded(words)} {
		if found := x.labels[form]; len(found) > 0 {
			return only(found)
		}
	}
	return nil
}

// only returns the one of a list; nil when there are several.
func only(list []*obligations.Obligation) *obligations.Obligation {
	if len(list) > 1 {
		return nil
	}
	return list[0]
}

// sentences reads a line as people's words are read, sentence by sentence, and
// counts those with words that announce an answer.
func (f *fileReader) sentences(l fileLine) int {
	n := 0
	for from := l.start; from < l.end; {
		end := from + sentenceEnd(f.file.Text[from:l.end])
		n += f.sentence(from, end)
		from = end
	}
	return n
}

// sentenceEnd returns where the first sentence of s ends.
func sentenceEnd(s string) int {
	for i := range len(s) - 1 {
		if strings.IndexByte(".!?;", s[i]) >= 0 && s[i+1] == ' ' {
			return i + 1
		}
	}
	return len(s)
}

// sentence reads a sentence that names an obligation for a figure, a date or a choice.
func (f *fileReader) sentence(start, end int) int {
	h := f.reading(f.file.Text[start:end])
	named := h.namings()
	if len(named) == 0 || len(h.words) > maxFileSentence || strings.Contains(h.raw, "?") || h.speaksOf(h.all(), "not", "former", "condition", "nobody") {
		return 0
	}
	for _, n := range named {
		if !wanted(n.o) || n.o.Widget == obligations.Text {
			continue
		}
		clause := h.clauseOf(n)
		about := clause
		if n.o.Closed() { // of several figures the one beside the name
			about = wordRange{max(clause.from, n.from-besideFigure), min(clause.to, n.to+2*besideFigure)}
		}
		from, to := h.bytes(about)
		how := passing
		if n.to < clause.to && language.IsWord("being", h.folded()[n.to]) {
			how = plain
		}
		f.note(fileFinding{n.o, h.plain(n.o.Template, from, to), start, end, how})
	}
	return 1
}

// besideFigure is how many words before a name a figure of it stands at most; behind it twice as many.
const besideFigure = 2

// maxFileSentence bounds, in words, a sentence that is read for what it names.
const maxFileSentence = 80

// clauseOf is the clause in which an obligation is named.
func (h *heard) clauseOf(n naming) wordRange {
	for _, c := range h.clauses(h.all()) {
		if n.from >= c.from && n.from < c.to {
			return c
		}
	}
	return h.all()
}

// Bounds of the search for what no words announce.
const (
	maxNearest  = 6        // obligations, those of highest priority
	nearestRank = 0.6      // from which a sentence is put to the person
	nearestText = 60 << 10 // bytes of the file, from its beginning
)

// nearest looks for the sentences that best answer what is open and was not
// found, as research does without a model.
func (f *fileReader) nearest() {
	source := claims.Source{N: 1, Title: f.file.Name, Text: clipBytes(f.file.Text, nearestText), Document: true}
	for _, o := range f.open() {
		q := claims.ResearchQuestion{Text: o.Prompt, Terms: append([]string{o.Name()}, o.Cues...)}.For(o)
		list, err := claims.Extract(q, []claims.Source{source}, nil)
		if err != nil || len(list) == 0 || list[0].Rank < nearestRank {
			continue
		}
		best := list[:1]
		value, _, ok := claims.Answer(o, best)
		at := strings.Index(f.file.Text, best[0].Quote)
		if !ok || at < 0 || f.used(at, at+len(best[0].Quote)) {
			continue
		}
		f.note(fileFinding{o, valueRead{value: value}, at, at + len(best[0].Quote), nearest})
	}
}

// used reports whether words of the file say something else already.
func (f *fileReader) used(start, end int) bool {
	return slices.ContainsFunc(f.found, func(c fileFinding) bool { return c.start < end && start < c.end })
}

// open returns the obligations that nothing is known of, the most important
// first.
func (f *fileReader) open() []*obligations.Obligation {
	var out []*obligations.Obligation
	for _, o := range f.index.list {
		known := o.Value != nil || slices.ContainsFunc(f.found, func(c fileFinding) bool { return c.o == o })
		if !known {
			out = append(out, o)
		}
	}
	slices.SortStableFunc(out, func(a, b *obligations.Obligation) int { return b.Priority - a.Priority })
	return out[:min(len(out), maxNearest)]
}
