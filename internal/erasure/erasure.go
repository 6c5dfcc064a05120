package erasure

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
)

// Organisation is what is about to be erased.
type Organisation struct {
	ID         string
	Name       string
	Begun      *time.Time // when its erasure began; nil if it did not
	Only       bool       // there is no other organisation
	Interviews int
	Held       int // interviews that are held back from deletion
	People     int
}

// Options are what [Erase] works with; Conn, Queue and RiverSchema are needed.
type Options struct {
	Conn        *pgx.Conn             // as the owner of the tables
	Queue       *river.Client[pgx.Tx] // cancels jobs; it need not work any
	RiverSchema string                // where the queue's tables are
	Folders     []string              // of the organisation's own files, which are deleted; one that is not there does no harm
	Patience    time.Duration         // how long jobs under way may take to end before their rows go; zero means 10 s
	Told        func(Emptied)         // is called when a table is empty; nil for nobody
}

// Emptied is a table in which there is nothing left of the organisation.
type Emptied struct {
	Table string
	Rows  int // that were deleted
}

const (
	patience   = 10 * time.Second
	lookEvery  = 50 * time.Millisecond
	batchRows  = 1000 // deleted in one transaction
	batchTries = 10   // of a transaction that others get in the way of
)

// Find returns the organisation of that name, or a NotFound.
func Find(ctx context.Context, conn *pgx.Conn, name string) (o Organisation, err error) {
	err = conn.QueryRow(ctx, `SELECT id, name, erasing_at, NOT EXISTS (SELECT FROM tenants AS o WHERE o.id <> t.id AND o.erasing_at IS NULL) FROM tenants AS t WHERE name = $1`, name).
		Scan(&o.ID, &o.Name, &o.Begun, &o.Only)
	if errors.Is(err, pgx.ErrNoRows) {
		return o, fault.New(fault.NotFound, "there is no organisation %q; quaestor org list names all", name).At("name").Coded("tenant_not_found")
	}
	if err != nil {
		return o, fmt.Errorf("find organisation %s: %w", name, err)
	}
	err = inTx(ctx, conn, o.ID, func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, `SELECT (SELECT count(*) FROM elicitation_sessions WHERE tenant_id = $1), (SELECT count(*) FROM session_holds WHERE tenant_id = $1), (SELECT count(*) FROM members WHERE tenant_id = $1)`, o.ID).
			Scan(&o.Interviews, &o.Held, &o.People)
	})
	return o, fault.Wrap(err, "count what organisation %s has", name)
}

// List returns all organisations by name, those that are being erased included, without counts.
func List(ctx context.Context, conn *pgx.Conn) ([]Organisation, error) {
	rows, err := conn.Query(ctx, `SELECT id, name, erasing_at FROM tenants ORDER BY name`)
	if err != nil {
		return nil, fmt.Errorf("list organisations: %w", err)
	}
	out, err := pgx.CollectRows(rows, func(r pgx.CollectableRow) (o Organisation, err error) {
		return o, r.Scan(&o.ID, &o.Name, &o.Begun)
	})
	return out, fault.Wrap(err, "list organisations")
}

// Erase deletes everything of the organisation of an id and the organisation itself. An erasure that was
// interrupted goes on with the rest. It decides nothing: whoever calls it has asked whether that is meant.
// While another process erases the same organisation it is a Conflict.
func Erase(ctx context.Context, o Options, id string) error {
	release, err := claim(ctx, o.Conn, id)
	if err != nil {
		return err
	}
	defer release()
	if err := closeTo(ctx, o.Conn, id); err != nil {
		return err
	}
	if err := endJobs(ctx, o, id); err != nil {
		return err
	}
	for _, folder := range o.Folders {
		if err := os.RemoveAll(folder); err != nil { // of a link, only the link
			return fmt.Errorf("delete the organisation's files: %w", err)
		}
	}
	tables, err := ownedTables(ctx, o.Conn)
	if err != nil {
		return err
	}
	for _, table := range tables {
		n, err := empty(ctx, o.Conn, id, table)
		if err != nil {
			return fmt.Errorf("empty table %s: %w", table, err)
		}
		if n > 0 && o.Told != nil {
			o.Told(Emptied{table, n})
		}
	}
	return finish(ctx, o, id, tables)
}

// claim keeps other processes from erasing the same organisation until release is called, or this
// process ends.
func claim(ctx context.Context, conn *pgx.Conn, id string) (release func(), err error) {
	var mine bool
	if err := conn.QueryRow(ctx, `SELECT pg_try_advisory_lock(hashtextextended('erase ' || $1, 0))`, id).Scan(&mine); err != nil {
		return nil, fmt.Errorf("claim the erasure: %w", err)
	}
	if !mine {
		return nil, fault.New(fault.Conflict, "another process is erasing this organisation").Coded("tenant_erasing")
	}
	return func() {
		_, _ = conn.Exec(context.WithoutCancel(ctx), `SELECT pg_advisory_unlock(hashtextextended('erase ' || $1, 0))`, id) // the end of the connection does it too
	}, nil
}

// credentials are the tables by which people, and programs, get into an organisation.
var credentials = []string{"api_tokens", "session_invitations", "session_shares", "call_tickets"}

// closeTo ends every credential of an organisation and marks it as being erased.
func closeTo(ctx context.Context, conn *pgx.Conn, id string) error {
	err := inTx(ctx, conn, id, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `UPDATE tenants SET erasing_at = coalesce(erasing_at, now()) WHERE id = $1`, id); err != nil {
			return err
		}
		for _, table := range credentials {
			if _, err := tx.Exec(ctx, `DELETE FROM `+pgx.Identifier{table}.Sanitize()+` WHERE tenant_id = $1`, id); err != nil {
				return fmt.Errorf("%s: %w", table, err)
			}
		}
		return nil
	})
	return fault.Wrap(err, "close the organisation")
}

