package claims

import (
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"quaestor/internal/language"
	"quaestor/obligations"
)

// Reason says why a claim is not supported.
type Reason string

// The reasons.
const (
	QuoteMissing Reason = "quote_missing" // the source does not have the quote
	BadFigure    Reason = "figure"        // a number that the quote does not have, or has of something else
	BadUnit      Reason = "unit"          // the number is there, of another unit
	BadDate      Reason = "date"          // a date that the quote does not have, or has for another number
	BadPolarity  Reason = "polarity"      // denied, doubted, bounded or turned round
	BadWords     Reason = "words"         // too little of it, or a name, that the quote does not have
	TooLong      Reason = "too_long"
	TooShort     Reason = "too_short"
	Directing    Reason = "directing" // words that try to direct a machine that reads them
)

// Unsupported is the error of a claim that its source does not support.
type Unsupported struct {
	Reason Reason
	Detail string // in words
}

func (u *Unsupported) Error() string {
	return "unsupported claim (" + string(u.Reason) + "): " + u.Detail
}

func unsupported(r Reason, format string, args ...any) *Unsupported {
	return &Unsupported{r, fmt.Sprintf(format, args...)}
}

// minShare is how much of a claim's content words its quote must have.
const minShare = 0.6

// Verify returns c with the exact words, span and figures of its source, or an
// [*Unsupported] that says why s does not support it. What it returns it accepts
// unchanged. A quote is looked for as [obligations.Locate] does; a span that
// names it already is kept, so that of several places the given one counts.
func Verify(c Claim, s Source) (Claim, error) {
	c.Text = strings.TrimSpace(c.Text)
	switch {
	case len(c.Text) > MaxText:
		return c, unsupported(TooLong, "the claim has %d bytes, at most %d count", len(c.Text), MaxText)
	case c.Text == "" || !utf8.ValidString(c.Text):
		return c, unsupported(TooShort, "the claim is empty or no text")
	}
	quote, span, err := locate(c, s)
	if err != nil {
		return c, err
	}
	if hostile(c.Text) || hostile(quote) {
		return c, unsupported(Directing, "the words are an order to whoever reads, not a statement")
	}
	claim, source := read(c.Text), read(quote)
	figures, err := support(claim, source, s, minShare)
	if err != nil {
		return c, err
	}
	c.Source, c.Host, c.Quote, c.Span, c.Figures = s.N, s.host(), quote, span, figures
	return c, nil
}

// locate finds the quote of c in s.
func locate(c Claim, s Source) (string, obligations.Span, error) {
	quote, span := c.Quote, c.Span
	if found, ok := span.Slice(s.Text); !ok || found != quote || strings.TrimSpace(quote) != quote {
		if span, quote, ok = obligations.Locate(s.Text, c.Quote); !ok {
			return "", span, unsupported(QuoteMissing, "the source does not have these words")
		}
		if found, ok = span.Slice(s.Text); !ok || found != quote {
			return "", span, unsupported(QuoteMissing, "the words stand in bytes that are no text")
		}
	}
	switch {
	case len(quote) < MinQuote:
		return "", span, unsupported(TooShort, "the quote has %d bytes, at least %d are needed", len(quote), MinQuote)
	case len(quote) > MaxQuote:
		return "", span, unsupported(TooLong, "the quote has %d bytes, at most %d count", len(quote), MaxQuote)
	case paragraphs(quote) > 2:
		return "", span, unsupported(TooLong, "the quote goes over more than two paragraphs")
	}
	return quote, span, nil
}

// paragraphs counts the stretches of s that empty lines part.
func paragraphs(s string) int {
	n, open := 0, false
	for line := range strings.Lines(s) {
		blank := strings.TrimSpace(line) == ""
		if !blank && !open {
			n++
		}
		open = !blank
	}
	return n
}

// support holds claim against the words of a source and returns its figures as
// the source has them. At least share of its content words must be there.
func support(claim, source *passage, s Source, share float64) ([]Figure, error) {
	if err := claim.namedIn(source, s); err != nil {
		return nil, err
	}
	var out []Figure
	for i := range claim.figures {
		f, err := source.holds(claim, &claim.figures[i])
		if err != nil {
			return nil, err
		}
		if !claim.figures[i].ordinal {
			out = append(out, f)
		}
	}
	if err := source.holdsDates(claim); err != nil {
		return nil, err
	}
	if err := source.holdsLiterals(claim); err != nil {
		return nil, err
	}
	if why := claim.samePolarity(source); why != "" {
		return nil, unsupported(BadPolarity, "%s", why)
	}
	return out, source.holdsWords(claim, share)
}

