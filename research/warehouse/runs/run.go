package runs

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"quaestor/internal/postgres"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/runs/internal/dbsqlc"
)

// Run is one exploration of a warehouse for a project.
type Run struct {
	Tenant    string `json:"-"`
	ID        string `json:"id"`
	Project   string `json:"projectId"`
	Warehouse string `json:"warehouseId,omitempty"` // empty when it is not connected any more

	Status   Status   `json:"status"`
	Pausing  bool     `json:"pausing,omitempty"` // it pauses after the step it is in
	Phase    Phase    `json:"phase"`
	Detail   string   `json:"phaseDetail,omitempty"` // what it does or waits for; a sentence
	Progress int      `json:"progress"`              // percent
	Scope    Scope    `json:"scope"`
	Areas    []string `json:"areas,omitempty"` // ids of those it keeps to; empty for all

	Outcome Outcome    `json:"runType,omitempty"`    // empty until it is completed
	Stop    StopReason `json:"stopReason,omitempty"` // empty until exploration ended
	Summary string     `json:"summary,omitempty"`    // what came of it; empty until it is completed
	Failure string     `json:"error,omitempty"`      // in words; empty unless it failed

	Analyst    string           `json:"analyst,omitempty"`    // who explores; empty until that is known
	Pack       string           `json:"pack,omitempty"`       // slug@version
	PromptHash []byte           `json:"promptHash,omitempty"` // SHA-256 of the exploration prompt
	Previous   []Previous       `json:"-"`                    // the runs before it, the last first; set from the phase schema on
	Brief      *warehouse.Brief `json:"-"`                    // nil until the phase exploration
	maskKey    []byte           // the secret of its digests

	MaxSteps int    `json:"maxSteps"`
	MinSteps int    `json:"minSteps"`
	Budget   Budget `json:"budget,omitzero"`

	Counters Counters             `json:"counters"`
	Spent    map[Purpose]Spending `json:"spent,omitempty"`

	Attempt int        `json:"attempt"` // rises with every worker that takes it
	By      string     `json:"createdBy,omitempty"`
	Created time.Time  `json:"createdAt"`
	Started *time.Time `json:"startedAt,omitempty"`
	Updated time.Time  `json:"updatedAt"`
	Ended   *time.Time `json:"completedAt,omitempty"`
}

// Scope is how much of its subject a run looks into.
type Scope string

// The scopes.
const (
	FullScope Scope = "full"
	Selected  Scope = "selected" // the areas of the run only
)

// Outcome is how much came of a run that is completed.
type Outcome string

// The outcomes, by the names that users of run_type know.
const (
	FullOutcome    Outcome = "full"    // it was explored to its end
	PartialOutcome Outcome = "partial" // it ended early, with what it had
	NoOutcome      Outcome = "failed"  // no query was answered
)

// Phase is a part of a run whose result is stored before the next begins.
type Phase string

// The phases that exist, in their order.
const (
	Initialization Phase = "initialization" // who explores
	Recalling      Phase = "context"        // what is known from runs before
	Schema         Phase = "schema"         // what the warehouse holds, and what the run is about
	Exploration    Phase = "exploration"
	Saving         Phase = "saving"
)

// StopReason is why exploration ended.
type StopReason string

// The reasons.
const (
	StopComplete    StopReason = "complete" // the analyst has enough
	StopMaxSteps    StopReason = "max_steps"
	StopRepeating   StopReason = "repeating" // the last steps brought nothing new
	StopMoney       StopReason = "budget_usd"
	StopTokens      StopReason = "budget_tokens"
	StopTime        StopReason = "budget_time"
	StopUnparseable StopReason = "unparseable_output"
	StopModel       StopReason = "model_unavailable"
	StopWarehouse   StopReason = "warehouse_unavailable"
)

// Budget bounds what exploration may use. It ends after the step that is beyond
// it. Zero is no bound.
type Budget struct {
	USD    float64       `json:"usd,omitempty"`
	Tokens int64         `json:"tokens,omitempty"` // in and out, of all calls
	Time   time.Duration `json:"time,omitempty"`   // of work, waits left out; to the second
}

