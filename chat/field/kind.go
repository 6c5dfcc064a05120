package field

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
)

// Kind returns the type of value that t asks for: as it says, else by its widget and
// the words of its question.
func Kind(t *obligations.Template) listening.Type {
	if k, ok := listening.TypeNamed(t.ValueType); ok {
		return k
	}
	switch t.Widget {
	case obligations.ChoiceOne, obligations.MultiSelect:
		if IsYesNo(t) {
			return listening.YesNo
		}
		return listening.Choice
	case obligations.Date:
		return listening.Date
	case obligations.Number:
		switch unit := Unit(t); {
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

// IsYesNo reports whether the choices of t are yes and no.
func IsYesNo(t *obligations.Template) bool {
	return len(t.Choices) == 2 && YesNoChoice(t, true) != nil && YesNoChoice(t, false) != nil
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

// Labels are what people read of t's choices, in their order.
func Labels(t *obligations.Template) []string {
	out := make([]string, len(t.Choices))
	for i, c := range t.Choices {
		out[i] = c.Label
	}
	return out
}

// TakesNoFigure reports whether t is for a text, or for choices none of which is a figure.
func TakesNoFigure(t *obligations.Template) bool {
	if len(t.Choices) > 0 {
		return !slices.ContainsFunc(t.Choices, func(c obligations.Choice) bool {
			return strings.ContainsAny(c.Label+strings.Join(c.Synonyms, ""), "0123456789")
		})
	}
	return t.Widget == obligations.Text && Kind(t) == listening.Text
}

// YesNoChoice returns the value of the choice of t whose label begins with a yes, or with a no, in any
// language that has a lexicon; nil for none.
func YesNoChoice(t *obligations.Template, yes bool) json.RawMessage {
	kind := map[bool]string{true: "yes", false: "no"}[yes]
	for _, c := range t.Choices {
		words := language.Words(c.Label)
		if len(words) == 0 {
			continue
		}
		first := language.Fold(words[0].Text)
		for _, l := range language.All() {
			if l.Has(kind, first) {
				return Encode(c.Value)
			}
		}
	}
	return nil
}

// TakesSeveral reports whether t takes a list: several choices, or a text of items.
func TakesSeveral(t *obligations.Template) bool {
	return t.Widget == obligations.MultiSelect || Kind(t) == listening.List
}

// Plausible reports whether a text can be a value of a kind at all: a telephone number has digits, unless
// it was dictated, and a name is more than a greeting.
func Plausible(kind listening.Type, s string) bool {
	digits, letters := 0, 0
	for _, r := range s {
		if unicode.IsDigit(r) {
			digits++
		}
		if unicode.IsLetter(r) {
			letters++
		}
	}
	words := language.Words(s)
	switch kind {
	case listening.Phone:
		return digits > 4 || letters > 0 && len(words) > 4 // dictated
	case listening.Email:
		return strings.Contains(s, "@") || len(words) > 3
	case listening.Identifier:
		return digits > 0 || len(words) < 4 || len(language.NewReader("en").Figures(words)) > 0 // dictated
	case listening.Person, listening.Organisation, listening.Place, listening.Product:
		return letters > 0 && !allPlain(words)
	}
	return letters+digits > 0
}

// allPlain reports whether words are greetings or little words only, which name nothing.
func allPlain(words []language.Word) bool {
	folded := language.Folded(words)
	phrase := strings.Join(folded, " ")
	for _, l := range language.All() {
		if l.Said(phrase) != "" {
			return true
		}
	}
	return len(words) > 0 && len(listening.Stems(strings.Join(folded, " "))) == 0 && len(words) > 1
}

// LooksBack reports whether the question of t asks for what lies behind: "since when", "wann wurde".
func LooksBack(t *obligations.Template) bool { return language.Says("behind", t.Prompt) }

// LooksAhead reports whether t asks for a day to come: its words speak of a deadline or a launch, and
// none of the past.
func LooksAhead(t *obligations.Template) bool {
	words := t.Prompt + " " + t.Name() + " " + strings.ReplaceAll(t.Key, "_", " ")
	return language.Says("ahead", words) && !language.Says("behind", words)
}
