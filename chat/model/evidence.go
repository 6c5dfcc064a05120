package model

import (
	"encoding/json"
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/sessions"
)

// evidence returns what value v of o rests on, and false when v must not be taken. A
// model can claim four kinds only: the person said it, the person agreed to it, it is in
// a file the person gave, or it follows from what is known. [chat.Screen] checks that
// quotes are in the transcript.
//
// A value that is held changes only through what is said now. Models like to read old
// messages again, which would bring back what has been corrected since.
func (i *interpreter) evidence(o *obligations.Obligation, f modelFinding, v json.RawMessage) (obligations.Evidence, bool) {
	if len(f.Premises) > 0 {
		if known := i.premises(o, f.Premises); len(known) > 0 {
			return obligations.Evidence{Kind: obligations.InferredEvidence, Premises: known}, o.Held() == nil
		}
		if f.Quote == "" {
			return obligations.Evidence{}, false
		}
	}
	if i.offered(o, f.Quote, v) {
		return i.accepted(f.Quote, v), true
	}
	if e, ok := i.inFile(f.Quote); ok {
		return e, true
	}
	e := obligations.Evidence{Kind: obligations.Stated, Quote: f.Quote}
	if o.Held() == nil {
		return e, true
	}
	e.Message = i.scene.MessageID()
	changing := f.Act == obligations.Correct || i.asked(o)
	return e, i.saysNow(f.Quote) || changing && !i.saidBefore(f.Quote)
}

// premises returns those of keys that the value of o may follow from: other
// obligations that have a value, or are given one in this message.
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
		if p.Held() != nil || toldNow {
			out = append(out, key)
		}
	}
	return out
}

// offered reports whether the last question offered v and the person only accepted
// it: with a yes to a proposal, or by pointing at one of two values ("the second").
func (i *interpreter) offered(o *obligations.Obligation, quote string, v json.RawMessage) bool {
	q := i.scene.Asked
	switch {
	case i.asking(o, sessions.ToConfirm):
		return obligations.SameValue(v, q.Proposal) && i.saysNow(quote)
	case i.asking(o, sessions.ToResolve):
		one := slices.ContainsFunc(q.Values, func(w json.RawMessage) bool { return obligations.SameValue(v, w) })
		return one && i.saysNow(quote) && !contains(quote, chat.ValueInWords(o.Template, v))
	}
	return false
}

// accepted returns the evidence of assent: what was proposed, where, and the
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

// lastReply returns the interviewer's latest message, or nil.
func (i *interpreter) lastReply() *sessions.Message {
	for at := len(i.scene.Transcript) - 1; at >= 0; at-- {
		if m := &i.scene.Transcript[at]; m.Role == sessions.FromAssistant {
			return m
		}
	}
	return nil
}

// lastQuestion returns the last question in text, or all of text when there is none.
func lastQuestion(text string) string {
	end := strings.LastIndexByte(text, '?')
	if end < 0 {
		return text
	}
	start := strings.LastIndexAny(text[:end], ".!?\n") + 1
	return strings.TrimSpace(text[start : end+1])
}

// saysNow reports whether quote is in the person's present message.
func (i *interpreter) saysNow(quote string) bool { return contains(i.scene.Message, quote) }

// saidBefore reports whether quote is in an older message of the person.
func (i *interpreter) saidBefore(quote string) bool {
	return slices.ContainsFunc(i.scene.Transcript, func(m sessions.Message) bool {
		return m.Role == sessions.FromUser && contains(m.Content, quote)
	})
}

// inFile returns the evidence for words that are in a file of the turn and not in the
// present message.
func (i *interpreter) inFile(quote string) (obligations.Evidence, bool) {
	if quote == "" || i.saysNow(quote) {
		return obligations.Evidence{}, false
	}
	for _, f := range i.scene.Files {
		if span, words, ok := obligations.Locate(f.Text, quote); ok {
			return obligations.Evidence{Kind: obligations.Document, File: f.ID, Source: f.Name, Span: &span, Quote: words}, true
		}
	}
	return obligations.Evidence{}, false
}

// fromFile reports whether a finding was read in a file.
func fromFile(f obligations.Finding) bool { return f.Evidence.Kind == obligations.Document }

// contains reports whether words are in text, ignoring case and the amount of white
// space.
func contains(text, words string) bool {
	_, _, ok := obligations.Locate(text, words)
	return ok
}
