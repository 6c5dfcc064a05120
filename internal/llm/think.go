package llm

import "strings"

// The marks around what some models write for themselves before they answer.
const (
	thinkOpen  = "<think>"
	thinkClose = "</think>"
)

// thinkFilter keeps a leading <think> block out of a streamed answer. The zero
// value expects the start of an answer.
type thinkFilter struct {
	stage thinkStage
	held  string // not decided yet: what may be a mark, cut by the end of a piece
}

// thinkStage is where in an answer the filter is.
type thinkStage int

const (
	thinkUndecided thinkStage = iota // the answer may still begin with the mark
	thinkInside                      // inside the block
	thinkAfter                       // past the block, before the first visible character
	thinkPlain                       // everything is visible
)

// pass takes the next piece and returns what of it, and of what was held back,
// is visible.
func (t *thinkFilter) pass(piece string) string {
	switch t.stage {
	case thinkUndecided:
		return t.decide(t.held + piece)
	case thinkInside:
		return t.leave(t.held + piece)
	case thinkAfter:
		piece = strings.TrimLeft(piece, " \t\r\n")
		if piece != "" {
			t.stage = thinkPlain
		}
	case thinkPlain:
	}
	return piece
}

// decide looks whether the answer begins with the mark.
func (t *thinkFilter) decide(text string) string {
	start := strings.TrimLeft(text, " \t\r\n")
	if rest, ok := strings.CutPrefix(start, thinkOpen); ok {
		t.stage, t.held = thinkInside, ""
		return t.leave(rest)
	}
	if strings.HasPrefix(thinkOpen, start) {
		t.held = text
		return ""
	}
	t.stage, t.held = thinkPlain, ""
	return text
}

// leave looks for the end of the block and keeps only what may be a part of it.
func (t *thinkFilter) leave(text string) string {
	if _, rest, ok := strings.Cut(text, thinkClose); ok {
		t.stage, t.held = thinkAfter, ""
		return t.pass(rest)
	}
	t.held = strings.Clone(text[max(0, len(text)-len(thinkClose)+1):])
	return ""
}

// end returns what was held back and turned out to be text.
func (t *thinkFilter) end() string {
	if t.stage != thinkUndecided {
		return ""
	}
	held := t.held
	t.stage, t.held = thinkPlain, ""
	return held
}
