package connections

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/internal/postgres"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/connections/internal/dbsqlc"
)

// testTime bounds a test; countTables is how many tables it counts.
const (
	testTime    = 30 * time.Second
	countTables = 1000
)

// newID returns a random id for a new row.
func newID() string { return uuid.NewString() }

// Test connects to a warehouse and stores the outcome. The error is about our own database or the
// secret; a warehouse that does not answer is an outcome.
func (s *Store) Test(ctx context.Context, tenant, id string) (Test, error) {
	w, err := s.Find(ctx, tenant, id)
	if err != nil {
		return Test{}, err
	}
	settings, err := s.settings(w)
	if err != nil {
		return Test{}, err
	}
	t := s.try(ctx, settings)
	return t, s.saveTest(ctx, w, t)
}

// saveTest stores the outcome of a test, unless the warehouse was changed meanwhile.
func (s *Store) saveTest(ctx context.Context, w Warehouse, t Test) error {
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	b := postgres.NewBatch(w.Tenant)
	if err := queries.WarehouseTested(ctx, b, &dbsqlc.WarehouseTestedParams{Test: text, TestedAt: &t.At, TenantID: w.Tenant, ID: w.ID, Version: int32(w.Version)}); err != nil {
		return err
	}
	if err := b.Send(ctx, s.Pool); err != nil {
		return fmt.Errorf("keep the test of a warehouse: %w", err)
	}
	return nil
}

// TestDraft connects to a warehouse that is not stored yet, or tests changes to a stored one, which id
// then names. If d has no secret and the address is unchanged, the stored secret is used.
func (s *Store) TestDraft(ctx context.Context, tenant, id string, d Spec) (Test, error) {
	d, err := s.check(tenant, d)
	if err != nil {
		return Test{}, err
	}
	var old Warehouse
	if id != "" {
		if old, err = s.Find(ctx, tenant, id); err != nil {
			return Test{}, err
		}
		if _, err := s.reseal(old, d); err != nil && d.Secret.IsZero() {
			return Test{}, err
		}
	}
	kept, err := s.secretOf(old, d)
	if err != nil {
		return Test{}, err
	}
	return s.try(ctx, warehouse.Settings{Kind: d.Kind, Options: d.Options, Secret: kept, Schemas: d.Schemas, Limits: d.Limits.OrDefault()}), nil
}

// errEnough stops the counting of tables.
var errEnough = errors.New("enough tables were counted")

// try connects to a warehouse, examines the rights of the role, and counts tables. It never
// fails: what went wrong is the outcome. Nothing is written to the warehouse.
func (s *Store) try(ctx context.Context, settings warehouse.Settings) Test {
	ctx, cancel := context.WithTimeout(ctx, testTime)
	defer cancel()
	t := Test{At: time.Now().UTC()}
	conn, err := s.dial(ctx, settings)
	if err != nil {
		return t.failed(err)
	}
	defer conn.Close() //nolint:errcheck // it was read from only
	rights, err := conn.Rights(ctx)
	if err != nil {
		return t.failed(err)
	}
	t.Role, t.Server, t.CanWrite, t.Why = rights.Role, rights.Server, rights.CanWrite, rights.Why
	err = conn.Tables(ctx, settings.Schemas, func(c catalog.Table) error {
		if c.Unread != "" {
			t.Unread = append(t.Unread, UnreadTable{c.Ref(), c.Unread})
		}
		if t.Tables++; t.Tables >= countTables {
			return errEnough
		}
		return nil
	})
	if t.MoreTables = errors.Is(err, errEnough); err != nil && !t.MoreTables {
		return t.failed(err)
	}
	t.Well, t.Says = true, t.sentence()
	t.Milliseconds = float64(time.Since(t.At).Microseconds()) / 1000
	return t
}

// maxUnread bounds the tables that a sentence about a test names.
const maxUnread = 3

// sentence describes the outcome of a successful test.
func (t Test) sentence() string {
	out := t.answers()
	if len(t.Unread) == 0 {
		return out
	}
	out += " " + language.Count(len(t.Unread), "table") + " cannot be read."
	for _, u := range t.Unread[:min(len(t.Unread), maxUnread)] {
		out += " " + u.Table + ": " + u.Why
	}
	return out
}

// answers describes what a warehouse that answers shows and allows.
func (t Test) answers() string {
	switch {
	case t.Tables == 0:
		return "It answers, but shows no tables; the role may lack the right to read them, or the schemas are others."
	case t.CanWrite:
		return "It answers. The role can write: give Quaestor one that only reads."
	}
	return "It answers, and the role only reads."
}

// failed returns t as the outcome of a test that failed with err.
func (t Test) failed(err error) Test {
	t.Milliseconds = float64(time.Since(t.At).Microseconds()) / 1000
	var f *fault.Error
	var q *warehouse.QueryError
	switch {
	case errors.As(err, &f):
		t.Says, t.Field = f.Message, f.Field
	case errors.As(err, &q):
		t.Says, t.Class = q.Message, q.Class
	case errors.Is(err, context.DeadlineExceeded):
		t.Says, t.Class = fmt.Sprintf("It did not answer within %s.", testTime), warehouse.TimedOut
	default:
		t.Says, t.Class = "It cannot be reached.", warehouse.Unreachable
	}
	return t
}

// Grant returns the statements with which an administrator gives Quaestor the right to read and no
// other.
func (s *Store) Grant(d Spec) (string, error) {
	c, err := s.Connector(d.Kind)
	if err != nil {
		return "", err
	}
	return c.Grant(warehouse.Settings{Kind: d.Kind, Options: d.Options, Schemas: d.Schemas}), nil
}
