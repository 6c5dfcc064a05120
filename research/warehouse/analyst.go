package warehouse

import (
	"context"

	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/guard"
)

// Analyst decides what a run does next. One implementation asks a model, the other is built
// in and follows rules. Both get the same situation and answer in the same form, which
// [ParseAction] parses.
type Analyst interface {
	// Name is shown to people beside the analyst's steps.
	Name() string
	// Next returns the reply to a situation. The built-in analyst is deterministic: equal
	// situations get equal replies.
	Next(ctx context.Context, s Situation) (Reply, error)
}

// Reply is an analyst's answer to a situation.
type Reply struct {
	Text  string
	Spent TokenUsage
}

// Situation is everything an analyst knows when it is asked. It must not be modified.
type Situation struct {
	Instructions Instructions
	Catalog      *catalog.Index
	Steps        []Step // the steps done so far, in order

	MaxSteps, MinSteps        int
	LookupsLeft, SearchesLeft int
	Correction                string // what was wrong with the last reply; empty if nothing was
	Rejected                  string // the reply that Correction is about; empty if it is among the steps
}

// Instructions is what a run is about. It does not change while the run lasts.
type Instructions struct {
	Dialect  guard.Dialect
	System   string   // the exploration prompt with all placeholders filled
	Areas    []Area   // the areas to explore, in order
	Datasets []string // the schemas
	Filter   guard.Filter
	Language string // of the texts that people read, as a BCP 47 tag
	Previous string // what earlier runs found and what people made of it, as System has it; may be empty
}

// Area is a part of the subject that a pack declares worth exploring.
type Area struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Keywords    []string `json:"keywords"`
	Priority    int      `json:"priority"` // 1 is first
	Prompt      string   `json:"prompt"`
}
