package research

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/internal/language/messages"
	"quaestor/internal/lease"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research/claims"
	"quaestor/research/internal/dbsqlc"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/inquiry"
)

// RecordType is the media type of a source that is an answer of a warehouse; its bytes are
// a [inquiry.Record] as JSON.
const RecordType = "application/vnd.quaestor.warehouse-answer+json"

// Progress is how far a run of a discovery is.
type Progress struct {
	Over    bool
	Failure string       // in words; empty unless the run failed or was cancelled
	Doing   string       // in words, while it is not over
	Steps   int          // done so far
	Found   []RunFinding // what the run found, the most telling first
	Missing []string     // tables that it could not search
	Name    string       // of the project

	Warehouse string // id of the one that was explored; empty if it is no longer connected
}

// Discoveries start and follow runs. Start is idempotent by the task's id.
type Discoveries struct {
	Start  func(ctx context.Context, t Task) (run string, err error)
	Look   func(ctx context.Context, tenant, run string) (Progress, error)
	Cancel func(ctx context.Context, tenant, run string) error // a run that is over stays as it is
}

// data does the work of a task that asks an organisation's own data.
func (w *taskRun) data(ctx context.Context) error {
	if w.task.Order.Kind == WarehouseDiscovery {
		return w.discover(ctx)
	}
	if !w.task.Step.reached(Verifying) {
		done, err := w.askWarehouse(ctx)
		if err != nil || done {
			return err
		}
	}
	return w.propose(ctx)
}

// askWarehouse asks the question and stores the answer as a source with one claim. It reports
// whether the task is done, because there is nothing to claim.
func (w *taskRun) askWarehouse(ctx context.Context) (done bool, err error) {
	t := w.task
	said := t.Order.Query
	for _, s := range t.Steering {
		said += " " + s.Text
	}
	record, err := w.Data.Ask(ctx, t.Scope.Tenant, inquiry.Question{Words: said, Language: w.language, Now: t.Created, Warehouse: t.Warehouse, Session: t.Scope.Session, Who: t.Asker})
	if err != nil {
		return w.refusedData(ctx, err)
	}
	record.Sentence = language.Clip(record.Sentence, maxClaimRunes)
	if record.Exact == "" { // there is nothing in the period: a finding, but no figure
		return true, w.conclude(ctx, NoEvidence, record.Sentence)
	}
	body, err := json.Marshal(record)
	if err != nil {
		return false, err
	}
	return false, w.commit(ctx, Verifying, "Asked "+record.Name, func(b *postgres.Batch) error { return w.storeAnswer(ctx, b, record, body) })
}

// maxClaimRunes bounds what is claimed, in characters; see research_claims.
const maxClaimRunes = 1000

// refusedData ends a task whose question was not answered, with the reason in words. An
// error that may pass is returned, to be tried again.
func (w *taskRun) refusedData(ctx context.Context, err error) (bool, error) {
	if warehouse.ClassOf(err) == warehouse.Unreachable {
		var q *warehouse.QueryError
		if errors.As(err, &q) && w.task.Attempt < taskAttempts {
			return false, err
		}
	}
	if why, ok := w.Data.Refused(err, messages.In(w.language)); ok {
		return true, w.conclude(ctx, NoEvidence, why)
	}
	return false, err
}

// storeAnswer queues an answer as a source and its claim.
func (w *taskRun) storeAnswer(ctx context.Context, b *postgres.Batch, r inquiry.Record, body []byte) error {
	t, sum := w.task, sha256.Sum256(body)
	address, hash, content := warehousePrefix+r.Name, hex.EncodeToString(sum[:]), r.Text()
	if err := w.clear(ctx, b); err != nil {
		return err
	}
	err := queries.SourceInsert(ctx, b, &dbsqlc.SourceInsertParams{TenantID: t.Scope.Tenant, TaskID: t.ID, Revision: int32(t.Revision), Url: address, Title: r.Name, Snippet: r.Sentence, Rank: 1})
	if err != nil {
		return err
	}
	err = queries.SourceRead(ctx, b, &dbsqlc.SourceReadParams{MediaType: ptr(RecordType), Title: r.Name, Bytes: body, Sha256: &hash, Content: &content, ReadAt: ptr(time.Now().UTC()), TenantID: t.Scope.Tenant, TaskID: t.ID, N: 1})
	if err != nil {
		return err
	}
	if err = queries.TaskAnsweredBy(ctx, b, &dbsqlc.TaskAnsweredByParams{WarehouseID: text(r.Warehouse), TenantID: t.Scope.Tenant, ID: t.ID}); err != nil {
		return err
	}
	by := byRules
	if r.By != byRules {
		by = r.By
	}
	return queries.ClaimInsert(ctx, b, &dbsqlc.ClaimInsertParams{TenantID: t.Scope.Tenant, TaskID: t.ID, N: 1, Source: 1, Claim: r.Sentence, Quote: r.Sentence, SpanStart: 0, SpanEnd: int32(utf16Len(r.Sentence)),
		Sha256: hash, Figures: []byte("[]"), Rank: 1, MadeBy: by, Against: []int32{}})
}

