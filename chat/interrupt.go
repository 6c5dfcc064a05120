package chat

import (
	"context"
	"strings"
	"unicode"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
)

// Interruption says that the person broke into a reply while it was spoken.
type Interruption struct {
	Turn  int
	Heard int    // bytes of the reply that were played before; more than it has means all of it
	By    string // who broke in
}

// Interrupt records an interruption of the latest reply, so that the conversation goes on
// as if only what was heard had been said. A question of which less than half was heard
// counts as not asked. A reply that was heard to its end, one that is not the latest, and
// one whose interruption is recorded already stay as they are. It is NotFound when the turn
// has no reply.
func (e *Engine) Interrupt(ctx context.Context, s obligations.Scope, in Interruption) error {
	said, err := e.replyOf(ctx, s, in.Turn)
	if err != nil || said.Interrupted {
		return err
	}
	heard := heardOf(said.Content, in.Heard)
	if heard == strings.TrimRightFunc(said.Content, unicode.IsSpace) {
		return nil
	}
	_, err = e.editor().Change(ctx, s, func(ed *sessions.Edit) error {
		if ed.Turn != in.Turn {
			return nil // somebody has said something since, and it was answered
		}
		told := sessions.InterruptionEvent{Turn: in.Turn, MessageID: said.ID(), Content: heard, By: in.By}
		if q := ed.Session.Question; q != nil && said.Complete && unheard(said.Content, heard) { // a reply that was stopped asks nothing
			told.Unasked = true
			takeBack(ed, q)
		}
		ed.Tell = append(ed.Tell, told)
		ed.Write = func(b *postgres.Batch) error {
			sessions.Interrupt(b, s, in.Turn, len([]rune(heard)), in.By)
			return nil
		}
		return nil
	})
	return err
}

// replyOf returns the reply of a turn.
func (e *Engine) replyOf(ctx context.Context, s obligations.Scope, turn int) (sessions.Message, error) {
	list, err := sessions.Transcript(ctx, e.Pool, s, turn-1, 2)
	for _, m := range list {
		if m.Turn == turn && m.Role == sessions.FromAssistant {
			return m, err
		}
	}
	if err == nil {
		err = fault.New(fault.NotFound, "turn %d has no reply", turn).Coded("reply_not_found")
	}
	return sessions.Message{}, err
}

// takeBack lets the question q of the edit's session count as not asked.
func takeBack(ed *sessions.Edit, q *sessions.Question) {
	for _, key := range q.Keys() {
		if q.ReadBack {
			continue
		}
		switch q.Purpose {
		case sessions.ToProbe:
		case sessions.ToResolve:
			for _, c := range ed.Conflicts {
				if c.Raised == ed.Turn && c.Status == obligations.ConflictOpen {
					c.Raised = 0
					ed.Closed = append(ed.Closed, c)
				}
			}
		default:
			ed.Findings = append(ed.Findings, obligations.Finding{Key: key, Act: obligations.Unheard, Source: "interviewer"})
		}
	}
	ed.Session.Question = q.Resume // what a conflict had interrupted still waits
}

// heardOf returns the first n bytes of text, without a broken character and the space
// after the last word.
func heardOf(text string, n int) string {
	n = min(max(n, 0), len(text))
	for n < len(text) && n > 0 && text[n]&0xC0 == 0x80 { // within a character of several bytes
		n--
	}
	return strings.TrimRightFunc(text[:n], unicode.IsSpace)
}

// unheard reports whether less than half of the words of what text asks were in heard, a
// beginning of it. People often answer a question before its end.
func unheard(text, heard string) bool {
	begins, ends := asksAt(text)
	words := len(strings.Fields(text[begins:ends]))
	return len(heard) <= begins || 2*len(strings.Fields(heard[begins:min(ends, len(heard))])) < words
}

// asksAt returns where the last sentence of text that asks begins and ends: the last
// sentence of all when none has a question mark.
func asksAt(text string) (begins, ends int) {
	asks := false
	for at := 0; at < len(text); {
		end := at + sentenceEnd(text[at:])
		sentence := text[at:end]
		if strings.TrimSpace(sentence) != "" && (!asks || strings.ContainsAny(sentence, questionMarks)) {
			begins, ends = at, end
			asks = asks || strings.ContainsAny(sentence, questionMarks)
		}
		at = end
	}
	return begins, ends
}

// CompleteSentence returns where the first sentence of text ends, if it is certain that it
// does: the white space after a closing mark, or the end of a line, has come.
func CompleteSentence(text string) (end int, ok bool) { return completeSentence(text) }
