package model

import (
	"errors"
	"strings"
	"unicode/utf8"

	"quaestor/chat"
)

// maxReplyRunes bounds a reply. The prompt asks for a few sentences; a summary at the end
// is longer. A model that goes on is stopped.
const maxReplyRunes = 6000

// What can be wrong with the text of a reply.
var (
	errThoughts = errors.New("the reply holds the model's thoughts")
	errCut      = errors.New("the reply is cut off")
	errEmpty    = errors.New("the reply is empty")
	errTooLong  = errors.New("the reply is too long")
)

// The tags around a model's reasoning.
var (
	openingTags = []string{"<think>", "<thinking>"}
	closingTags = []string{"</think>", "</thinking>"}
)

// replyFilter passes a streamed reply on without the model's reasoning, wherever that is
// and however its tags are split between pieces, without invisible characters, and
// without leading white space.
type replyFilter struct {
	say      func(string) error
	held     string // end of the text so far, which may be the beginning of a tag
	thinking bool
	passed   int   // runes passed on
	fault    error // what is wrong with the text; ends the reply
}

// add filters the next piece.
func (f *replyFilter) add(piece string) error {
	text := f.held + piece
	f.held = ""
	for text != "" && f.fault == nil {
		var visible string
		visible, text = f.next(text)
		if err := f.speak(visible); err != nil {
			return err
		}
	}
	return f.fault
}

// next decides about the beginning of text. It returns what is visible of it, and what
// is still to be decided.
func (f *replyFilter) next(text string) (visible, rest string) {
	if f.thinking {
		at, tag := firstOf(text, closingTags)
		if at < 0 {
			f.held = text[len(text)-partial(text, closingTags):]
			return "", ""
		}
		f.thinking = false
		return "", text[at+len(tag):]
	}
	at, tag := firstOf(text, openingTags)
	if end, _ := firstOf(text, closingTags); end >= 0 && (at < 0 || end < at) {
		f.fault = errThoughts // the reasoning had no opening tag and was passed on
		return "", ""
	}
	if at >= 0 {
		f.thinking = true
		return text[:at], text[at+len(tag):]
	}
	keep := len(text) - max(partial(text, openingTags), partial(text, closingTags))
	f.held = text[keep:]
	return text[:keep], ""
}

// speak passes visible text on.
func (f *replyFilter) speak(text string) error {
	text = chat.Visible(text)
	if f.passed == 0 {
		text = strings.TrimLeft(text, " \t\r\n")
	}
	if text == "" {
		return nil
	}
	if f.passed += utf8.RuneCountInString(text); f.passed > maxReplyRunes {
		f.fault = errTooLong
		return f.fault
	}
	return f.say(text)
}

// end passes on what was held back and checks the reply as a whole. finish is the
// reason the server gives for the end.
func (f *replyFilter) end(finish string) error {
	if f.fault != nil {
		return f.fault
	}
	if f.thinking || finish == "length" {
		return errCut
	}
	if err := f.speak(f.held); err != nil {
		return err
	}
	if f.passed == 0 {
		return errEmpty
	}
	return nil
}

// firstOf returns the place of the first tag in text, or -1 when there is none.
func firstOf(text string, tags []string) (at int, tag string) {
	at = -1
	for _, m := range tags {
		if i := strings.Index(text, m); i >= 0 && (at < 0 || i < at) {
			at, tag = i, m
		}
	}
	return at, tag
}

// partial returns how many bytes at the end of text may be the beginning of a tag.
func partial(text string, tags []string) int {
	longest := 0
	for _, m := range tags {
		for n := min(len(m)-1, len(text)); n > longest; n-- {
			if strings.HasSuffix(text, m[:n]) {
				longest = n
				break
			}
		}
	}
	return longest
}
