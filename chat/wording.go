package chat

import (
	"context"
	"slices"
	"strings"

	"quaestor/internal/language/messages"
	"quaestor/obligations"
	"quaestor/sessions"
)

// WordingDraft is an emergent question on its way into the objective: neutral words to go
// on from, and what the person said, for the reviewer alone.
type WordingDraft struct {
	Wording    obligations.Wording // empty where the objective has no words of its own for it
	Background []sessions.Message  // of people, in which it came up or was answered, oldest first
}

// DraftWording proposes how an emergent question could be put to everybody. It is a
// Conflict when a reviewer has decided on it already. The wording is checked when it is
// approved; see [Engine.Approve].
func (e *Engine) DraftWording(ctx context.Context, s obligations.Scope, key string) (WordingDraft, error) {
	p, err := e.proposal(ctx, s, key)
	if err != nil {
		return WordingDraft{}, err
	}
	active, err := e.Library.Active(ctx, s.Tenant, p.session.ContextType)
	if err != nil {
		return WordingDraft{}, err
	}
	d := active.Definition
	out := WordingDraft{Background: p.background()}
	label := obligations.NeutralLabel(&p.template, d.Obligations)
	if label == "" {
		return out, nil
	}
	words := obligations.Wording{Label: label, Prompt: messages.In(d.OwnLanguage()).Text("emergent.neutral", messages.Args{"label": messages.Quote(label)})}
	if words.Check(p.quotes) == nil {
		out.Wording = words
	}
	return out, nil
}

// background returns the messages of people that the proposal rests on.
func (p *proposal) background() []sessions.Message {
	var out []sessions.Message
	for _, m := range p.said {
		if slices.ContainsFunc(p.quotes[:p.evidence], func(quote string) bool { return quote != "" && strings.Contains(m.Content, quote) }) {
			out = append(out, m)
		}
	}
	return out
}

// minRepeated is the number of words from which on a message counts as what nobody else
// may read: shorter ones are greetings and the like, and what they tell of the topic is
// evidence, which counts anyway.
const minRepeated = 4

// hear reads what people said in the session, none of which may be published.
func (p *proposal) hear(ctx context.Context, e *Engine) error {
	p.evidence = len(p.quotes)
	for after := 0; after < p.session.Turns; after += wordingTurns {
		list, err := sessions.Transcript(ctx, e.Pool, p.session.Scope(), after, 2*wordingTurns)
		if err != nil {
			return err
		}
		for _, m := range list {
			if m.Role != sessions.FromUser || m.Turn > after+wordingTurns {
				continue
			}
			p.said = append(p.said, m)
			if len(strings.Fields(m.Content)) >= minRepeated {
				p.quotes = append(p.quotes, m.Content)
			}
		}
	}
	return nil
}

// wordingTurns is how many turns one round trip reads; each has at most two messages.
const wordingTurns = 500
