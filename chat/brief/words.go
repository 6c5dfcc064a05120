package brief

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"quaestor/internal/language"
	"quaestor/obligations"
	"quaestor/sessions"
)

// sureWords says how sure a value is.
func sureWords(b obligations.Band) string {
	switch b {
	case obligations.VeryHigh:
		return "very sure"
	case obligations.High:
		return "sure"
	case obligations.Medium:
		return "fairly sure"
	case obligations.Low:
		return "not sure"
	}
	return string(b)
}

func levelOf(b obligations.Band) Level { return Level(strings.ReplaceAll(sureWords(b), " ", "-")) }

// stateWords says where a session stands.
func stateWords(s sessions.Session) string {
	switch s.StopReason {
	case sessions.EndCompleted:
		return "Complete"
	case sessions.EndLeft:
		return "Paused"
	case sessions.EndBudget:
		return "Has reached its agreed length"
	case sessions.EndRefused:
		return "Rests, because something it needs was not answered"
	case sessions.EndHandedOver:
		return "Handed over to a reviewer"
	case sessions.EndError:
		return "Stopped by a fault"
	}
	if s.Status == sessions.Completed {
		return "Complete"
	}
	return "Still open"
}

// disputeWords says what a dispute over a value waits for; empty for none.
func disputeWords(s obligations.NegotiationStatus) string {
	switch s {
	case obligations.NegotiationActive:
		return "This value is disputed and being settled."
	case obligations.NegotiationDeferred:
		return "This value is disputed; it is set aside for now."
	case obligations.NegotiationEscalated:
		return "This value is disputed; a reviewer decides."
	case obligations.NegotiationNone, obligations.NegotiationResolved:
		return ""
	}
	return ""
}

// maxQuote bounds the words that are quoted, in characters.
const maxQuote = 1000

// evidence tells one reason to believe the value of o.
func (m *maker) evidence(o *obligations.Obligation, e obligations.Evidence) Evidence {
	out := Evidence{How: m.how(o, e), Quote: language.Clip(line(e.Quote), maxQuote)}
	if e.Source != "" {
		out.Source, out.Link = sourceWords(e.Source), webLink(e.Source)
	}
	if e.Flag == obligations.FlagQuoteNotFound {
		out.Doubt = "These words were not found in the conversation."
	}
	return out
}

// how says who said or decided it, and when.
func (m *maker) how(o *obligations.Obligation, e obligations.Evidence) string {
	who := m.names.of(e.By)
	if who == "" {
		who = "Somebody"
	}
	switch e.Kind {
	case obligations.Stated:
		return who + " said" + inTurn(e.Turn)
	case obligations.Accepted:
		return who + " agreed" + m.proposed(o, e) + inTurn(e.Turn)
	case obligations.InferredEvidence:
		return "It follows from " + cmp.Or(language.And(m.namesOf(e.Premises)), "other answers")
	case obligations.Document:
		return "It stands in a document"
	case obligations.ResearchEvidence:
		return "Research found it"
	case obligations.WidgetInput:
		return who + " chose or entered it" + inTurn(e.Turn)
	case obligations.Reviewer:
		return who + " decided it in review"
	}
	return who + inTurn(e.Turn)
}

func (m *maker) proposed(o *obligations.Obligation, e obligations.Evidence) string {
	if e.Proposal == nil {
		return ""
	}
	return " to “" + language.Clip(line(sessions.Display(o.Template, e.Proposal.Value)), maxGistRunes) + "”"
}

func (m *maker) namesOf(keys []string) []string {
	out := make([]string, len(keys))
	for i, key := range keys {
		out[i] = m.name(key)
	}
	return out
}

// sourceWords names a source by its address: of a document its file alone, for
// where that lies is nobody's business.
func sourceWords(address string) string {
	if link := webLink(address); link != "" {
		return link
	}
	return language.Clip(path.Base(line(strings.ReplaceAll(address, `\`, "/"))), maxName)
}

func inTurn(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", in turn %d", n)
}

func percent(x float64) string { return fmt.Sprintf("%d %%", int(obligations.Of(x))) }
