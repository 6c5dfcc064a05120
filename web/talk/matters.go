package talk

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web/ui"
)

// asked returns the question of the card under the conversation. It is nil while a turn
// runs, in a closed interview, and when the question was settled elsewhere.
func (v ChatView) asked() *sessions.Question {
	if v.closed() || v.Turn != 0 || v.moot() {
		return nil
	}
	return v.Question
}

// moot reports whether the question was settled outside of the conversation, by somebody
// else or on the page, so that there is nothing left to answer.
func (v ChatView) moot() bool {
	if v.Question == nil || v.closed() {
		return false
	}
	switch v.Question.Purpose {
	case sessions.ToConfirm:
		o := obligations.Find(v.Obligations, v.Question.Key)
		return o != nil && o.Resolved()
	case sessions.ToResolve:
		return v.conflictOver(v.Question.Key) == nil
	case sessions.ToAsk, sessions.ToForm, sessions.ToFinish, sessions.ToProbe, sessions.ToApprove, sessions.ToWiden:
	}
	return false
}

// conflictOver returns the first open conflict that the obligation key is part of; nil for
// none.
func (v ChatView) conflictOver(key string) *obligations.Conflict {
	i := slices.IndexFunc(v.Conflicts, func(c obligations.Conflict) bool { return slices.Contains(c.Keys, key) })
	if i < 0 {
		return nil
	}
	return &v.Conflicts[i]
}

// clashes returns the open conflicts, without the one that is being asked about.
func (v ChatView) clashes() []obligations.Conflict {
	return slices.DeleteFunc(slices.Clone(v.Conflicts), func(c obligations.Conflict) bool {
		q := v.asked()
		return q != nil && q.Purpose == sessions.ToResolve && slices.Contains(c.Keys, q.Key)
	})
}

// offers returns the obligations with a proposed value, without those that are being
// asked about or that are part of an open conflict.
func (v ChatView) offers() []obligations.Obligation {
	q := v.asked()
	return slices.DeleteFunc(slices.Clone(v.Obligations), func(o obligations.Obligation) bool {
		return !proposed(&o) || v.conflictOver(o.Key) != nil || q != nil && q.Key == o.Key && q.Purpose != sessions.ToAsk
	})
}

// proposed reports whether o holds a value that no person has given or accepted, so that
// somebody has to say whether it is right. A value that is with a reviewer is not proposed
// here.
func proposed(o *obligations.Obligation) bool {
	if o.Resolved() || o.Negotiation.Standing() == obligations.NegotiationEscalated || o.Value == nil || len(o.Evidence) == 0 {
		return false
	}
	return !slices.ContainsFunc(o.Evidence, func(e obligations.Evidence) bool { return proposalWords[e.Kind] == "" })
}

// proposalWords tell where a proposed value comes from, by the kind of its latest
// evidence. Evidence of any other kind is a person's.
var proposalWords = map[obligations.EvidenceKind]string{
	obligations.ResearchEvidence: "Found by research. It counts once somebody here says it is right.",
	obligations.InferredEvidence: "It follows from other answers. It counts once somebody here says it is right.",
	obligations.Document:         "It stands in a document. It counts once somebody here says it is right.",
}

// sideOf returns the side of a conflict that holds value for the obligation key; nil when
// there is none.
func (v ChatView) sideOf(key string, value json.RawMessage) *obligations.Side {
	c := v.conflictOver(key)
	if c == nil {
		return nil
	}
	i := slices.IndexFunc(c.Sides, func(s obligations.Side) bool { return s.Key == key && obligations.SameValue(s.Value, value) })
	if i < 0 {
		return nil
	}
	return &c.Sides[i]
}

// clashTitle is the heading of a conflict: the message of the constraint that is broken,
// or the names of the obligations.
func (v ChatView) clashTitle(c obligations.Conflict) string {
	return cmp.Or(c.Message, v.say("{names}: two answers do not agree", "{names}", namesOf(c.Keys, v.Obligations)))
}

// sideValue words the value of one side of c. A conflict between several obligations
// names the one that the side is about.
func (v ChatView) sideValue(c obligations.Conflict, s obligations.Side) string {
	if s.Value == nil {
		return v.say("Only that the other is wrong")
	}
	value := ui.ValueIn(v.Session.Language, v.templateOf(s.Key), s.Value)
	if len(c.Keys) > 1 {
		return ui.Namer(v.Obligations)(s.Key) + ": " + value
	}
	return value
}

// sideWords tells who gave the value of s, how, in which turn and when; empty without
// evidence.
func (v ChatView) sideWords(s obligations.Side) string {
	if len(s.Evidence) == 0 {
		return ""
	}
	e := s.Evidence[len(s.Evidence)-1]
	words := v.evidenceIntro(e, v.templateOf(s.Key))
	if e.Turn > 0 {
		words += v.say(", turn {n}", "{n}", strconv.Itoa(e.Turn))
	}
	if at := v.saidAt(e.Message); !at.IsZero() {
		words += ", " + ui.When(at)
	}
	return words
}

// sideQuote is the quote of the latest evidence for s, clipped; empty for none.
func sideQuote(s obligations.Side) string {
	if len(s.Evidence) == 0 {
		return ""
	}
	return ui.Clip(s.Evidence[len(s.Evidence)-1].Quote, ui.MaxName)
}

// saidAt returns the time of the message with an id; zero when it is not on the page.
func (v ChatView) saidAt(id string) time.Time {
	for _, m := range v.Messages {
		if m.ID() == id {
			return m.At
		}
	}
	return time.Time{}
}

// answeredBy returns, by message id, the obligations whose present values rest on that
// message. It is empty for a reader who cannot change answers: the names are links to do
// so.
func (v ChatView) answeredBy() map[string][]*obligations.Obligation {
	out := map[string][]*obligations.Obligation{}
	if !v.acts() {
		return out
	}
	for i := range v.Obligations {
		o := &v.Obligations[i]
		for _, e := range o.Evidence {
			if e.Message != "" && o.Value != nil && !slices.Contains(out[e.Message], o) {
				out[e.Message] = append(out[e.Message], o)
			}
		}
	}
	return out
}

// editWords names the link to the form that answers o, or changes its answer.
func editWords(o *obligations.Obligation) string {
	if len(o.Value) == 0 {
		return ui.Phrases().Answer
	}
	return ui.Phrases().Change
}

// settlePath is the address that the form of an offer or a conflict is sent to.
func settlePath(session string, parts ...string) string {
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return "/s/" + url.PathEscape(session) + "/" + strings.Join(parts, "/")
}
