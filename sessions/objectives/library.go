package objectives

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/objectives/internal/dbsqlc"
)

// Objective is a published version of a definition. It never changes.
type Objective struct {
	ID          string
	Tenant      string
	ContextType string
	Version     string
	DisplayName string
	Layer       obligations.Layer
	Active      bool
	Definition  *Definition  // with all layers merged; shared, so it must not be changed
	Composition *Composition // what it was merged from; nil when it was written whole
	CreatedAt   time.Time
}

// LayerOf returns the layer that the obligation of that key comes from.
func (o *Objective) LayerOf(key string) obligations.Layer {
	if o.Composition != nil && o.Composition.Layers[key] != "" {
		return o.Composition.Layers[key]
	}
	return o.Layer
}

// Origin returns where the obligation of that key comes from.
func (o *Objective) Origin(key string) obligations.Origin {
	return obligations.Origin{Layer: o.LayerOf(key), Source: "objective", ID: o.ID}
}

var queries = dbsqlc.New()

// maxCached bounds the definitions that a Library keeps. It is chosen: a shipped
// definition has some 30 KB of JSON, so a full cache takes some tens of megabytes.
const maxCached = 1000

// Library finds objectives and caches their definitions, which is safe because a
// published version never changes. It is safe for concurrent use.
type Library struct {
	pool *pgxpool.Pool

	mu     sync.RWMutex
	cached map[string]*Definition // by tenant and objective id; guarded by mu
}

// NewLibrary returns a library over pool.
func NewLibrary(pool *pgxpool.Pool) *Library {
	return &Library{pool: pool, cached: map[string]*Definition{}}
}

// Definition returns the definition of a published version, from the cache if it is
// there. NotFound when the tenant has no such version.
func (l *Library) Definition(ctx context.Context, tenant, id string) (*Definition, error) {
	l.mu.RLock()
	d := l.cached[tenant+id]
	l.mu.RUnlock()
	if d != nil {
		return d, nil
	}
	o, err := one(ctx, l, tenant, queries.ObjectiveFind, &dbsqlc.ObjectiveFindParams{TenantID: tenant, ID: id})
	return o.Definition, fault.Wrap(err, "load objective %s", id)
}

// Templates returns a lookup of the tenant's templates by objective id, as
// [obligations.Load] needs it.
func (l *Library) Templates(ctx context.Context, tenant string) func(string) ([]obligations.Template, error) {
	return func(id string) ([]obligations.Template, error) {
		d, err := l.Definition(ctx, tenant, id)
		if err != nil {
			return nil, err
		}
		return d.Obligations, nil
	}
}

// Active returns the version of a context that new sessions use. A context type that
// does not exist is Unprocessable, and the error names those that do.
func (l *Library) Active(ctx context.Context, tenant, contextType string) (Objective, error) {
	o, err := one(ctx, l, tenant, queries.ObjectiveActive, &dbsqlc.ObjectiveActiveParams{TenantID: tenant, ContextType: contextType})
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
	return Objective{}, fault.New(fault.Unprocessable, "there is no objective %q; there are: %s", language.Short(contextType), strings.Join(known, ", ")).At("contextType").Coded("context_type_unknown")
}

// Find returns one version by its id. NotFound when the tenant has no such version.
func (l *Library) Find(ctx context.Context, tenant, id string) (Objective, error) {
	return one(ctx, l, tenant, queries.ObjectiveFind, &dbsqlc.ObjectiveFindParams{TenantID: tenant, ID: id})
}

// VersionFilter selects the versions to list.
type VersionFilter string

// The choices.
const (
	OnlyActive  VersionFilter = "active"
	AllVersions VersionFilter = "all"
)

// List returns a tenant's objectives by context type, the active version first.
func (l *Library) List(ctx context.Context, tenant string, which VersionFilter) ([]Objective, error) {
	var out []Objective
	b := postgres.NewBatch(tenant)
	l.list(b, which, &out)
	err := b.Send(ctx, l.pool)
	return out, fault.Wrap(err, "list objectives")
}

