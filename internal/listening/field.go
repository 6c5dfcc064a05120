package listening

import (
	"context"
	"math"
	"strings"
	"unicode/utf8"

	"quaestor/internal/language"
)

// Field is something that is to be known, as values look for theirs.
type Field struct {
	Key      string
	Type     Type
	Name     string // two or three words
	Question string
	Cues     []string // words that announce it
	Options  []string // of a choice, with their synonyms
	Unit     string   // of a figure
	Open     bool     // nothing is known of it yet
	Asked    bool     // it was asked for
	Last     bool     // it was told last
	Held     string   // what is held, as it is shown; empty for nothing
}

// The features of a value and a field that might be its own.
const (
	featWords      = iota // words of the field near the value, weighted by how few fields share them
	featName              // words of its name
	featWide              // words of the field anywhere in the segment
	featMeaning           // cosine of the words near the value and the field's
	featQuestion          // cosine of the segment and the question
	featExact             // of just the field's type
	featFamily            // of a type like it
	featFar               // of a type that might do
	featOnly              // no other open field takes such a value
	featOpen              // nothing is known yet
	featAsked             // it was asked for
	featStar              // it was asked for, and the value answers
	featLast              // it was told last
	featOption            // the value is one of its options
	featUnit              // the unit of the value is the field's
	featChange            // the segment corrects, and something is held
	featOld               // the segment corrects and names what is held
	featLastChange        // the segment corrects, and it was told last
	featText              // an open text
	featGerman            // constant where the encoder is of no use
	featTells             // how likely the value tells the field, as the asker hears it: log odds
	featTellsBest         // the same of its likeliest word
	featFit               // how much better it fits the field's question than the others: log likelihood
	featFitAlone          // how well it fits: log odds
	featCount
)

// Features are how a value and a field fit.
type Features [featCount]float64

// Candidates are the fields a value may be of, with the features of each.
type Candidates struct {
	Index    []int
	Features []Features
}

// fieldStems are the stems of a field's words.
type fieldStems struct {
	all, name map[string]bool
}

// stemsOfField returns the stems of a field's words that say something.
func stemsOfField(f *Field) fieldStems {
	text := strings.Join(append([]string{f.Name, f.Question, strings.ReplaceAll(f.Key, "_", " "), f.Unit}, f.Cues...), " ")
	return fieldStems{all: contentStems(text), name: contentStems(f.Name + " " + strings.ReplaceAll(f.Key, "_", " "))}
}

// plainWords say nothing of what a text is about.
var plainWords = wordSet(`the a an and or but of to in on at by for from with without about is are was were be been has have had do does did will would can could should may might
	you your we our us my me i it its they them their he she his her this that these those there here what which who whom when where why how many much any some
	not no yes so as if then than too very just also more most other one two please would like want need get got make made take say said tell think know long
	der die das den dem des ein eine einen einem einer und oder aber von zu im in am an auf bei mit ohne fuer aus nach vor ist sind war waren sein hat haben hatte wird werden
	sie ihr ihre ihren ich mir mich wir uns unser unsere du dein deine er es man sich nicht kein keine ja nein was welche welcher welches wer wen wann wo warum wie viele viel
	soll sollen kann koennen moechten moechte so auch noch nur schon mal bitte`)

func wordSet(list string) map[string]bool {
	out := make(map[string]bool)
	for w := range strings.FieldsSeq(list) {
		out[w] = true
	}
	return out
}

// contentStems returns the stems of the words of text that say something.
func contentStems(text string) map[string]bool {
	out := make(map[string]bool)
	for _, w := range language.Words(text) {
		f := language.Fold(w.Text)
		if utf8.RuneCountInString(f) > 2 && !plainWords[f] {
			out[stem(f)] = true
		}
	}
	return out
}

// Stems returns the stems of the words of text that say something.
func Stems(text string) map[string]bool { return contentStems(text) }

// contextEdge is how many bytes around a value are near it.
const contextEdge = 60

// Near returns the words about a value: what stands around it in its segment, up to the
// values beside it.
func (h *Heard) Near(seg *Segment, s *Span) string {
	from, to := max(seg.From, s.From-contextEdge), min(seg.To, s.To+contextEdge)
	for _, other := range seg.Values {
		if other.To <= s.From {
			from = max(from, other.To)
		}
		if other.From >= s.To {
			to = min(to, other.From)
		}
	}
	for from > seg.From && !utf8.RuneStart(h.Text[from]) {
		from--
	}
	for to < seg.To && !utf8.RuneStart(h.Text[to]) {
		to++
	}
	return strings.TrimSpace(h.Text[from:to])
}

