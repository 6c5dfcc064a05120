package ui

import (
	"slices"
	"strings"

	"quaestor/obligations"
	"quaestor/sessions"
)

// words are the pages' fixed phrases, by the value they stand for.
type words struct {
	Status   map[obligations.Status]string
	Skip     map[obligations.SkipReason]string
	Band     map[obligations.Band]string
	Evidence map[obligations.EvidenceKind]string
	Flag     map[string]string
	End      map[sessions.StopReason]string
	Dispute  map[obligations.NegotiationStatus]string
	Research map[string]string
	Outcome  map[string]string
	Disputed string // the value that is in dispute
	Conflict string
	Asking   string // of what is asked just now and is open
	Between  string
	AtLeast  string
	AtMost   string
	You      string
	Someone  string
	Rules    string
	Model    string

	NextPhase string
	LastPhase string
	Change    string
	Answer    string
}

// phrases returns the words. In those of evidence, {who} is the person,
// {value} what they agreed to, {from} what a value follows from and {source}
// where it stands.
func phrases() words {
	return words{
		Status: map[obligations.Status]string{
			obligations.Pending:    "Not asked yet",
			obligations.InProgress: "Asked, still open",
			obligations.Partial:    "Partly known",
			obligations.Satisfied:  "Known",
			obligations.Deferred:   "For later",
			obligations.Skipped:    "Skipped",
		},
		Skip: map[obligations.SkipReason]string{
			obligations.NotApplicable: "Skipped: does not apply",
			obligations.Declined:      "Skipped: not answered by choice",
		},
		Band: map[obligations.Band]string{
			obligations.Low:      "low",
			obligations.Medium:   "medium",
			obligations.High:     "high",
			obligations.VeryHigh: "very high",
		},
		Evidence: map[obligations.EvidenceKind]string{
			obligations.Stated:           "{who} said",
			obligations.Accepted:         "{who} agreed to {value}",
			obligations.InferredEvidence: "Follows from {from}",
			obligations.Document:         "Read in {source}",
			obligations.ResearchEvidence: "Found by research",
			obligations.WidgetInput:      "{who} chose or entered it",
			obligations.Reviewer:         "{who} decided it in review",
		},
		Flag: map[string]string{obligations.FlagQuoteNotFound: "These words were not found in the conversation."},
		End: map[sessions.StopReason]string{
			sessions.EndCompleted:  "This interview is complete.",
			sessions.EndLeft:       "This interview is paused. Write whenever you want to go on.",
			sessions.EndBudget:     "This interview has reached its agreed length. What is known so far is kept.",
			sessions.EndRefused:    "This interview rests, because something it needs was not answered. You can still go on.",
			sessions.EndHandedOver: "A reviewer takes it from here. You can still add something.",
			sessions.EndError:      "This interview stopped because of a fault. Write to go on.",
		},
		Dispute: map[obligations.NegotiationStatus]string{
			obligations.NegotiationActive:    "This value is disputed and being settled.",
			obligations.NegotiationDeferred:  "This value is disputed; it is set aside for now.",
			obligations.NegotiationEscalated: "This value is disputed; a reviewer decides.",
		},
		Disputed: "{value} (in dispute)",
		Conflict: "Two answers to this do not agree.",
		Asking:   "Being asked",
		Research: map[string]string{"pending": "Queued", "running": "Looking it up", "completed": "Done", "found": "Found", "contradicting": "Sources disagree",
			"no_evidence": "Nothing found", "failed": "Not possible", "cancelled": "Cancelled"},
		Outcome: map[string]string{"contradicting": "The sources that were read do not agree with each other. The report shows both sides.",
			"no_evidence": "No source that could be read says anything about this."},
		Between: "From {min} to {max}",
		AtLeast: "At least {min}",
		AtMost:  "At most {max}",
		You:     "You",
		Someone: "Someone",
		Rules:   "Built-in interviewer (rules, no model)",
		Model:   "Model {name}",

		NextPhase: "{name} begins once {from}% is resolved; {now}% is now.",
		LastPhase: "This is the last phase.",
		Change:    "Change",
		Answer:    "Answer",
	}
}

// statusWords says where o stands.
func statusWords(o *obligations.Obligation) string {
	w := phrases()
	if o.Status == obligations.Skipped && w.Skip[o.SkipReason] != "" {
		return w.Skip[o.SkipReason]
	}
	return w.Status[o.Status]
}

// statusWords says where o stands for whoever talks: of all that was asked and is
// open, one question is the one being asked.
func (v ChatView) statusWords(o *obligations.Obligation) string {
	if o.Status == obligations.InProgress && !v.closed() && !v.moot() && slices.Contains(v.Question.Keys(), o.Key) {
		return phrases().Asking
	}
	return statusWords(o)
}

// clashWords say that answers to o do not agree; empty when they do.
func (v ChatView) clashWords(o *obligations.Obligation) string {
	if v.Clashing[o.Key] {
		return phrases().Conflict
	}
	return ""
}

// disputeWords says what a dispute over a value waits for; empty for none.
func disputeWords(n *obligations.Negotiation) string {
	if n == nil {
		return ""
	}
	return phrases().Dispute[n.Status]
}

// ValueInSight words what o holds or, while nothing is held because it is in dispute,
// the value the dispute is about. panel.js does the same.
func ValueInSight(o *obligations.Obligation) string {
	proposal, _ := o.Negotiation.Last()
	if len(o.Value) > 0 || len(proposal) == 0 || !o.Negotiation.Open() {
		return HeldValue(o)
	}
	return strings.ReplaceAll(phrases().Disputed, "{value}", DisplayValue(o.Template, proposal))
}

// bandWords says how sure c is, such as "very high".
func bandWords(c obligations.Confidence) string { return phrases().Band[c.Band()] }

// endWords says why a session is not going on; empty for one that is.
func endWords(r sessions.StopReason) string { return phrases().End[r] }

// interviewerName says who asks, from "rules" or "model NAME".
func interviewerName(name string) string {
	w := phrases()
	if model, ok := strings.CutPrefix(name, "model "); ok {
		return strings.ReplaceAll(w.Model, "{name}", model)
	}
	return w.Rules
}

// speakerName says who spoke: "You" for me, else the name, for want of one
// "Someone".
func speakerName(name, me string) string {
	w := phrases()
	switch name {
	case "":
		return w.Someone
	case me:
		return w.You
	}
	return name
}

// author says whose message m is, to the person called me.
func author(m sessions.Message, me string) string {
	if m.Role == sessions.FromAssistant {
		return "Quaestor"
	}
	if m.User == "" {
		return phrases().You
	}
	return speakerName(m.User, me)
}
