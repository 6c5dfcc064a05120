package claims

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"quaestor/obligations"
)

// form says what a piece of a page is.
type form byte

const (
	prose   form = iota // a sentence of a paragraph
	item                // a sentence of a list item
	heading             // a heading
	row                 // a row of a table
	head                // the row that names a table's columns
	code                // a line of code
)

// piece is a sentence of a page, in bytes.
type piece struct {
	from, to int
	form     form
	block    int  // pieces of one paragraph, item or row have the same
	heading  int  // index of the heading it stands under, -1 for none
	head     int  // of a row: index of its head, -1 for none
	chopped  bool // a part of a sentence that was too long
}

// Sentences returns the sentences of text in order: of paragraphs and list
// items, headings, and the rows of Markdown tables. None is empty or longer than
// [MaxQuote] bytes; what is longer is chopped, at a joint where there is one.
func Sentences(text string) []obligations.Span {
	var out []obligations.Span
	m := &meter{text: text}
	for _, p := range split(text) {
		out = append(out, m.span(p.from, p.to))
	}
	return out
}

// meter turns places in bytes into UTF-16 units. Asked in ascending order, it
// reads a text once.
type meter struct {
	text     string
	at, unit int
}

func (m *meter) units(at int) int {
	if at < m.at {
		m.at, m.unit = 0, 0
	}
	for m.at < at {
		r, size := rune(m.text[m.at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(m.text[m.at:])
		}
		m.at += size
		m.unit++
		if r > 0xFFFF {
			m.unit++
		}
	}
	return m.unit
}

func (m *meter) span(from, to int) obligations.Span {
	start := m.units(from)
	return obligations.Span{Start: start, End: m.units(to)}
}

// splitter collects the pieces of a text line by line.
type splitter struct {
	text    string
	out     []piece
	from    int // of the open block, -1 for none
	to      int
	form    form
	block   int
	heading int
	head    int
	fenced  bool
}

// split parts text into pieces.
func split(text string) []piece {
	s := &splitter{text: text, from: -1, heading: -1, head: -1}
	for i := 0; i < len(text); {
		end := strings.IndexByte(text[i:], '\n')
		if end < 0 {
			end = len(text) - i
		}
		s.line(i, i+end)
		i += end + 1
	}
	s.close()
	return s.out
}

// line takes up the line text[from:to].
func (s *splitter) line(from, to int) {
	from, to = trim(s.text, from, to)
	line := s.text[from:to]
	switch n := marker(line); {
	case strings.HasPrefix(line, "```"), strings.HasPrefix(line, "~~~"):
		s.close()
		s.fenced = !s.fenced
	case s.fenced:
		s.single(from, to, code)
	case line == "":
		s.close()
		s.head = -1
	case strings.Trim(line, "-=_* ") == "":
		s.close()
	case line[0] == '#' && strings.HasPrefix(strings.TrimLeft(line, "#"), " "):
		s.single(from+len(line)-len(strings.TrimLeft(line, "# ")), to, heading)
	case line[0] == '|', strings.Count(line, " | ") > 1:
		s.row(from, to)
	case line[0] == '>':
		s.close()
		s.open(from+len(line)-len(strings.TrimLeft(line, "> ")), to, prose)
	case n > 0:
		s.close()
		s.open(from+n, to, item)
	case s.from >= 0:
		s.to = to
	default:
		s.open(from, to, prose)
	}
}

// marker returns the length of the list marker that line begins with, or 0.
func marker(line string) int {
	for _, m := range []string{"- ", "* ", "+ ", "• ", "– ", "· "} {
		if strings.HasPrefix(line, m) {
			return len(m)
		}
	}
	n := 0
	for n < len(line) && n < 3 && line[n] >= '0' && line[n] <= '9' {
		n++
	}
	if n > 0 && n+1 < len(line) && (line[n] == '.' || line[n] == ')') && line[n+1] == ' ' {
		return n + 2
	}
	return 0
}

// trim takes the white space off both ends of text[from:to].
func trim(text string, from, to int) (int, int) {
	part := strings.TrimRightFunc(text[from:to], unicode.IsSpace)
	to = from + len(part)
	return from + len(part) - len(strings.TrimLeftFunc(part, unicode.IsSpace)), to
}

func (s *splitter) open(from, to int, f form) {
	if from < to {
		s.from, s.to, s.form = from, to, f
	}
}

// single adds a block of one piece.
func (s *splitter) single(from, to int, f form) {
	s.close()
	if from >= to {
		return
	}
	if f == heading {
		s.heading = len(s.out)
	}
	s.add(from, to, f)
	s.block++
}

// row adds a row of a table. The row above a ruler is its head.
func (s *splitter) row(from, to int) {
	s.close()
	if strings.Trim(s.text[from:to], "|-: ") == "" {
		if n := len(s.out); n > 0 && s.out[n-1].form == row {
			s.out[n-1].form, s.head = head, n-1
		}
		return
	}
	s.single(from, to, row)
}

// close parts the open block into sentences.
func (s *splitter) close() {
	if s.from < 0 {
		return
	}
	start := s.from
	for i := s.from; i < s.to; {
		end := sentenceEnd(s.text, i, s.to)
		if end == 0 {
			_, size := utf8.DecodeRuneInString(s.text[i:])
			i += size
			continue
		}
		s.add(start, end, s.form)
		start, i = end, end
	}
	s.add(start, s.to, s.form)
	s.from = -1
	s.block++
}

// add adds text[from:to], chopped where it is too long.
func (s *splitter) add(from, to int, f form) {
	from, to = trim(s.text, from, to)
	chopped := false
	for to-from > MaxQuote {
		cut := from + chop(s.text[from:to])
		a, b := trim(s.text, from, cut)
		s.piece(a, b, f, true)
		from, to = trim(s.text, cut, to)
		chopped = true
	}
	s.piece(from, to, f, chopped)
}

func (s *splitter) piece(from, to int, f form, chopped bool) {
	if from < to {
		s.out = append(s.out, piece{from, to, f, s.block, s.heading, s.head, chopped})
	}
}

// chop returns where to cut s, at most [MaxQuote] bytes in: behind a semicolon,
// a comma or a space of its later half, else at the end of a rune.
func chop(s string) int {
	whole := clip(s, MaxQuote)
	for _, joint := range []string{"; ", ", ", " ", "\n"} {
		if i := strings.LastIndex(whole, joint); i > MaxQuote/2 {
			return i + len(joint)
		}
	}
	return max(len(whole), 1)
}

// sentenceEnd returns where the sentence ends whose last sign stands at i, with
// the quotes and brackets behind it; 0 when none does.
func sentenceEnd(text string, i, limit int) int {
	r, size := utf8.DecodeRuneInString(text[i:])
	switch {
	case r == '。' || r == '！' || r == '？':
		return i + size
	case r == '.' && endsAt(text[:limit], i), (r == '!' || r == '?' || r == '…') && spaceAt(text[:limit], i+size):
	default:
		return 0
	}
	return closers(text[:limit], i+size)
}

// closers skips the quotes, brackets and footnotes that belong to a sentence.
func closers(text string, i int) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !strings.ContainsRune(".!?…\"'”’»)]*_", r) {
			if r != '[' {
				return i
			}
			end := strings.IndexByte(text[i:], ']')
			if end < 0 || end > 5 {
				return i
			}
			size = end + 1
		}
		i += size
	}
	return i
}

