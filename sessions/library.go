package sessions

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/internal/dbsqlc"
)

// Objective is a published version of a definition.
type Objective struct {
	ID          string
	Tenant      string
	ContextType string
	Version     string
	DisplayName string
	Layer       obligations.Layer
	Active      bool
	Definition  *Definition // never changed once published
	CreatedAt   time.Time
}

// maxCached bounds the definitions a Library keeps.
const maxCached = 1000

// Library finds objectives and keeps the definitions it has read: a published
// version never changes. It is safe for concurrent use.
type Library struct {
	pool *pgxpool.Pool

	mu     sync.RWMutex
	cached map[string]*Definition // by tenant and objective id; guarded by mu
}

// NewLibrary returns a library over pool.
func NewLibrary(pool *pgxpool.Pool) *Library {
	return &Library{pool: pool, cached: map[string]*Definition{}}
}

// Definition returns a published version.
func (l *Library) Definition(ctx context.Context, tenant, id string) (*Definition, error) {
	l.mu.RLock()
	d := l.cached[tenant+id]
	l.mu.RUnlock()
	if d != nil {
		return d, nil
	}
	o, err := l.one(ctx, tenant, dbsqlc.ObjectiveFind, tenant, id)
	if err != nil {
		return nil, fmt.Errorf("load objective %s: %w", id, err)
	}
	return o.Definition, nil
}

// Templates returns the lookup of a tenant's templates that [obligations.Load]
// wants.
func (l *Library) Templates(ctx context.Context, tenant string) func(string) ([]obligations.Template, error) {
	return func(id string) ([]obligations.Template, error) {
		d, err := l.Definition(ctx, tenant, id)
		if err != nil {
			return nil, err
		}
		return d.Obligations, nil
	}
}

// Active returns the version of a context's objective that new sessions use. An
// unknown context type is Unprocessable, and the error names those there are.
func (l *Library) Active(ctx context.Context, tenant, contextType string) (Objective, error) {
	o, err := l.one(ctx, tenant, dbsqlc.ObjectiveActive, tenant, contextType)
	if !fault.Is(err, fault.NotFound) {
		return o, err
	}
	list, err := l.List(ctx, tenant, OnlyActive)
	if err != nil {
		return Objective{}, err
	}
	known := make([]string, len(list))
	for i, o := range list {
		known[i] = o.ContextType
	}
	return Objective{}, fault.New(fault.Unprocessable, "there is no objective %q; there are: %s", clip(contextType), strings.Join(known, ", ")).At("contextType").Coded("context_type_unknown")
}

// Find returns one version.
func (l *Library) Find(ctx context.Context, tenant, id string) (Objective, error) {
	return l.one(ctx, tenant, dbsqlc.ObjectiveFind, tenant, id)
}

// Which says which versions to list.
type Which string

// The choices.
const (
	OnlyActive  Which = "active"
	AllVersions Which = "all"
)

// List returns a tenant's objectives by context type, the active version first.
func (l *Library) List(ctx context.Context, tenant string, which Which) ([]Objective, error) {
	var out []Objective
	b := postgres.NewBatch(tenant)
	postgres.Rows[dbsqlc.DiscoveryObjective](b, func(r *dbsqlc.DiscoveryObjective) error {
		o, err := l.keep(r)
		out = append(out, o)
		return err
	}, dbsqlc.ObjectiveList, tenant, which == OnlyActive)
	if err := b.Send(ctx, l.pool); err != nil {
		return nil, fmt.Errorf("list objectives: %w", err)
	}
	return out, nil
}

