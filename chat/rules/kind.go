package rules

import (
	"strings"

	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
)

// kindOf returns the type of value that t asks for: as it says, else by its widget and
// the words of its question.
func kindOf(t *obligations.Template) listening.Type {
	if k, ok := listening.TypeNamed(t.ValueType); ok {
		return k
	}
	switch t.Widget {
	case obligations.ChoiceOne, obligations.MultiSelect:
		if yesOrNo(t) {
			return listening.YesNo
		}
		return listening.Choice
	case obligations.Date:
		return listening.Date
	case obligations.Number:
		switch unit := unitOf(t.Unit); {
		case unit == "money":
			return listening.Amount
		case unit == "percent":
			return listening.Percentage
		case language.IsTime(unit):
			return listening.Duration
		case unit != "":
			return listening.Measure
		}
		return listening.Count
	case obligations.Text:
	}
	return textKind(strings.ToLower(t.Prompt))
}

// yesOrNo reports whether the choices of t are yes and no.
func yesOrNo(t *obligations.Template) bool {
	return len(t.Choices) == 2 && yesNoChoiceAny(t, true) != nil && yesNoChoiceAny(t, false) != nil
}

// kindWords open questions for texts of a type.
var kindWords = []struct {
	words string
	kind  listening.Type
}{
	{"e-mail", listening.Email}, {"email", listening.Email}, {"phone number", listening.Phone}, {"telephone", listening.Phone}, {"telefonnummer", listening.Phone},
	{"website", listening.URL}, {"web address", listening.URL}, {"webseite", listening.URL}, {"what time", listening.Time}, {"um wie viel uhr", listening.Time}, {"wann genau", listening.Time},
	{"postal address", listening.Address}, {"street address", listening.Address}, {"adresse", listening.Address},
	{"your name", listening.Person}, {"ihr name", listening.Person},
	{"which city", listening.Place}, {"which town", listening.Place}, {"which country", listening.Place}, {"welche stadt", listening.Place},
}

func textKind(prompt string) listening.Type {
	for _, k := range kindWords {
		if strings.Contains(prompt, k.words) {
			return k.kind
		}
	}
	return listening.Text
}

// labels are what people read of t's choices.
func labels(t *obligations.Template) []string {
	out := make([]string, len(t.Choices))
	for i, c := range t.Choices {
		out[i] = c.Label
	}
	return out
}
