package analyst

import (
	"fmt"
	"strings"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/digest"
)

// maxNamed is how many tables a line lists, and maxAbout how many characters describe what a step
// was about.
const (
	maxNamed = 10
	maxAbout = 120
)

// line returns the notebook line for a step whose digest is d, with a line break.
func line(s *warehouse.Step, d *digest.CompactResult) string {
	text := fmt.Sprintf("%d. %s", s.N, outcome(s, maxAbout))
	if d != nil && s.Error == "" && s.Type == warehouse.QueryStep {
		if f := finding(d); f != "" {
			text += ": " + f
		}
	}
	return closed(text, maxLine)
}

// short returns the shortened line for a step long ago.
func short(s *warehouse.Step) string {
	return closed(fmt.Sprintf("%d. %s", s.N, outcome(s, maxAbout/2)), maxShort)
}

// closed returns text as a line of at most limit tokens that cannot close a tag.
func closed(text string, limit int) string {
	return within(data(text), limit-1) + "\n"
}

// outcome describes what a step was about and how it ended.
func outcome(s *warehouse.Step, n int) string {
	switch s.Type {
	case warehouse.QueryStep:
		about := oneLine(firstOf(s.Purpose, firstOf(s.SQL, s.Query)), n)
		if s.Error != "" {
			return fmt.Sprintf("%s → failed (%s)", about, s.Class)
		}
		more := ""
		if s.More {
			more = " and more"
		}
		return fmt.Sprintf("%s → %d rows%s", about, s.Rows, more)
	case warehouse.LookupStep:
		return "looked up " + named(s.Tables)
	case warehouse.SearchStep:
		return fmt.Sprintf("searched %q → %s", oneLine(s.Search, n), named(s.Tables))
	case warehouse.CompleteRejectedStep:
		return "wanted to end, too early"
	case warehouse.CompleteStep:
		return "ended"
	default:
		return string(s.Type) + " " + oneLine(firstOf(s.Error, s.Purpose), n)
	}
}

// named lists tables.
func named(tables []string) string {
	if len(tables) == 0 {
		return "nothing"
	}
	out := make([]string, 0, maxNamed)
	for _, t := range tables[:min(len(tables), maxNamed)] {
		out = append(out, oneLine(t, 60))
	}
	if rest := len(tables) - maxNamed; rest > 0 {
		out = append(out, fmt.Sprintf("%d more", rest))
	}
	return strings.Join(out, ", ")
}