// clear queues the deletion of the claims of a task that was steered after it had some.
func (w *taskRun) clear(ctx context.Context, b *postgres.Batch) error {
	return queries.ClaimsClear(ctx, b, &dbsqlc.ClaimsClearParams{TenantID: w.task.Scope.Tenant, TaskID: w.task.ID})
}

// utf16Len returns the length of s in UTF-16 units.
func utf16Len(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xffff {
			n++
		}
	}
	return n
}

// conclude ends a task with a summary and nothing to propose.
func (w *taskRun) conclude(ctx context.Context, o Outcome, summary string) error {
	a := answer{Result: Result{Outcome: o, Summary: summary, Sources: []ResultFrom{}, By: byRules}, urls: map[int]string{}}
	if w.task.Scope.Session == "" {
		return w.finish(ctx, a)
	}
	return w.report(ctx, a)
}

// dataProposal returns the figure of a warehouse's answer as the value of the obligation, or
// the sentence if that takes a text. It is nil for every other kind of value.
func (w *taskRun) dataProposal(ctx context.Context, found []claims.Claim) (*Proposal, error) {
	o := w.obligation
	if o == nil || o.Resolved() || len(found) == 0 || w.task.Order.Kind != WarehouseQuestion {
		return nil, nil
	}
	source, err := FindSource(ctx, w.Editor.Pool, w.task.Scope.Tenant, w.task.ID, found[0].Source)
	if err != nil {
		return nil, err
	}
	record, err := inquiry.ParseRecord(source.Bytes)
	if err != nil {
		return nil, err
	}
	return recordProposal(o, record, found[0])
}

// recordProposal returns what an answer of a warehouse says as the value of an obligation; nil if it
// cannot be one.
func recordProposal(o *obligations.Obligation, r inquiry.Record, c claims.Claim) (*Proposal, error) {
	var value json.RawMessage
	var err error
	switch o.Widget {
	case obligations.Number:
		v, ok := r.Measured()
		if !ok {
			return nil, nil
		}
		value, err = json.Marshal(inquiry.Rounded(v))
	case obligations.Text:
		value, err = json.Marshal(r.Sentence)
	default:
		return nil, nil
	}
	if err != nil || o.Check(value) != nil {
		return nil, err
	}
	return &Proposal{Key: o.Key, Value: value, Claims: []int{c.N}, By: c.By}, nil
}

// errWatching makes the worker look at a run again in a while.
var errWatching = errors.New("the run is not over yet")

// watchEvery is how often a task looks at its run.
const watchEvery = 2 * time.Second

// discover starts a run, follows it, and reports what it found once it is over.
func (w *taskRun) discover(ctx context.Context) error {
	t := w.task
	if t.Run == "" {
		run, err := w.Discoveries.Start(ctx, t)
		if err != nil {
			return err
		}
		w.task.Run = run
		if err := w.commit(ctx, Planning, "Started a run", func(b *postgres.Batch) error {
			return queries.TaskRun(ctx, b, &dbsqlc.TaskRunParams{RunID: &run, TenantID: t.Scope.Tenant, ID: t.ID})
		}); err != nil {
			return err
		}
	}
	p, err := w.Discoveries.Look(ctx, t.Scope.Tenant, w.task.Run)
	switch {
	case fault.Is(err, fault.NotFound):
		return fault.New(fault.Conflict, "the run was deleted")
	case err != nil:
		return err
	case !p.Over:
		if err := w.commit(ctx, "", fmt.Sprintf("%s: %s", p.Doing, language.Count(p.Steps, "step")), nil); err != nil {
			return err
		}
		return errWatching
	case p.Failure != "":
		return fault.New(fault.Conflict, "%s", p.Failure)
	}
	if err := w.answerMetrics(ctx, &p); err != nil {
		return err
	}
	return w.storeRun(ctx, p)
}

// ended cancels the run of a discovery that was cancelled. A turn cancels the task alone, and a
// server may die between the two; the task's job comes back and sees to it.
func (d *Researcher) ended(ctx context.Context, tenant, id string) error {
	t, err := Find(ctx, d.Editor.Pool, tenant, id)
	if err != nil || t.Status != Cancelled || t.Run == "" || d.Discoveries == nil {
		return lease.Done(err)
	}
	return d.Discoveries.Cancel(ctx, tenant, t.Run)
}
