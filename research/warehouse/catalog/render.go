package catalog

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
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

// maxWords and maxJoins bound what a line says.
const (
	maxWords = 3
	maxJoins = 4
)

// spare is which part of a budget stays free, because tokens are estimated.
const spare = 25

// Render writes a line a table in the order of their names. Tables that differ only
// in a date or a number at the end share one. Over budget those go first that look
// like leftovers, then those that have nothing of the subject, then the smallest.
func (x *Index) Render(o Options) Rendered {
	lines := x.lines(o)
	out := Rendered{Tables: len(x.tables)}
	total := 0
	for i := range lines {
		total += lines[i].tokens
	}
	kept := lines
	if room := o.Budget - o.Budget/spare; o.Budget > 0 && total > room {
		kept = cut(lines, room)
	}
	var b strings.Builder
	b.Grow(size(kept))
	for i := range kept {
		b.Write(kept[i].text)
		b.WriteByte('\n')
		out.Shown += kept[i].tables
		out.Tokens += kept[i].tokens
	}
	if out.Left = out.Tables - out.Shown; out.Left > 0 {
		more := leftOut(out.Left)
		b.WriteString(more)
		out.Tokens += Tokens(more)
	}
	out.Text = b.String()
	return out
}

// size returns the bytes of lines.
func size(lines []line) int {
	n := 0
	for i := range lines {
		n += len(lines[i].text) + 1
	}
	return n
}

// leftOut says how many tables no line stands for.
func leftOut(n int) string {
	return "+ " + thousands(n) + " more tables: use search_tables\n"
}

// line is one of the catalog.
type line struct {
	text    []byte
	tokens  int
	tables  int
	rows    int64
	junk    bool
	subject bool // it has words of the subject
}

// lines returns a line for each table or family of tables, in the order of names.
func (x *Index) lines(o Options) []line {
	words := make([]string, 0, len(o.Words))
	for _, w := range o.Words {
		words = append(words, fold(w))
	}
	found := x.findHints(words)
	out := make([]line, 0, len(x.tables))
	b := make([]byte, 0, 64*len(x.tables)) // of all lines; what it is copied from when it grows stays as it was
	for from := 0; from < len(x.tables); {
		to, at := x.family(from), len(b)
		var l line
		b, l = x.appendLine(b, from, to, words, found)
		l.text = b[at:len(b):len(b)]
		l.tokens = Tokens(l.text) + 1
		out = append(out, l)
		from = to
	}
	return out
}

// cut returns the lines that fit, in their order, with room for saying how many do
// not.
func cut(lines []line, budget int) []line {
	order := make([]int, len(lines))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, k int) int { return lines[i].before(&lines[k]) })
	room := budget - Tokens(leftOut(1_000_000))
	keep := make([]bool, len(lines))
	n := 0
	for _, i := range order {
		if lines[i].tokens > room {
			break
		}
		room, keep[i], n = room-lines[i].tokens, true, n+1
	}
	out := make([]line, 0, n)
	for i := range lines {
		if keep[i] {
			out = append(out, lines[i])
		}
	}
	return out
}

// before says whether l is kept before m: -1, 1, or 0 when neither is.
func (l *line) before(m *line) int {
	switch {
	case l.junk != m.junk:
		return ordered(!l.junk)
	case l.subject != m.subject:
		return ordered(l.subject)
	case l.rows != m.rows:
		return ordered(l.rows > m.rows)
	default:
		return 0
	}
}

func ordered(first bool) int {
	if first {
		return -1
	}
	return 1
}

// family returns where the tables that from begins a family of end: the next table
// with another name but for the date or number at its end, with another number of
// columns, or in another schema. Fewer than three are no family.
func (x *Index) family(from int) int {
	t := &x.tables[from]
	stem := stemOf(t.Name)
	if stem == "" {
		return from + 1
	}
	to := from + 1
	for to < len(x.tables) {
		m := &x.tables[to]
		if m.Schema != t.Schema || len(m.Columns) != len(t.Columns) || len(m.Name) != len(t.Name) || stemOf(m.Name) != stem {
			break
		}
		to++
	}
	if to-from < 3 {
		return from + 1
	}
	return to
}

// stemOf returns a name up to the digits that end it, if they stand behind an
// underscore, or behind _p, or begin with a year; else nothing.
func stemOf(name string) string {
	n := len(name)
	for n > 0 && '0' <= name[n-1] && name[n-1] <= '9' {
		n--
	}
	switch digits := len(name) - n; {
	case digits == 0 || n == 0:
		return ""
	case name[n-1] == '_', strings.HasSuffix(name[:n], "_p"), digits >= 4 && digits%2 == 0 && (name[n:n+2] == "19" || name[n:n+2] == "20"):
		return name[:n]
	default:
		return ""
	}
}

