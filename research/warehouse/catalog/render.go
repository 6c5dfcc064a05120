package catalog

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Options select what of a catalog is rendered.
type Options struct {
	// Budget is the number of tokens allowed, as [Tokens] estimates them; 0 means no limit.
	Budget int
	// Words are the words of the subject. A line lists at most three that occur in its
	// table's name, columns or comment, and such tables are kept in preference.
	Words []string
}

// Rendering is a catalog as it goes into a prompt.
type Rendering struct {
	Text   string
	Tables int // in the warehouse
	Shown  int // represented by a line
	Tokens int // in Text, as [Tokens] estimates them
	Left   int // left out for lack of room; Text states the number
}

// spare is the fraction of a budget, one part in 25, that is kept free because token counts are
// estimates.
const spare = 25

// Render writes a line for each table in the order of their names. Tables that differ only in a
// date or a number at the end share a line. If the budget is exceeded, tables that look like
// leftovers are dropped first, then those without words of the subject, then the smallest.
func (x *Index) Render(o Options) Rendering {
	s := x.subjectOf(o.Words)
	out := Rendering{Tables: len(x.tables)}
	total := 0
	for i := range x.lines {
		total += s.tokens(&x.lines[i])
	}
	var keep []bool
	if room := o.Budget - o.Budget/spare; o.Budget > 0 && total > room {
		keep = x.cut(&s, room)
	}
	var b strings.Builder
	b.Grow(x.size(&s, keep))
	x.write(&b, &s, keep, &out)
	if out.Left = out.Tables - out.Shown; out.Left > 0 {
		more := leftOut(out.Left)
		b.WriteString(more)
		out.Tokens += Tokens(more)
	}
	out.Text = b.String()
	return out
}

// write writes the lines that keep selects (all of them if it is nil) and counts what it shows.
// Adjacent parts of x.text are copied together.
func (x *Index) write(b *strings.Builder, s *subject, keep []bool, out *Rendering) {
	at := 0
	for i := range x.lines {
		l := &x.lines[i]
		if keep != nil && !keep[i] {
			b.WriteString(x.text[at:l.at])
			at = l.end
			continue
		}
		out.Shown += l.tables
		out.Tokens += s.tokens(l)
		if s.has(l) {
			b.WriteString(x.text[at:l.hint])
			s.write(b, l)
			at = l.hint
		}
	}
	b.WriteString(x.text[at:])
}

// size returns how many bytes the selected lines and the note about the others take.
func (x *Index) size(s *subject, keep []bool) int {
	n := len(leftOut(len(x.tables)))
	for i := range x.lines {
		if l := &x.lines[i]; keep == nil || keep[i] {
			n += l.end - l.at + s.size(l)
		}
	}
	return n
}

// leftOut returns the note about n tables without a line.
func leftOut(n int) string {
	return "+ " + thousands(n) + " more tables: use search_tables\n"
}

// subject is what a catalog is rendered for.
type subject struct {
	words  []string // in lower case
	prices []int    // tokens of each word with its separator
	found  []hints  // for each table; nil if there are no words
}

// subjectOf returns the subject described by words.
func (x *Index) subjectOf(words []string) subject {
	s := subject{words: make([]string, len(words)), prices: make([]int, len(words))}
	for i, w := range words {
		s.words[i] = fold(w)
		s.prices[i] = Tokens(s.words[i]) + 1
	}
	s.found = x.findHints(s.words)
	return s
}

// has reports whether a line has words of the subject, by its first table.
func (s *subject) has(l *line) bool { return s.found != nil && s.found[l.from].n > 0 }

// of returns the words of a line as indexes.
func (s *subject) of(l *line) []int32 {
	if s.found == nil {
		return nil
	}
	h := &s.found[l.from]
	return h.words[:h.n]
}

// tokens returns the tokens of a line with its words.
func (s *subject) tokens(l *line) int {
	n := l.tokens
	for _, w := range s.of(l) {
		n += s.prices[w]
	}
	return n
}

// size returns the bytes that the words of a line take.
func (s *subject) size(l *line) int {
	n := 0
	for _, w := range s.of(l) {
		n += len(s.words[w]) + len(" | ")
	}
	return n
}

// write writes the words of a line.
func (s *subject) write(b *strings.Builder, l *line) {
	for i, w := range s.of(l) {
		if i == 0 {
			b.WriteString(" | ")
		} else {
			b.WriteString(", ")
		}
		b.WriteString(s.words[w])
	}
}

// cut selects the lines that fit into budget together with the note about the others.
func (x *Index) cut(s *subject, budget int) []bool {
	order := make([]int, len(x.lines))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, k int) int { return cmp.Or(s.compare(&x.lines[i], &x.lines[k]), i-k) })
	room := budget - Tokens(leftOut(1_000_000))
	keep := make([]bool, len(x.lines))
	for _, i := range order {
		tokens := s.tokens(&x.lines[i])
		if tokens > room {
			break
		}
		room, keep[i] = room-tokens, true
	}
	return keep
}

// compare returns -1 if l is kept in preference to m, 1 for the opposite, and 0 for neither.
func (s *subject) compare(l, m *line) int {
	switch {
	case l.junk != m.junk:
		return ordered(m.junk)
	case s.has(l) != s.has(m):
		return ordered(s.has(l))
	default:
		return cmp.Compare(m.rows, l.rows)
	}
}

// ordered returns -1 if first is true and 1 otherwise.
func ordered(first bool) int {
	if first {
		return -1
	}
	return 1
}

// thousands writes n with commas.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
