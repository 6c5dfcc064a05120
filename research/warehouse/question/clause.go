package question

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"quaestor/internal/language"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/metrics"
)

// sentenceEnds parts a request into sentences. A colon ends a lead such as "look that up:".
var sentenceEnds = regexp.MustCompile(`[?!;:\n]+(?:\s|$)|\.(?:\s|$)`)

// lead matches how a request begins, and whereabouts where it says that the answer is.
var (
	lead = regexp.MustCompile(`(?i)^\W*(?:(?:please|hey|hi|hello|ok(?:ay)?|so|well|and|could|can|would|will|you|just|maybe|bitte|kannst|koennen|können|könnten|könntest|sie|du|ihr|mal|nach|doch|quickly|kurz|also)\W+)*` +
		`(?:(?:look(?:ing)?(?: it| that| this)?(?: up| into| at)?|check|find(?: out)?|search(?: for)?|query|pull(?: up)?|get|see|tell(?: me| us)?|show(?: me| us)?|give(?: me| us)?|verify|fetch|calculate|compute|schau(?:en|t)?(?: sie)?|sieh|seht|such(?:en|t)?(?: sie)?|prüf(?:en|t)?(?: sie)?|finde(?:t)?|frag(?:en|t)?(?: sie)?|zeig(?:en|t)?(?: mir| uns)?|sag(?:en|t)?(?: mir| uns)?|nachsehen|nachschauen|i (?:want|need|would like) to know|we (?:want|need) to know)\b\W*)+` +
		`(?:(?:up|out|for me|for us|if|whether|that|this|it|mal|bitte|nach|heraus|mir|uns|das|es)\b\W*)*`)
	whereabouts = regexp.MustCompile(`(?i)\b(?:in|into|from|inside|within|using|via|through|against|at|according to|based on|going by|judging by|aus|auf|laut|gemäß|nach|anhand|mit)\s+(?:our|my|the|your|unser(?:e[mnrs]?)?|mein(?:e[mnrs]?)?|der|dem|den)\s+(?:own\s+)?` +
		`(?:data\s?warehouse|data\s?base|data\s?lake|warehouse|databases?|data|dwh|db|systems?|records|books|numbers|figures|datenbank(?:en)?|daten|system(?:en)?|zahlen|warehouse)\b\s*(?:nach\b)?,?`)
	measured = regexp.MustCompile(`(?i)\b(?:how (?:many|much|often|high|long|large|big)|what|which|wie|welche[rsnm]?|was|(?:the )?(?:number|average|total|sum|share|percentage|maximum|minimum|count) of|anzahl|summe|durchschnitt|anteil|our|unser(?:e[mnrs]?)?)\b`)
)

// clauseOf returns the part of a request that is the question: without where it is to be looked
// up, and without a lead. named are names of the warehouse, which say where as well.
func clauseOf(request string, named ...string) string {
	for _, name := range named {
		if name = strings.TrimSpace(name); name != "" {
			request = inWarehouse(name).ReplaceAllString(request, " $1")
		}
	}
	request = whereabouts.ReplaceAllString(request, " ")
	var best string
	for _, s := range sentences(request) {
		s = strings.TrimSpace(strings.Trim(strings.TrimSpace(lead.ReplaceAllString(s, "")), ",.–—-"))
		switch {
		case s == "" || !strings.ContainsFunc(s, isLetter), placeAlone.MatchString(s):
		case best == "" || !measured.MatchString(best) && measured.MatchString(s):
			best = s
		}
	}
	return best
}

// placeAlone matches what says where to look, and nothing else: "in our Bike shop warehouse".
var placeAlone = regexp.MustCompile(`(?i)^(?:in|into|from|inside|within|using|via|through|against|at|aus|auf)\s+(?:our|my|the|your|unser(?:e[mnrs]?)?|mein(?:e[mnrs]?)?|der|dem|den)\s+(?:[\p{L}\d_-]+\s+){0,4}(?:data\s?warehouse|data\s?base|warehouse|databases?|data|dwh|db|systems?|datenbank(?:en)?|daten|system(?:en)?)$`)

