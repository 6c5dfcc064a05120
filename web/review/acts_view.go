package review

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"quaestor/obligations"
	"quaestor/web/ui"
)

// Reviewed reads the value a reviewer's form gives the obligation of t. It is nil,
// with what is wrong, when the form gives none that t takes.
func Reviewed(t *obligations.Template, form url.Values) (json.RawMessage, error) {
	raw := reviewedValue(t, form)
	if err := t.Check(raw); err != nil {
		return nil, err
	}
	return raw, nil
}

// Given reports whether a reviewer's form gives the obligation of t anything.
func Given(t *obligations.Template, form url.Values) bool {
	for _, field := range []string{"answer.", "other.", "upto."} {
		if len(ui.NonBlank(form[field+t.Key])) > 0 {
			return true
		}
	}
	return false
}

func reviewedValue(t *obligations.Template, form url.Values) json.RawMessage {
	picked := slices.Concat(ui.NonBlank(form["answer."+t.Key]), ui.NonBlank([]string{ui.TypedText(form, "other."+t.Key)}))
	switch t.Widget {
	case obligations.MultiSelect:
		return encodedValue(picked)
	case obligations.Number:
		return reviewedNumber(strings.Join(picked, ""), ui.TypedText(form, "upto."+t.Key))
	case obligations.Text:
		return encodedValue(ui.TypedText(form, "answer."+t.Key))
	case obligations.ChoiceOne, obligations.Date:
		return encodedValue(strings.Join(picked, ", "))
	}
	return encodedValue(nil)
}

func reviewedNumber(from, upTo string) json.RawMessage {
	low, err := strconv.ParseFloat(from, 64)
	if err != nil {
		return encodedValue(from)
	}
	if upTo == "" {
		return encodedValue(low)
	}
	high, err := strconv.ParseFloat(upTo, 64)
	if err != nil {
		return encodedValue(upTo)
	}
	return encodedValue(obligations.Range{Min: low, Max: high})
}

// encodedValue is x as JSON; null for what JSON has no form for.
func encodedValue(x any) json.RawMessage {
	raw, err := json.Marshal(x)
	if err != nil {
		return json.RawMessage("null")
	}
	return raw
}

// settlementWay is a way to end a dispute with a value that was named in it.
type settlementWay struct {
	Resolution obligations.Resolution
	Value      json.RawMessage
}

// settlements are the ways to end the dispute over o: with the value proposed, or
// with that of the person where it is another.
func settlements(o *obligations.Obligation) []settlementWay {
	proposal, user := o.Negotiation.Last()
	var out []settlementWay
	if proposal != nil {
		out = append(out, settlementWay{obligations.UserAccepted, proposal})
	}
	if user != nil && !obligations.SameValue(proposal, user) {
		out = append(out, settlementWay{obligations.AgentAccepted, user})
	}
	return out
}

// named are the obligations of these keys that are there.
func (v ReviewView) named(keys []string) []ReviewValue {
	var out []ReviewValue
	for _, o := range v.Values {
		if slices.Contains(keys, o.Key) {
			out = append(out, o)
		}
	}
	return out
}

// otherWords offers values that no side of a conflict told.
func otherWords(c obligations.Conflict) string {
	if len(c.Keys) > 1 {
		return "Other values; a field that is left empty keeps what is held"
	}
	return "Another value"
}

// decideWords names the form for a reviewer's own value.
func decideWords(o *obligations.Obligation) string {
	if len(o.Value) == 0 {
		return "Set a value …"
	}
	return "Set another value …"
}

func pickType(t *obligations.Template) string {
	if t.Widget == obligations.MultiSelect {
		return "checkbox"
	}
	return "radio"
}

// numberPrompt asks for a number, in its unit.
func numberPrompt(t *obligations.Template) string {
	if unit := ui.UnitWords(t.Unit); unit != "" {
		return t.Prompt + " (" + unit + ")"
	}
	return t.Prompt
}

// sideNote says what a side of a conflict is about and rests on.
func (v ReviewView) sideNote(c obligations.Conflict, s obligations.Side) string {
	var parts []string
	if len(c.Keys) > 1 {
		parts = append(parts, v.name(s.Key))
	}
	if words := sideWords(s, v.templateOf(s.Key), v.name); words != "" {
		parts = append(parts, words)
	}
	if s.Kept {
		parts = append(parts, "held now")
	}
	return ui.Visible(strings.Join(parts, ", "))
}

// resolvedBy says who decided a conflict; empty when nobody did by hand.
func resolvedBy(c obligations.Conflict) string {
	if c.ResolvedBy == "" {
		return ""
	}
	return "(" + c.ResolvedBy + ")"
}

// reviewClaimPath is where the report of research shows the claim e rests on.
func reviewClaimPath(e obligations.Evidence) string {
	return "/research/" + url.PathEscape(e.Task) + "#claim-" + strconv.Itoa(e.Claim)
}

// marks reports whether the chosen evidence is among the words that are shown.
func (v ReviewView) marks() bool {
	for _, m := range v.Messages {
		if anchored(segments(m.Content, v.cites(m.ID()))) >= 0 {
			return true
		}
	}
	return false
}

// evidenceElsewhere says why no words are marked for e.
func evidenceElsewhere(e obligations.Evidence) string {
	switch {
	case e.Flag == obligations.FlagQuoteNotFound:
		return "The words of this evidence are not in the conversation."
	case e.Message == "" && e.Proposal == nil:
		return "This evidence rests on no words of the conversation."
	}
	return "The words of this evidence are not among the turns shown here."
}

// changeLine says in one line what an event changed.
func changeLine(e obligations.StoredEvent, v ReviewView) string {
	return eventLine(e, v.templateOf(e.Key), v.name)
}

// eventLine says in one line what an event of an obligation of t changed.
func eventLine(e obligations.StoredEvent, t *obligations.Template, name func(string) string) string {
	var words []string
	for _, f := range eventFacts(e, t, name) {
		if f.Name != "By" {
			words = append(words, strings.ToLower(f.Name)+" "+f.Value)
		}
	}
	if len(words) == 0 {
		return strings.ToLower(eventTitle(e))
	}
	return strings.Join(words, "; ")
}

// satisfiedWords says when an obligation of t counts as known.
func satisfiedWords(t *obligations.Template) string {
	if t.SatisfiedWhen == "" {
		return "It counts as known from a confidence of " + obligations.DefaultSatisfied.String() + "."
	}
	return "It counts as known when " + t.SatisfiedWhen + "."
}