// list queues a read of the objectives of the batch's tenant into out.
func (l *Library) list(b *postgres.Batch, which VersionFilter, out *[]Objective) {
	postgres.Many(b, queries.ObjectiveList, &dbsqlc.ObjectiveListParams{TenantID: b.Tenant(), ActiveOnly: which == OnlyActive}, func(r *dbsqlc.DiscoveryObjective) error {
		o, err := l.cacheObjective(r)
		*out = append(*out, o)
		return err
	})
}

// Publish makes d the active version of its context. It is a Conflict unless its version
// is higher than those of the context; a definition with faults returns [Faults].
func (l *Library) Publish(ctx context.Context, tenant string, layer obligations.Layer, d Definition) (Objective, error) {
	var out Objective
	err := postgres.InTx(ctx, l.pool, tenant, func(tx pgx.Tx) (err error) {
		out, err = l.publish(ctx, tx, tenant, layer, Document{Definition: d})
		return err
	})
	return out, err
}

// publish makes doc the active version of its context within a transaction.
func (l *Library) publish(ctx context.Context, tx pgx.Tx, tenant string, layer obligations.Layer, doc Document) (Objective, error) {
	d := doc.Definition
	if err := d.Validate(); err != nil {
		return Objective{}, err
	}
	row, err := doc.row(tenant, layer)
	if err != nil {
		return Objective{}, err
	}
	if err := l.makeRoom(ctx, tx, tenant, layer, d); err != nil {
		return Objective{}, err
	}
	r, err := queries.ObjectiveInsert(ctx, tx, row)
	if err != nil {
		return Objective{}, publishFault(err, d)
	}
	return l.cacheObjective(r)
}

// row returns doc as it is stored.
func (doc *Document) row(tenant string, layer obligations.Layer) (*dbsqlc.ObjectiveInsertParams, error) {
	d := &doc.Definition
	config, err := json.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("encode objective %s: %w", d.ContextType, err)
	}
	row := &dbsqlc.ObjectiveInsertParams{TenantID: tenant, ContextType: d.ContextType, Version: d.Version, DisplayName: d.DisplayName,
		OriginLayer: string(layer), Config: config, Active: true}
	if doc.Composition != nil {
		if row.Layering, err = json.Marshal(doc.Composition); err != nil {
			return nil, fmt.Errorf("encode layers of objective %s: %w", d.ContextType, err)
		}
	}
	return row, nil
}

// makeRoom locks the context for other publishers until the transaction ends, refuses a
// version that does not rise, and retires the active one.
func (l *Library) makeRoom(ctx context.Context, tx pgx.Tx, tenant string, layer obligations.Layer, d Definition) error {
	// One publisher of a context at a time: two that retire each other's version would
	// deadlock.
	if err := lockContext(ctx, tx, tenant, d.ContextType); err != nil {
		return err
	}
	held, err := queries.ObjectiveVersions(ctx, tx, &dbsqlc.ObjectiveVersionsParams{TenantID: tenant, ContextType: d.ContextType})
	if err != nil {
		return fmt.Errorf("versions of objective %s: %w", d.ContextType, err)
	}
	if err := mustRise(held, layer, d); err != nil {
		return err
	}
	return retire(ctx, tx, tenant, d.ContextType)
}

// lockContext makes other publishers of the context wait until the transaction ends.
func lockContext(ctx context.Context, tx pgx.Tx, tenant, contextType string) error {
	return fault.Wrap(queries.ContextLock(ctx, tx, tenant+"\x1fpublish\x1f"+contextType), "lock objective %s", contextType)
}

// retire makes the active version of a context inactive.
func retire(ctx context.Context, tx pgx.Tx, tenant, contextType string) error {
	return fault.Wrap(queries.ObjectiveRetire(ctx, tx, &dbsqlc.ObjectiveRetireParams{TenantID: tenant, ContextType: contextType}), "retire objective %s", contextType)
}

