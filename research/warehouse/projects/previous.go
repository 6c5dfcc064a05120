package projects

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"quaestor/internal/language"
)

// PastRun is the outcome of an earlier run.
type PastRun struct {
	Run      string
	At       time.Time
	Findings []string // one line each, most important first: what was found, or what was asked
}

// How much of the past goes into a prompt.
const (
	maxPastRuns     = 5
	maxPastLines    = 30
	maxJudged       = 15  // likes, and as many dislikes
	maxJudgedRunes  = 200 // characters of a comment, and of what it is about
	maxFindingRunes = 200
)

// PreviousContext summarizes what the latest runs found, newest first, and people's feedback on it:
// what they disliked is to be avoided, what they liked is to be watched. Their words are quoted, so
// that they remain data. It is empty if there is nothing to tell.
func PreviousContext(runs []PastRun, feedback []Feedback) string {
	var b strings.Builder
	left := maxPastLines
	for _, r := range runs[:min(len(runs), maxPastRuns)] {
		n := min(len(r.Findings), left)
		if n == 0 {
			continue
		}
		left -= n
		fmt.Fprintf(&b, "Run of %s:\n", r.At.UTC().Format(time.DateOnly))
		for _, f := range r.Findings[:n] {
			fmt.Fprintf(&b, "- %s\n", language.Clip(language.OneLine(f), maxFindingRunes))
		}
		if more := len(r.Findings) - n; more > 0 {
			fmt.Fprintf(&b, "- and %d more\n", more)
		}
	}
	judged(&b, "AVOID what people found wrong or useless:", feedback, Dislike)
	judged(&b, "MONITOR what people found useful, and say when it changes:", feedback, Like)
	return strings.TrimSuffix(b.String(), "\n")
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