// holds returns the figure f of claim as q has it.
func (q *passage) holds(claim *passage, f *figure) (Figure, error) {
	reason := BadFigure
	best, closest := (*figure)(nil), -1
	around := claim.near(f.from, 8)
	for i := range q.figures {
		g := &q.figures[i]
		why := q.mismatch(g, claim, f)
		if rank(why) > rank(reason) {
			reason = why
		}
		if n := shared(around, q.near(g.from, 8)); why == "" && n > closest {
			best, closest = g, n
		}
	}
	switch {
	case best == nil:
		return Figure{}, unsupported(reason, "the source does not have %q like this", f.Words)
	case q.belongsElsewhere(claim, f, best):
		return Figure{}, unsupported(BadFigure, "%q is of something else in the source", f.Words)
	}
	out := f.Figure
	out.Value, out.Approximate = best.Value, best.Approximate || f.Approximate
	if out.When == "" {
		out.When = best.When
	}
	if out.Unit == "" {
		out.Unit = best.Unit
	}
	return out, nil
}

// rank orders reasons by how far a figure came before it failed.
func rank(r Reason) int {
	switch r {
	case BadUnit:
		return 1
	case BadDate:
		return 2
	case BadPolarity:
		return 3
	}
	return 0
}

// mismatch says why figure g of q is not figure f of claim, or "".
func (q *passage) mismatch(g *figure, claim *passage, f *figure) Reason {
	switch {
	case !sameValue(f, g):
		return BadFigure
	case !q.sameUnit(g, claim, f):
		return BadUnit
	case f.When != "" && (!covers(g.When, f.When) || side(f.side) != side(g.side)):
		return BadDate
	case f.bound != g.bound, f.move != g.move, f.role != 0 && g.role != 0 && f.role != g.role, (f.low || f.high) && (f.low != g.low || f.high != g.high), !f.low && g.low, !f.high && g.high:
		return BadPolarity
	}
	return ""
}

// side brings "by 2030" and "in 2030" together.
func side(s byte) byte {
	if s == 'b' || s == 0 {
		return '='
	}
	return s
}

// sameValue compares numbers, and digits where they can be read two ways.
func sameValue(f, g *figure) bool {
	if f.ambiguous || g.ambiguous {
		return f.literal == g.literal && f.Value == g.Value
	}
	return f.Value == g.Value || math.Abs(f.Value-g.Value) <= 1e-9*math.Max(math.Abs(f.Value), math.Abs(g.Value))
}

// sameUnit reports whether g of q and f of claim measure the same. A count needs
// the noun it is of somewhere near.
func (q *passage) sameUnit(g *figure, claim *passage, f *figure) bool {
	switch {
	case f.Unit == g.Unit && f.Unit != "":
		return true
	case physical(f.Unit) || physical(g.Unit):
		return false
	case f.Unit != "" && g.Unit != "":
		return false
	case f.Unit != "":
		return q.near(g.from, 8)[language.Stem(f.Unit)]
	case g.Unit != "":
		return claim.near(f.from, 8)[language.Stem(g.Unit)]
	}
	noun := claim.toks[min(f.to, len(claim.toks)-1)]
	if f.to >= len(claim.toks) || !noun.content() {
		return true
	}
	for j := g.to; j < min(g.to+4, len(q.toks)); j++ {
		if q.toks[j].stem == noun.stem {
			return true
		}
	}
	return (g.to >= len(q.toks) || !q.toks[g.to].content()) && q.near(g.from, 8)[noun.stem]
}

// belongsElsewhere reports whether what stands around f in the claim stands in q
// around another figure of the same unit, and hardly around g.
func (q *passage) belongsElsewhere(claim *passage, f, g *figure) bool {
	names := claim.subject(f)
	own := shared(names, q.subject(g))
	for i := range q.figures {
		h := &q.figures[i]
		if h.Unit == g.Unit && h.When == g.When && !sameValue(h, g) && !h.low && !h.high && shared(names, q.subject(h)) > own {
			return true
		}
	}
	return false
}

