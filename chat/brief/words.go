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

// sureWords words how sure a value is.
func sureWords(c obligations.Confidence) string { return sessions.Sureness("en", c.Band()) }

// stopWords describes the state of a session by the reason for which it stopped.
var stopWords = map[sessions.StopReason]string{
	sessions.EndCompleted:  "Complete",
	sessions.EndLeft:       "Paused",
	sessions.EndBudget:     "Has reached its agreed length",
	sessions.EndRefused:    "Rests, because something it needs was not answered",
	sessions.EndHandedOver: "Handed over to a reviewer",
	sessions.EndError:      "Stopped by a fault",
}

// stateOfSession describes the state of a session.
func stateOfSession(s sessions.Session) string {
	if words := stopWords[s.StopReason]; words != "" {
		return words
	}
	if s.Status == sessions.Completed {
		return "Complete"
	}
	return "Still open"
}

// disputeWords describes what an open dispute over a value waits for.
var disputeWords = map[obligations.NegotiationStatus]string{
	obligations.NegotiationActive:    "This value is disputed and being settled.",
	obligations.NegotiationDeferred:  "This value is disputed; it is set aside for now.",
	obligations.NegotiationEscalated: "This value is disputed; a reviewer decides.",
}

// doubts describes what is wrong with the words of a piece of evidence.
var doubts = map[string]string{
	obligations.FlagQuoteNotFound: "These words were not found in the conversation.",
	obligations.FlagUnsupported:   "These words do not say it.",
	obligations.FlagDoubtful:      "These words do not clearly say it.",
}

// maxQuote bounds a quote, in characters: about half a page.
const maxQuote = 1000

// evidence returns one reason to believe the value of o.
func (m *maker) evidence(o *obligations.Obligation, e obligations.Evidence) Evidence {
	out := Evidence{How: m.how(o, e), Quote: language.Clip(line(e.Quote), maxQuote)}
	if e.Source != "" {
		out.Source, out.Link = sourceWords(e.Source), webLink(e.Source)
	}
	out.Doubt = doubts[e.Flag]
	return out
}

// how words who said or decided something, and when.
func (m *maker) how(o *obligations.Obligation, e obligations.Evidence) string {
	who := cmp.Or(m.names.of(e.By), "Somebody")
	switch e.Kind {
	case obligations.Stated:
		return who + " said" + inTurn(e.Turn)
	case obligations.Accepted:
		return who + " agreed" + m.proposed(o, e) + inTurn(e.Turn)
	case obligations.InferredEvidence:
		return "It follows from " + cmp.Or(language.And(m.namesOf(e.Premises)), "other answers") + reason(e)
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

// reason words why a value follows from others, to be appended; empty when that is not
// known.
func reason(e obligations.Evidence) string {
	if e.Because == "" {
		return ""
	}
	return ": " + language.Clip(strings.TrimRight(line(e.Because), "."), maxGistRunes)
}

// proposed words the value that somebody agreed to, if it is known.
func (m *maker) proposed(o *obligations.Obligation, e obligations.Evidence) string {
	if e.Proposal == nil {
		return ""
	}
	return " to “" + language.Clip(line(sessions.Display(o.Template, e.Proposal.Value)), maxGistRunes) + "”"
}

// namesOf returns the labels of obligations.
func (m *maker) namesOf(keys []string) []string {
	out := make([]string, len(keys))
	for i, key := range keys {
		out[i] = m.name(key)
	}
	return out
}

// sourceWords names a source by its address. Of a document it returns only the file name,
// because the folder may be confidential.
func sourceWords(address string) string {
	if link := webLink(address); link != "" {
		return link
	}
	return language.Clip(path.Base(line(strings.ReplaceAll(address, `\`, "/"))), maxName)
}

// inTurn words a turn, to be appended. Values from elsewhere have none.
func inTurn(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", in turn %d", n)
}

// percent writes a share, 0 to 1.
func percent(x float64) string { return fmt.Sprintf("%d %%", int(obligations.Of(x))) }
