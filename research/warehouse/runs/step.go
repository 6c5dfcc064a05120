package runs

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"quaestor/internal/postgres"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/runs/internal/dbsqlc"
)

// StepState is the state of a step.
type StepState string

// The states of a step.
const (
	Asked StepState = "asked" // the analyst has replied; the result is pending
	Done  StepState = "done"  // final
)

// StoredStep is a step as it is stored.
type StoredStep struct {
	warehouse.Step
	State StepState `json:"state"`
}

// The classes of errors that do not come from the warehouse.
const (
	ModelFailed warehouse.ErrorClass = "model"  // the analyst gave no reply
	Unreadable  warehouse.ErrorClass = "reply"  // its replies held no action
	Exhausted   warehouse.ErrorClass = "budget" // no lookups or searches are left
)

// Steps returns at most max steps of a run with numbers above since, in order. If
// the run is in progress, the last one may be asked and not done. Zero means 100.
func Steps(ctx context.Context, db postgres.DB, tenant, run string, since, max int) ([]StoredStep, error) {
	if max == 0 {
		max = 100
	}
	out, err := postgres.List(ctx, db, tenant, queries.StepList, &dbsqlc.StepListParams{TenantID: tenant, RunID: run, Since: int32(since), Most: int32(max)}, stepFromRow)
	if err != nil {
		return nil, fmt.Errorf("read steps of run %s: %w", run, notID(err))
	}
	return out, nil
}

// notID turns the error of a malformed id into that of an unknown one.
func notID(err error) error {
	if postgres.Code(err) == "22P02" {
		return noRun()
	}
	return err
}

// stepFromRow converts a row of the table of steps.
func stepFromRow(r *dbsqlc.StepListRow) (StoredStep, error) {
	s := warehouse.Step{N: int(r.N), Type: warehouse.StepType(r.Type), Thinking: r.Thinking, Purpose: r.Purpose, Query: r.Query, SQL: r.Statement, Tables: r.Tables,
		Search: r.Search, TopK: int(r.TopK), Rows: int(r.RowCount), More: r.More, Scanned: r.Scanned, Took: time.Duration(r.TookNs), Digest: r.Digest, Answer: r.Answer,
		Repeats: int(r.Repeats), Error: r.Error, Class: warehouse.ErrorClass(r.Class), Reply: r.Reply, Corrections: int(r.Nudges), At: r.At.UTC(),
		Spent: warehouse.TokenUsage{In: int(r.TokensIn), Cached: int(r.TokensCached), Out: int(r.TokensOut), Calls: int(r.Calls)}}
	if len(s.Tables) == 0 {
		s.Tables = nil
	}
	if err := json.Unmarshal(r.Fixes, &s.Fixes); err != nil {
		return StoredStep{}, fmt.Errorf("read the fixes of step %d: %w", r.N, err)
	}
	if len(s.Fixes) == 0 {
		s.Fixes = nil
	}
	return StoredStep{s, StepState(r.State)}, nil
}

// saveStep queues the storing of a step.
func saveStep(b *postgres.Batch, run string, attempt int, s *warehouse.Step, state StepState) error {
	fixes := []byte("[]")
	if len(s.Fixes) > 0 {
		var err error
		if fixes, err = json.Marshal(s.Fixes); err != nil {
			return fmt.Errorf("encode fixes: %w", err)
		}
	}
	tables := s.Tables
	if tables == nil {
		tables = []string{}
	}
	return queries.StepSave(context.Background(), b, &dbsqlc.StepSaveParams{TenantID: b.Tenant(), RunID: run, N: int32(s.N), State: string(state), Type: string(s.Type),
		Thinking: clean(s.Thinking), Purpose: clean(s.Purpose), Query: clean(s.Query), Statement: clean(s.SQL), Tables: tables, Search: clean(s.Search), TopK: int32(s.TopK),
		RowCount: int64(s.Rows), More: s.More, Scanned: s.Scanned, TookNs: int64(s.Took), Digest: s.Digest, Answer: clean(s.Answer), Repeats: int32(s.Repeats),
		Error: clean(s.Error), Class: string(s.Class), Fixes: fixes, Reply: s.Reply, Nudges: int32(s.Corrections), TokensIn: int64(s.Spent.In), TokensCached: int64(s.Spent.Cached),
		TokensOut: int64(s.Spent.Out), Calls: int32(s.Spent.Calls), Attempt: int32(attempt), At: s.At})
}

// clean returns s in a form that a text column accepts.
func clean(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// cut returns at most max bytes of s without splitting a character, with a mark if
// something was cut.
func cut(s string, max int) string {
	if len(s) <= max {
		return s
	}
	for max > 0 && !utf8.RuneStart(s[max]) {
		max--
	}
	return s[:max] + " …"
}
