package chat

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"quaestor/internal/language"
	"quaestor/obligations"
	"quaestor/sessions/objectives"
)

// Rule is a rule of good interviewing that a question can break.
type Rule string

// The rules, as in handbooks of survey design: one question at a time, no leading
// questions, words that everybody knows.
const (
	NoQuestion     Rule = "no_question"     // asks nothing
	SeveralAtOnce  Rule = "several_at_once" // has more than one question
	DoubleBarrel   Rule = "double_barrel"   // asks for two things with one question mark
	Leading        Rule = "leading"         // suggests its answer
	Jargon         Rule = "jargon"          // uses a technical word that the person did not use
	AnsweredBefore Rule = "answered_before" // asks for what is known
	TooLong        Rule = "too_long"        // is too long to take in at once
	OffPlan        Rule = "off_plan"        // of a reply: asks for something else than the turn does
)

// Problem is one broken rule in a question.
type Problem struct {
	Rule  Rule
	Field string // of an objective, such as "pools.industry[1]"; empty for a single wording
	At    int    // where the words at fault begin, in bytes
	End   int    // where they end
	Words string // the words at fault
	Hint  string // one sentence on what would be right
}

// LintContext is what a question is checked against besides its own words. The zero value
// checks only the words.
type LintContext struct {
	Heard  string                   // what the person and the objective's wordings said: words in it are no jargon
	Jargon []string                 // words that an objective marks as jargon, besides the list below
	Known  []obligations.Obligation // asking for what is satisfied among these breaks AnsweredBefore
	Asks   string                   // key of the obligation the question is for
	Agrees bool                     // the question asks for a yes or no to a value, and so is not leading
	Pools  map[string][]string      // wordings of the objective
}

// Bounds of a question. The longest in the shipped objectives has 19 words and 98 runes;
// a model needs some room to refer to what was said.
const (
	maxQuestionWords = 32
	maxQuestionRunes = 240
)

// LintQuestion returns the rules that a question breaks, in the order of the words at
// fault. Languages other than English are checked for length and question marks only.
func LintQuestion(text string, b LintContext) []Problem {
	l := linter{text: text, lower: lowerASCII(text), b: b}
	for _, check := range []func(){l.marks, l.length, l.barrels, l.leading, l.jargon, l.repeats} {
		check()
	}
	slices.SortStableFunc(l.found, func(a, b Problem) int { return a.At - b.At })
	return l.found
}

// LintObjective returns the rules that the wordings of d's questions break, each with its
// field.
func LintObjective(d *objectives.Definition) []Problem {
	var out []Problem
	var b LintContext
	for i := range d.Obligations {
		b.Jargon = append(b.Jargon, markedJargon(&d.Obligations[i])...)
	}
	add := func(field, text string) {
		for _, p := range LintQuestion(text, b) {
			p.Field = field
			out = append(out, p)
		}
	}
	pools := map[string]bool{}
	for i := range d.Obligations {
		t := &d.Obligations[i]
		add("obligations["+strconv.Itoa(i)+"].prompt", t.Prompt)
		if t.PoolID == "" || pools[t.PoolID] {
			continue
		}
		pools[t.PoolID] = true
		for n, w := range d.Pools[t.PoolID] {
			add("pools."+t.PoolID+"["+strconv.Itoa(n)+"]", w)
		}
	}
	return out
}

// jargonPrefix opens the line of a template's agentNotes that lists words to treat as
// jargon, separated by commas.
const jargonPrefix = "jargon:"

// markedJargon returns the words that t marks as jargon, in lower case.
func markedJargon(t *obligations.Template) []string {
	var out []string
	for line := range strings.SplitSeq(t.AgentNotes, "\n") {
		words, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(line)), jargonPrefix)
		if !ok {
			continue
		}
		for w := range strings.SplitSeq(words, ",") {
			if w = strings.TrimSpace(w); w != "" {
				out = append(out, w)
			}
		}
	}
	return out
}

// lowerASCII returns text with its ASCII letters in lower case. Every byte stays in its
// place, so that offsets hold for both.
func lowerASCII(text string) string {
	out := []byte(text)
	for i, c := range out {
		if 'A' <= c && c <= 'Z' {
			out[i] = c + 'a' - 'A'
		}
	}
	return string(out)
}

// linter checks one question.
type linter struct {
	text, lower string
	b           LintContext
	found       []Problem
	topic       []string // topical words of text, set by repeats
}

// add adds a problem with the words from at to end.
func (l *linter) add(rule Rule, at, end int, hint string) {
	end = min(max(end, at), len(l.text))
	l.found = append(l.found, Problem{Rule: rule, At: at, End: end, Words: l.text[at:end], Hint: hint})
}

// questionMarks are those of Latin, Chinese and Arabic scripts.
const questionMarks = "?？؟"