// Candidates returns the fields that a value may be of by its type, and what speaks for
// each.
func (l *Listener) Candidates(ctx context.Context, h *Heard, seg *Segment, s *Span, fields []Field, german bool) Candidates {
	near, all := h.Near(seg, s), h.Text[seg.From:seg.To]
	nearStems, wideStems := contentStems(near), contentStems(all)
	list := make([]fieldStems, len(fields))
	share := map[string]float64{}
	for i := range fields {
		list[i] = stemsOfField(&fields[i])
		for st := range list[i].all {
			share[st]++
		}
	}
	tells := l.tell(ctx, h, fields)
	odds := l.Fits(ctx, h, s.From, s.To, fields)
	anyOf := logSum(odds)
	first, last := h.spanWords(s)
	var out Candidates
	words := h.Text[s.From:s.To]
	for i := range fields {
		f := &fields[i]
		fits := Compatible(s.Type, f.Type)
		if fits == 0 {
			continue
		}
		var x Features
		for st := range list[i].all {
			w := 1 / math.Sqrt(share[st])
			if nearStems[st] {
				x[featWords] += w
			}
			if wideStems[st] {
				x[featWide] += w
			}
		}
		for st := range list[i].name {
			if nearStems[st] {
				x[featName]++
			}
		}
		x[featWords], x[featWide], x[featName] = min(x[featWords], 2), min(x[featWide], 2), min(x[featName], 2)
		if !german {
			text := f.Name + ". " + f.Question
			x[featMeaning] = max(0, l.Similarity(ctx, near, text)-0.2)
			x[featQuestion] = max(0, l.Similarity(ctx, all, f.Question)-0.2)
		}
		flag := func(k int, is bool) {
			if is {
				x[k] = 1
			}
		}
		flag(featExact, fits == 1)
		flag(featFamily, fits < 1 && fits > 0.5)
		flag(featFar, fits <= 0.5)
		flag(featOnly, f.Open && fits == 1 && only(fields, i, s.Type))
		flag(featOpen, f.Open)
		flag(featAsked, f.Asked)
		flag(featStar, f.Asked && s.Answers)
		flag(featLast, f.Last)
		flag(featOption, isOption(words, f.Options))
		flag(featUnit, f.Unit != "" && sharesUnit(words, f.Unit))
		changes := seg.Act == Correction || seg.Act == Deny
		flag(featChange, changes && f.Held != "")
		flag(featOld, changes && f.Held != "" && names(all, f.Held))
		flag(featLastChange, changes && f.Last)
		flag(featText, f.Type == Text)
		flag(featGerman, german)
		x[featTells], x[featTellsBest] = oddsOf(tells[i], first, last)
		x[featFit], x[featFitAlone] = max(odds[i]-anyOf, -6)/2, min(max(odds[i], -6), 6)/3
		out.Index = append(out.Index, i)
		out.Features = append(out.Features, x)
	}
	return out
}

// logSum returns the logarithm of the sum of the exponentials of v.
func logSum(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += math.Exp(x)
	}
	return math.Log(sum)
}

// oddsOf returns the log odds of the mean and of the largest of some likelihoods, in
// [-3, 3].
func oddsOf(likely []float32, from, to int) (mean, best float64) {
	if from >= min(to, len(likely)) {
		return -3, -3
	}
	for _, p := range likely[from:min(to, len(likely))] {
		mean += float64(p) / float64(to-from)
		best = max(best, float64(p))
	}
	odds := func(p float64) float64 { return min(max(math.Log((p+1e-6)/(1-p+1e-6)), -6), 6) / 2 }
	return odds(mean), odds(best)
}

// only reports whether no other open field takes values of a type.
func only(fields []Field, i int, t Type) bool {
	for k := range fields {
		if k != i && fields[k].Open && Compatible(t, fields[k].Type) > 0.5 {
			return false
		}
	}
	return true
}

func isOption(words string, options []string) bool {
	w := joined(words)
	for _, o := range options {
		if o := joined(o); o != "" && (o == w || Alike(o, w)) {
			return true
		}
	}
	return false
}

