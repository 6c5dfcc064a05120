package brief

import "strings"

// piece is a part of a line in one style.
type piece struct {
	run
	wide float64 // ems
}

// token is a word, in one or several styles, or the space between words. Lines break
// between tokens.
type token struct {
	pieces []piece // one for each style
	wide   float64 // ems
	space  bool    // it separates words
}

// tokens splits runs at their spaces.
func tokens(runs []run) []token {
	var out []token
	for _, r := range runs {
		face := typefaces()[r.bold]
		for _, text := range atoms(r.text) {
			p := piece{run: r, wide: face.width(text)}
			p.text = text
			space := text[0] == ' '
			if n := len(out); n > 0 && out[n-1].space == space {
				out[n-1].pieces, out[n-1].wide = append(out[n-1].pieces, p), out[n-1].wide+p.wide
				continue
			}
			out = append(out, token{[]piece{p}, p.wide, space})
		}
	}
	return out
}

// atoms splits s into words and the spaces between them.
func atoms(s string) []string {
	var out []string
	for s != "" {
		end := strings.IndexByte(s, ' ')
		if end == 0 {
			end = len(s) - len(strings.TrimLeft(s, " "))
		}
		if end < 0 {
			end = len(s)
		}
		out, s = append(out, s[:end]), s[end:]
	}
	return out
}

// breakLines sets runs in lines of at most room ems. A word that is wider is split where the
// line ends. Only spaces at the ends of lines are dropped.
func breakLines(runs []run, room float64) [][]piece {
	l := &layout{room: room}
	for _, t := range tokens(runs) {
		switch {
		case t.space && l.wide == 0:
		case t.space:
			l.gap = t.pieces
		default:
			l.word(t)
		}
	}
	l.end()
	return l.lines
}

// layout is the line that is being filled, and the ones before it.
type layout struct {
	room  float64   // ems in a line
	lines [][]piece // that are full
	now   []piece   // the line that is being filled
	wide  float64   // of now
	gap   []piece   // space before the next word
}

// word puts a word on the line, or on the next one when it does not fit.
func (l *layout) word(t token) {
	gap := 0.0
	for _, p := range l.gap {
		gap += p.wide
	}
	if l.wide > 0 && l.wide+gap+t.wide > l.room {
		l.end()
	}
	for _, p := range l.gap {
		l.put(p)
	}
	l.gap = nil
	for _, p := range t.pieces {
		l.fill(p)
	}
}

// fill puts a piece of a word on the line, and on the next ones as far as it does not fit.
func (l *layout) fill(p piece) {
	for l.wide+p.wide > l.room {
		head, tail := split(p, l.room-l.wide, l.wide == 0)
		if head.text != "" {
			l.put(head)
		}
		if tail.text == "" {
			return
		}
		l.end()
		p = tail
	}
	l.put(p)
}

// split splits a piece after room ems. If some is true, the head has at least one
// character.
func split(p piece, room float64, some bool) (head, tail piece) {
	widths, wide := typefaces()[p.bold].widths, 0.0
	for i, r := range p.text {
		if wide+widths[r] > room && (i > 0 || !some) {
			return p.part(p.text[:i], wide), p.part(p.text[i:], p.wide-wide)
		}
		wide += widths[r]
	}
	return p, piece{}
}

// part returns a piece of the same style with other text.
func (p piece) part(text string, wide float64) piece {
	p.text, p.wide = text, wide
	return p
}

// put adds a piece to the line. A piece in the same style as the last is joined to it, so
// that copied text stays whole.
func (l *layout) put(p piece) {
	l.wide += p.wide
	if n := len(l.now); n > 0 && l.now[n-1].alike(p) {
		l.now[n-1] = l.now[n-1].part(l.now[n-1].text+p.text, l.now[n-1].wide+p.wide)
		return
	}
	l.now = append(l.now, p)
}

// alike reports whether two pieces have the same style.
func (p piece) alike(q piece) bool { return p.bold == q.bold && p.soft == q.soft && p.link == q.link }

// end finishes the line and starts an empty one.
func (l *layout) end() {
	if len(l.now) > 0 {
		l.lines = append(l.lines, l.now)
	}
	l.now, l.wide, l.gap = nil, 0, nil
}
