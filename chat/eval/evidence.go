package eval

import (
	"encoding/json"
	"strings"
	"unicode/utf16"

	"quaestor/obligations"
	"quaestor/sessions"
)

// unfounded returns why none of the evidence of a stored value holds, or "" when some does.
func (m *measurer) unfounded(i int, e obligations.Event) string {
	why := "it was stored without evidence"
	for _, ev := range e.Meta.Set.Evidence {
		if why = m.doubt(i, e, ev); why == "" {
			return ""
		}
	}
	return why
}

// doubt returns why ev does not support the value of e, which turn i stored, or "" when it
// does.
func (m *measurer) doubt(i int, e obligations.Event, ev obligations.Evidence) string {
	if ev.Flag != "" {
		return "its evidence is flagged " + ev.Flag
	}
	switch ev.Kind {
	case obligations.Stated:
		return m.misquoted(ev)
	case obligations.Accepted:
		if why := m.misquoted(ev); why != "" {
			return why
		}
		return m.unproposed(ev, e.Meta.Set.Value)
	case obligations.WidgetInput:
		return m.unpicked(e, ev)
	case obligations.InferredEvidence:
		return m.baseless(i, ev)
	case obligations.Document, obligations.ResearchEvidence, obligations.Reviewer:
		return "nothing but the person speaks in this interview, yet its evidence is of kind " + string(ev.Kind)
	}
	return "its evidence is of no known kind"
}

// misquoted compares a quote with what the person said.
func (m *measurer) misquoted(ev obligations.Evidence) string {
	x := m.spoken(ev.Message)
	switch {
	case x == nil:
		return "the message " + ev.Message + " its evidence quotes is none of the person's"
	case ev.Span == nil:
		return "its evidence names no place in the message"
	case slice(strings.TrimSpace(x.Line.Message), *ev.Span) != ev.Quote || ev.Quote == "":
		return "its quote is not what stands at that place"
	}
	return ""
}

// slice returns the part of s between two UTF-16 units, as a browser would, or "" when the
// span is not in s.
func slice(s string, span obligations.Span) string {
	units := utf16.Encode([]rune(s))
	if span.Start < 0 || span.End > len(units) || span.Start >= span.End {
		return ""
	}
	return string(utf16.Decode(units[span.Start:span.End]))
}

// unproposed checks that what the person agreed to was put to them.
func (m *measurer) unproposed(ev obligations.Evidence, v json.RawMessage) string {
	if ev.Proposal == nil {
		return "it is said to be agreed to, but no proposal is named"
	}
	if !obligations.SameValue(ev.Proposal.Value, v) {
		return "the person agreed to another value"
	}
	for _, x := range m.t.Exchanges {
		if sessions.MessageID(x.Response.Turn, sessions.FromAssistant) != ev.Proposal.Message {
			continue
		}
		if s := ev.Proposal.Span; s != nil && slice(x.Response.Reply, *s) == "" {
			return "the proposal is not at the place named"
		}
		return ""
	}
	return "the message that proposed it does not exist"
}

// unpicked checks that the person filled in the widget with the value.
func (m *measurer) unpicked(e obligations.Event, ev obligations.Evidence) string {
	for _, x := range m.t.Exchanges {
		if x.Response.Turn != ev.Turn {
			continue
		}
		if got, ok := x.Line.Answers[e.Key]; ok && obligations.SameValue(got, e.Meta.Set.Value) {
			return ""
		}
	}
	return "no widget held this value in that turn"
}

// baseless checks that the premises of a conclusion have values after turn i.
func (m *measurer) baseless(i int, ev obligations.Evidence) string {
	if len(ev.Premises) == 0 {
		return "it is a conclusion from nothing"
	}
	for _, key := range ev.Premises {
		if o := obligations.Find(m.states[i], key); o == nil || o.Value == nil {
			return "its premise " + key + " has no value"
		}
	}
	return ""
}