// Line returns the line of table i alone, without words of a subject.
func (x *Index) Line(i int) string {
	b, _ := x.appendLine(nil, i, i+1, nil, nil)
	return string(b)
}

// appendLine writes the line of the tables from up to, not including, to.
func (x *Index) appendLine(b []byte, from, to int, words []string, found []hints) ([]byte, line) {
	t, l := &x.tables[from], line{tables: to - from, junk: isJunk(x.tables[from].Name)}
	b = appendRef(b, t)
	if l.tables > 1 {
		b = append(append(b, " … "...), x.tables[to-1].Name...)
		b = append(strconv.AppendInt(append(b, " ("...), int64(l.tables), 10), " tables)"...)
		l.junk = false
	}
	b = append(strconv.AppendInt(append(b, " | "...), int64(len(t.Columns)), 10), "c | "...)
	l.rows = x.rows(from, to)
	b = append(appendRows(b, l.rows), " rows"...)
	if found != nil {
		b = found[from].append(b, words)
		l.subject = found[from].n > 0
	}
	return appendJoins(b, x.joins[from]), l
}

// appendRef writes the qualified name of t.
func appendRef(b []byte, t *Table) []byte {
	if t.Schema != "" {
		b = append(append(b, t.Schema...), '.')
	}
	return append(b, t.Name...)
}

// rows returns those of some tables together, UnknownRows if that of one is.
func (x *Index) rows(from, to int) int64 {
	var sum int64
	for i := from; i < to; i++ {
		if x.tables[i].Rows < 0 {
			return UnknownRows
		}
		sum += x.tables[i].Rows
	}
	return sum
}

// hints are the first words of the subject that a table has in all its names and
// comments, by their places.
type hints struct {
	n     int
	words [maxWords]int
}

// findHints returns the hints of each table; nil without words. It looks for a word
// in all tables at once, which is far quicker than in each.
func (x *Index) findHints(words []string) []hints {
	if len(words) == 0 {
		return nil
	}
	out := make([]hints, len(x.tables))
	for k, w := range words {
		if w == "" {
			continue
		}
		word := []byte(w)
		for i, at := 0, 0; i < len(out); i, at = i+1, x.ends[i] {
			found := bytes.Index(x.names[at:], word)
			if found < 0 {
				break
			}
			for x.ends[i] <= at+found {
				i++
			}
			if h := &out[i]; h.n < maxWords {
				h.words[h.n], h.n = k, h.n+1
			}
		}
	}
	return out
}

// append writes the words.
func (h *hints) append(b []byte, words []string) []byte {
	for i := range h.n {
		if i == 0 {
			b = append(b, " | "...)
		} else {
			b = append(b, ", "...)
		}
		b = append(b, words[h.words[i]]...)
	}
	return b
}

// appendFolded writes all names and comments of t in lower case.
func (t *Table) appendFolded(b []byte) []byte {
	b = appendFold(appendFold(b, t.Name), t.Comment)
	for i := range t.Columns {
		b = appendFold(appendFold(b, t.Columns[i].Name), t.Columns[i].Comment)
	}
	return b
}

// appendFold writes s in lower case and a line end.
func appendFold(b []byte, s string) []byte {
	for i := range len(s) {
		c := s[i]
		if c >= utf8.RuneSelf {
			return append(append(b, fold(s[i:])...), '\n')
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		b = append(b, c)
	}
	return append(b, '\n')
}

// appendJoins writes where t leads.
func appendJoins(b []byte, joins []Join) []byte {
	for i := range joins {
		switch j := &joins[i]; {
		case i == maxJoins:
			return append(append(append(b, ", +"...), strconv.Itoa(len(joins)-i)...), " more"...)
		case i == 0:
			b = append(append(b, " | "...), j.arrow()...)
		default:
			b = append(append(b, ", "...), j.arrowAfter(&joins[i-1])...)
		}
		b = append(b, joins[i].Table...)
	}
	return b
}

// arrow is how a join is written.
func (j *Join) arrow() string {
	if j.Declared {
		return "-> "
	}
	return "~> "
}

// arrowAfter is how it is written behind another: one arrow stands for those that
// follow it.
func (j *Join) arrowAfter(before *Join) string {
	if j.Declared == before.Declared {
		return ""
	}
	return j.arrow()
}

// leftovers end the names of tables that are kept for no analysis.
var leftovers = []string{"_log", "_archive", "_bkp", "_backup", "_tmp", "_temp", "_stg", "_staging", "_old"}

// isJunk says whether a name is that of a leftover, or ends in a year.
func isJunk(name string) bool {
	for _, end := range leftovers {
		if len(name) > len(end) && strings.EqualFold(name[len(name)-len(end):], end) {
			return true
		}
	}
	n := len(name)
	return n > 5 && name[n-5] == '_' && stemOf(name) == name[:n-4]
}

// thousands writes n with commas.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