// marks requires exactly one question mark.
func (l *linter) marks() {
	var at []int
	for i, r := range l.text {
		if strings.ContainsRune(questionMarks, r) {
			at = append(at, i)
		}
	}
	switch {
	case len(at) == 0:
		l.add(NoQuestion, 0, len(l.text), "Put it as a question that ends with a question mark.")
	case len(at) > 1:
		l.add(SeveralAtOnce, at[0], len(l.text), "Ask one thing; the other may be a question of its own.")
	}
}

// length bounds words, and runes for languages that do not separate words.
func (l *linter) length() {
	if words := len(strings.Fields(l.text)); words > maxQuestionWords || utf8.RuneCountInString(l.text) > maxQuestionRunes {
		l.add(TooLong, 0, len(l.text), "Say it in at most 32 words.")
	}
}

// doubled matches questions that ask for two things: "and/or", a second question word
// after "and" or after a comma, two properties of one owner, a second question.
var doubled = []*regexp.Regexp{
	regexp.MustCompile(`\band/or\b`),
	regexp.MustCompile(`\b(?:and|or|plus),?\s+(?:(?:also|if so|then|in that case)\s*,?\s+)*(?:(?:to|for|by|with|from|in|at|of|on|since|until)\s+)?(?:what|who|whom|whose|where|when|why|how|which)\b[^?]*\?`),
	regexp.MustCompile(`,\s+(?:what|how|why)\b[^?]*\?`),
	regexp.MustCompile(`\b(?:and|plus)\s+(?:(?:also|then)\s+)?(?:do|does|did|are|is|was|were|have|has|can|could|will|would|should)\s+(?:you|it|they|there|this|that|he|she|we|your|the|any)\b`),
	regexp.MustCompile(`\b(?:what|who|which|how \w+)\s+(?:is|are|was|were|about)\s+(?:your|the|its|their)\s+(?:[\w-]+\s+){1,2}and\s+(?:(?:your|the|its|their)\s+)?(?:[\w-]+\s*){1,2}\?`),
	regexp.MustCompile(`\?\s*(?:and|or)\b`),
}

// asking matches the words with which questions begin. Without one before it, a second
// question word belongs to the first question, as in "what do you do when it rains".
var asking = regexp.MustCompile(`\b(?:what|who|whom|whose|where|when|why|how|which|do|does|did|are|is|was|were|have|has|can|could|will|would|should)\b`)

// barrels finds questions that ask for two things. A clause before a comma is part of the
// question that it leads to, unless it asks something itself.
func (l *linter) barrels() {
	for i, pattern := range doubled {
		at := pattern.FindStringIndex(l.lower)
		if at == nil {
			continue
		}
		if secondary := i == 1 || i == 2; secondary && (!asking.MatchString(l.lower[:at[0]]) || subordinate(l.lower, at[0])) {
			continue
		}
		l.add(DoubleBarrel, at[0], at[1], "Ask for one thing at a time.")
		return
	}
}

// conditional matches the beginning of a clause that only leads up to the question.
var conditional = regexp.MustCompile(`^(?:(?:so|and|but|now|then|well|to begin with|to start us off),?\s+)?(?:when|where|if|once|after|before|while|as|since|given|thinking|looking|counted|compared|on|in|at|for|of|with|by|under|apart|besides|a|an|the|without)\b`)

// subordinate reports whether the text before the comma at at only leads up to the
// question after it.
func subordinate(text string, at int) bool {
	return text[at] == ',' && conditional.MatchString(text[:at])
}

// suggestive matches words that suggest the answer.
var suggestive = []*regexp.Regexp{
	regexp.MustCompile(`\b(?:don['’]t|doesn['’]t|didn['’]t|isn['’]t|aren['’]t|wasn['’]t|weren['’]t|won['’]t|wouldn['’]t|shouldn['’]t|couldn['’]t|can['’]t|haven['’]t|hasn['’]t) (?:you|it|they|that|this|he|she|we|there)\b`),
	regexp.MustCompile(`\b(?:do|does|did|is|are|would|should|could|can) (?:you|it|they|that|this|we) not\b`),
	regexp.MustCompile(`\b(?:surely|obviously|undoubtedly|of course|clearly|needless to say|presumably|no doubt|as we all know|everyone knows|everybody knows)\b`),
	regexp.MustCompile(`\b(?:would|wouldn['’]t|do|don['’]t) you (?:not )?(?:agree|say that|concede|admit)\b`),
	regexp.MustCompile(`\b(?:i assume|i suppose|i guess|i imagine|i take it|i bet|i['’]m sure|i am sure|you must|you probably|you surely|let me guess)\b`),
	regexp.MustCompile(`,\s*(?:right|correct|yes|no|true|ok|okay)\s*\?`),
	regexp.MustCompile(`\b(?:is|isn['’]t) (?:that|it|this) (?:right|correct|so|true)\s*\?`),
	regexp.MustCompile(`\bhow (?:much do you (?:love|like|enjoy|hate|dislike)|(?:great|good|amazing|wonderful|bad|terrible|awful|excited|delighted|annoying) (?:is|was|are|were|would))\b`),
	regexp.MustCompile(`\bwhy (?:is|are|was|were) \S+(?: \S+)? (?:so|such|too) `),
	regexp.MustCompile(`\bthe (?:best|obvious|right|only sensible) (?:choice|answer|option|way) (?:is|would be)\b`),
}

