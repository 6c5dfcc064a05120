package question

import (
	"regexp"
	"strings"
	"time"

	"quaestor/internal/language"
)

// added matches how a change begins that comes on top of an earlier one.
var added = regexp.MustCompile(`(?i)^\W*(?:and|also|und|auch)\b\W*(?:also\b|auch\b)?\W*`)

// pronoun matches words that stand for the rows of the question, which name nothing: "the paid ones".
var pronoun = regexp.MustCompile(`(?i)\s+ones?\b`)

// atDate matches the words before a date that go with it.
var atDate = regexp.MustCompile(`(?i)(?:\s+(?:in|on|of|from|for|since|during|within|over|the|month|im|am|aus|von|vom|seit|für|der|den|dem|die))+\s*$`)

// Refine returns a question of other rows, in the words that it is asked again in: "how many orders did we have in
// May (that are paid)". A period in the change takes the place of that of the question, and the change itself that of
// an earlier one, unless it begins with "and" or "also". tag is the language of both; now the day of the change.
func Refine(question, change, tag string, now time.Time) string {
	question, change = strings.TrimRight(strings.TrimSpace(question), "?.! "), strings.Trim(strings.TrimSpace(change), "?.!,; ")
	base, before := question, ""
	if at := strings.LastIndex(question, " ("); at > 0 && strings.HasSuffix(question, ")") {
		base, before = question[:at], question[at+2:len(question)-1]
	}
	if rest := added.ReplaceAllString(change, ""); rest != change && rest != "" {
		change = rest
		if before != "" {
			change = before + " " + change
		}
	}
	change = pronoun.ReplaceAllString(change, "")
	if len(datesIn(change, tag, now)) > 0 {
		base = withoutDates(base, tag, now)
	}
	switch {
	case change == "":
		return base
	case base == "":
		return change
	}
	return base + " (" + change + ")"
}

// stretch is a part of a text, in bytes.
type stretch struct{ from, to int }

// datesIn returns where the dates and periods of a text stand, in order.
func datesIn(text, tag string, now time.Time) []stretch {
	words := language.Words(text)
	reader := language.NewReader(tag)
	dates, spans := reader.Dates(words, now, language.Behind), spansIn(reader, words, now)
	var out []stretch
	for i := 0; i < len(words); {
		_, n := dateAt(words, dates, i)
		if n == 0 {
			_, n = spans.at(i)
		}
		if n == 0 {
			i++
			continue
		}
		out = append(out, stretch{words[i].From, words[i+n-1].To})
		i += n
	}
	return out
}

// withoutDates returns a text without its dates and periods, and the prepositions before them.
func withoutDates(text, tag string, now time.Time) string {
	all := datesIn(text, tag, now)
	for i := len(all) - 1; i >= 0; i-- {
		head := atDate.ReplaceAllString(text[:all[i].from], "")
		text = head + " " + strings.TrimSpace(text[all[i].to:])
	}
	return strings.TrimSpace(text)
}
