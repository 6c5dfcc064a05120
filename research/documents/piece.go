package documents

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Piece is a part of a text that can be understood on its own.
type Piece struct {
	Start, End int    // bytes: the piece is text[Start:End]
	Heading    string // the headings above it, outermost first, separated by " > "
}

// The sizes of pieces, in characters.
const (
	minPiece   = 600    // size from which a piece may end with a paragraph
	maxPiece   = 1000   // the most, except for rows
	maxRow     = 10_000 // a longer row of a table is split like prose
	maxHeading = 200
)

// Pieces splits a text into pieces of 600 to 1,000 characters, preferably between
// paragraphs, else between sentences, else between words. A heading starts a new
// piece, so that the piece before it may be shorter; so may the last one. Rows of
// text/csv and of Markdown tables are not split. The pieces are in order, do not
// overlap, have no white space at their ends, and together leave out nothing else.
func Pieces(text, mediaType string) []Piece {
	var out []Piece
	for _, s := range sections(text, mediaType) {
		for _, u := range pack(text, s.units(text)) {
			out = append(out, Piece{u.start, u.end, s.heading})
		}
	}
	return out
}

// byteRange is the range text[start:end].
type byteRange struct{ start, end int }

// trim returns s without the white space at its ends.
func (s byteRange) trim(text string) byteRange {
	in := text[s.start:s.end]
	start := s.start + len(in) - len(strings.TrimLeftFunc(in, unicode.IsSpace))
	return byteRange{start, start + len(strings.TrimSpace(in))}
}

// size returns the length of s in characters.
func (s byteRange) size(text string) int { return utf8.RuneCountInString(text[s.start:s.end]) }

// section is a heading with the text below it.
type section struct {
	byteRange
	heading string
	table   bool // every line is a row of its own
}

var (
	headingLine = regexp.MustCompile(`^(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$`)
	fenceLine   = regexp.MustCompile("^ {0,3}(```|~~~)")
)

// sections splits a text at its headings. A heading without text of its own belongs
// to the section that follows.
func sections(text, mediaType string) []section {
	if mediaType == "text/csv" {
		return []section{{byteRange{0, len(text)}, "", true}}
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
				out = append(out, section{byteRange{begun, at}, heading, false})
				begun = at
			}
			heading, bare = under(&path, len(m[1]), m[2]), true
		case strings.TrimSpace(l) != "":
			bare = false
		}
		at += len(l)
	}
	return append(out, section{byteRange{begun, len(text)}, heading, false})
}

// under enters a heading into path at its level and returns the joined path.
func under(path *[6]string, level int, name string) string {
	path[level-1] = name
	for i := level; i < len(path); i++ {
		path[i] = ""
	}
	return join(path[:]...)
}

// join joins headings, and keeps at most the last maxHeading characters.
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

// unit is an indivisible part: a row, a sentence, or part of a sentence that is too
// long.
type unit struct {
	byteRange
	last bool // of its paragraph
}

// units splits a section.
func (s section) units(text string) []unit {
	var out []unit
	flush := func(p byteRange) {
		if p = p.trim(text); p.start < p.end {
			out = append(out, sentences(text, p)...)
		}
	}
	prose := byteRange{s.start, s.start} // the current paragraph
	at := s.start
	for l := range strings.Lines(text[s.start:s.end]) {
		row := byteRange{at, at + len(l)}
		at = row.end
		in := strings.TrimSpace(l)
		if in != "" && !s.table && !strings.HasPrefix(in, "|") {
			prose.end = at
			continue
		}
		flush(prose)
		prose = byteRange{at, at}
		if row = row.trim(text); row.start < row.end {
			out = append(out, rows(text, row)...)
		}
	}
	flush(prose)
	return out
}

// rows returns a row as one unit, unless it is longer than maxRow.
func rows(text string, row byteRange) []unit {
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

// sentences splits a paragraph after its sentences and before list items.
func sentences(text string, p byteRange) []unit {
	var out []unit
	start := p.start
	for start < p.end {
		end := sentenceEnd(text, byteRange{start, p.end})
		s := byteRange{start, end}.trim(text)
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

// itemLine matches the start of a list item.
var itemLine = regexp.MustCompile(`^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]`)

// sentenceEnd returns the end of the first sentence of p: after a full stop that is
// followed by white space and not by a lower-case letter, or before a list item.
func sentenceEnd(text string, p byteRange) int {
	stopped, wide := false, false // after a full stop; after one that needs no space
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

// next returns the first character of s that is not white space.
func next(s string) rune {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(s, unicode.IsSpace))
	return r
}

// words splits what is too long into parts of at most maxPiece characters, between
// words if possible.
func words(text string, s byteRange) []unit {
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
		out = append(out, unit{byteRange{s.start, end}.trim(text), false})
		s = byteRange{end, s.end}.trim(text)
	}
	if s.start < s.end {
		out = append(out, unit{s, false})
	}
	return out
}

// pack combines units into pieces as far as they fit. A piece that has reached
// minPiece ends at the next end of a paragraph.
func pack(text string, list []unit) []byteRange {
	var out []byteRange
	for i := 0; i < len(list); {
		j, paragraph := i+1, 0
		for ; j <= len(list); j++ {
			size := byteRange{list[i].start, list[j-1].end}.size(text)
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
		out = append(out, byteRange{list[i].start, list[j-1].end})
		i = j
	}
	return out
}
