package data

import (
	"context"
	"encoding/hex"
	"strconv"
	"time"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/internal/secret"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/guard"
	"quaestor/web"
)

// makeBody is a make of warehouse and what it wants to know.
type makeBody struct {
	Kind    warehouse.Kind  `json:"kind" example:"postgresql"`
	Dialect guard.Dialect   `json:"dialect"`
	Fields  []makeFieldBody `json:"fields" nullable:"false"`
}

type makeFieldBody struct {
	Name     string   `json:"name"`
	Label    string   `json:"label"`
	Help     string   `json:"help,omitempty"`
	Default  string   `json:"default,omitempty"`
	Choices  []string `json:"choices,omitempty"`
	Required bool     `json:"required"`
}

// WarehouseBody is a warehouse on the wire. Its secret is never shown.
type WarehouseBody struct {
	ID        string            `json:"id"`
	Name      string            `json:"name"`
	Kind      warehouse.Kind    `json:"kind"`
	Options   map[string]string `json:"options" nullable:"false" doc:"by the names of the make's fields"`
	HasSecret bool              `json:"hasSecret"`
	Schemas   []string          `json:"schemas" nullable:"false" doc:"within which tables are read; none for those that are usual for the make"`
	Filter    *filterBody       `json:"filter,omitempty" doc:"what every table with that column is read through"`
	Limits    limitsBody        `json:"limits"`
	Version   int               `json:"version" doc:"counts the changes"`
	Test      *connections.Test `json:"test,omitempty" doc:"the last one since it was changed"`
	CreatedBy string            `json:"createdBy,omitempty"`
	CreatedAt time.Time         `json:"createdAt"`
	ChangedAt time.Time         `json:"changedAt"`
}

type filterBody struct {
	Column string `json:"column" example:"tenant_id"`
	Value  string `json:"value" example:"42"`
}

// limitsBody bounds one statement; 0 is the default.
type limitsBody struct {
	Rows    int     `json:"rows,omitempty" doc:"kept of a result"`
	Bytes   int64   `json:"bytes,omitempty" doc:"of a result as it is read"`
	Seconds float64 `json:"seconds,omitempty" doc:"until the warehouse is told to stop"`
	Scanned int64   `json:"scanned,omitempty" doc:"bytes the warehouse may read for it, where it can be asked beforehand"`
	Memory  int64   `json:"memory,omitempty" doc:"bytes the warehouse may use for it, where it can be told"`
}

func (l limitsBody) limits() warehouse.Limits {
	return warehouse.Limits{Rows: l.Rows, Bytes: l.Bytes, Time: time.Duration(l.Seconds * float64(time.Second)), Scanned: l.Scanned, Memory: l.Memory}
}

func toLimitsBody(l warehouse.Limits) limitsBody {
	return limitsBody{l.Rows, l.Bytes, l.Time.Seconds(), l.Scanned, l.Memory}
}

func toWarehouseBody(w connections.Warehouse) WarehouseBody {
	out := WarehouseBody{ID: w.ID, Name: w.Name, Kind: w.Kind, Options: w.Options, HasSecret: w.HasSecret, Schemas: w.Schemas, Limits: toLimitsBody(w.Limits),
		Version: w.Version, Test: w.Test, CreatedBy: w.CreatedBy, CreatedAt: w.CreatedAt, ChangedAt: w.ChangedAt}
	if w.Filter.Column != "" {
		out.Filter = &filterBody{w.Filter.Column, w.Filter.Value}
	}
	return out
}

