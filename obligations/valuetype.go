package obligations

import "slices"

// ValueTypes are the kinds of thing a text may be, by widget the only ones that suit it.
// A person's answer is cut down to the value of that kind; see docs/objectives.md.
var ValueTypes = map[Widget][]string{
	Text:        {"person", "organisation", "place", "address", "product", "time", "duration", "email", "phone", "url", "identifier", "list", "text"},
	Number:      {"amount", "count", "measure", "percentage", "duration", "range"},
	Date:        {"date"},
	ChoiceOne:   {"choice", "yesno"},
	MultiSelect: {"choice", "list"},
}

// SuitsWidget reports whether the template's value type is one that its widget can hold.
// None suits every widget.
func (t *Template) SuitsWidget() bool {
	return t.ValueType == "" || slices.Contains(ValueTypes[t.Widget], t.ValueType)
}