// mustRise refuses a version that is not above those held. A shipped version is compared
// with shipped ones only, since a tenant numbers its own versions as it likes.
func mustRise(held []*dbsqlc.ObjectiveVersionsRow, layer obligations.Layer, d Definition) error {
	for _, v := range held {
		if v.Version == d.Version {
			return fault.New(fault.Conflict, "version %s of %s is published already; a published version never changes, raise the version", d.Version, d.ContextType).At("version").Coded("version_exists")
		}
	}
	for _, v := range held {
		if layer == obligations.Shipped && v.OriginLayer != string(obligations.Shipped) {
			continue
		}
		if compareVersions(v.Version, d.Version) > 0 {
			return fault.New(fault.Conflict, "version %s of %s is below %s, which is published; give it a higher one", d.Version, d.ContextType, v.Version).At("version").Coded("version_not_raised")
		}
	}
	return nil
}

// compareVersions orders versions by their three numbers.
func compareVersions(a, b string) int {
	x, y := numbersOf(a), numbersOf(b)
	return slices.Compare(x[:], y[:])
}

// numbersOf returns the three numbers of a version. A part that is not a number counts
// as 0.
func numbersOf(version string) (n [3]int) {
	_, _ = fmt.Sscanf(version, "%d.%d.%d", &n[0], &n[1], &n[2])
	return n
}

// versionOf returns the version of three numbers.
func versionOf(major, minor, patch int) string { return fmt.Sprintf("%d.%d.%d", major, minor, patch) }

// Version returns a version of a context by its number, or the active one when the
// number is empty. NotFound when there is no such version.
func (l *Library) Version(ctx context.Context, tenant, contextType, version string) (Objective, error) {
	if version == "" {
		return l.Active(ctx, tenant, contextType)
	}
	o, err := one(ctx, l, tenant, queries.ObjectiveVersion, &dbsqlc.ObjectiveVersionParams{TenantID: tenant, ContextType: contextType, Version: version})
	if fault.Is(err, fault.NotFound) {
		return o, fault.New(fault.NotFound, "%s has no version %q", language.Short(contextType), language.Short(version)).At("version").Coded("objective_not_found")
	}
	return o, err
}

// Overlaid returns the objective that a session's overlay makes of base. Sessions with
// the same overlay share it; its version is that of base and a hash.
func (l *Library) Overlaid(ctx context.Context, base Objective, overlay json.RawMessage) (Objective, error) {
	doc, err := overlaid(base, overlay)
	if err != nil {
		return Objective{}, err
	}
	return l.StoreOverlaid(ctx, l.pool, base.Tenant, doc)
}

// OverlayOn returns base with the overlay of o, a session's own version, on top.
// Obligations that the session's layer touches keep their whole definition, so a later
// change below does not show through. An overlay that does not fit base returns
// [Faults].
func (o *Objective) OverlayOn(base Objective) (Document, error) {
	doc, err := overlaid(base, o.Composition.Overlay)
	if err != nil {
		return Document{}, err
	}
	for i := range doc.Definition.Obligations {
		t := &doc.Definition.Obligations[i]
		if held := o.Definition.Template(t.Key); held != nil && o.LayerOf(t.Key) == obligations.SessionOnly {
			*t = *held
		}
	}
	if err := doc.Definition.Validate(); err != nil {
		return Document{}, within("overlay", err)
	}
	return doc, nil
}

// overlaid merges a session's overlay into base.
func overlaid(base Objective, overlay json.RawMessage) (Document, error) {
	o, err := ParseOverlay(overlay)
	if err != nil {
		return Document{}, within("overlay", err)
	}
	for name, value := range map[string]string{"extends": o.Extends, "contextType": o.ContextType, "version": o.Version} {
		if value != "" {
			return Document{}, Faults{misplaced("overlay."+name, "a session's overlay lies on %s %s and has no %s of its own; remove it", base.ContextType, base.Version, name)}
		}
	}
	d, err := Merge(base.Definition, o)
	if err != nil {
		return Document{}, within("overlay", err)
	}
	return Document{Definition: d, Composition: o.composition(base.Definition, overlay, base.Layer, base.Composition)}, nil
}

