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

// The fields of a form that hold a value are called answer.KEY, other.KEY for a choice
// that is not offered, and upto.KEY for the upper end of a range. [valueInput] draws them.

// templateValue reads the value that a reviewer's form gives the obligation of t, in the
// shape of its widget. It returns nil and the fault when t does not take the value.
func templateValue(t *obligations.Template, form url.Values) (json.RawMessage, error) {
	picked := slices.Concat(ui.NonBlank(form["answer."+t.Key]), ui.NonBlank([]string{ui.TypedText(form, "other."+t.Key)}))
	raw := json.RawMessage("null")
	switch t.Widget {
	case obligations.MultiSelect:
		raw = encodedValue(picked)
	case obligations.Number:
		raw = numberValue(strings.Join(picked, ""), ui.TypedText(form, "upto."+t.Key))
	case obligations.Text:
		raw = encodedValue(ui.TypedText(form, "answer."+t.Key))
	case obligations.ChoiceOne, obligations.Date:
		raw = encodedValue(strings.Join(picked, ", "))
	}
	if err := t.Check(raw); err != nil {
		return nil, err
	}
	return raw, nil
}

// hasValue reports whether the form fills in any of the fields of t's value.
func hasValue(t *obligations.Template, form url.Values) bool {
	return slices.ContainsFunc([]string{"answer.", "other.", "upto."}, func(field string) bool {
		return len(ui.NonBlank(form[field+t.Key])) > 0
	})
}

// numberValue returns a number, or a range when upTo is not empty. Text that is no number
// is returned as a string, which [obligations.Template.Check] refuses with its own words.
func numberValue(from, upTo string) json.RawMessage {
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

// encodedValue returns x as JSON, and null for what JSON cannot express, such as an
// infinite number.
func encodedValue(x any) json.RawMessage {
	raw, err := json.Marshal(x)
	if err != nil {
		return json.RawMessage("null")
	}
	return raw
}

// settlementOption is a value that a dispute can be settled with.
type settlementOption struct {
	Resolution obligations.Resolution
	Value      json.RawMessage
}

// settlements returns the values named in the dispute over o: the one proposed, and the
// person's where it differs. There are none without a dispute.
func settlements(o *obligations.Obligation) []settlementOption {
	proposal, user := o.Negotiation.Last()
	var out []settlementOption
	if proposal != nil {
		out = append(out, settlementOption{obligations.UserAccepted, proposal})
	}
	if user != nil && !obligations.SameValue(proposal, user) {
		out = append(out, settlementOption{obligations.AgentAccepted, user})
	}
	return out
}

// otherValuesLabel labels the choice of values that no side of the conflict holds.
func otherValuesLabel(c obligations.Conflict) string {
	if len(c.Keys) > 1 {
		return "Other values; a field left empty keeps its value"
	}
	return "Another value"
}

// decideLabel labels the form for a reviewer's own value.
func decideLabel(o *obligations.Obligation) string {
	if len(o.Value) == 0 {
		return "Set a value …"
	}
	return "Set another value …"
}

// pickType is the type of input for one of t's choices.
func pickType(t *obligations.Template) string {
	if t.Widget == obligations.MultiSelect {
		return "checkbox"
	}
	return "radio"
}

// numberPrompt is t's question with the unit of the answer, where there is one to show.
func numberPrompt(t *obligations.Template) string {
	if unit := ui.UnitWords(t.Unit); unit != "" {
		return t.Prompt + " (" + unit + ")"
	}
	return t.Prompt
}

// sideNote is what a side of a conflict is about and rests on, in one line.
func (v sessionView) sideNote(c obligations.Conflict, s obligations.Side) string {
	var parts []string
	if len(c.Keys) > 1 {
		parts = append(parts, v.name(s.Key))
	}
	if n := len(s.Evidence); n > 0 {
		if words := ui.EvidenceIntro(s.Evidence[n-1], v.templateOf(s.Key), "", v.name); words != "" {
			parts = append(parts, words)
		}
	}
	if s.Kept {
		parts = append(parts, "held now")
	}
	return ui.Visible(strings.Join(parts, ", "))
}