// Alike reports whether two folded words are forms of one: they begin alike for most of
// the shorter.
func Alike(a, b string) bool {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	short, long := min(len(a), len(b)), max(len(a), len(b))
	return n >= 4 && 4*n >= 3*short-2 && long-n <= 4
}

func sharesUnit(words, unit string) bool {
	unit = language.Fold(unit)
	for _, w := range language.Words(words) {
		f := language.Fold(w.Text)
		if f == unit {
			return true
		}
		for _, l := range language.All() {
			if v, ok := l.Value("unit", f); ok && (v == unit || strings.EqualFold(v, unit)) {
				return true
			}
			if v, ok := l.Value("period", f); ok && v == strings.TrimSuffix(unit, "s") {
				return true
			}
		}
	}
	return false
}

// names reports whether text mentions what is held.
func names(text, held string) bool {
	return strings.Contains(" "+joined(text)+" ", " "+joined(held)+" ")
}

func joined(s string) string {
	var out []string
	for _, w := range language.Words(s) {
		out = append(out, language.Fold(w.Text))
	}
	return strings.Join(out, " ")
}

// Choose returns the field that most speaks for, and how likely it is its own; -1 when
// it is likelier of none.
func (c *Candidates) Choose() (field int, sure float64) {
	best, sum, top := -1, 1.0, 0.0 // e⁰ for none of them
	for i := range c.Features {
		score := fieldBias
		for k, x := range c.Features[i] {
			score += fieldWeights[k] * x
		}
		e := math.Exp(score)
		sum += e
		if e > top {
			best, top = c.Index[i], e
		}
	}
	if top < 1 || best < 0 {
		return -1, 0
	}
	return best, top / sum
}

// Likeliest returns the field that most speaks for when it must be one of them, and
// whether the next is clearly less likely; -1 for none.
func (c *Candidates) Likeliest() (field int, clearly bool) {
	best, top, second := -1, math.Inf(-1), math.Inf(-1)
	for i := range c.Features {
		score := 0.0
		for k, x := range c.Features[i] {
			score += fieldWeights[k] * x
		}
		if score > top {
			best, top, second = c.Index[i], score, top
		} else {
			second = max(second, score)
		}
	}
	return best, top-second > clearMargin
}

// clearMargin is by how much the likeliest field must lead: then it is two thirds likely
// of the two.
const clearMargin = 0.3

// Named reports whether a word of the field's name stands near the value.
func (f *Features) Named() bool { return f[featName] > 0 }

// Tells reports whether the message, when the field's question is put to it, answers with
// the value rather than not.
func (f *Features) Tells() bool { return f[featTells] > 0 }

// family groups the types whose values people tell apart by the field only.
var family = map[Type]int{
	Person: 1, Organisation: 1, Place: 2, Address: 2, Amount: 3, Count: 3, Measure: 3, Range: 3, Percentage: 3, Duration: 3,
	Date: 4, Time: 5, Product: 6, List: 6, Choice: 6, Text: 6, YesNo: 7, Email: 8, Phone: 9, URL: 10, Identifier: 11,
}

// mayDo are types that a field of another takes at a pinch.
var mayDo = map[[2]Type]bool{
	{Organisation, Place}: true, {Place, Organisation}: true, {Product, Organisation}: true, {Place, Choice}: true, {Organisation, Product}: true, {Person, Text}: true,
	{Identifier, Phone}: true, {Phone, Identifier}: true, {Duration, Date}: true, {Date, Duration}: true, {Date, Text}: true, {YesNo, Choice}: true, {Choice, YesNo}: true,
	{Place, Text}: true, {Organisation, Choice}: true, {Person, Choice}: true, {Count, Choice}: true, {Date, Choice}: true, {Time, Choice}: true, {Duration, Choice}: true,
	{Place, Product}: true, {Product, Place}: true, {Identifier, Product}: true, {Product, Identifier}: true, {Count, Identifier}: true, {Place, List}: true, {Person, List}: true,
}

// Compatible returns how well a value of one type suits a field of another: 1 when they
// are the same, 0 when it cannot be.
func Compatible(value, field Type) float64 {
	switch {
	case value == field:
		return 1
	case value == Product && field == List:
		return 1
	case value == Amount && field == Count, value == Count && field == Amount, value == Amount && field == Measure:
		return 0.4
	case family[value] == family[field] && family[value] != 0:
		return 0.6
	case mayDo[[2]Type{value, field}]:
		return 0.4
	}
	return 0
}