// within prefixes the fields of faults with a path.
func within(path string, err error) error {
	var listed Faults
	switch e := err.(type) {
	case Faults:
		listed = e
	case *fault.Error:
		listed = Faults{e}
	default:
		return err
	}
	out := make(Faults, len(listed))
	for i, f := range listed {
		out[i] = f.At(strings.TrimSuffix(path+"."+f.Field, "."))
	}
	return out
}

// StoreOverlaid stores a session's own version, or finds it when another session has the
// same overlay.
func (l *Library) StoreOverlaid(ctx context.Context, db postgres.DB, tenant string, doc Document) (Objective, error) {
	row, err := doc.row(tenant, obligations.SessionOnly)
	if err != nil {
		return Objective{}, err
	}
	sum := sha256.Sum256(row.Config)
	version := fmt.Sprintf("%s+%x", doc.Definition.Version, sum[:8])
	var out *Objective
	b := postgres.NewBatch(tenant)
	_ = queries.ObjectiveOfSession(ctx, b, &dbsqlc.ObjectiveOfSessionParams{TenantID: tenant, ContextType: row.ContextType, Version: version,
		DisplayName: row.DisplayName, Config: row.Config, Layering: row.Layering})
	postgres.One(b, queries.ObjectiveVersion, &dbsqlc.ObjectiveVersionParams{TenantID: tenant, ContextType: row.ContextType, Version: version}, func(r *dbsqlc.DiscoveryObjective) error {
		o, err := l.cacheObjective(r)
		out = &o
		return err
	})
	err = b.Send(ctx, db)
	missing := fmt.Errorf("store overlay of %s: version %s is not there", row.ContextType, version)
	return postgres.Found(out, fault.Wrap(err, "store overlay of %s", row.ContextType), missing)
}

// publishFault turns a broken constraint into the Conflict it stands for: somebody else
// published at the same moment.
func publishFault(err error, d Definition) error {
	switch postgres.Constraint(err) {
	case "discovery_objectives_version_key":
		return fault.New(fault.Conflict, "version %s of %s is published already; a published version never changes, raise the version", d.Version, d.ContextType).At("version").Coded("version_exists").Because(err)
	case "discovery_objectives_active_context":
		return fault.New(fault.Conflict, "somebody else is publishing %s; try again", d.ContextType).Because(err)
	}
	return fmt.Errorf("publish objective %s: %w", d.ContextType, err)
}

// Ship gives a tenant the objectives that come with the program: contexts it does not
// have, and newer versions of those it has not replaced by its own.
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

// one returns the version that a query gives; NotFound when it gives none.
func one[P any](ctx context.Context, l *Library, tenant string, query func(context.Context, dbsqlc.DBTX, P) (*dbsqlc.DiscoveryObjective, error), arg P) (Objective, error) {
	out, err := postgres.Find(ctx, l.pool, tenant, query, arg, l.cacheObjective)
	if postgres.Code(err) == "22P02" { // a malformed id names none
		err = nil
	}
	return postgres.Found(out, err, fault.New(fault.NotFound, "there is no such objective").Coded("objective_not_found"))
}

// cacheObjective returns an objective as it is stored, its definition from the cache or decoded
// into it.
func (l *Library) cacheObjective(r *dbsqlc.DiscoveryObjective) (Objective, error) {
	o := Objective{ID: r.ID, Tenant: r.TenantID, ContextType: r.ContextType, Version: r.Version, DisplayName: r.DisplayName,
		Layer: obligations.Layer(r.OriginLayer), Active: r.Active, CreatedAt: r.CreatedAt}
	if len(r.Layering) > 0 {
		if err := json.Unmarshal(r.Layering, &o.Composition); err != nil {
			return o, fmt.Errorf("layers of objective %s: %w", r.ID, err)
		}
	}
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
