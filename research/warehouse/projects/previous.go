package projects

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"quaestor/internal/language"
	"quaestor/research/warehouse/tokens"
)

// PastRun is the outcome of an earlier run.
type PastRun struct {
	Run         string
	At          time.Time
	Findings    []string // one line each, most important first: what was found, or what was asked
	Recommended []string // one line each
}

// Past is what a project's earlier runs came to, and what people made of it.
type Past struct {
	Runs     []PastRun // newest first
	Feedback []Feedback
	Watched  []string // findings that somebody watches, as they were seen last
	Budget   int      // tokens of the text; zero means 2,500
}

// How much of the past goes into a prompt.
const (
	pastBudget      = 2_500 // tokens: with the list of tables less than a third of the default window
	maxPastRuns     = 5
	maxPastLines    = 30
	maxJudged       = 15  // likes, and as many dislikes
	maxWatched      = 20  // findings
	maxJudgedRunes  = 200 // characters of a comment, and of what it is about
	maxFindingRunes = 200
)

// PreviousContext summarizes what the latest runs found and recommended, newest first, and what people
// made of it: what is known and what they disliked is to be avoided, what they watch or liked is to be
// monitored. Their words are quoted, so that they remain data. It has at most the budget's tokens:
// what people want comes first, and of the runs the lines that fit. It is empty if there is nothing to
// tell.
func PreviousContext(p Past) string {
	var wishes strings.Builder
	judged(&wishes, "AVOID what people found wrong or useless:", p.Feedback, Dislike)
	watched(&wishes, p.Watched)
	judged(&wishes, "MONITOR what people found useful, and say when it changes:", p.Feedback, Like)
	l := lines{left: cmp.Or(p.Budget, pastBudget) - tokens.Count(wishes.String())}
	past := p.Runs[:min(len(p.Runs), maxPastRuns)]
	if slices.ContainsFunc(past, func(r PastRun) bool { return len(r.Findings) > 0 }) {
		l.add("AVOID finding again what earlier runs found, unless it has changed:")
	}
	left := maxPastLines
	for _, r := range past {
		n := min(len(r.Findings), left)
		if n == 0 {
			continue
		}
		left -= n
		l.add("Run of " + r.At.UTC().Format(time.DateOnly) + ":")
		for _, f := range r.Findings[:n] {
			l.item(f)
		}
		if more := len(r.Findings) - n; more > 0 {
			l.item(fmt.Sprintf("and %d more", more))
		}
	}
	told := map[string]bool{}
	for _, r := range past {
		for _, c := range r.Recommended {
			if told[c] {
				continue
			}
			if len(told) == 0 {
				l.add("Recommended before, and not to be repeated unless it has changed:")
			}
			told[c] = true
			l.item(c)
		}
	}
	return strings.TrimSuffix(l.text.String()+wishes.String(), "\n")
}

// lines are lines of a text with a budget of tokens. Once one does not fit, no more are added.
type lines struct {
	text strings.Builder
	left int // tokens
	full bool
}

func (l *lines) item(s string) { l.add("- " + language.Clip(language.OneLine(s), maxFindingRunes)) }

func (l *lines) add(line string) {
	n := tokens.Count(line + "\n")
	if l.full = l.full || n > l.left; l.full {
		return
	}
	l.left -= n
	l.text.WriteString(line + "\n")
}

// watched writes the findings that somebody watches.
func watched(b *strings.Builder, list []string) {
	for n, f := range list[:min(len(list), maxWatched)] {
		if n == 0 {
			b.WriteString("MONITOR what people watch, and say when it changes:\n")
		}
		fmt.Fprintf(b, "- %s\n", language.Clip(language.OneLine(f), maxFindingRunes))
	}
}

// judged writes the things with that vote and people's comments on them.
func judged(b *strings.Builder, heading string, feedback []Feedback, vote Vote) {
	n := 0
	for _, f := range feedback {
		if f.Vote != vote || f.About == "" && f.Comment == "" {
			continue
		}
		if n++; n == 1 {
			b.WriteString(heading + "\n")
		}
		if n > maxJudged {
			continue
		}
		fmt.Fprintf(b, "- %s", quote(f.About))
		if f.Comment != "" {
			fmt.Fprintf(b, ", because they said %s", quote(f.Comment))
		}
		b.WriteByte('\n')
	}
	if n > maxJudged {
		fmt.Fprintf(b, "- and %d more\n", n-maxJudged)
	}
}

// quote returns people's words as a JSON string on one line, shortened.
func quote(s string) string {
	out, err := json.Marshal(language.Clip(language.OneLine(s), maxJudgedRunes))
	if err != nil { // cannot happen for a string
		return `""`
	}
	return string(out)
}
