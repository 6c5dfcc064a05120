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

// Run is one exploration of a warehouse for a project. It is the row as of one moment.
type Run struct {
	Tenant    string `json:"-"`
	ID        string `json:"id"`
	Project   string `json:"projectId"`
	Warehouse string `json:"warehouseId,omitempty"` // empty if it is no longer connected
	Beside    bool   `json:"beside,omitempty"`      // its warehouse is not the project's default one

	Status   Status   `json:"status"`
	Pausing  bool     `json:"pausing,omitempty"` // it will pause after the current step
	Phase    Phase    `json:"phase"`
	Detail   string   `json:"phaseDetail,omitempty"` // what it does or waits for; a sentence
	Progress int      `json:"progress"`              // percent
	Coverage Coverage `json:"scope"`
	Areas    []string `json:"areas,omitempty"` // ids of those it is limited to; empty for all

	Outcome Outcome    `json:"runType,omitempty"`    // empty until it is completed
	Stop    StopReason `json:"stopReason,omitempty"` // empty until exploration ended
	Summary string     `json:"summary,omitempty"`    // of the findings; empty until it is completed
	Failure string     `json:"error,omitempty"`      // the reason, for people; empty unless it failed
	Trouble Trouble    `json:"trouble,omitempty"`    // the kind of the reason; empty unless it failed
	Remedy  string     `json:"remedy,omitempty"`     // what helps against it, for people; may be empty

	Analyst      string                  `json:"analyst,omitempty"`    // name of the analyst; empty until it is known
	Pack         string                  `json:"pack,omitempty"`       // slug@version
	PromptHash   []byte                  `json:"promptHash,omitempty"` // SHA-256 of the exploration prompt
	Previous     []Previous              `json:"-"`                    // earlier runs, latest first; set from the phase schema on
	Instructions *warehouse.Instructions `json:"-"`                    // nil before the phase exploration
	maskKey      []byte                  // key with which its digests mask values

	MaxSteps int    `json:"maxSteps"` // 1 to 1000
	MinSteps int    `json:"minSteps"` // before which the analyst may not end
	Budget   Budget `json:"budget,omitzero"`

	Counters Counters                `json:"counters"`
	Spent    map[Purpose]PurposeCost `json:"spent,omitempty"` // purposes without calls are missing

	Attempt int        `json:"attempt"`             // rises with every worker that takes it
	By      string     `json:"createdBy,omitempty"` // the user who ordered it
	Created time.Time  `json:"createdAt"`
	Started *time.Time `json:"startedAt,omitempty"`   // nil until a worker first took it
	Updated time.Time  `json:"updatedAt"`             // of the latest write
	Ended   *time.Time `json:"completedAt,omitempty"` // nil until it is over
}

// Coverage is how much of its subject a run covers.
type Coverage string

// The scopes.
const (
	FullCoverage  Coverage = "full"
	SelectedAreas Coverage = "selected" // only the run's areas
)

// Outcome classifies a completed run.
type Outcome string

// The outcomes. The names are those of the API's run_type.
const (
	FullOutcome    Outcome = "full"    // exploration came to its end
	PartialOutcome Outcome = "partial" // exploration stopped early, or an area, a table or a check is missing
	NoOutcome      Outcome = "failed"  // no query was answered, or no area could be analysed
)

// Phase is a part of a run whose result is stored before the next phase begins.
type Phase string

// The phases, in order.
const (
	Initialization Phase = "initialization" // determine the analyst
	Recalling      Phase = "context"        // load what earlier runs found
	Schema         Phase = "schema"         // learn the warehouse's schema and what the run is about
	Exploration    Phase = "exploration"
	Analysis       Phase = "analysis"        // search tables for effects, and sort them into areas
	Validation     Phase = "validation"      // count anew and look for trivial explanations
	Recommending   Phase = "recommendations" // say what may be done about insights that survive
	Saving         Phase = "saving"
)

// StopReason is why exploration stopped.
type StopReason string

// The reasons to stop.
const (
	StopComplete    StopReason = "complete" // the analyst has enough
	StopMaxSteps    StopReason = "max_steps"
	StopRepeating   StopReason = "repeating" // the last steps repeated earlier ones
	StopMoney       StopReason = "budget_usd"
	StopTokens      StopReason = "budget_tokens"
	StopBytes       StopReason = "budget_bytes"
	StopTime        StopReason = "budget_time"
	StopUnparseable StopReason = "unparseable_output"
	StopModel       StopReason = "model_unavailable"
	StopWarehouse   StopReason = "warehouse_unavailable"
)

// Budget limits what a run may use. Exploration ends when it has used four fifths of a
// limit, which leaves the rest to analysis and validation; these end after the table, area
// or check that exceeds the limit. What was found until then stays.
type Budget = warehouse.Budget

// Counters are totals over the steps of a run. What all of its statements took, those of the
// analysis included, is in [Run.Spent].
type Counters struct {
	Steps      int           `json:"steps"`             // that are done
	Queries    int           `json:"totalQueries"`      // put to the warehouse; repeated ones do not count
	Successful int           `json:"successfulQueries"` // answered, possibly after repair
	Failed     int           `json:"failedQueries"`     // not even after repair
	Lookups    int           `json:"schemaLookupCalls"`
	Searches   int           `json:"schemaSearchCalls"`
	Indexed    int           `json:"stepIndexUpserts"`     // vectors of steps
	Ranked     int           `json:"analysisSearchCalls"`  // searches of these vectors, one for each area
	Dropped    int           `json:"analysisStepsDropped"` // steps that were left out, added up over the areas
	Scanned    int64         `json:"bytesScanned"`         // bytes, as the warehouse reports
	Asking     time.Duration `json:"warehouseTime"`        // nanoseconds of queries to the warehouse
	Active     time.Duration `json:"activeTime"`           // nanoseconds of work on the run
}

