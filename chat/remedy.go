package chat

import (
	"slices"

	"quaestor/internal/language/messages"
	"quaestor/obligations"
)

// RemedyOf says what would be a right answer to t, after one that cannot be its value.
func RemedyOf(t *obligations.Template) messages.Message {
	switch t.Widget {
	case obligations.Number:
		return NumberRemedy(t)
	case obligations.Date:
		return DateRemedy()
	case obligations.ChoiceOne, obligations.MultiSelect:
		var labels messages.Or
		for _, c := range t.Choices {
			labels = append(labels, c.Label)
		}
		return messages.Message{Key: "remedy.choice", Args: messages.Args{"choices": labels}}
	case obligations.Text:
	}
	return messages.Message{Key: "remedy.text"}
}

// DateRemedy says what dates there are.
func DateRemedy() messages.Message {
	return messages.Message{Key: "remedy.date", Args: messages.Args{"day": messages.Date("2027-03-31"), "month": messages.Date("2027-03")}}
}

// NumberRemedy says what numbers t takes, with its unit and bounds.
func NumberRemedy(t *obligations.Template) messages.Message {
	args := messages.Args{"what": numberOf(t)}
	if t.Min != nil {
		args["min"] = messages.Figure(*t.Min)
	}
	if t.Max != nil && *t.Max < beyondReason {
		args["max"] = messages.Figure(*t.Max)
	}
	switch {
	case t.Min != nil && args["max"] != nil:
		return messages.Message{Key: "remedy.number-between", Args: args}
	case t.Min != nil:
		return messages.Message{Key: "remedy.number-from", Args: args}
	case args["max"] != nil:
		return messages.Message{Key: "remedy.number-to", Args: args}
	}
	return messages.Message{Key: "remedy.number", Args: args}
}

// beyondReason is the greatest number that is worth naming as a bound: nobody needs to hear that
// there are eight billion people.
const beyondReason = 1e9

// Units of templates that are written in several ways.
var (
	moneyUnits   = []string{"money", "currency"}
	percentUnits = []string{"percent", "%", "percentage", "per cent"}
)

// numberOf names the kind of number that t takes.
func numberOf(t *obligations.Template) messages.Message {
	unit := messages.Args{"unit": messages.Units(t.Unit)}
	switch {
	case slices.Contains(moneyUnits, t.Unit):
		return messages.Message{Key: "number.money"}
	case slices.Contains(percentUnits, t.Unit):
		return messages.Message{Key: "number.percent"}
	case t.Unit != "" && t.Integer:
		return messages.Message{Key: "number.whole-unit", Args: unit}
	case t.Unit != "":
		return messages.Message{Key: "number.unit", Args: unit}
	case t.Integer:
		return messages.Message{Key: "number.whole"}
	}
	return messages.Message{Key: "number"}
}