// inWarehouse matches the name of a warehouse with the words that say that it is where to look: "in the warehouse Erp",
// "according to our Erp data". The article may be missing, but not the preposition.
func inWarehouse(name string) *regexp.Regexp {
	const kind = `(?:data\s?warehouse|data\s?base|warehouse|database|data|dwh|db|system|datenbank|daten)`
	return regexp.MustCompile(`(?i)(?:^|[\s,;])(?:in|into|from|inside|within|using|via|according to|based on|going by|aus|laut|gemäß|anhand|bei)\s+(?:(?:our|my|the|your|unser(?:e[mnrs]?)?|mein(?:e[mnrs]?)?|der|dem|den|die)\s+)?(?:own\s+)?(?:` + kind + `\s+)?["“„']?` +
		regexp.QuoteMeta(name) + `["”“']?(?:[\s-]+` + kind + `)?(?:$|([\s,;:?!.)]))`)
}

// sentences parts a request into its sentences. The full stop of an ordinal, as in "vom 1. bis 15. Oktober", ends none.
func sentences(request string) []string {
	var out []string
	from := 0
	for _, end := range sentenceEnds.FindAllStringIndex(request, -1) {
		next, _, _ := strings.Cut(request[end[1]:], " ")
		next = language.Fold(strings.Trim(next, "?!.,;:"))
		if ordinal.MatchString(request[from:end[0]]) && request[end[0]] == '.' && (afterOrdinal[next] || language.IsWord("month", next)) {
			continue
		}
		out, from = append(out, request[from:end[0]]), end[1]
	}
	return append(out, request[from:])
}

// A number that may be an ordinal, and what follows ordinals beside months.
var (
	ordinal      = regexp.MustCompile(`(?:^|[^\p{L}\d.,])\d{1,2}$`)
	afterOrdinal = setOf("bis und oder kw kalenderwoche woche quartal halbjahr tag")
)

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 127 }

// tokensOf returns the tokens of a clause: dates and figures first, then phrases, then single
// words. now is the day of the question. What definitions are named by are tokens of their own.
func tokensOf(clause, tag string, now time.Time, named ...metrics.Match) []token {
	reader, words := language.NewReader(tag), language.Words(clause)
	dates, figures := reader.Dates(words, now, language.Behind), reader.Figures(words)
	spans := spansIn(reader, words, now)
	var out []token
	for i := 0; i < len(words); {
		if t, n := definedAt(words, named, i); n > 0 {
			out, i = append(out, t), i+n
			continue
		}
		if t, n := recurringAt(words, i); n > 0 {
			out, i = append(out, t), i+n
			continue
		}
		if t, n := spans.at(i); n > 0 {
			out, i = append(out, t), i+n
			continue
		}
		if t, n := dateAt(words, dates, i); n > 0 {
			out, i = append(out, t), i+n
			continue
		}
		if t, n := quotedAt(clause, words, i); n > 0 {
			out, i = append(out, t), i+n
			continue
		}
		if t, n := phraseAt(words, i); n > 0 {
			out, i = append(out, t), i+n
			continue
		}
		if t, n := codeAt(clause, words, i); n > 0 {
			out, i = append(out, t), i+n
			continue
		}
		if t, n := figureAt(words, figures, i); n > 0 {
			out, i = append(out, t), i+n
			continue
		}
		word := language.Fold(words[i].Text)
		if strings.ContainsFunc(word, func(r rune) bool { return isLetter(r) || r >= '0' && r <= '9' }) {
			out = append(out, token{text: words[i].Text, word: word, asked: askedFor(word)})
		}
		i++
	}
	return out
}

// dateAt returns the date that begins at word i. The prepositions "in" and "on" before it are
// skipped as words that say nothing.
func dateAt(words []language.Word, dates []language.DateValue, i int) (token, int) {
	at := slices.IndexFunc(dates, func(d language.DateValue) bool { return d.From == i })
	if at < 0 {
		return token{}, 0
	}
	d := dates[at]
	t := token{date: &d, text: textOf(words[d.From:d.To])}
	month, year := false, false
	for _, w := range words[d.From:d.To] {
		month = month || language.IsWord("month", w.Text)
		year = year || len(w.Text) == 4 && strings.Trim(w.Text, "0123456789") == ""
		for _, kind := range []string{"last", "this", "next"} {
			year = year || language.IsWord(kind, w.Text)
		}
	}
	t.yearless = month && !year
	t.part = partOfDate(words, d)
	if w := weekAgo(words, d); w != nil {
		t.date = w
	}
	return t, d.To - d.From
}

func day(t time.Time) string { return t.Format(time.DateOnly) }

