package chat

import (
	"errors"
	"slices"
	"strings"
	"unicode"

	"quaestor/internal/language"
)

// speech passes a model's reply on while it is made. The first sentence goes out word by
// word, so that the person reads at once; each later one when it is whole; and from the
// first sentence that asks on, everything is held back until it is clear what the turn
// asks. What has gone out is never taken back.
type speech struct {
	say   func(string) error
	check func(sentence string) error // of a statement; nil lets everything pass

	text  strings.Builder // what has gone out
	part  string          // of a sentence that is not whole yet
	out   int             // bytes of part that have gone out
	whole int             // sentences that ended so far
	asked []string        // questions that went out before they could be told from statements
	held  []string        // the sentences held back, of which the first asks
	unfit error           // why the reply was given up; nil when it was not
}

// add takes the next piece of the reply.
func (s *speech) add(piece string) error {
	s.part += piece
	for {
		end, ok := completeSentence(s.part)
		if !ok {
			return s.lead()
		}
		sentence := s.part[:end]
		if err := s.sentence(sentence); err != nil {
			return err
		}
		s.part, s.out = s.part[end:], 0
	}
}

// end takes what is left as the last sentence. A reply without a word is the caller's to
// notice.
func (s *speech) end() error {
	if s.part == "" {
		return nil
	}
	last := s.part
	err := s.sentence(last)
	s.part, s.out = "", 0
	return err
}

// begun reports whether anything has gone out.
func (s *speech) begun() bool { return s.text.Len() > 0 }

// lead passes on what there is of the first sentence, unless it seems to become a question:
// whether that may be asked is decided when it is whole.
func (s *speech) lead() error {
	if s.whole > 0 || len(s.held) > 0 || s.out == 0 && beginsQuestion(s.part) {
		return nil
	}
	rest := s.part[s.out:]
	s.out = len(s.part)
	return s.pass(rest)
}

// sentence takes a whole sentence. One that has begun to go out must be fit, or the reply is
// given up; others that are not fit are left out.
func (s *speech) sentence(text string) error {
	if strings.TrimSpace(text) == "" { // the space between paragraphs
		switch {
		case len(s.held) > 0:
			s.held = append(s.held, text)
		case s.whole > 0:
			return s.pass(text[s.out:])
		}
		return nil
	}
	s.whole++
	asks := strings.ContainsAny(text, questionMarks)
	if s.out == 0 && (asks || len(s.held) > 0) {
		s.held = append(s.held, text)
		return nil
	}
	if asks {
		s.asked = append(s.asked, text)
	} else if err := s.fit(text); err != nil {
		if s.out == 0 {
			return nil
		}
		s.unfit = err
		return err
	}
	return s.pass(text[s.out:])
}

func (s *speech) fit(text string) error {
	if s.check == nil {
		return nil
	}
	return s.check(text)
}

func (s *speech) pass(text string) error {
	if !s.begun() {
		text = strings.TrimLeftFunc(text, unicode.IsSpace)
	}
	if text == "" {
		return nil
	}
	s.text.WriteString(text)
	return s.say(text)
}

// questions returns the questions of the reply, those held back included.
func (s *speech) questions() []string {
	out := slices.Clone(s.asked)
	for _, sentence := range s.held {
		if strings.ContainsAny(sentence, questionMarks) {
			out = append(out, strings.TrimSpace(sentence))
		}
	}
	return out
}

// release passes on what was held back.
func (s *speech) release() error {
	held := strings.TrimRightFunc(strings.Join(s.held, ""), unicode.IsSpace)
	s.held = nil
	if s.begun() && held != "" && !unicode.IsSpace([]rune(held)[0]) && !strings.HasSuffix(s.text.String(), "\n") {
		held = " " + held
	}
	return s.pass(held)
}

// drop leaves out what was held back, and returns how many bytes that was.
func (s *speech) drop() int {
	n := len(strings.Join(s.held, ""))
	s.held = nil
	return n
}

// follow passes on text of the server as a paragraph of its own.
func (s *speech) follow(text string) error {
	if s.begun() {
		gap := "\n\n"
		if said := s.text.String(); strings.HasSuffix(said, "\n") {
			gap = gap[:2-min(2, len(said)-len(strings.TrimRight(said, "\n")))]
		}
		text = gap + text
	}
	return s.pass(text)
}

// next returns a function that passes on what follows piece by piece, the first as a
// paragraph of its own.
func (s *speech) next() func(string) error {
	first := true
	return func(text string) error {
		if first {
			first = false
			return s.follow(text)
		}
		return s.pass(text)
	}
}

// completeSentence returns where the first sentence of text ends, if it is certain that it
// does: the white space after a closing mark, or the end of a line, has come.
func completeSentence(text string) (end int, ok bool) {
	end = sentenceEnd(text)
	if end < len(text) || strings.HasSuffix(text, "\n") && strings.TrimSpace(text) != "" {
		return end, true
	}
	return 0, false
}

// beginsQuestion reports whether text begins like a question in a language we know, or is
// too short to tell.
func beginsQuestion(text string) bool {
	words := language.Words(text)
	switch {
	case len(words) == 0:
		return true
	case len(words) == 1 && !strings.HasSuffix(text, " "):
		return true // the word may go on
	}
	return language.IsWord("asks", words[0].Text) || words[0].Text == "¿"
}

// What keeps the words of a model from the person.
var (
	errClaims = errors.New("the reply states what nobody said")
	errTongue = errors.New("the reply is in another language than the conversation")
)
