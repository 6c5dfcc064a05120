package warehouse

import (
	"encoding/json"
	"time"
)

// StepType is the kind of a step.
type StepType string

// The types.
const (
	QueryStep            StepType = "query"
	LookupStep           StepType = "lookup_schema"
	SearchStep           StepType = "search_tables"
	CompleteStep         StepType = "complete"          // the end of the exploration, in the analyst's words
	CompleteRejectedStep StepType = "complete_rejected" // a request to end before the minimum number of steps
	InsightStep          StepType = "insight"
	AnalysisStep         StepType = "analysis"
	ValidationStep       StepType = "validation"
	ErrorStep            StepType = "error" // a reply without a valid action, or a failure of the model
)

// Step is one action of a run and its outcome. Steps are numbered from 1. A step that was
// stored as done is never repeated.
type Step struct {
	N        int      `json:"n"`
	Type     StepType `json:"type"`
	Thinking string   `json:"thinking,omitempty"`
	Purpose  string   `json:"purpose,omitempty"`

	Query  string   `json:"query,omitempty"`  // as the analyst wrote it
	SQL    string   `json:"sql,omitempty"`    // as it was sent, after guard and repair
	Tables []string `json:"tables,omitempty"` // qualified names of the tables read or looked up
	Search string   `json:"search,omitempty"`
	TopK   int      `json:"topK,omitempty"`

	Rows    int             `json:"rows,omitempty"`
	More    bool            `json:"more,omitempty"` // the result was cut at a limit
	Scanned int64           `json:"scanned,omitempty"`
	Took    time.Duration   `json:"took,omitempty"`   // in nanoseconds, of the warehouse
	Digest  json.RawMessage `json:"digest,omitempty"` // a digest.CompactResult
	Answer  string          `json:"answer,omitempty"` // what the analyst was told; for a query it is derived from the digest

	Repeats int `json:"repeats,omitempty"` // number of the earlier step whose answer is reused; 0 if none

	Error string     `json:"error,omitempty"`
	Class ErrorClass `json:"class,omitempty"`
	Fixes []Fix      `json:"fixes,omitempty"`

	Reply       string     `json:"reply,omitempty"`  // the analyst's whole reply
	Corrections int        `json:"nudges,omitempty"` // how often the analyst was asked for a valid reply
	Spent       TokenUsage `json:"spent"`
	At          time.Time  `json:"at"`
}

// Fix is one attempt to repair a statement.
type Fix struct {
	By    string     `json:"by"` // "local", or the model's name
	Class ErrorClass `json:"class"`
	Error string     `json:"error"`
	From  string     `json:"from"`
	To    string     `json:"to"`
	Rule  string     `json:"rule,omitempty"` // the rule, for a local repair
	Works bool       `json:"works"`
	Spent TokenUsage `json:"spent"`

	Took time.Duration `json:"took,omitempty"` // in nanoseconds, including the model and the second query
}

// TokenUsage is what calls of a model consumed, in tokens.
type TokenUsage struct {
	In     int `json:"in,omitempty"`
	Cached int `json:"cached,omitempty"` // part of In that the provider had cached
	Out    int `json:"out,omitempty"`
	Calls  int `json:"calls,omitempty"`
}

// Add returns the sum.
func (s TokenUsage) Add(t TokenUsage) TokenUsage {
	return TokenUsage{s.In + t.In, s.Cached + t.Cached, s.Out + t.Out, s.Calls + t.Calls}
}
