package llm

import "strings"

const (
	maxJSONDepth = 512 // of an object worth looking at
	maxPieces    = 256 // to look for in one text
	scanFactor   = 8   // how often, on average, the scanner may pass over each byte
)

// piece is a part of a text that may be the JSON object asked for.
type piece struct {
	text   string
	closed bool // its braces balance; else the text ended first
	nested bool // it lies inside a piece that is not closed
}

// pieces returns the parts of a model's text that may be the JSON object it
// was asked for, likeliest first. Thoughts (<think>…</think>), prose, code fences
// and stray braces around them are passed over. Parts need not be sound JSON. The
// order is: objects whose braces balance, as they come; an object that the end of
// the text cuts off; objects inside that one. There are at most 257, and time is
// linear in the text.
func pieces(text string) []piece {
	s := scanner{text: text, budget: scanFactor*len(text) + 4096, tail: -1}
	for at := 0; at >= 0 && s.budget > 0 && len(s.whole)+len(s.nested) < maxPieces; {
		at = s.step(at)
	}
	out := s.whole
	if s.tail >= 0 {
		out = append(out, piece{text: strings.TrimSpace(text[s.tail:])})
	}
	return append(out, s.nested...)
}

// scanner looks for objects in a text.
type scanner struct {
	text   string
	budget int // bytes it may still look at, so that hostile text costs linear time
	whole  []piece
	nested []piece
	tail   int // where an object begins that does not end; -1 if none
}

// step takes in what comes next at or after at and returns where to go on, -1 at
// the end.
func (s *scanner) step(at int) int {
	i := strings.IndexAny(s.text[at:], "{<")
	if i < 0 {
		return -1
	}
	at += i
	rest := s.text[at:]
	switch {
	case strings.HasPrefix(rest, thinkOpen):
		end := strings.Index(rest, thinkClose)
		if end < 0 {
			return -1
		}
		return at + end + len(thinkClose)
	case strings.HasPrefix(rest, thinkClose):
		// The opening mark was in the prompt: all so far were thoughts.
		s.whole, s.nested, s.tail = nil, nil, -1
		return at + len(thinkClose)
	case rest[0] == '{':
		return s.object(at)
	}
	return at + 1
}

// object takes in the object that begins at at.
func (s *scanner) object(at int) int {
	n, state := balanced(s.text[at:])
	s.budget -= n
	switch {
	case state == braceClosed && s.tail < 0:
		s.whole = append(s.whole, piece{text: s.text[at : at+n], closed: true})
		return at + n
	case state == braceClosed:
		s.nested = append(s.nested, piece{text: s.text[at : at+n], closed: true, nested: true})
		return at + n
	case state == braceOpen && s.tail < 0 && likeObject(s.text[at+1:]):
		s.tail = at
	}
	return at + 1
}

// braceState is how a search for the closing brace ended.
type braceState int

const (
	braceClosed braceState = iota
	braceOpen              // the text ended first
	braceDeep              // it nests deeper than any answer does
)

// balanced looks for the brace that closes the one text begins with, passing over
// strings, and returns how many bytes it looked at.
func balanced(text string) (n int, state braceState) {
	var braces, brackets int
	var quoted bool
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case quoted && b == '\\':
			i++
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '{':
			braces++
		case b == '[':
			brackets++
		case b == ']':
			brackets--
		case b == '}':
			braces--
			if braces == 0 {
				return i + 1, braceClosed
			}
		}
		if braces+brackets > maxJSONDepth {
			return i + 1, braceDeep
		}
	}
	return len(text), braceOpen
}

// likeObject reports whether what follows a brace could be the inside of a JSON
// object rather than prose.
func likeObject(inside string) bool {
	inside = strings.TrimLeft(inside, " \t\r\n")
	return strings.HasPrefix(inside, `"`)
}