// Counters are what a run did so far.
type Counters struct {
	Steps      int           `json:"steps"`
	Queries    int           `json:"totalQueries"`
	Successful int           `json:"successfulQueries"`
	Failed     int           `json:"failedQueries"`
	Lookups    int           `json:"schemaLookupCalls"`
	Searches   int           `json:"schemaSearchCalls"`
	Indexed    int           `json:"stepIndexUpserts"`
	Scanned    int64         `json:"bytesScanned"`
	Asking     time.Duration `json:"warehouseTime"` // nanoseconds that the warehouse took
	Active     time.Duration `json:"activeTime"`    // nanoseconds that it was worked
}

// Purpose is what a call of a model was for.
type Purpose string

// The purposes.
const (
	Exploring Purpose = "explore"
	Fixing    Purpose = "fix"
	Embedding Purpose = "embed"
)

// Spending is what calls of one purpose cost.
type Spending struct {
	warehouse.TokenUsage
	USD      float64 `json:"usd"`
	Unpriced int     `json:"unpriced,omitempty"` // calls whose price nobody knows; USD is without them
}

// Previous is a run before this one, in short.
type Previous struct {
	ID      string     `json:"id"`
	Ended   time.Time  `json:"completedAt"`
	Outcome Outcome    `json:"runType"`
	Stop    StopReason `json:"stopReason"`
	Summary string     `json:"summary"`
	Steps   int        `json:"steps"`
	Asked   []string   `json:"asked,omitempty"` // what its queries were to find out, in order; of those that were answered, the first
}

// Tokens returns how many the run has used, in and out.
func (r *Run) Tokens() int64 {
	var n int64
	for _, s := range r.Spent {
		n += int64(s.In) + int64(s.Out)
	}
	return n
}

// USD returns what the run has cost, as far as prices are known.
func (r *Run) USD() float64 {
	var usd float64
	for _, s := range r.Spent {
		usd += s.USD
	}
	return usd
}

func fromRow(r *dbsqlc.WarehouseRun) (Run, error) {
	out := Run{Tenant: r.TenantID, ID: r.ID, Project: r.ProjectID, Warehouse: postgres.OrEmpty(r.WarehouseID), Status: Status(r.Status), Pausing: postgres.OrEmpty(r.Wish) == wishPause,
		Phase: Phase(r.Phase), Detail: r.PhaseDetail, Progress: int(r.Progress), Scope: Scope(r.Scope), Areas: r.Areas,
		Outcome: Outcome(postgres.OrEmpty(r.RunType)), Stop: StopReason(postgres.OrEmpty(r.StopReason)), Summary: r.Summary, Failure: r.Error,
		Analyst: r.Analyst, Pack: r.Pack, PromptHash: r.PromptHash, maskKey: r.MaskKey, MaxSteps: int(r.MaxSteps), MinSteps: int(r.MinSteps),
		Budget: Budget{orZero(r.BudgetUsd), orZero(r.BudgetTokens), time.Duration(orZero(r.BudgetSeconds)) * time.Second},
		Counters: Counters{int(r.Steps), int(r.QueriesTotal), int(r.QueriesSuccessful), int(r.QueriesFailed), int(r.SchemaLookupCalls), int(r.SchemaSearchCalls),
			int(r.StepIndexUpserts), r.Scanned, time.Duration(r.WarehouseMs * float64(time.Millisecond)), time.Duration(r.ActiveMs) * time.Millisecond},
		Attempt: int(r.Attempt), By: r.CreatedBy, Created: r.CreatedAt, Started: r.StartedAt, Updated: r.UpdatedAt, Ended: r.CompletedAt}
	if r.Previous != nil {
		if err := json.Unmarshal(r.Previous, &out.Previous); err != nil {
			return Run{}, fmt.Errorf("read what run %s was told: %w", r.ID, err)
		}
	}
	if r.Brief != nil {
		if err := json.Unmarshal(r.Brief, &out.Brief); err != nil {
			return Run{}, fmt.Errorf("read the brief of run %s: %w", r.ID, err)
		}
	}
	return out, nil
}

func orZero[T any](v *T) T {
	if v == nil {
		var none T
		return none
	}
	return *v
}

// orNone is v as a column that may be null holds it: nil for zero.
func orNone[T comparable](v T) *T {
	var none T
	if v == none {
		return nil
	}
	return &v
}

// done reports whether phase p of the run is.
func (r *Run) done(p Phase) bool {
	return slices.Index(order, r.Phase) > slices.Index(order, p)
}

// order is that of the phases.
var order = []Phase{Initialization, Recalling, Schema, Exploration, Saving}
