package chat

import (
	"sync"

	"quaestor/sessions"
)

// replyRules is all that prompts/reply.tmpl looks at: what kind of turn it is, and
// nothing of what was said. Equal rules read alike, so a server words each once.
type replyRules struct {
	Limits    promptLimits
	Intent    string
	Plan      planTraits
	Voice     bool
	Manner    ConversationStyle // how the person wants to be talked to
	Returning bool
}

// planTraits say what a plan has.
type planTraits struct {
	Noted, Files, CannotTake, News, Research, NoSources, NotLookedUp, Steered, Conflict, Entry bool

	Asks          bool
	Question      questionTraits // zero unless Asks
	QuestionsLeft int
	Ends          sessions.StopReason
}

// questionTraits say what a plan's question has.
type questionTraits struct {
	Purpose                           sessions.Purpose
	Source, InFile, Choices, Examples bool
}

func newReplyRules(s *Scene, p *Plan, brief *planBrief) replyRules {
	return replyRules{Limits: limits, Intent: string(p.Understanding.Intent), Plan: brief.traits(), Voice: s.Voice, Manner: StyleOf(s.Memory).with(p.Understanding.Signals),
		Returning: p.Returning}
}

func (b *planBrief) traits() planTraits {
	t := planTraits{Noted: len(b.Noted) > 0, Files: len(b.Files) > 0, CannotTake: len(b.CannotTake) > 0, News: len(b.News) > 0, Research: len(b.Research) > 0,
		NoSources: b.NoSources, NotLookedUp: len(b.NotLookedUp) > 0, Steered: len(b.Steered) > 0, Conflict: b.Conflict != nil, Entry: b.Entry != "",
		Asks: b.Question != nil, QuestionsLeft: b.QuestionsLeft, Ends: b.Ends}
	if q := b.Question; q != nil {
		t.Question = questionTraits{Purpose: q.Purpose, Source: q.Source != "", InFile: q.InFile, Choices: len(q.Choices) > 0, Examples: len(q.Examples) > 0}
	}
	return t
}

// maxWordings bounds what is kept of worded rules, 2 to 4 KB each.
const maxWordings = 256

// wordings keep rules of replies as prompts say them: wording them anew took a
// twentieth of a turn's processor time. The zero value is empty. They are safe for
// concurrent use.
type wordings struct {
	mu    sync.Mutex
	texts map[replyRules]string // guarded by mu
}

// of returns r in words.
func (w *wordings) of(r replyRules) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if text, ok := w.texts[r]; ok {
		return text
	}
	if w.texts == nil || len(w.texts) >= maxWordings {
		w.texts = map[replyRules]string{}
	}
	text := render("reply.tmpl", r)
	w.texts[r] = text
	return text
}
