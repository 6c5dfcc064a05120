package connections

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/internal/postgres"
	"quaestor/internal/secret"
	"quaestor/internal/secret/seal"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/connections/internal/dbsqlc"
	"quaestor/research/warehouse/schema"
)

// Options are what a store depends on.
type Options struct {
	Pool       *pgxpool.Pool
	Sealer     seal.Sealer // without keys, warehouses that need a secret are refused
	Connectors []warehouse.Connector
	Index      *schema.Index          // what warehouses hold
	Middleware []warehouse.Middleware // applied in order
	// Allow returns an error if a tenant may not connect to that warehouse; nil allows all. It is
	// called when a warehouse is described and again before every connection.
	Allow func(tenant string, kind warehouse.Kind, options map[string]string) error
	Log   *slog.Logger
}

// Store stores warehouses. It is safe for concurrent use.
type Store struct {
	Options
	makes map[warehouse.Kind]warehouse.Connector // by Connector.Kind
}

var queries = dbsqlc.New()

// New returns a store.
func New(o Options) *Store {
	s := &Store{Options: o, makes: map[warehouse.Kind]warehouse.Connector{}}
	for _, c := range o.Connectors {
		s.makes[c.Kind()] = c
	}
	return s
}

// Connector returns the connector of a make, or a fault that lists the available ones.
func (s *Store) Connector(k warehouse.Kind) (warehouse.Connector, error) {
	if c := s.makes[k]; c != nil {
		return c, nil
	}
	return nil, invalid("kind", "is one of %s, not %q", joined(s.Kinds()), language.Short(string(k)))
}

// Kinds returns the available makes, in the order of the connectors.
func (s *Store) Kinds() []warehouse.Kind {
	out := make([]warehouse.Kind, len(s.Connectors))
	for i, c := range s.Connectors {
		out[i] = c.Kind()
	}
	return out
}

// Create stores a new warehouse without connecting to it; see [Store.Test].
func (s *Store) Create(ctx context.Context, tenant, user string, d Spec) (Warehouse, error) {
	d, err := s.check(tenant, d)
	if err != nil {
		return Warehouse{}, err
	}
	id := newID()
	sealed, err := s.seal(tenant, id, d.Secret)
	if err != nil {
		return Warehouse{}, err
	}
	p := &dbsqlc.WarehouseInsertParams{TenantID: tenant, ID: id, Name: d.Name, Kind: string(d.Kind), Sealed: sealed, Schemas: d.Schemas,
		FilterColumn: d.Filter.Column, FilterValue: d.Filter.Value, Opened: d.Open, CreatedBy: user, Interviews: string(d.Interviews)}
	if p.Options, p.Limits, err = d.json(); err != nil {
		return Warehouse{}, err
	}
	return s.write(ctx, tenant, d.Name, func(tx pgx.Tx) (*dbsqlc.Warehouse, error) { return queries.WarehouseInsert(ctx, tx, p) })
}

// check returns the normalized draft, or what is wrong with it.
func (s *Store) check(tenant string, d Spec) (Spec, error) {
	c, err := s.Connector(d.Kind)
	if err != nil {
		return d, err
	}
	if d, err = d.check(c); err != nil {
		return d, err
	}
	return d, s.allowed(tenant, d.Kind, d.Options)
}

// allowed returns an error if a tenant may not connect to that warehouse.
func (s *Store) allowed(tenant string, kind warehouse.Kind, options map[string]string) error {
	if s.Allow == nil {
		return nil
	}
	return s.Allow(tenant, kind, options)
}

// json returns the parts of a draft that are stored as JSON.
func (d Spec) json() (options, limits []byte, err error) {
	options, err1 := json.Marshal(d.Options)
	limits, err2 := json.Marshal(d.Limits)
	return options, limits, errors.Join(err1, err2)
}

// write runs a statement that returns one warehouse, and words its errors for people.
func (s *Store) write(ctx context.Context, tenant, name string, do func(pgx.Tx) (*dbsqlc.Warehouse, error)) (out Warehouse, err error) {
	err = postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		r, err := do(tx)
		if err != nil {
			return err
		}
		out, err = fromRow(r)
		return err
	})
	if postgres.Constraint(err) == "warehouses_name_key" {
		return out, fault.New(fault.Conflict, "there is a warehouse called %q already", name).At("name").Coded("name_taken")
	}
	if err != nil && fault.KindOf(err) == fault.Internal {
		return out, fmt.Errorf("write warehouse: %w", err)
	}
	return out, err
}

// seal returns the sealed secret; nil if there is none. It is bound to tenant and id, so that a
// row that was copied elsewhere cannot be opened there.
func (s *Store) seal(tenant, id string, v secret.Secret) ([]byte, error) {
	if v.IsZero() {
		return nil, nil
	}
	out, err := s.Sealer.Seal(tenant, sealName(id), v)
	if errors.Is(err, seal.ErrNoKeys) {
		return nil, fault.New(fault.Unavailable, "secrets cannot be kept here: the server has no keys to seal them with; its operator sets QUAESTOR_SECRETS_FILE").At("secret").Coded("no_keys")
	}
	return out, err
}

// sealName returns the name that a warehouse's secret is bound to, so that it cannot be moved to
// another one.
func sealName(id string) string { return "warehouse/" + id }

// errGone is the fault for a warehouse that does not exist.
var errGone = fault.New(fault.NotFound, "there is no such warehouse").Coded("warehouse_not_found")

