package warehouse

import (
	"context"

	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/guard"
)

// Analyst decides what a run does next. There are two: one that asks a model, and
// one that is built in. Both get the same situation and answer in the same form,
// which [ParseAction] reads.
type Analyst interface {
	// Name is shown to people beside what it did.
	Name() string
	// Next returns the reply to the situation. The same situation gives the built-in
	// one's same reply.
	Next(ctx context.Context, s Situation) (Reply, error)
}

// Reply is what an analyst said.
type Reply struct {
	Text  string
	Spent TokenUsage
}

// Situation is all an analyst knows when it is asked. It is read only.
type Situation struct {
	Brief   Brief
	Catalog *catalog.Index
	Steps   []Step // that are done, in order

	MaxSteps, MinSteps        int
	LookupsLeft, SearchesLeft int
	Nudge                     string // what was wrong with the last reply, and the last reply; empty when nothing was
	Rejected                  string // the reply that the nudge is about
}

// Brief is what a run is about, the same from its beginning to its end.
type Brief struct {
	Dialect  guard.Dialect
	System   string   // the exploration prompt, every placeholder of it filled
	Areas    []Area   // what is looked into, in order
	Datasets []string // the schemas
	Filter   guard.Filter
	Language string // of the texts people read, as a BCP 47 tag
}

// Area is a part of the subject that a pack says is worth looking into.
type Area struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Keywords    []string `json:"keywords"`
	Priority    int      `json:"priority"` // 1 is first
	Prompt      string   `json:"prompt"`
}
