package reading

import (
	"maps"
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/internal/language"
	"quaestor/sessions"
)

// styleRequest is something people ask of an interviewer: a preference, or without its name a style.
type styleRequest struct{ name, value string }

// styleRequests are the kinds of set phrases that ask for a manner of talking.
var styleRequests = map[string]styleRequest{
	"brief":      {chat.Brevity, "true"},
	"detailed":   {chat.Brevity, "false"},
	"examples+":  {chat.PrefersExamples, "true"},
	"examples-":  {chat.PrefersExamples, "false"},
	"technical-": {chat.TechnicalDepth, "low"},
	"technical+": {chat.TechnicalDepth, "high"},
	"formal":     {"", string(sessions.Formal)},
	"casual":     {"", string(sessions.Casual)},
}

// Style shows at the beginning of a message; texts that are pasted behind it are somebody
// else's.
const maxStyleBytes = 4 << 10

// readStyle returns how the person wants to be talked to according to a message: what
// they ask for ("keep it short, please"), else the tone they use. What a message says about other
// things ("our queue is too long") is not a request, since a request is a clause of its own. The
// style is empty, and the map nil, when the message shows none.
func readStyle(message string) (sessions.Style, map[string]string) {
	u := cut(strings.ToValidUTF8(message[:min(len(message), maxStyleBytes)], ""))
	style, preferences := sessions.Style(""), map[string]string{}
	for _, c := range u.clauses(u.all()) {
		for _, part := range u.joined(c) {
			switch want, ok := styleRequests[u.phraseIn(part)]; {
			case !ok:
			case want.name == "":
				style = sessions.Style(want.value)
			default:
				preferences[want.name] = want.value
			}
		}
	}
	if style == "" {
		style = u.tone()
	}
	if len(preferences) == 0 {
		return style, nil
	}
	return style, maps.Clone(preferences)
}

// joined cuts a clause at its "and" and "but".
func (u *utterance) joined(c wordRange) []wordRange {
	out := []wordRange{}
	begun := c.from
	for i := c.from; i <= c.to; i++ {
		if i == c.to || language.IsWord("and", u.folded()[i]) || language.IsWord("contrast", u.folded()[i]) {
			out = append(out, wordRange{begun, i})
			begun = i + 1
		}
	}
	return slices.DeleteFunc(out, func(r wordRange) bool { return r.len() <= 0 })
}

// tone returns the style a message is written in, or "" when it shows none.
func (u *utterance) tone() sessions.Style {
	score := 0 // above 0 is formal
	for _, w := range u.words {
		switch {
		case language.IsWord("formal", w.Text):
			score++
		case language.IsWord("casual", w.Text):
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