// subject returns the words that say what f is of: those in its clause between
// the figures around it.
func (p *passage) subject(f *figure) map[string]bool {
	from, to := 0, len(p.toks)
	for i := range p.figures {
		g := &p.figures[i]
		if g.to <= f.from {
			from = g.to
		}
		if g.from >= f.to {
			to = min(to, g.from)
		}
	}
	out := map[string]bool{}
	for j := from; j < to; j++ {
		behind := j >= f.to && (p.is(j, ",") || p.is(j, "and"))
		if behind {
			break
		}
		if p.toks[j].content() && !p.taken[j] && p.clause[j] == p.clause[f.from] {
			out[p.toks[j].stem] = true
		}
	}
	return out
}

// holdsDates checks that every date of claim is in q.
func (q *passage) holdsDates(claim *passage) error {
	for _, d := range claim.dates {
		found, sided := false, false
		for _, e := range q.dates {
			if covers(e.when, d.when) || endOf(e.when, d.when) {
				found, sided = true, sided || side(d.side) == side(e.side)
			}
		}
		switch {
		case !found:
			return unsupported(BadDate, "the source does not have the date %s", d.when)
		case !sided:
			return unsupported(BadDate, "the source has another side of %s", d.when)
		}
	}
	return nil
}

// endOf reports whether when is an end of the range of years have.
func endOf(have, when string) bool {
	first, last, isRange := strings.Cut(have, "–")
	return isRange && (when == first || when == last)
}

// holdsLiterals checks what must be in q to the letter.
func (q *passage) holdsLiterals(claim *passage) error {
	have := map[string]bool{}
	for _, t := range q.toks {
		have[t.text] = true
	}
	for _, l := range claim.literals {
		if !have[l] {
			return unsupported(BadFigure, "the source does not have %q", l)
		}
	}
	return nil
}

// holdsWords checks that share of the claim's content words is in q.
func (q *passage) holdsWords(claim *passage, share float64) error {
	have, words, n := q.stemSet(), claim.words(), 0
	if len(words) == 0 {
		return unsupported(TooShort, "the claim has no word of its own")
	}
	for _, w := range words {
		if a, turns := axes[w]; have[w] || turns && q.onSide(a, nil) {
			n++
		}
	}
	if float64(n) < share*float64(len(words)) {
		return unsupported(BadWords, "the quote has %d of its %d words", n, len(words))
	}
	return nil
}

// namedIn checks that every proper name of p is in q or in the title of s. A
// word that begins a sentence is a name when s never writes it small.
func (p *passage) namedIn(q *passage, s Source) error {
	have := q.stemSet()
	for _, w := range stems(s.Title) {
		have[w] = true
	}
	lower := ""
	for i, t := range p.toks {
		if t.class != word || !t.upper || stopwords[t.text] || have[t.stem] || p.taken[i] || months[t.text] > 0 || literalWords[t.text] {
			continue
		}
		if p.begins(i) && !p.acronym(i) {
			if lower == "" {
				lower = " " + strings.Join(strings.FieldsFunc(s.Text, func(r rune) bool { return !unicode.IsLetter(r) }), " ") + " "
			}
			if strings.Contains(lower, " "+t.text+" ") || strings.Contains(lower, " "+t.stem+" ") {
				continue
			}
		}
		return unsupported(BadWords, "the quote does not name %q", p.raw(i))
	}
	return nil
}

// begins reports whether token i is the first word of a sentence.
func (p *passage) begins(i int) bool {
	for j := i - 1; j >= 0 && p.sentence[j] == p.sentence[i]; j-- {
		if p.class(j) != sign {
			return false
		}
	}
	return true
}

// acronym reports whether token i has a capital or digit beyond its first rune.
func (p *passage) acronym(i int) bool {
	raw := p.raw(i)
	_, size := utf8.DecodeRuneInString(raw)
	return strings.IndexFunc(raw[size:], func(r rune) bool { return unicode.IsUpper(r) || unicode.IsDigit(r) }) >= 0
}