// Find returns a warehouse. A malformed id is not found, either.
func (s *Store) Find(ctx context.Context, tenant, id string) (Warehouse, error) {
	return s.write(ctx, tenant, "", func(tx pgx.Tx) (*dbsqlc.Warehouse, error) {
		r, err := queries.WarehouseFind(ctx, tx, &dbsqlc.WarehouseFindParams{TenantID: tenant, ID: id})
		return r, gone(err)
	})
}

// errUsed is the fault for deleting a warehouse that is in use.
var errUsed = fault.New(fault.Conflict, "projects explore this warehouse; delete them first, or have them explore another").Coded("warehouse_used")

// gone turns the database's errors for a missing row and for a malformed id into errGone.
func gone(err error) error {
	if errors.Is(err, pgx.ErrNoRows) || postgres.Code(err) == "22P02" {
		return errGone
	}
	return err
}

// List returns all warehouses of a tenant, ordered by name.
func (s *Store) List(ctx context.Context, tenant string) (out []Warehouse, err error) {
	err = postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		rows, err := queries.WarehouseList(ctx, tx, tenant)
		for _, r := range rows {
			w, err := fromRow(r)
			if err != nil {
				return err
			}
			out = append(out, w)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list warehouses: %w", err)
	}
	return out, nil
}

// Update replaces version version of a warehouse. An unset secret leaves the stored one, unless the
// options change: then it must be given again.
func (s *Store) Update(ctx context.Context, tenant, id string, version int, d Spec) (Warehouse, error) {
	old, err := s.Find(ctx, tenant, id)
	if err != nil {
		return old, err
	}
	d.Kind = old.Kind
	if d, err = s.check(tenant, d); err != nil {
		return old, err
	}
	sealed, err := s.reseal(old, d)
	if err != nil {
		return old, err
	}
	p := &dbsqlc.WarehouseUpdateParams{TenantID: tenant, ID: id, Version: int32(version), Name: d.Name, Sealed: sealed, Schemas: d.Schemas,
		FilterColumn: d.Filter.Column, FilterValue: d.Filter.Value, Opened: d.Open, Interviews: string(d.Interviews)}
	if p.Options, p.Limits, err = d.json(); err != nil {
		return old, err
	}
	return s.write(ctx, tenant, d.Name, func(tx pgx.Tx) (*dbsqlc.Warehouse, error) {
		r, err := queries.WarehouseUpdate(ctx, tx, p)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, fault.New(fault.Conflict, "the warehouse was changed meanwhile; load it again").Coded("version_mismatch")
		}
		if err == nil && (old.Filter != d.Filter || !slices.Equal(old.Open, d.Open)) {
			err = s.Index.ForgetSamples(ctx, tx, tenant, id) // the next refresh samples what may be seen now
		}
		return r, err
	})
}

// reseal returns the sealed secret of a changed warehouse. Otherwise somebody who may change the
// address, but does not know the secret, could have it sent to a server of their own.
func (s *Store) reseal(old Warehouse, d Spec) ([]byte, error) {
	if !d.Secret.IsZero() {
		return s.seal(old.Tenant, old.ID, d.Secret)
	}
	if old.HasSecret && !maps.Equal(old.Options, d.Options) {
		return nil, invalid("secret", "has to be given again when anything of the address changes")
	}
	return old.sealed, nil
}

// Delete deletes a warehouse and everything known about it, except the audit log.
func (s *Store) Delete(ctx context.Context, tenant, id string) error {
	err := postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		n, err := queries.WarehouseDelete(ctx, tx, &dbsqlc.WarehouseDeleteParams{TenantID: tenant, ID: id})
		switch {
		case err == nil && n == 0:
			return errGone
		case postgres.Code(err) == "23503":
			return errUsed
		}
		return gone(err)
	})
	if err != nil && fault.KindOf(err) == fault.Internal {
		return fmt.Errorf("delete warehouse: %w", err)
	}
	return err
}

// joined lists kinds in alphabetical order.
func joined(kinds []warehouse.Kind) string {
	out := ""
	for i, k := range slices.Sorted(slices.Values(kinds)) {
		if i > 0 {
			out += ", "
		}
		out += string(k)
	}
	return out
}

// Reseal seals all secrets of a tenant with the newest key, and returns how many there were. It
// ends at the first secret that cannot be opened. It may be repeated and may run beside changes.
func (s *Store) Reseal(ctx context.Context, tenant string) (int, error) {
	list, err := s.List(ctx, tenant)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, w := range list {
		if !w.HasSecret {
			continue
		}
		if err := s.resealOne(ctx, w); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// resealOne replaces the sealed secret of w, unless w was changed meanwhile, which sealed it anew
// anyway.
func (s *Store) resealOne(ctx context.Context, w Warehouse) error {
	open, err := s.Sealer.Open(w.Tenant, sealName(w.ID), w.sealed)
	if err != nil {
		return lost(w, err)
	}
	sealed, err := s.seal(w.Tenant, w.ID, open)
	if err != nil {
		return err
	}
	return postgres.InTx(ctx, s.Pool, w.Tenant, func(tx pgx.Tx) error {
		_, err := queries.WarehouseReseal(ctx, tx, &dbsqlc.WarehouseResealParams{TenantID: w.Tenant, ID: w.ID, Version: int32(w.Version), Sealed: sealed})
		return err
	})
}