// warehouseDraft describes a warehouse.
type warehouseDraft struct {
	Name    string            `json:"name,omitempty" pattern:"^[^\\x00]*$" example:"Sales"`
	Kind    warehouse.Kind    `json:"kind,omitempty" enum:"duckdb,postgresql,redshift,mysql,mariadb,clickhouse,sqlserver,bigquery,snowflake" doc:"cannot be changed later"`
	Options map[string]string `json:"options,omitempty" doc:"by the names of the make's fields; what is absent has its default"`
	Secret  string            `json:"secret,omitempty" doc:"a password or a key file; sealed, and never shown. Absent keeps the one there is, unless the options change" writeOnly:"true"`
	Schemas []string          `json:"schemas,omitempty"`
	Filter  *filterBody       `json:"filter,omitempty"`
	Limits  limitsBody        `json:"limits,omitempty"`
}

func (b warehouseDraft) draft() connections.Spec {
	d := connections.Spec{Name: b.Name, Kind: b.Kind, Options: b.Options, Secret: secret.New(b.Secret), Schemas: b.Schemas, Limits: b.Limits.limits()}
	if b.Filter != nil {
		d.Filter = guard.Filter{Column: b.Filter.Column, Value: b.Filter.Value}
	}
	return d
}

type warehousePath struct {
	ID string `path:"id" doc:"id of the warehouse"`
}

type warehouseChange struct {
	ID      string `path:"id" doc:"id of the warehouse"`
	IfMatch string `header:"If-Match" doc:"the ETag that reading gave"`
	Body    warehouseDraft
}

type newWarehouse struct {
	Body warehouseDraft
}

type statementQuery struct {
	ID     string `path:"id" doc:"id of the warehouse"`
	Cursor string `query:"cursor" maxLength:"30"`
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50"`
}

// statementBody is a statement of the audit.
type statementBody struct {
	RunID        string              `json:"runId,omitempty"`
	Step         int                 `json:"step,omitempty"`
	At           time.Time           `json:"at"`
	SHA256       string              `json:"sha256" doc:"of the statement as it was written"`
	Sent         string              `json:"sent,omitempty" doc:"what was sent in its place; absent when nothing was"`
	Verdict      connections.Verdict `json:"verdict" enum:"passed,refused,failed"`
	Rule         string              `json:"rule,omitempty" doc:"why it was refused, or the class of its error"`
	Rows         int64               `json:"rows"`
	Bytes        int64               `json:"bytes"`
	Scanned      int64               `json:"scanned"`
	Milliseconds float64             `json:"milliseconds"`
}

type grantBody struct {
	SQL string `json:"sql" doc:"what the administrator of the warehouse runs, for Quaestor to read and do nothing else"`
}

func (s *Handlers) listKinds(ctx context.Context, _ *struct{}) (web.Page[makeBody], error) {
	if _, err := web.NeedManager(ctx); err != nil {
		return web.Page[makeBody]{}, err
	}
	return web.Page[makeBody]{Items: web.Map(s.Connections.Connectors, toMakeBody)}, nil
}

func toMakeBody(c warehouse.Connector) makeBody {
	return makeBody{c.Kind(), c.Dialect(), web.Map(c.Fields(), func(f warehouse.Field) makeFieldBody {
		return makeFieldBody{f.Name, f.Label, f.Help, f.Default, f.Choices, f.Required}
	})}
}

func (s *Handlers) listWarehouses(ctx context.Context, _ *struct{}) (web.Page[WarehouseBody], error) {
	a := web.ActorFrom(ctx)
	if err := web.Need(a, auth.Review); err != nil {
		return web.Page[WarehouseBody]{}, err
	}
	list, err := s.Connections.List(ctx, a.Tenant)
	return web.Page[WarehouseBody]{Items: web.Map(list, toWarehouseBody)}, err
}

func (s *Handlers) createWarehouse(ctx context.Context, in *newWarehouse) (WarehouseBody, error) {
	a, err := web.NeedManager(ctx)
	if err != nil {
		return WarehouseBody{}, err
	}
	w, err := s.Connections.Create(ctx, a.Tenant, a.User, in.Body.draft())
	return toWarehouseBody(w), err
}

