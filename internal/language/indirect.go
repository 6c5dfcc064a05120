package language

import (
	"slices"
	"strings"
)

// Indirect returns a question as a part of a sentence that asks whether something answers it: in
// English what follows "Is that" ("What do you sell?" is "what you sell", "What is your budget?"
// "your budget"), in German what follows "Ihre Antwort darauf," ("Was verkaufen Sie?" is "was Sie
// verkaufen"). It is empty where that takes more than another order of words.
func Indirect(tag, question string) string {
	l := Lexicons()[tag]
	for _, mark := range []string{", ", ": "} { // "To begin with, what …"
		if lead, rest, ok := strings.Cut(question, mark); ok && l != nil && len(strings.Fields(lead)) <= longestLead {
			if first := Words(rest); len(first) > 0 && l.Has("whword", Fold(first[0].Text)) {
				question = rest
			}
		}
	}
	if l == nil || strings.ContainsAny(question, ":;–—(“„\"") {
		return ""
	}
	question, _, _ = strings.Cut(strings.TrimSpace(question), ", ")
	words := strings.Fields(strings.TrimRight(question, "?! "))
	if len(words) < 3 || len(words) > longestIndirect || strings.ContainsAny(strings.Join(words, " "), "?.!,") {
		return ""
	}
	words[0] = LowerFirst(words[0])
	if !l.Has("whword", Fold(words[0])) && !l.Has("whhow", Fold(words[0])) {
		return ""
	}
	if l.Has("verborder", "last") {
		return indirectLast(l, words)
	}
	return indirectEnglish(l, words)
}

// longestIndirect bounds, in words, a question that can be told as a part of another.
const longestIndirect = 14

// longestLead bounds, in words, what leads up to a question.
const longestLead = 3

// indirectLast puts the verb of a question to its end.
func indirectLast(l *Lexicon, words []string) string {
	verb := 1
	if l.Has("whhow", Fold(words[0])) {
		verb = slices.IndexFunc(words, func(w string) bool { return l.Has("finite", Fold(w)) })
	}
	if verb < 1 || verb == len(words)-1 {
		return ""
	}
	said, rest := words[verb], slices.Concat(words[:verb], words[verb+1:])
	if end := len(rest) - 1; l.Has("particle-of-verb", Fold(rest[end])) {
		return strings.Join(rest[:end], " ") + " " + rest[end] + said
	}
	return strings.Join(rest, " ") + " " + said
}

// indirectEnglish undoes the inversion of an English question.
func indirectEnglish(l *Lexicon, words []string) string {
	wh, aux, rest := words[0], words[1], words[2:]
	last := rest[len(rest)-1]
	pronoun := slices.Contains([]string{"you", "they", "we", "people"}, rest[0])
	thing := l.Has("article", rest[0]) || slices.Contains([]string{"the", "your", "this"}, rest[0])
	switch {
	case aux == "do" && pronoun:
		return strings.Join(append([]string{wh}, rest...), " ")
	case pronoun && slices.Contains([]string{"are", "were", "have", "can", "could", "will", "would", "should", "must"}, aux):
		return strings.Join(append([]string{wh, rest[0], aux}, rest[1:]...), " ")
	case aux == "does" && thing && len(rest) == 3:
		return strings.Join([]string{wh, rest[0], rest[1], thirdPerson(last)}, " ")
	case aux != "is" && aux != "are" || !thing || slices.ContainsFunc(rest, func(w string) bool { return strings.HasSuffix(w, "ing") }):
		return ""
	case slices.Contains([]string{"about", "for", "like", "with", "from"}, last):
		return strings.Join(slices.Concat([]string{wh}, rest[:len(rest)-1], []string{aux, last}), " ")
	case wh == "what":
		return strings.Join(rest, " ")
	case len(rest) <= 4:
		return strings.Join(slices.Concat([]string{wh}, rest, []string{aux}), " ")
	}
	return ""
}

// thirdPerson returns an English verb as it stands after "it".
func thirdPerson(verb string) string {
	switch {
	case verb == "have":
		return "has"
	case strings.HasSuffix(verb, "o"), strings.HasSuffix(verb, "s"), strings.HasSuffix(verb, "sh"), strings.HasSuffix(verb, "ch"), strings.HasSuffix(verb, "x"):
		return verb + "es"
	}
	return verb + "s"
}