// quotedAt returns what stands between quotation marks from word i on.
func quotedAt(clause string, words []language.Word, i int) (token, int) {
	if !strings.ContainsAny(words[i].Text, `"“„«`) {
		return token{}, 0
	}
	for k := i + 1; k < len(words); k++ {
		if strings.ContainsAny(words[k].Text, `"”“»`) && k > i+1 {
			text := clause[words[i].To:words[k].From]
			return token{text: text, word: language.Fold(text), quoted: true, asked: []string{language.Fold(text)}}, k - i + 1
		}
	}
	return token{}, 0
}

// phraseAt returns the longest phrase at word i. A single word in capitals is a value rather than
// a phrase: IN may be a state.
func phraseAt(words []language.Word, i int) (token, int) {
	for n := min(longestPhrase, len(words)-i); n > 0; n-- {
		var parts []string
		for _, w := range words[i : i+n] {
			parts = append(parts, language.Fold(strings.ReplaceAll(w.Text, "’", "'")))
		}
		if s, ok := phrases[strings.Join(parts, " ")]; ok {
			return token{text: textOf(words[i : i+n]), word: strings.Join(parts, " "), sign: s}, n
		}
	}
	return token{}, 0
}

// figureAt returns the number at word i. A number with a unit takes up the number alone.
func figureAt(words []language.Word, figures []language.Figure, i int) (token, int) {
	at := slices.IndexFunc(figures, func(f language.Figure) bool { return i >= f.From && i < f.To })
	if at < 0 || !strings.ContainsAny(words[i].Text, "0123456789") && figures[at].From != i {
		return token{}, 0
	}
	f := figures[at]
	if f.Low != f.High {
		return token{}, 0
	}
	n := 1
	if !strings.ContainsAny(words[i].Text, "0123456789") {
		n = f.To - f.From
	}
	return token{text: textOf(words[i : i+n]), number: &f.Low}, n
}

func textOf(words []language.Word) string {
	parts := make([]string, len(words))
	for i, w := range words {
		parts[i] = w.Text
	}
	return strings.Join(parts, " ")
}

// Clause returns the part of a request that is the question: "how many flights were late in March"
// of "please look that up in our warehouse: how many flights were late in March?". It is the request
// itself if there is no other part.
// named are the names of warehouses, which say where to look.
func Clause(request string, named ...string) string {
	if Bare(request) {
		return request
	}
	return clauseOf(request, named...)
}

// Bare reports whether a request names nothing to ask for: "look that up in our database".
func Bare(request string) bool {
	return !slices.ContainsFunc(tokensOf(clauseOf(request), "en", time.Now()), func(t token) bool { return t.names() })
}

// Alike reports whether at least two thirds of what one question names stands in another, in English
// or German.
func Alike(one, other string) bool {
	same, named := namedIn(one, other)
	return named > 0 && 3*same >= 2*named
}

// namedIn returns how much a question names, and how much of that stands in another.
func namedIn(one, other string) (same, named int) {
	second := map[string]bool{}
	for _, t := range tokensOf(other, "en", time.Now()) {
		if t.names() {
			for _, w := range t.asked {
				second[catalog.Singular(w)] = true
			}
		}
	}
	for _, t := range tokensOf(clauseOf(one), "en", time.Now()) {
		if t.names() {
			named++
			if slices.ContainsFunc(t.asked, func(w string) bool { return second[catalog.Singular(w)] }) {
				same++
			}
		}
	}
	return same, named
}

// kinds match the words that say which kind of figure is asked for. A question for one kind is not
// answered by a figure of another.
var kinds = []*regexp.Regexp{
	regexp.MustCompile(`(?i)\b(?:average|avg|mean|on average|durchschnitt\p{L}*|mittel\p{L}*)\b`),
	regexp.MustCompile(`(?i)\b(?:share|percentage|percent|proportion|anteil\p{L}*|prozent\p{L}*)\b|%`),
	regexp.MustCompile(`(?i)\b(?:a|per|each|every|pro|am) (?:day|tag)\b|\b(?:daily|täglich\p{L}*)\b`),
	regexp.MustCompile(`(?i)\b(?:total|sum|gesamt\p{L}*|summe)\b`),
}

// Measures reports whether a figure, given in words such as "average delay for city “Braga”", is what a
// question asks for: each names all that the other names, and both are of one kind. It knows
// English and German.
func Measures(asked, figure string) bool {
	for _, k := range kinds {
		if k.MatchString(asked) != k.MatchString(figure) {
			return false
		}
	}
	there, named := namedIn(figure, asked)
	back, wanted := namedIn(asked, figure)
	return named > 0 && there == named && back == wanted
}
