package model

import (
	"strings"
)

// readingMark is the line between the words for the person and what the message means.
const readingMark = "====="

// splitter passes the words of an answer on and keeps what follows the mark, or an object
// at the beginning of a line where a model leaves the mark out.
type splitter struct {
	say     func(string) error
	held    string // end of the text so far, which may be the beginning of the mark
	reading strings.Builder
	marked  bool
}

// marks are where the words end.
var marks = []string{"\n" + readingMark, readingMark, "\n{", "\n```"}

// add takes the next piece.
func (s *splitter) add(piece string) error {
	if s.marked {
		s.reading.WriteString(piece)
		return nil
	}
	text := s.held + piece
	if at, _ := firstOf(text, marks); at >= 0 {
		s.marked, s.held = true, ""
		s.reading.WriteString(strings.TrimPrefix(strings.TrimPrefix(text[at:], "\n"), readingMark))
		return s.pass(text[:at])
	}
	keep := len(text) - partial(text, marks)
	s.held = text[keep:]
	return s.pass(text[:keep])
}

func (s *splitter) pass(text string) error {
	if text == "" {
		return nil
	}
	return s.say(text)
}

// end passes on what was held back.
func (s *splitter) end() error {
	if s.marked {
		return nil
	}
	return s.pass(s.held)
}