// spaceAt reports whether white space, an end or a closing sign is at i.
func spaceAt(text string, i int) bool {
	i = closers(text, i)
	r, _ := utf8.DecodeRuneInString(text[i:])
	return i >= len(text) || unicode.IsSpace(r)
}

// abbreviations never end a sentence; mayEnd do when the next word is one that
// begins sentences.
var (
	abbreviations = set("mr mrs ms dr prof sr st vs e.g i.e eg ie approx ca cf no nos fig figs vol pp ed eds est dept gen gov sen rep rev hon al sec min max art para z.b bzw usw ggf incl excl nr tel")
	mayEnd        = set("inc ltd co corp llc plc etc jr u.s u.k e.u a.m p.m jan feb mar apr jun jul aug sep sept oct nov dec ave blvd bros dist univ assn gmbh ag")
	starters      = set("the a an it its in on at for but and however they he she we this that these those there according since while when as by from with our their his her if no some many most all each about more after before during over under")
)

// endsAt reports whether the full stop at i ends a sentence.
func endsAt(text string, i int) bool {
	if !spaceAt(text, i+1) {
		return false
	}
	rest := strings.TrimLeftFunc(text[closers(text, i+1):], unicode.IsSpace)
	next, _ := utf8.DecodeRuneInString(rest)
	if rest == "" {
		return true
	}
	if unicode.IsLower(next) {
		return false
	}
	before := lastWord(text[:i])
	w := strings.ToLower(before)
	initial := utf8.RuneCountInString(before) == 1 && unicode.IsUpper([]rune(before)[0])
	switch {
	case abbreviations[w]:
		return false
	case initial, mayEnd[w]:
		return starters[strings.ToLower(firstWord(rest))]
	}
	return true
}

// lastWord returns the letters, digits and inner points s ends in.
func lastWord(s string) string {
	i := strings.LastIndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' })
	if i < 0 {
		return s[max(0, len(s)-40):]
	}
	_, size := utf8.DecodeRuneInString(s[i:])
	return s[i+size:]
}

func firstWord(s string) string {
	if i := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) }); i >= 0 {
		return s[:i]
	}
	return s
}

// plainText is s as people read it: without the marks of Markdown, on one line.
func plainText(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case strings.HasPrefix(s[i:], "](") && linkEnd(s[i:]) > 1:
			i += linkEnd(s[i:])
			continue
		case r == '[' && footnote(s[i:]) > 0:
			i += footnote(s[i:])
			continue
		case strings.ContainsRune("[]`\\", r), (r == '*' || r == '_') && atEdge(s, i), r == '!' && strings.HasPrefix(s[i+1:], "["):
		case unicode.IsSpace(r), unicode.IsControl(r):
			b.WriteByte(' ')
		default:
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// footnote returns the length of a reference such as "[12]" at the start of s,
// or 0.
func footnote(s string) int {
	end := strings.IndexByte(s[:min(len(s), 6)], ']')
	if end < 2 || strings.Trim(s[1:end], "^0123456789") != "" || strings.HasPrefix(s[end:], "](") {
		return 0
	}
	return end + 1
}

// atEdge reports whether the mark at i is emphasis: not between two characters
// of a word.
func atEdge(s string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	after, _ := utf8.DecodeRuneInString(s[i+1:])
	return i == 0 || i+1 >= len(s) || !wordRune(before) || !wordRune(after)
}
