package chat

import (
	"encoding/json"
	"slices"
	"strings"

	"quaestor/obligations"
	"quaestor/sessions"
)

// evidence is what value v of o rests on; false when it may not be taken. Only
// four kinds can come of a model: the person said it, the person agreed to it, it
// stands in a file the person gave, it follows from what is known. Whether the quote stands in the transcript is
// [Screen]'s to check.
func (i *interpreter) evidence(o *obligations.Obligation, f modelFinding, v json.RawMessage) (obligations.Evidence, bool) {
	if len(f.Premises) > 0 {
		if known := i.premises(o, f.Premises); len(known) > 0 {
			return obligations.Evidence{Kind: obligations.InferredEvidence, Premises: known}, o.Value == nil
		}
		if f.Quote == "" {
			return obligations.Evidence{}, false
		}
	}
	if i.offered(o, f.Quote, v) {
		return i.accepted(f.Quote, v), true
	}
	if e, ok := i.documented(f.Quote); ok {
		return e, true
	}
	e := obligations.Evidence{Kind: obligations.Stated, Quote: f.Quote}
	if o.Value == nil {
		return e, true
	}
	// A value that is held changes by what is said now. Models like to read old
	// messages again, which would bring back what was corrected since.
	e.Message = i.scene.MessageID()
	changing := f.Act == obligations.Correct || i.asked(o)
	return e, i.saysNow(f.Quote) || changing && !i.saidBefore(f.Quote)
}

// premises returns those of keys that o's value may follow from: others, with a
// value.
func (i *interpreter) premises(o *obligations.Obligation, keys []string) []string {
	var out []string
	for _, key := range keys {
		p := i.find(key)
		if p == nil || p == o || slices.Contains(out, key) {
			continue
		}
		toldNow := slices.ContainsFunc(i.out.Findings, func(f obligations.Finding) bool {
			return f.Key == key && f.Value != nil && f.Evidence.Kind != obligations.InferredEvidence
		})
		if p.Value != nil || toldNow {
			out = append(out, key)
		}
	}
	return out
}

// offered reports whether v is what the last question put up and the person only
// took it: yes to a proposal, or a pointer ("the second") at one of two values.
func (i *interpreter) offered(o *obligations.Obligation, quote string, v json.RawMessage) bool {
	q := i.scene.Asked
	switch {
	case i.asking(o, sessions.ToConfirm):
		return obligations.SameValue(v, q.Proposal) && i.saysNow(quote)
	case i.asking(o, sessions.ToResolve):
		one := slices.ContainsFunc(q.Values, func(w json.RawMessage) bool { return obligations.SameValue(v, w) })
		return one && i.saysNow(quote) && !contains(quote, spoken(o.Template, v))
	}
	return false
}

// accepted is the evidence of assent: what was proposed and where, and the
// person's words.
func (i *interpreter) accepted(quote string, v json.RawMessage) obligations.Evidence {
	e := obligations.Evidence{Kind: obligations.Accepted, Message: i.scene.MessageID(), Quote: quote, Proposal: &obligations.Proposal{Value: v}}
	if last := i.lastReply(); last != nil {
		e.Proposal.Message = last.ID()
		if span, _, ok := obligations.Locate(last.Content, lastQuestion(last.Content)); ok {
			e.Proposal.Span = &span
		}
	}
	return e
}

// lastReply is the interviewer's latest message, or nil.
func (i *interpreter) lastReply() *sessions.Message {
	for at := len(i.scene.Transcript) - 1; at >= 0; at-- {
		if m := &i.scene.Transcript[at]; m.Role == sessions.FromAssistant {
			return m
		}
	}
	return nil
}

// lastQuestion returns the last sentence of text that asks, or all of it.
func lastQuestion(text string) string {
	end := strings.LastIndexByte(text, '?')
	if end < 0 {
		return text
	}
	start := strings.LastIndexAny(text[:end], ".!?\n") + 1
	return strings.TrimSpace(text[start : end+1])
}

// saysNow reports whether the person's message holds those words.
func (i *interpreter) saysNow(quote string) bool { return contains(i.scene.Message, quote) }

// saidBefore reports whether those words stand in an older message of the person.
func (i *interpreter) saidBefore(quote string) bool {
	return slices.ContainsFunc(i.scene.Transcript, func(m sessions.Message) bool {
		return m.Role == sessions.FromUser && contains(m.Content, quote)
	})
}

// contains reports whether words stand in text, letter case and white space
// folded.
func contains(text, words string) bool {
	_, _, ok := obligations.Locate(text, words)
	return ok
}