func (s *Handlers) getWarehouse(ctx context.Context, in *warehousePath) (WarehouseBody, error) {
	a := web.ActorFrom(ctx)
	if err := web.Need(a, auth.Review); err != nil {
		return WarehouseBody{}, err
	}
	w, err := s.Connections.Find(ctx, a.Tenant, in.ID)
	return toWarehouseBody(w), err
}

func (s *Handlers) putWarehouse(ctx context.Context, in *warehouseChange) (WarehouseBody, error) {
	a, err := web.NeedManager(ctx)
	if err != nil {
		return WarehouseBody{}, err
	}
	old, err := s.Connections.Find(ctx, a.Tenant, in.ID)
	if err != nil {
		return WarehouseBody{}, err
	}
	if err := web.CheckUnchanged(in.IfMatch, toWarehouseBody(old), "the warehouse"); err != nil {
		return WarehouseBody{}, err
	}
	if in.Body.Kind != "" && in.Body.Kind != old.Kind {
		return WarehouseBody{}, fault.New(fault.Unprocessable, "is %s and cannot be changed; connect another warehouse", old.Kind).At("kind")
	}
	w, err := s.Connections.Update(ctx, a.Tenant, in.ID, old.Version, in.Body.draft())
	return toWarehouseBody(w), err
}

func (s *Handlers) deleteWarehouse(ctx context.Context, in *warehousePath) error {
	a, err := web.NeedManager(ctx)
	if err != nil {
		return err
	}
	return s.Connections.Delete(ctx, a.Tenant, in.ID)
}

func (s *Handlers) testWarehouse(ctx context.Context, in *warehousePath) (connections.Test, error) {
	a, err := web.NeedManager(ctx)
	if err != nil {
		return connections.Test{}, err
	}
	return s.Connections.Test(ctx, a.Tenant, in.ID)
}

func (s *Handlers) testDraft(ctx context.Context, in *newWarehouse) (connections.Test, error) {
	a, err := web.NeedManager(ctx)
	if err != nil {
		return connections.Test{}, err
	}
	return s.Connections.TestDraft(ctx, a.Tenant, "", in.Body.draft())
}

func (s *Handlers) grantFor(ctx context.Context, in *newWarehouse) (grantBody, error) {
	if _, err := web.NeedManager(ctx); err != nil {
		return grantBody{}, err
	}
	sql, err := s.Connections.Grant(in.Body.draft())
	return grantBody{sql}, err
}

func (s *Handlers) listStatements(ctx context.Context, in *statementQuery) (web.Page[statementBody], error) {
	a := web.ActorFrom(ctx)
	if err := web.Need(a, auth.Review); err != nil {
		return web.Page[statementBody]{}, err
	}
	before, err := statementCursor(in.Cursor)
	if err != nil {
		return web.Page[statementBody]{}, err
	}
	if _, err := s.Connections.Find(ctx, a.Tenant, in.ID); err != nil {
		return web.Page[statementBody]{}, err
	}
	list, err := s.Connections.Audit(ctx, a.Tenant, in.ID, before, in.Limit)
	out := web.Page[statementBody]{Items: web.Map(list, toStatementBody)}
	if len(list) == in.Limit {
		out.NextCursor = strconv.FormatInt(list[len(list)-1].ID, 10)
	}
	return out, err
}

// statementCursor reads where the page before ended; 0 for the first page.
func statementCursor(cursor string) (int64, error) {
	if cursor == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(cursor, 10, 64)
	if err != nil || n <= 0 {
		return 0, fault.New(fault.Invalid, "is not a cursor of this list; take nextCursor of the page before, as it is").At("cursor").Coded("bad_cursor")
	}
	return n, nil
}

func toStatementBody(e connections.AuditEntry) statementBody {
	return statementBody{e.Run, e.Step, e.At, hex.EncodeToString(e.SHA256), e.Sent, e.Verdict, e.Rule, e.Rows, e.Bytes, e.Scanned, e.Milliseconds}
}