// leading finds questions that suggest their answer.
func (l *linter) leading() {
	if l.b.Agrees {
		return
	}
	for _, pattern := range suggestive {
		if at := pattern.FindStringIndex(l.lower); at != nil {
			l.add(Leading, at[0], at[1], "Leave the answer open.")
			return
		}
	}
}

// jargonWords are words of business and software that outsiders stumble over.
var jargonWords = strings.Fields(`kpi kpis okr okrs roi tam cac ltv arpu mrr arr ebitda capex opex b2b b2c saas paas mvp usp sla slas api apis crm erp gtm icp nps
	poc rfp rfi etl stakeholder stakeholders deliverable deliverables synergy synergies leverage monetise monetize monetisation monetization verticals touchpoint
	touchpoints onboarding churn upsell cross-sell ideate ideation persona personas epics backlog roadmap milestones workstream workstreams learnings actionable
	scalability scalable bandwidth omnichannel stickiness gamification whitelabel microservices middleware backend frontend devops throughput latency idempotent
	schema taxonomy ontology governance runway cohort cohorts funnel north-star paradigm holistic granular granularity operationalise operationalize`)

// jargonPhrases are the same, of several words.
var jargonPhrases = []string{"value proposition", "value prop", "pain point", "pain points", "go-to-market", "go to market", "use case", "use cases", "low-hanging fruit",
	"burn rate", "gross margin", "unit economics", "product-market fit", "north star", "customer journey", "user story", "user stories", "tech stack", "core competency",
	"core competencies", "change management", "thought leadership", "blue ocean", "non-functional", "addressable market", "revenue stream", "revenue streams", "best practice",
	"best practices", "key performance"}

// jargon finds technical words that the person has not used.
func (l *linter) jargon() {
	heard := "" // computed when the first word needs it, which is rare
	for _, list := range [][]string{jargonWords, jargonPhrases, l.b.Jargon} {
		for _, w := range list {
			at := wordAt(l.lower, w)
			if at < 0 {
				continue
			}
			if heard == "" {
				heard = " " + plainWords(l.b.Heard) + " "
			}
			if strings.Contains(heard, " "+plainWords(w)+" ") {
				continue
			}
			l.add(Jargon, at, at+len(w), "Say it in everyday words, or in the person's own.")
		}
	}
}

// wordAt returns where w occurs in text as a whole word, or -1.
func wordAt(text, w string) int {
	for from := 0; from <= len(text); {
		i := strings.Index(text[from:], w)
		if i < 0 {
			return -1
		}
		at, end := from+i, from+i+len(w)
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[end:])
		if !wordRune(before) && !wordRune(after) {
			return at
		}
		from = end
	}
	return -1
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// plainWords returns the words of text in lower case, with single spaces between them.
func plainWords(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), separates), " ")
}

// separates reports whether r separates words.
func separates(r rune) bool { return !wordRune(r) && r != '\'' && r != '’' }

// sameQuestion is the share of topical words that two questions must have in common to
// count as the same. Three of four allows for one word that was swapped.
const sameQuestion = 0.75

// repeats finds questions that ask for what is satisfied. A question that is closer to
// the obligation it is for is none of those.
func (l *linter) repeats() {
	l.topic = topicalWords(l.text)
	own := l.closeness(obligations.Find(l.b.Known, l.b.Asks))
	for i := range l.b.Known {
		o := &l.b.Known[i]
		if o.Status != obligations.Satisfied || o.Key == l.b.Asks {
			continue
		}
		if near := l.closeness(o); near >= sameQuestion && near > own {
			l.add(AnsweredBefore, 0, len(l.text), "This is known already: "+o.Name()+".")
			return
		}
	}
}

// closeness returns how similar the question is to the most similar wording of o, 0 to 1.
// It is 0 for nil.
func (l *linter) closeness(o *obligations.Obligation) float64 {
	if o == nil {
		return 0
	}
	best := l.likeness(o.Prompt)
	for _, w := range l.b.Pools[o.PoolID] {
		best = max(best, l.likeness(w))
	}
	return best
}

// likeness returns the share of topical words that the question has in common with
// another text (the Jaccard index).
func (l *linter) likeness(text string) float64 {
	other := topicalWords(text)
	if len(l.topic) == 0 || len(other) == 0 {
		return 0
	}
	common := 0
	for _, w := range other {
		if slices.Contains(l.topic, w) {
			common++
		}
	}
	return float64(common) / float64(len(l.topic)+len(other)-common)
}

// topicalWords returns the words of a text that have a topic, each once.
func topicalWords(text string) []string {
	var out []string
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), separates) {
		if !language.IsWord("topicless", w) && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}