// endJobs cancels the jobs of an organisation, waits a while for those under way, and deletes all. A
// worker that has not ended by then finds nothing to work on.
func endJobs(ctx context.Context, o Options, id string) error {
	jobs := pgx.Identifier{o.RiverSchema, "river_job"}.Sanitize()
	rows, err := o.Conn.Query(ctx, `SELECT id FROM `+jobs+` WHERE args ->> 'tenant' = $1 AND finalized_at IS NULL`, id)
	if err != nil {
		return fmt.Errorf("list jobs: %w", err)
	}
	open, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return fmt.Errorf("list jobs: %w", err)
	}
	for _, job := range open {
		if _, err := o.Queue.JobCancel(ctx, job); err != nil && !errors.Is(err, river.ErrNotFound) {
			return fmt.Errorf("cancel job %d: %w", job, err)
		}
	}
	for until := time.Now().Add(cmp.Or(o.Patience, patience)); ; {
		running := 0
		if err := o.Conn.QueryRow(ctx, `SELECT count(*) FROM `+jobs+` WHERE args ->> 'tenant' = $1 AND state = 'running'`, id).Scan(&running); err != nil {
			return fmt.Errorf("count jobs under way: %w", err)
		}
		if running == 0 || time.Now().After(until) {
			break
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lookEvery):
		}
	}
	n, err := forgetJobs(ctx, o, id)
	if err == nil && n > 0 && o.Told != nil {
		o.Told(Emptied{"river_job", n})
	}
	return err
}

// forgetJobs deletes the jobs of an organisation, in whatever state.
func forgetJobs(ctx context.Context, o Options, id string) (int, error) {
	tag, err := o.Conn.Exec(ctx, `DELETE FROM `+pgx.Identifier{o.RiverSchema, "river_job"}.Sanitize()+` WHERE args ->> 'tenant' = $1`, id)
	return int(tag.RowsAffected()), fault.Wrap(err, "delete jobs")
}

// ownedTables returns the tables whose rows belong to organisations, in an order in which they can be
// emptied.
func ownedTables(ctx context.Context, conn *pgx.Conn) ([]string, error) {
	rows, err := conn.Query(ctx, `SELECT c.relname FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped
		WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`)
	if err != nil {
		return nil, fmt.Errorf("list tables: %w", err)
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("list tables: %w", err)
	}
	// What is set to null when the other row goes can be emptied later than it.
	rows, err = conn.Query(ctx, `SELECT f.relname, t.relname FROM pg_constraint AS k JOIN pg_class AS f ON f.oid = k.conrelid JOIN pg_class AS t ON t.oid = k.confrelid
		WHERE k.contype = 'f' AND k.confdeltype NOT IN ('n', 'd') AND f.relnamespace = 'public'::regnamespace`)
	if err != nil {
		return nil, fmt.Errorf("list references: %w", err)
	}
	references, err := pgx.CollectRows(rows, func(r pgx.CollectableRow) (x reference, err error) { return x, r.Scan(&x.from, &x.to) })
	return emptyingOrder(tables, references), fault.Wrap(err, "list references")
}

// empty deletes the rows of an organisation from a table, and returns how many there were.
func empty(ctx context.Context, conn *pgx.Conn, id, table string) (total int, err error) {
	name := pgx.Identifier{table}.Sanitize()
	for {
		n := 0
		err := inTx(ctx, conn, id, func(tx pgx.Tx) error {
			tag, err := tx.Exec(ctx, `DELETE FROM `+name+` WHERE tenant_id = $1 AND ctid = ANY (ARRAY(SELECT ctid FROM `+name+` WHERE tenant_id = $1 LIMIT $2))`, id, batchRows)
			n = int(tag.RowsAffected())
			return err
		})
		if total += n; err != nil || n == 0 { // a row that was changed meanwhile is found by finish
			return total, err
		}
	}
}

// finish deletes the organisation itself, with what was written for it since its tables were emptied, and
// makes sure that nothing is left.
func finish(ctx context.Context, o Options, id string, tables []string) error {
	err := inTx(ctx, o.Conn, id, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `DELETE FROM session_holds WHERE tenant_id = $1`, id); err != nil { // nothing else that is left keeps a cascade from its end
			return err
		}
		_, err := tx.Exec(ctx, `DELETE FROM tenants WHERE id = $1`, id)
		return err
	})
	if err != nil {
		return fmt.Errorf("delete the organisation itself: %w", err)
	}
	if _, err := forgetJobs(ctx, o, id); err != nil {
		return err
	}
	for _, table := range tables {
		var left bool
		err := inTx(ctx, o.Conn, id, func(tx pgx.Tx) error {
			return tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM `+pgx.Identifier{table}.Sanitize()+` WHERE tenant_id = $1)`, id).Scan(&left)
		})
		if err != nil || left {
			return cmp.Or(err, fmt.Errorf("table %s still has rows of organisation %s", table, id))
		}
	}
	return nil
}

// inTx calls f in a transaction of the organisation, and again when it fails because others work on the
// same rows.
func inTx(ctx context.Context, conn *pgx.Conn, id string, f func(tx pgx.Tx) error) error {
	for try := 1; ; try++ {
		err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, `SELECT set_config('app.tenant', $1, true)`, id); err != nil {
				return err
			}
			return f(tx)
		})
		code := postgres.Code(err)
		if again := code == "40P01" || code == "40001" || code == "23503"; !again || try == batchTries { // 23503: a row was added that refers to one of these
			return err
		}
	}
}
