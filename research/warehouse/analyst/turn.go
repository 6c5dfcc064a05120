package analyst

import (
	"bytes"
	"encoding/json"
	"strings"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/tokens"
)

// turn returns the model's reply at a step and the outcome, each within its limit. d is the step's
// digest, nil if it has none.
func turn(s *warehouse.Step, d *digest.CompactResult, l limits) (said, gave string) {
	return saidAt(s, l.said), gaveAt(s, d, l.gave)
}

// stepOutcome is a step's outcome for the templates.
type stepOutcome struct {
	N     int
	Rows  int
	More  bool
	Class warehouse.ErrorClass
	Data  string
}

// gaveAt describes the outcome of a step.
func gaveAt(s *warehouse.Step, d *digest.CompactResult, limit int) string {
	t := stepOutcome{N: s.N, Rows: s.Rows, More: s.More, Class: s.Class}
	if s.Error != "" {
		t.Data = within(data(s.Error), limit)
		return render("failed", t)
	}
	if s.Type == warehouse.QueryStep && d != nil {
		if rows, ok := d.PromptWithin(limit, func(prompt string) int { return tokens.Count(data(prompt)) }); ok {
			t.Data = data(rows)
			return render("query", t)
		}
	}
	t.Data = within(data(strings.TrimSpace(firstOf(s.Answer, "(nothing)"))), limit)
	return render("told", t)
}

// read returns the digest of a step, nil if it has none.
func read(s *warehouse.Step) *digest.CompactResult {
	d := new(digest.CompactResult)
	if len(s.Digest) == 0 || json.Unmarshal(s.Digest, d) != nil {
		return nil
	}
	return d
}

// saidAt returns the model's reply; if it is too long or lost, the action in it is written anew.
func saidAt(s *warehouse.Step, limit int) string {
	if s.Reply != "" && len(s.Reply) <= bytesOfToken*limit && tokens.Count(s.Reply) <= limit {
		return s.Reply
	}
	if s.Type == warehouse.ErrorStep {
		return within(firstOf(s.Reply, "(no reply)"), limit)
	}
	for room := 4 * limit; room > 0; room /= 2 {
		if text := action(s, room); tokens.Count(text) <= limit {
			return text
		}
	}
	return "{}"
}

// actionJSON is an action in the JSON form that the model is asked for.
type actionJSON struct {
	Thinking string   `json:"thinking,omitempty"`
	Query    string   `json:"query,omitempty"`
	Purpose  string   `json:"query_purpose,omitempty"`
	Lookup   []string `json:"lookup_schema,omitempty"`
	Search   string   `json:"search_tables,omitempty"`
	TopK     int      `json:"search_top_k,omitempty"`
	Done     bool     `json:"done,omitempty"`
}

// action writes a step's action; each text has at most n characters.
func action(s *warehouse.Step, n int) string {
	w := actionJSON{Thinking: oneLine(s.Thinking, min(n, 400)), Purpose: oneLine(s.Purpose, n)}
	switch s.Type {
	case warehouse.QueryStep:
		w.Query = head(s.Query, n)
	case warehouse.LookupStep:
		for _, t := range s.Tables[:min(len(s.Tables), warehouse.MaxLookupTables)] {
			w.Lookup = append(w.Lookup, head(t, n))
		}
	case warehouse.SearchStep:
		w.Search, w.TopK = oneLine(s.Search, n), s.TopK
	case warehouse.CompleteStep, warehouse.CompleteRejectedStep:
		w.Done = true
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(w) != nil { // cannot happen: it holds strings and numbers
		return "{}"
	}
	return string(bytes.TrimSpace(b.Bytes()))
}

// firstOf returns a, or b if a is empty.
func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
