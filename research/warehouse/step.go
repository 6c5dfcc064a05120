package warehouse

import (
	"encoding/json"
	"time"
)

// StepType is what a step was.
type StepType string

// The types.
const (
	QueryStep            StepType = "query"
	LookupStep           StepType = "lookup_schema"
	SearchStep           StepType = "search_tables"
	CompleteStep         StepType = "complete"          // the end, in the analyst's words
	CompleteRejectedStep StepType = "complete_rejected" // an end before the least number of steps
	InsightStep          StepType = "insight"
	AnalysisStep         StepType = "analysis"
	ValidationStep       StepType = "validation"
	ErrorStep            StepType = "error" // a reply that could not be read, or a model that failed
)

// Step is one thing a run did. Steps are numbered from 1, and one that was stored
// as done is never done again.
type Step struct {
	N        int      `json:"n"`
	Type     StepType `json:"type"`
	Thinking string   `json:"thinking,omitempty"`
	Purpose  string   `json:"purpose,omitempty"`

	Query  string   `json:"query,omitempty"`  // as the analyst wrote it
	SQL    string   `json:"sql,omitempty"`    // as it was sent, after guard and repairing
	Tables []string `json:"tables,omitempty"` // that were read or looked up, qualified
	Search string   `json:"search,omitempty"`
	TopK   int      `json:"topK,omitempty"`

	Rows    int             `json:"rows,omitempty"`
	More    bool            `json:"more,omitempty"` // the result was cut at a limit
	Scanned int64           `json:"scanned,omitempty"`
	Took    time.Duration   `json:"took,omitempty"`   // in nanoseconds, of the warehouse
	Digest  json.RawMessage `json:"digest,omitempty"` // a digest.CompactResult
	Answer  string          `json:"answer,omitempty"` // what the analyst was told of it, in words; of a query it is made of the digest

	Repeats int `json:"repeats,omitempty"` // the step that it repeats, whose answer stands; 0 for none

	Error string     `json:"error,omitempty"`
	Class ErrorClass `json:"class,omitempty"`
	Fixes []Fix      `json:"fixes,omitempty"`

	Reply  string     `json:"reply,omitempty"`  // the analyst's words, whole
	Nudges int        `json:"nudges,omitempty"` // how often it was asked to say it in the right form
	Spent  TokenUsage `json:"spent"`
	At     time.Time  `json:"at"`
}

// Fix is one attempt to repair a statement.
type Fix struct {
	By    string     `json:"by"` // "local", or the model's name
	Class ErrorClass `json:"class"`
	Error string     `json:"error"`
	From  string     `json:"from"`
	To    string     `json:"to"`
	Rule  string     `json:"rule,omitempty"` // of a local one
	Works bool       `json:"works"`
	Spent TokenUsage `json:"spent"`

	Took time.Duration `json:"took,omitempty"` // in nanoseconds, of the model and of asking again
}

// TokenUsage is what calls of a model cost, in tokens.
type TokenUsage struct {
	In     int `json:"in,omitempty"`
	Cached int `json:"cached,omitempty"` // of In
	Out    int `json:"out,omitempty"`
	Calls  int `json:"calls,omitempty"`
}

// Add returns the sum.
func (s TokenUsage) Add(t TokenUsage) TokenUsage {
	return TokenUsage{s.In + t.In, s.Cached + t.Cached, s.Out + t.Out, s.Calls + t.Calls}
}
