package objectives

import (
	"regexp"
	"slices"
	"strings"

	"quaestor/internal/language"
)

// A schema's titles are mostly names, but some are questions: "Does the warehouse hold costs?", or the clause of one,
// such as "What you sell, and to whom". English and German are told apart.
var (
	asking       = regexp.MustCompile(`(?i)^(?:(?:after|from|up to|in|of|for|to|with|by|at|on|until|since|within) )?(?:what|which|who|whom|whose|how|where|when|why|whether)\b`)
	askingGerman = regexp.MustCompile(`(?i)^(?:(?:ab|aus|bis|bis zu|für|in|mit|nach|seit|von|zu|an|auf|bei) )?(?:was|welche[mnrs]?|wer|wem|wen|wessen|wie|wo|woher|wohin|womit|wofür|wann|warum|ob)(?:\s|$)`)
	leadingThe   = regexp.MustCompile(`(?i)^the\s+`)
	headEnd      = regexp.MustCompile(`(?i),|\s(?:you|we|that|which|who|with|of|in|to|on|by|for|from|such|per|at|not)\s`)
)

// isQuestion reports whether a title asks by itself.
func isQuestion(title string) bool {
	return strings.HasSuffix(strings.TrimSpace(title), "?") || asking.MatchString(title) || askingGerman.MatchString(title)
}

// questionOf returns the question for what a title names.
func questionOf(title string) string {
	title = strings.TrimSpace(title)
	bare := strings.TrimRight(title, "?. ")
	switch {
	case strings.HasSuffix(title, "?"):
		return bare + "?"
	case asking.MatchString(bare):
		return "Can you tell me " + language.LowerFirst(bare) + "?"
	case askingGerman.MatchString(bare):
		return "Können Sie mir sagen, " + language.LowerFirst(bare) + "?"
	}
	name := leadingThe.ReplaceAllString(bare, "")
	if plural(name) {
		return "What are the " + language.LowerFirst(name) + "?"
	}
	return "What is the " + language.LowerFirst(name) + "?"
}

// plural reports whether an English name is of several things: "Countries and currencies".
func plural(name string) bool {
	head := name
	if at := headEnd.FindStringIndex(name); at != nil {
		head = name[:at[0]]
	}
	words := strings.Fields(strings.ToLower(head))
	if len(words) == 0 {
		return false
	}
	if slices.Contains(words, "and") {
		return true
	}
	last := words[len(words)-1]
	for _, one := range []string{"ss", "us", "is", "news", "sms", "gps", "species"} {
		if strings.HasSuffix(last, one) {
			return false
		}
	}
	return strings.HasSuffix(last, "s") && len(last) > 3
}
