package talk

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web/ui"
)

// Refusal is a form of the conversation's page that was not taken.
type Refusal struct {
	At     string // what the form was about: the key of an obligation, the id of a conflict; empty for a message
	Detail string // why, a sentence
	Typed  string // what was written into it
}

// about reports whether the refused form was the one about that.
func (r *Refusal) about(at string) bool { return r != nil && r.At == at }

// typedAt is what was written into the refused form about that; empty for none.
func (v ChatView) typedAt(at string) string {
	if !v.Refusal.about(at) {
		return ""
	}
	return v.Refusal.Typed
}

// refusedWords say why the form about that was refused; empty when it was not.
func (v ChatView) refusedWords(at string) string {
	if !v.Refusal.about(at) {
		return ""
	}
	return v.Refusal.Detail
}

// clashes returns the open conflicts that are not being asked about.
func (v ChatView) clashes() []obligations.Conflict {
	return slices.DeleteFunc(slices.Clone(v.Conflicts), func(c obligations.Conflict) bool {
		q := v.asked()
		return q != nil && q.Purpose == sessions.ToResolve && slices.Contains(c.Keys, q.Key)
	})
}

// offers returns the obligations whose value somebody has to accept or reject, but
// for the one that is asked about and those that a conflict is open over.
func (v ChatView) offers() []obligations.Obligation {
	var out []obligations.Obligation
	q := v.asked()
	for _, o := range v.Obligations {
		if offered(&o) == nil || v.Clashing[o.Key] || q != nil && q.Key == o.Key && q.Purpose != sessions.ToAsk {
			continue
		}
		out = append(out, o)
	}
	return out
}

// offered returns the value of o that waits for a yes or no: one that no person
// gave. Nil for none, and for what is with a reviewer.
func offered(o *obligations.Obligation) json.RawMessage {
	if o.Resolved() || o.Negotiation.Standing() == obligations.NegotiationEscalated || o.Value == nil || len(o.Evidence) == 0 {
		return nil
	}
	for _, e := range o.Evidence {
		switch e.Kind {
		case obligations.ResearchEvidence, obligations.InferredEvidence, obligations.Document:
		case obligations.Stated, obligations.Accepted, obligations.WidgetInput, obligations.Reviewer:
			return nil
		}
	}
	return o.Value
}

// offerWords says where a proposed value comes from.
func offerWords(o *obligations.Obligation) string {
	return map[obligations.EvidenceKind]string{
		obligations.ResearchEvidence: "Found by research. It counts once somebody here says it is right.",
		obligations.InferredEvidence: "It follows from other answers. It counts once somebody here says it is right.",
		obligations.Document:         "It stands in a document. It counts once somebody here says it is right.",
	}[o.Evidence[len(o.Evidence)-1].Kind]
}

// asked is what the card under the conversation asks; nil for nothing. What was
// settled elsewhere since is not asked any more.
func (v ChatView) asked() *sessions.Question {
	q := v.Question
	if q == nil || v.closed() || v.Turn != 0 || v.moot() {
		return nil
	}
	return q
}

// moot reports whether what was asked was settled outside the conversation.
func (v ChatView) moot() bool {
	if v.Question == nil || v.closed() {
		return false
	}
	switch o := obligations.Find(v.Obligations, v.Question.Key); v.Question.Purpose {
	case sessions.ToConfirm:
		return o != nil && o.Resolved()
	case sessions.ToResolve:
		return v.Conflicts != nil && !slices.ContainsFunc(v.Conflicts, func(c obligations.Conflict) bool { return slices.Contains(c.Keys, v.Question.Key) })
	case sessions.ToAsk, sessions.ToForm, sessions.ToFinish:
	}
	return false
}

// conflictOf returns the open conflict a question is about; nil for none.
func (v ChatView) conflictOf(q *sessions.Question) *obligations.Conflict {
	for i := range v.Conflicts {
		if slices.Contains(v.Conflicts[i].Keys, q.Key) {
			return &v.Conflicts[i]
		}
	}
	return nil
}

// sideOf returns the side of a question's conflict that has that value; nil when
// it is not known.
func (v ChatView) sideOf(q *sessions.Question, value json.RawMessage) *obligations.Side {
	c := v.conflictOf(q)
	if c == nil {
		return nil
	}
	for i := range c.Sides {
		if c.Sides[i].Key == q.Key && obligations.SameValue(c.Sides[i].Value, value) {
			return &c.Sides[i]
		}
	}
	return nil
}

// clashTitle says what a conflict is about.
func (v ChatView) clashTitle(c obligations.Conflict) string {
	if c.Message != "" {
		return c.Message
	}
	return namesOf(c.Keys, v.Obligations) + ": two answers do not agree"
}

// sideValue words one side of a conflict.
func (v ChatView) sideValue(c obligations.Conflict, s obligations.Side) string {
	if s.Value == nil {
		return "Only that the other is wrong"
	}
	t := v.templateOf(s.Key)
	if len(c.Keys) > 1 {
		return ui.Namer(v.Obligations)(s.Key) + ": " + ui.DisplayValue(t, s.Value)
	}
	return ui.DisplayValue(t, s.Value)
}

// sideWords says who said one side of a conflict, how and when.
func (v ChatView) sideWords(s obligations.Side) string {
	if len(s.Evidence) == 0 {
		return ""
	}
	e := s.Evidence[len(s.Evidence)-1]
	t := v.templateOf(s.Key)
	words := ui.EvidenceIntro(e, t, v.User, ui.Namer(v.Obligations))
	if e.Turn > 0 {
		words += fmt.Sprintf(", turn %d", e.Turn)
	}
	if at := v.saidAt(e.Message); !at.IsZero() {
		words += ", " + ui.When(at)
	}
	return words
}

// sideQuote is what was said for a side, at most a few lines of it.
func sideQuote(s obligations.Side) string {
	if len(s.Evidence) == 0 {
		return ""
	}
	return ui.Clip(s.Evidence[len(s.Evidence)-1].Quote, ui.MaxName)
}

// saidAt is when a message that the page shows was said; zero for another.
func (v ChatView) saidAt(id string) time.Time {
	for _, m := range v.Messages {
		if m.ID() == id {
			return m.At
		}
	}
	return time.Time{}
}

// noted returns, by message id, the obligations whose values rest on what a person
// said there.
func (v ChatView) noted() map[string][]*obligations.Obligation {
	out := map[string][]*obligations.Obligation{}
	if !v.asks() {
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

// toAnswerWords name the way to another answer for o.
func toAnswerWords(o *obligations.Obligation) string {
	if len(o.Value) == 0 {
		return ui.Phrases().Answer
	}
	return ui.Phrases().Change
}

// settlePath is where the forms of a card are sent.
func settlePath(session string, parts ...string) string {
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return "/s/" + url.PathEscape(session) + "/" + strings.Join(parts, "/")
}
