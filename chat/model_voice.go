package chat

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// maxReplyRunes bounds a reply; a model that goes on is stopped.
const maxReplyRunes = 6000

// What can be wrong with the text of a reply.
var (
	errThoughts   = errors.New("the reply holds the model's thoughts")
	errCut        = errors.New("the reply is cut off")
	errSilent     = errors.New("the reply is empty")
	errLongWinded = errors.New("the reply is too long")
)

// The marks around what models say to themselves.
var (
	thoughtOpens  = []string{"<think>", "<thinking>"}
	thoughtCloses = []string{"</think>", "</thinking>"}
)

// voice passes a streamed reply on without thoughts, wherever they stand and
// however their marks are cut, without characters that cannot be seen, and
// without leading white space.
type voice struct {
	say      func(string) error
	held     string // may be the beginning of a mark
	thinking bool
	spoken   int   // runes passed on
	fault    error // what is wrong with the text; ends the reply
}

// pass takes the next piece.
func (v *voice) pass(piece string) error {
	text := v.held + piece
	v.held = ""
	for text != "" && v.fault == nil {
		var visible string
		visible, text = v.next(text)
		if err := v.speak(visible); err != nil {
			return err
		}
	}
	return v.fault
}

// next splits off what can be decided of text: what of it is visible, and what
// is to be looked at after it.
func (v *voice) next(text string) (visible, rest string) {
	if !v.thinking && strings.IndexByte(text, '<') < 0 { // as in nearly every piece: no mark begins
		return text, ""
	}
	if v.thinking {
		at, mark := firstOf(text, thoughtCloses)
		if at < 0 {
			v.held = text[len(text)-begun(text, thoughtCloses):]
			return "", ""
		}
		v.thinking = false
		return "", text[at+len(mark):]
	}
	at, mark := firstOf(text, thoughtOpens)
	if end, _ := firstOf(text, thoughtCloses); end >= 0 && (at < 0 || end < at) {
		v.fault = errThoughts // they began before the reply did, and were passed on
		return "", ""
	}
	if at >= 0 {
		v.thinking = true
		return text[:at], text[at+len(mark):]
	}
	keep := len(text) - max(begun(text, thoughtOpens), begun(text, thoughtCloses))
	v.held = text[keep:]
	return text[:keep], ""
}

// speak passes visible text on.
func (v *voice) speak(text string) error {
	text = Visible(text)
	if v.spoken == 0 {
		text = strings.TrimLeft(text, " \t\r\n")
	}
	if text == "" {
		return nil
	}
	if v.spoken += utf8.RuneCountInString(text); v.spoken > maxReplyRunes {
		v.fault = errLongWinded
		return v.fault
	}
	return v.say(text)
}

// end passes on what was held back and judges the reply as a whole.
func (v *voice) end(finish string) error {
	if v.fault != nil {
		return v.fault
	}
	if v.thinking || finish == "length" {
		return errCut
	}
	if err := v.speak(v.held); err != nil {
		return err
	}
	if v.spoken == 0 {
		return errSilent
	}
	return nil
}

// firstOf finds the first of marks in text, -1 when there is none.
func firstOf(text string, marks []string) (at int, mark string) {
	at = -1
	for _, m := range marks {
		if i := strings.Index(text, m); i >= 0 && (at < 0 || i < at) {
			at, mark = i, m
		}
	}
	return at, mark
}

// begun returns how many bytes at the end of text may be the beginning of a mark.
func begun(text string, marks []string) int {
	longest := 0
	for _, m := range marks {
		for n := min(len(m)-1, len(text)); n > longest; n-- {
			if strings.HasSuffix(text, m[:n]) {
				longest = n
				break
			}
		}
	}
	return longest
}
