package connections

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"time"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/connections/internal/dbsqlc"
)

// Verdict is what happened to a statement.
type Verdict string

// The verdicts.
const (
	Passed  Verdict = "passed"  // it ran
	Refused Verdict = "refused" // the guard or a middleware refused it, and nothing was sent
	Failed  Verdict = "failed"  // the warehouse reported an error or could not be reached
)

// AuditEntry is a statement in the audit log.
type AuditEntry struct {
	ID           int64
	Run          string // empty for a statement outside a run
	Step         int    // of the run; 0 for none
	At           time.Time
	SHA256       []byte // of the statement as it was written
	Sent         string // the statement as it was sent; empty if nothing was
	Verdict      Verdict
	Rule         string // the rule that refused it, or the class of its error
	Rows         int64  // of the result; 0 unless it passed
	Bytes        int64  // of the values that were read
	Scanned      int64  // as the warehouse reports; 0 if it does not
	Milliseconds float64
}

// record writes a statement to the audit log, even if the caller no longer waits for the answer.
func (o *gateway) record(ctx context.Context, q warehouse.Query, sent string, v Verdict, rule string, r *warehouse.Result, took time.Duration) error {
	sum := sha256.Sum256([]byte(q.SQL))
	p := &dbsqlc.StatementInsertParams{TenantID: o.warehouse.Tenant, WarehouseID: o.warehouse.ID, RunID: postgres.OrNull(q.Run), Sha256: sum[:], Sent: sent,
		Verdict: string(v), Rule: rule, Milliseconds: float64(took.Microseconds()) / 1000}
	if q.Step > 0 {
		step := int32(q.Step)
		p.Step = &step
	}
	if r != nil {
		p.RowsRead, p.BytesRead, p.Scanned = int64(r.Rows), r.Bytes, r.Scanned
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), auditTime)
	defer cancel()
	b := postgres.NewBatch(o.warehouse.Tenant)
	if err := queries.StatementInsert(ctx, b, p); err != nil {
		return err
	}
	if err := b.Send(ctx, o.store.Pool); err != nil {
		return fmt.Errorf("write the audit of a statement: %w", err)
	}
	return nil
}

// auditTime bounds the writing of an entry.
const auditTime = 10 * time.Second

// maxEntries bounds a page of the audit log.
const maxEntries = 200

// Audit returns at most n statements of a warehouse, newest first: those with ids below before, or
// the newest ones if before is 0.
func (s *Store) Audit(ctx context.Context, tenant, id string, before int64, n int) (out []AuditEntry, err error) {
	if before <= 0 {
		before = math.MaxInt64
	}
	err = postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		rows, err := queries.StatementList(ctx, tx, &dbsqlc.StatementListParams{TenantID: tenant, WarehouseID: id, Before: before, Most: int32(min(max(n, 1), maxEntries))})
		for _, r := range rows {
			out = append(out, entry(r))
		}
		return gone(err)
	})
	if err != nil && fault.KindOf(err) == fault.Internal {
		return nil, fmt.Errorf("read the audit of a warehouse: %w", err)
	}
	return out, err
}

// entry returns the entry of a row.
func entry(r *dbsqlc.WarehouseStatement) AuditEntry {
	e := AuditEntry{ID: r.ID, Run: postgres.OrEmpty(r.RunID), At: r.At, SHA256: r.Sha256, Sent: r.Sent, Verdict: Verdict(r.Verdict), Rule: r.Rule,
		Rows: r.RowsRead, Bytes: r.BytesRead, Scanned: r.Scanned, Milliseconds: r.Milliseconds}
	if r.Step != nil {
		e.Step = int(*r.Step)
	}
	return e
}
