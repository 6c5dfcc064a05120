package rules

import (
	"slices"
	"strings"

	"quaestor/obligations"
	"quaestor/research/claims"
)

// labelIndex finds the obligation that words name.
type labelIndex struct {
	list   []*obligations.Obligation
	cues   map[string][]indexed                 // by the stem of a cue's first word
	labels map[string][]*obligations.Obligation // by the stems of a name, with blanks between
}

// indexed is a cue of an obligation.
type indexed struct {
	o   *obligations.Obligation
	cue cue
}

func newLabelIndex(all []obligations.Obligation) labelIndex {
	x := labelIndex{cues: map[string][]indexed{}, labels: map[string][]*obligations.Obligation{}}
	for i := range all {
		o := &all[i]
		if !wanted(o) {
			continue
		}
		x.list = append(x.list, o)
		for _, c := range cuesOf(o.Template) {
			x.cues[c.stems[0]] = append(x.cues[c.stems[0]], indexed{o, c})
		}
		for _, name := range names(o.Template) {
			x.enter(strings.Join(stems(unowned(name)), " "), o)
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

// padding are words of a label that tell nothing apart, bareMark what sets labels
// without them apart from whole ones.
var padding = set("the our my their a an of for total planned expected current estimated overall approximate approx number project company target date main key primary")

const bareMark = "~ "

// unowned returns words without the article or owner they begin with: "the
// project" is "project".
func unowned(words []string) []string {
	if len(words) > 1 && owners[words[0]] {
		return words[1:]
	}
	return words
}

// unpadded returns the stems of words without padding; empty when that leaves nothing.
func unpadded(words []string) string {
	rest := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return padding[w] })
	if len(rest) == 0 {
		return ""
	}
	return bareMark + strings.Join(stems(rest), " ")
}

// maxLabelWords is how many words name something.
const maxLabelWords = 8

// named returns the one obligation that a label names: by its name, its key or a
// cue, word for word or but for words that tell nothing apart.
func (x labelIndex) named(label string) *obligations.Obligation {
	if len(label) > maxLabel {
		return nil
	}
	words := cut(label)
	if len(words) == 0 || len(words) > maxLabelWords {
		return nil
	}
	for _, form := range []string{strings.Join(stems(unowned(words)), " "), unpadded(words)} {
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

// hits returns the cues in u in the order they stand.
func (x labelIndex) hits(u *utterance) []cueHit {
	out := []cueHit{}
	for i, w := range u.words {
		for _, c := range x.cues[w.stem] {
			if i+len(c.cue.stems) <= len(u.words) && u.like(i, c.cue.stems) {
				out = append(out, cueHit{c.o, i, i + len(c.cue.stems), c.cue.label})
			}
		}
	}
	return out
}

// notNow are words of sentences that do not say how things are.
var notNow = set("not never no none nobody without former formerly previously used instead unlike rather cannot would could might if whether example")

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

func (f *fileReader) sentence(start, end int) int {
	u := listen(f.file.Text[start:end])
	hits := f.index.hits(u)
	if len(hits) == 0 || len(u.words) > maxClause || strings.ContainsRune(u.raw, '?') || slices.ContainsFunc(u.words, func(w word) bool { return notNow[w.text] }) {
		return 0
	}
	r := &reader{scene: f.scene, u: u, cues: hits}
	for _, c := range r.claims(u.clauses()) {
		how := passing
		if c.named {
			how = plain
		}
		f.note(fileFinding{c.o, c.got, start, end, how})
	}
	return 1
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
		f.note(fileFinding{o, reading{value: value}, at, at + len(best[0].Quote), nearest})
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