// Publish makes d the active version of its context. A version that is there
// already is a Conflict.
func (l *Library) Publish(ctx context.Context, tenant string, layer obligations.Layer, d Definition) (Objective, error) {
	if err := d.Validate(); err != nil {
		return Objective{}, err
	}
	config, err := json.Marshal(d)
	if err != nil {
		return Objective{}, fmt.Errorf("encode objective %s: %w", d.ContextType, err)
	}
	var out Objective
	err = postgres.InTx(ctx, l.pool, tenant, func(tx pgx.Tx) error {
		// One at a time in a context: two that retire each other's version deadlock.
		if err := queries.CreateLock(ctx, tx, tenant+"\x1fpublish\x1f"+d.ContextType); err != nil {
			return fmt.Errorf("lock objective %s: %w", d.ContextType, err)
		}
		if err := queries.ObjectiveRetire(ctx, tx, &dbsqlc.ObjectiveRetireParams{TenantID: tenant, ContextType: d.ContextType}); err != nil {
			return fmt.Errorf("retire objective %s: %w", d.ContextType, err)
		}
		r, err := queries.ObjectiveInsert(ctx, tx, &dbsqlc.ObjectiveInsertParams{TenantID: tenant, ContextType: d.ContextType, Version: d.Version,
			DisplayName: d.DisplayName, OriginLayer: string(layer), Config: config})
		if err != nil {
			return publishFault(err, d)
		}
		out, err = l.keep(r)
		return err
	})
	return out, err
}

func publishFault(err error, d Definition) error {
	switch postgres.Constraint(err) {
	case "discovery_objectives_version_key":
		return fault.New(fault.Conflict, "version %s of %s is published already; a published version never changes, raise the version", d.Version, d.ContextType).At("version").Coded("version_exists").Because(err)
	case "discovery_objectives_active_context":
		return fault.New(fault.Conflict, "somebody else is publishing %s; try again", d.ContextType).Because(err)
	}
	return fmt.Errorf("publish objective %s: %w", d.ContextType, err)
}

// Ship gives a tenant the objectives that come with the program: those whose
// context it has not, and newer versions of those it has not made its own.
func (l *Library) Ship(ctx context.Context, tenant string) error {
	held, err := l.List(ctx, tenant, AllVersions)
	if err != nil {
		return err
	}
	for _, d := range Shipped() {
		own := slices.ContainsFunc(held, func(o Objective) bool {
			return o.ContextType == d.ContextType && (o.Version == d.Version || (o.Active && o.Layer != obligations.Shipped))
		})
		if own {
			continue
		}
		if _, err := l.Publish(ctx, tenant, obligations.Shipped, d); err != nil && !fault.Is(err, fault.Conflict) {
			return err
		}
	}
	return nil
}

func (l *Library) one(ctx context.Context, tenant, sql string, args ...any) (Objective, error) {
	var out *Objective
	b := postgres.NewBatch(tenant)
	postgres.Rows[dbsqlc.DiscoveryObjective](b, func(r *dbsqlc.DiscoveryObjective) error {
		o, err := l.keep(r)
		out = &o
		return err
	}, sql, args...)
	if err := b.Send(ctx, l.pool); err != nil && postgres.Code(err) != "22P02" {
		return Objective{}, err
	}
	if out == nil {
		return Objective{}, fault.New(fault.NotFound, "there is no such objective").Coded("objective_not_found")
	}
	return *out, nil
}

func (l *Library) keep(r *dbsqlc.DiscoveryObjective) (Objective, error) {
	o := Objective{ID: r.ID, Tenant: r.TenantID, ContextType: r.ContextType, Version: r.Version, DisplayName: r.DisplayName,
		Layer: obligations.Layer(r.OriginLayer), Active: r.Active, CreatedAt: r.CreatedAt}
	l.mu.Lock()
	defer l.mu.Unlock()
	if d := l.cached[r.TenantID+r.ID]; d != nil {
		o.Definition = d
		return o, nil
	}
	o.Definition = &Definition{}
	if err := json.Unmarshal(r.Config, o.Definition); err != nil {
		return o, fmt.Errorf("config of objective %s: %w", r.ID, err)
	}
	if len(l.cached) >= maxCached {
		clear(l.cached)
	}
	l.cached[r.TenantID+r.ID] = o.Definition
	return o, nil
}

func clip(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}
