package pick

import (
	"encoding/json"
	"strings"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/digest"
)

// Candidate is a step that may be selected. It is made once for all areas; only its
// score is of one of them.
type Candidate struct {
	N     int
	Score float64 // how close the step is to the area, by a vector search, up to 1; 0 for one it did not find

	text     string // purpose and statement, in lower case
	thinking string // in lower case
	key      string // of the statement; of statements that differ in spaces and capitals only, one
	purpose  string
	sql      string
	rows     int
	digest   *digest.CompactResult // nil for a step without a result
	entry    entry
}

// Prepare returns the candidate that a step is. One that failed, or whose digest
// cannot be read, is never selected.
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

// Text is what of a step is embedded. Thinking is left out: it ranks worse.
func Text(s *warehouse.Step) string { return s.Purpose + "\n[SQL]: " + statement(s) }

// Query is what of an area is embedded, to search steps with.
func Query(a warehouse.Area) string {
	return a.Name + " — " + a.Description + ". Keywords: " + strings.Join(a.Keywords, ", ")
}

// statement returns the statement that gave the result.
func statement(s *warehouse.Step) string {
	if s.SQL != "" {
		return s.SQL
	}
	return s.Query
}

// names reports whether text, which is in lower case, has one of the keywords.
func names(text string, keywords []string) bool {
	for _, k := range keywords {
		if strings.Contains(text, k) {
			return true
		}
	}
	return false
}
