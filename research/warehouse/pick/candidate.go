package pick

import (
	"encoding/json"
	"strings"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/digest"
)

// Candidate is a step that may be selected. Everything except the score is the same for all
// areas.
type Candidate struct {
	N     int
	Score float64 // similarity of the step to the area by vector search, at most 1; 0 if the search did not find it

	text     string // purpose and statement, folded
	thinking string // folded
	key      string // the statement, folded and with single spaces, to recognize duplicates
	purpose  string
	sql      string
	rows     int
	digest   *digest.CompactResult // nil if the step has no result
	entry    entry
}

// Prepare returns the candidate for a step. A step that failed, or whose digest cannot be
// decoded, is never selected.
func Prepare(s *warehouse.Step) Candidate {
	c := Candidate{N: s.N, purpose: s.Purpose, sql: statement(s), rows: s.Rows}
	c.text, c.thinking, c.key = strings.ToLower(Text(s)), strings.ToLower(s.Thinking), strings.Join(strings.Fields(strings.ToLower(c.sql)), " ")
	if s.Type != warehouse.QueryStep || s.Error != "" || len(s.Digest) == 0 {
		return c
	}
	d := new(digest.CompactResult)
	if json.Unmarshal(s.Digest, d) == nil {
		c.digest = d
		c.entry = c.write(d, allWords)
	}
	return c
}

// Text returns the text of a step that is embedded. Thinking is left out because ranking is worse
// with it.
func Text(s *warehouse.Step) string { return s.Purpose + "\n[SQL]: " + statement(s) }

// Query returns the text of an area that is embedded to search for steps.
func Query(a warehouse.Area) string {
	return a.Name + " — " + a.Description + ". Keywords: " + strings.Join(a.Keywords, ", ")
}

// statement returns the statement that produced the result.
func statement(s *warehouse.Step) string {
	if s.SQL != "" {
		return s.SQL
	}
	return s.Query
}

// names reports whether text contains one of the keywords; both must be folded.
func names(text string, keywords []string) bool {
	for _, k := range keywords {
		if strings.Contains(text, k) {
			return true
		}
	}
	return false
}
