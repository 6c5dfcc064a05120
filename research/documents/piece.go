package documents

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Piece is a stretch of a text that says something by itself.
type Piece struct {
	Start, End int    // bytes: the piece is text[Start:End]
	Heading    string // the headings it stands under, outermost first, with " > " between them
}

// Sizes of pieces, in characters.
const (
	minPiece   = 600    // what a piece is filled to before it ends with a paragraph
	maxPiece   = 1000   // no piece is longer, rows aside
	maxRow     = 10_000 // a row of a table that is longer is cut like prose
	maxHeading = 200
)

// Pieces cuts a text into pieces of 600 to 1,000 characters where paragraphs end,
// else where sentences do, else between words. A heading begins a new piece, which
// may leave the one before it shorter, as does the end of the text. Rows of
// text/csv and of Markdown tables are not cut. Pieces stand in order, do not
// overlap, have no white space around them and leave nothing else out.
func Pieces(text, mediaType string) []Piece {
	var out []Piece
	for _, s := range sections(text, mediaType) {
		for _, u := range pack(text, s.units(text)) {
			out = append(out, Piece{u.start, u.end, s.heading})
		}
	}
	return out
}

// stretch is text[start:end].
type stretch struct{ start, end int }

// trim returns s without the white space around it.
func (s stretch) trim(text string) stretch {
	in := text[s.start:s.end]
	start := s.start + len(in) - len(strings.TrimLeftFunc(in, unicode.IsSpace))
	return stretch{start, start + len(strings.TrimSpace(in))}
}

func (s stretch) size(text string) int { return utf8.RuneCountInString(text[s.start:s.end]) }

// section is what stands under one heading, the heading included.
type section struct {
	stretch
	heading string
	table   bool // every line is a row
}

var (
	headingLine = regexp.MustCompile(`^(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$`)
	fenceLine   = regexp.MustCompile("^ {0,3}(```|~~~)")
)

// sections splits a text at its headings. A heading with nothing under it stays
// with what follows.
func sections(text, mediaType string) []section {
	if mediaType == "text/csv" {
		return []section{{stretch{0, len(text)}, "", true}}
	}
	var out []section
	var path [6]string
	begun, heading, fenced, bare := 0, "", false, true
	at := 0
	for l := range strings.Lines(text) {
		m := headingLine.FindStringSubmatch(strings.TrimRight(l, "\r\n"))
		switch {
		case fenceLine.MatchString(l):
			fenced, bare = !fenced, false
		case m != nil && !fenced:
			if !bare {
				out = append(out, section{stretch{begun, at}, heading, false})
				begun = at
			}
			heading, bare = under(&path, len(m[1]), m[2]), true
		case strings.TrimSpace(l) != "":
			bare = false
		}
		at += len(l)
	}
	return append(out, section{stretch{begun, len(text)}, heading, false})
}

// under puts a heading of a level into path and returns where it stands.
func under(path *[6]string, level int, name string) string {
	path[level-1] = name
	for i := level; i < len(path); i++ {
		path[i] = ""
	}
	return join(path[:]...)
}

// join returns headings as one, at most maxHeading characters of its end.
func join(names ...string) string {
	var kept []string
	for _, n := range names {
		if n = strings.TrimSpace(n); n != "" && (len(kept) == 0 || kept[len(kept)-1] != n) {
			kept = append(kept, n)
		}
	}
	r := []rune(strings.Join(kept, " > "))
	return string(r[max(0, len(r)-maxHeading):])
}

// unit is what is not cut: a row, a sentence, or a part of one that is too long.
type unit struct {
	stretch
	last bool // of its paragraph
}

// units returns what a section is made of.
func (s section) units(text string) []unit {
	var out []unit
	flush := func(p stretch) {
		if p = p.trim(text); p.start < p.end {
			out = append(out, sentences(text, p)...)
		}
	}
	prose := stretch{s.start, s.start} // a paragraph that goes on
	at := s.start
	for l := range strings.Lines(text[s.start:s.end]) {
		row := stretch{at, at + len(l)}
		at = row.end
		in := strings.TrimSpace(l)
		if in != "" && !s.table && !strings.HasPrefix(in, "|") {
			prose.end = at
			continue
		}
		flush(prose)
		prose = stretch{at, at}
		if row = row.trim(text); row.start < row.end {
			out = append(out, rows(text, row)...)
		}
	}
	flush(prose)
	return out
}

// rows returns a row as one unit, unless it is longer than any row should be.
func rows(text string, row stretch) []unit {
	if row.size(text) > maxRow {
		return closed(words(text, row))
	}
	return []unit{{row, true}}
}

// closed marks the last unit as the end of a paragraph.
func closed(list []unit) []unit {
	if len(list) > 0 {
		list[len(list)-1].last = true
	}
	return list
}

// sentences splits a paragraph after its sentences and before items of lists.
func sentences(text string, p stretch) []unit {
	var out []unit
	start := p.start
	for start < p.end {
		end := sentenceEnd(text, stretch{start, p.end})
		s := stretch{start, end}.trim(text)
		switch {
		case s.start == s.end:
		case s.size(text) > maxPiece:
			out = append(out, words(text, s)...)
		default:
			out = append(out, unit{s, false})
		}
		start = end
	}
	return closed(out)
}

// itemLine begins an item of a list.
var itemLine = regexp.MustCompile(`^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]`)

// sentenceEnd returns where the first sentence of p ends: after its full stop, when
// white space follows and then no small letter, or at a line that begins an item.
func sentenceEnd(text string, p stretch) int {
	stopped, wide := false, false // after a full stop; one that needs no space
	for i, r := range text[p.start:p.end] {
		at := p.start + i
		switch {
		case strings.ContainsRune("。！？", r):
			stopped, wide = true, true
		case strings.ContainsRune(".!?…", r):
			stopped = true
		case stopped && strings.ContainsRune(`"'”’)]»*_`, r):
		case stopped && (wide || unicode.IsSpace(r)) && !unicode.IsLower(next(text[at:p.end])):
			return at
		case i > 0 && r == '\n' && itemLine.MatchString(text[at+1:p.end]):
			return at
		default:
			stopped, wide = false, false
		}
	}
	return p.end
}

// next returns the first character of s that is no white space.
func next(s string) rune {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(s, unicode.IsSpace))
	return r
}

// words cuts what is too long into parts of at most maxPiece characters, between
// words if there are any.
func words(text string, s stretch) []unit {
	var out []unit
	for s = s.trim(text); s.size(text) > maxPiece; {
		end, space, n := s.end, 0, 0
		for i, r := range text[s.start:s.end] {
			if unicode.IsSpace(r) {
				space = s.start + i
			}
			if n++; n > maxPiece {
				end = s.start + i
				break
			}
		}
		if space > s.start {
			end = space
		}
		out = append(out, unit{stretch{s.start, end}.trim(text), false})
		s = stretch{end, s.end}.trim(text)
	}
	if s.start < s.end {
		out = append(out, unit{s, false})
	}
	return out
}

// pack puts units together while they fit, and ends with a paragraph if one ends
// after minPiece.
func pack(text string, list []unit) []stretch {
	var out []stretch
	for i := 0; i < len(list); {
		j, paragraph := i+1, 0
		for ; j <= len(list); j++ {
			size := stretch{list[i].start, list[j-1].end}.size(text)
			if size > maxPiece && j > i+1 {
				break
			}
			if size >= minPiece && list[j-1].last {
				paragraph = j
			}
		}
		j--
		if j < len(list) && paragraph > 0 {
			j = paragraph
		}
		out = append(out, stretch{list[i].start, list[j-1].end})
		i = j
	}
	return out
}