// Purpose is what a model was called for, or a warehouse was asked for.
type Purpose string

// The purposes.
const (
	Exploring Purpose = "explore"
	Fixing    Purpose = "fix"
	Embedding Purpose = "embed"
	Analysing Purpose = "analyse"
	Checking  Purpose = "validate"
)

// PurposeCost is the cost of the calls and statements for one purpose.
type PurposeCost struct {
	warehouse.TokenUsage
	USD      float64 `json:"usd"`                // of the calls with a known price
	Unpriced int     `json:"unpriced,omitempty"` // calls of unknown price, which USD does not include

	Asked              warehouse.StatementUsage `json:"asked,omitzero"`
	WarehouseUSD       float64                  `json:"warehouseUsd,omitempty"`       // of the statements with a known price
	UnpricedStatements int                      `json:"unpricedStatements,omitempty"` // of unknown price, which WarehouseUSD does not include
}

// Previous summarises an earlier run.
type Previous struct {
	ID      string     `json:"id"`
	Ended   time.Time  `json:"completedAt"`
	Outcome Outcome    `json:"runType"` // never empty: only completed runs are told of
	Stop    StopReason `json:"stopReason"`
	Summary string     `json:"summary"`
	Steps   int        `json:"steps"`
	Asked   []string   `json:"asked,omitempty"` // the purposes of its first answered queries, in order

	Found       []string `json:"found,omitempty"`       // its findings that stood up to their check, the most important first
	Recommended []string `json:"recommended,omitempty"` // with the status of each in front
}

// Tokens returns the tokens the run has used, input and output.
func (r *Run) Tokens() int64 {
	var n int64
	for _, s := range r.Spent {
		n += int64(s.In) + int64(s.Out)
	}
	return n
}

// USD returns the run's cost, of models and warehouse, as far as prices are known.
func (r *Run) USD() float64 {
	t := r.Total()
	return t.USD + t.WarehouseUSD
}

// Total returns what the run has spent for all purposes. Unpriced leaves embeddings aside, because
// those of the encoder in this process have no price.
func (r *Run) Total() PurposeCost {
	var t PurposeCost
	for purpose, s := range r.Spent {
		if purpose == Embedding {
			s.Unpriced = 0
		}
		t = t.plus(s)
	}
	return t
}

// plus returns the sum.
func (p PurposeCost) plus(q PurposeCost) PurposeCost {
	return PurposeCost{p.Add(q.TokenUsage), p.USD + q.USD, p.Unpriced + q.Unpriced, p.Asked.Add(q.Asked), p.WarehouseUSD + q.WarehouseUSD, p.UnpricedStatements + q.UnpricedStatements}
}

// fromRow converts a row of the table of runs.
func fromRow(r *dbsqlc.WarehouseRun) (Run, error) {
	out := Run{Tenant: r.TenantID, ID: r.ID, Project: r.ProjectID, Warehouse: postgres.OrEmpty(r.WarehouseID), Status: Status(r.Status), Pausing: postgres.OrEmpty(r.Wish) == pauseRequest,
		Phase: Phase(r.Phase), Detail: r.PhaseDetail, Progress: int(r.Progress), Coverage: Coverage(r.Scope), Areas: r.Areas,
		Outcome: Outcome(postgres.OrEmpty(r.RunType)), Stop: StopReason(postgres.OrEmpty(r.StopReason)), Summary: r.Summary, Failure: r.Error, Trouble: Trouble(r.Trouble), Remedy: r.Remedy, Beside: r.Beside,
		Analyst: r.Analyst, Pack: r.Pack, PromptHash: r.PromptHash, maskKey: r.MaskKey, MaxSteps: int(r.MaxSteps), MinSteps: int(r.MinSteps),
		Budget: Budget{USD: orZero(r.BudgetUsd), Tokens: orZero(r.BudgetTokens), Bytes: orZero(r.BudgetBytes), Time: time.Duration(orZero(r.BudgetSeconds)) * time.Second},
		Counters: Counters{int(r.Steps), int(r.QueriesTotal), int(r.QueriesSuccessful), int(r.QueriesFailed), int(r.SchemaLookupCalls), int(r.SchemaSearchCalls),
			int(r.StepIndexUpserts), int(r.AnalysisSearchCalls), int(r.AnalysisStepsDropped), r.Scanned, time.Duration(r.WarehouseMs * float64(time.Millisecond)), time.Duration(r.ActiveMs) * time.Millisecond},
		Attempt: int(r.Attempt), By: r.CreatedBy, Created: r.CreatedAt, Started: r.StartedAt, Updated: r.UpdatedAt, Ended: r.CompletedAt}
	if r.Previous != nil {
		if err := json.Unmarshal(r.Previous, &out.Previous); err != nil {
			return Run{}, fmt.Errorf("read what run %s was told: %w", r.ID, err)
		}
	}
	if r.Brief != nil {
		if err := json.Unmarshal(r.Brief, &out.Instructions); err != nil {
			return Run{}, fmt.Errorf("read the brief of run %s: %w", r.ID, err)
		}
	}
	return out, nil
}

// orZero returns *v, or the zero value for nil.
func orZero[T any](v *T) T {
	if v == nil {
		var none T
		return none
	}
	return *v
}

// orNone returns v for a nullable column: nil if it is zero.
func orNone[T comparable](v T) *T {
	var none T
	if v == none {
		return nil
	}
	return &v
}

// done reports whether the run has completed phase p.
func (r *Run) done(p Phase) bool {
	return slices.Index(order, r.Phase) > slices.Index(order, p)
}

// order lists the phases in order.
var order = []Phase{Initialization, Recalling, Schema, Exploration, Analysis, Validation, Recommending, Saving}
