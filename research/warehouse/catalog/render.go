package catalog

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Options say what of a catalog is written.
type Options struct {
	// Budget is how many tokens there are, by [Tokens]; 0 is without bounds.
	Budget int
	// Words are those of the subject. A line names at most three that its table
	// has in its name, its columns or its comment, and such tables are kept first.
	Words []string
}

// Rendered is a catalog as it stands in a prompt.
type Rendered struct {
	Text   string
	Tables int // of the warehouse
	Shown  int // that a line stands for
	Tokens int // of Text, by [Tokens]
	Left   int // that no line stands for, for want of room; Text says so
}

// spare is which part of a budget stays free, because tokens are estimated.
const spare = 25

// Render writes a line a table in the order of their names. Tables that differ only
// in a date or a number at the end share one. Over budget those go first that look
// like leftovers, then those that have nothing of the subject, then the smallest.
func (x *Index) Render(o Options) Rendered {
	s := x.subjectOf(o.Words)
	out := Rendered{Tables: len(x.tables)}
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

// write writes the lines that are kept, all of them if keep is nil, and counts what
// it shows. What stands together in x.text is copied together.
func (x *Index) write(b *strings.Builder, s *subject, keep []bool, out *Rendered) {
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

// size returns how many bytes the lines take that are kept, with what is said of
// those that are not.
func (x *Index) size(s *subject, keep []bool) int {
	n := len(leftOut(len(x.tables)))
	for i := range x.lines {
		if l := &x.lines[i]; keep == nil || keep[i] {
			n += l.end - l.at + s.size(l)
		}
	}
	return n
}

// leftOut says how many tables no line stands for.
func leftOut(n int) string {
	return "+ " + thousands(n) + " more tables: use search_tables\n"
}

// subject is what a catalog is rendered for.
type subject struct {
	words  []string // in lower case
	prices []int    // their tokens, with what parts them
	found  []hints  // of each table; nil without words
}

// subjectOf returns the subject of some words.
func (x *Index) subjectOf(words []string) subject {
	s := subject{words: make([]string, len(words)), prices: make([]int, len(words))}
	for i, w := range words {
		s.words[i] = fold(w)
		s.prices[i] = Tokens(s.words[i]) + 1
	}
	s.found = x.findHints(s.words)
	return s
}

// has reports whether a line has words of the subject: those of its first table.
func (s *subject) has(l *line) bool { return s.found != nil && s.found[l.from].n > 0 }

// of returns the words of a line.
func (s *subject) of(l *line) []int32 {
	if s.found == nil {
		return nil
	}
	h := &s.found[l.from]
	return h.words[:h.n]
}

// tokens returns those of a line with its words.
func (s *subject) tokens(l *line) int {
	n := l.tokens
	for _, w := range s.of(l) {
		n += s.prices[w]
	}
	return n
}

// size returns how many bytes the words of a line take.
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

// cut says of each line whether it is among those that fit, with room for saying how
// many do not.
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

// compare reports whether l is kept before m: -1, 1, or 0 when neither is.
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
