package chat

import (
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

// NumberRemedy says within which bounds a number for t has to be; that it may be negative or
// not goes without saying.
func NumberRemedy(t *obligations.Template) messages.Message {
	args := messages.Args{}
	if t.Min != nil {
		args["min"] = messages.Figure(*t.Min)
	}
	if t.Max != nil && *t.Max < beyondReason {
		args["max"] = messages.Figure(*t.Max)
	}
	switch {
	case t.Min != nil && args["max"] != nil:
		return messages.Message{Key: "remedy.number-between", Args: args}
	case t.Min != nil && *t.Min != 0:
		return messages.Message{Key: "remedy.number-from", Args: args}
	case args["max"] != nil:
		return messages.Message{Key: "remedy.number-to", Args: args}
	}
	return messages.Message{Key: "remedy.number", Args: args}
}

// beyondReason is the greatest number that is worth naming as a bound: nobody needs to hear that
// there are eight billion people.
const beyondReason = 1e9
