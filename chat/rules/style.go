package rules

import (
	"slices"
	"strings"
	"unicode"

	"quaestor/chat"
	"quaestor/sessions"
)

// readStyle returns how the person wants to be talked to according to a message: what
// they ask for ("keep it short, please"), else the tone they use. It reads English. What a
// message says about other things ("our queue is too long") is not a request, since a
// request is a clause of its own, and short. The style is empty, and the map nil, when
// the message shows none.
func readStyle(message string) (sessions.Style, map[string]string) {
	var style sessions.Style
	var preferences map[string]string
	for _, clause := range styleClauses(message) {
		for _, w := range styleRequests {
			if !w.in(clause) {
				continue
			}
			if w.name == "" {
				style = sessions.Style(w.value)
				continue
			}
			if preferences == nil {
				preferences = map[string]string{}
			}
			preferences[w.name] = w.value
		}
	}
	if style == "" {
		style = tone(message)
	}
	return style, preferences
}

// Style shows at the beginning of a message; texts that are pasted behind it are somebody
// else's. A clause of more than twelve words is about something else.
const (
	maxStyleBytes  = 4 << 10
	maxStyleClause = 12
)

// styleClauses returns the clauses of a message in lower case, as words with one space
// between them.
func styleClauses(message string) []string {
	message = strings.NewReplacer("’", "'", " and ", ".", " but ", ".", " so ", ".", " because ", ".").Replace(strings.ToLower(styledPart(message)))
	var out []string
	for _, part := range strings.FieldsFunc(message, func(r rune) bool { return strings.ContainsRune(".,;:!?\n()–—", r) }) {
		words := strings.FieldsFunc(part, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' })
		if len(words) > 0 && len(words) <= maxStyleClause {
			out = append(out, strings.Join(words, " "))
		}
	}
	return out
}

func styledPart(message string) string {
	return strings.ToValidUTF8(message[:min(len(message), maxStyleBytes)], "")
}

// styleRequest is something people ask of an interviewer. Its phrases are whole clauses,
// without the polite words around them.
type styleRequest struct {
	name, value string // of a preference; without a name the value is a style
	phrases     []string
}

var styleRequests = []styleRequest{
	{chat.Brevity, "true", []string{"keep it short", "keep it brief", "keep this short", "be brief", "be quick", "be concise", "make it quick", "make it short", "get to the point", "shorter", "shorter answers",
		"shorter questions", "shorter messages", "short answers", "short questions", "less text", "stop rambling", "the short version", "keep your answers short", "keep your questions short",
		"keep your messages short", "keep your replies short", "that is too long", "that's too long", "this is too long", "your questions are too long", "your answers are too long",
		"your messages are too long", "your replies are too long", "that is too much text", "that's too much text", "too much text", "too wordy", "i don't have much time", "i don't have a lot of time"}},
	{chat.Brevity, "false", []string{"more detail", "give me more detail", "more details", "take your time", "you can be longer", "no need to be brief", "no need to keep it short", "don't be so brief", "explain more", "explain a bit more"}},
	{chat.PrefersExamples, "true", []string{"always give examples", "always give me examples", "always give an example", "always give me an example", "give me examples each time", "give an example each time", "examples help",
		"examples always help", "examples help me", "i like examples", "i prefer examples", "use examples", "use more examples", "give more examples", "more examples"}},
	{chat.PrefersExamples, "false", []string{"no examples", "no more examples", "no need for examples", "without examples", "skip the examples", "stop giving examples", "stop giving me examples", "i don't need examples", "i don't need any examples"}},
	{chat.TechnicalDepth, "low", []string{"i'm not technical", "i am not technical", "i'm not a technical person", "i am not a technical person", "i'm not a techie", "in plain words", "in plain english", "in simple words",
		"without jargon", "no jargon", "less technical", "less jargon", "explain it simply", "explain it in plain words", "explain it in simple words", "not so technical"}},
	{chat.TechnicalDepth, "high", []string{"get technical", "be technical", "i'm technical", "i am technical", "more technical", "use technical terms", "you can be technical", "you can get technical"}},
	{"", string(sessions.Formal), []string{"be formal", "be more formal", "keep it formal", "keep it professional", "use formal language", "address me formally"}},
	{"", string(sessions.Casual), []string{"be casual", "be more casual", "keep it casual", "be informal", "you can be casual", "you can be informal", "no need to be formal", "no need to be so formal", "don't be so formal"}},
}

// Polite words before and after a request.
var (
	politeLeads = []string{"please", "can you", "could you", "would you", "can we", "could we", "could i have", "can i have", "i would like", "i'd like", "i want", "just", "ok", "okay", "well", "sorry", "hey", "thanks",
		"let's", "feel free to", "you may", "maybe", "and", "try to", "you can", "i'd like you to", "i want you to", "i would like you to", "with", "then", "really", "also"}
	politeTails = []string{"please", "thanks", "thank you", "ok", "okay", "from now on", "if you can", "if possible", "next time", "for me", "a bit", "a little", "with me", "then", "now", "today", "again"}
)

// in reports whether a clause is the request.
func (w styleRequest) in(clause string) bool {
	for {
		if slices.Contains(w.phrases, clause) {
			return true
		}
		shorter := stripped(clause)
		if shorter == clause || shorter == "" {
			return false
		}
		clause = shorter
	}
}

// stripped returns a clause without one polite phrase at its beginning or end.
func stripped(clause string) string {
	for _, lead := range politeLeads {
		if rest, ok := strings.CutPrefix(clause, lead+" "); ok {
			return rest
		}
	}
	for _, tail := range politeTails {
		if rest, ok := strings.CutSuffix(clause, " "+tail); ok {
			return rest
		}
	}
	return clause
}

// Words that show a tone.
var (
	casualTone = strings.Fields("yeah yep yup nope nah hey hi lol haha gonna wanna gotta awesome btw cheers thx kinda sorta dunno idk yo folks guys cool")
	formalTone = strings.Fields("kindly regards sincerely furthermore moreover respectively pursuant dear sir madam whilst hereby hence therefore")
)

// tone returns the style a message is written in, or "" when it shows none.
func tone(message string) sessions.Style {
	score := 0 // above 0 is formal
	for _, word := range strings.FieldsFunc(strings.ToLower(styledPart(message)), func(r rune) bool { return !unicode.IsLetter(r) }) {
		switch {
		case slices.Contains(formalTone, word):
			score++
		case slices.Contains(casualTone, word):
			score--
		}
	}
	switch {
	case score > 0:
		return sessions.Formal
	case score < 0:
		return sessions.Casual
	}
	return ""
}
