package data

import (
	"context"
	"encoding/hex"
	"strconv"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/secret"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/guard"
	"quaestor/web"
)

// makeBody is a make of warehouse with the settings that it takes.
type makeBody struct {
	Kind    warehouse.Kind  `json:"kind" example:"postgresql"`
	Dialect guard.Dialect   `json:"dialect"`
	Fields  []makeFieldBody `json:"fields" nullable:"false"`
}

// makeFieldBody is one setting of a make.
type makeFieldBody struct {
	Name     string   `json:"name"`
	Label    string   `json:"label"`
	Help     string   `json:"help,omitempty"`
	Default  string   `json:"default,omitempty"`
	Choices  []string `json:"choices,omitempty"`
	Required bool     `json:"required"`
}

// WarehouseBody is a warehouse in the API. Its secret is never shown.
type WarehouseBody struct {
	ID         string                 `json:"id"`
	Name       string                 `json:"name"`
	Kind       warehouse.Kind         `json:"kind"`
	Options    map[string]string      `json:"options" nullable:"false" doc:"by the names of the make's fields"`
	HasSecret  bool                   `json:"hasSecret"`
	Schemas    []string               `json:"schemas" nullable:"false" doc:"whose tables are read; none for the usual ones of the make"`
	Filter     *filterBody            `json:"filter,omitempty" doc:"limits every table that has the column, or that foreign keys tie to one that has it; others are closed"`
	Open       []string               `json:"open" nullable:"false" doc:"qualified names of tables that are read as a whole although nothing ties them to the filter"`
	Limits     limitsBody             `json:"limits"`
	Interviews connections.Interviews `json:"interviews" enum:"nobody,members,everybody" doc:"who may ask single questions in an interview"`
	Version    int                    `json:"version" doc:"counts the changes"`
	Test       *connections.Test      `json:"test,omitempty" doc:"the last one since it was changed"`
	CreatedBy  string                 `json:"createdBy,omitempty"`
	CreatedAt  time.Time              `json:"createdAt"`
	ChangedAt  time.Time              `json:"changedAt"`
}

// filterBody limits rows to those with a value in a column. It applies to every table
// that has the column, and to those that foreign keys tie to it, whatever a query asks.
type filterBody struct {
	Column string `json:"column" example:"tenant_id"`
	Value  string `json:"value" example:"42"`
}

// limitsBody limits one statement; 0 is the default.
type limitsBody struct {
	Rows    int     `json:"rows,omitempty" doc:"kept of a result"`
	Bytes   int64   `json:"bytes,omitempty" doc:"of a result as it is read"`
	Seconds float64 `json:"seconds,omitempty" doc:"until the warehouse is told to stop"`
	Scanned int64   `json:"scanned,omitempty" doc:"bytes the warehouse may read for it, where it can be asked beforehand"`
	Memory  int64   `json:"memory,omitempty" doc:"bytes the warehouse may use for it, where it can be told"`
	AtOnce  int     `json:"atOnce,omitempty" doc:"statements that the analysis of a run sends at the same time, at most 6"`
}

func (l limitsBody) limits() warehouse.Limits {
	return warehouse.Limits{Rows: l.Rows, Bytes: l.Bytes, Time: time.Duration(l.Seconds * float64(time.Second)), Scanned: l.Scanned, Memory: l.Memory, AtOnce: l.AtOnce}
}

func toLimitsBody(l warehouse.Limits) limitsBody {
	return limitsBody{l.Rows, l.Bytes, l.Time.Seconds(), l.Scanned, l.Memory, l.AtOnce}
}

func toWarehouseBody(w connections.Warehouse) WarehouseBody {
	out := WarehouseBody{ID: w.ID, Name: w.Name, Kind: w.Kind, Options: w.Options, HasSecret: w.HasSecret, Schemas: w.Schemas, Open: w.Open, Limits: toLimitsBody(w.Limits), Interviews: w.Interviews,
		Version: w.Version, Test: w.Test, CreatedBy: w.CreatedBy, CreatedAt: w.CreatedAt, ChangedAt: w.ChangedAt}
	if w.Filter.Column != "" {
		out.Filter = &filterBody{w.Filter.Column, w.Filter.Value}
	}
	return out
}

// warehouseDraft describes a warehouse that is connected, changed or tested.
type warehouseDraft struct {
	Name    string            `json:"name,omitempty" pattern:"^[^\\x00]*$" example:"Sales"`
	Kind    warehouse.Kind    `json:"kind,omitempty" enum:"duckdb,postgresql,redshift,mysql,mariadb,clickhouse,sqlserver,bigquery,snowflake" doc:"cannot be changed later"`
	Options map[string]string `json:"options,omitempty" doc:"by the names of the make's fields; what is absent has its default"`
	Secret  string            `json:"secret,omitempty" doc:"a password or a key file; sealed, and never shown. Absent keeps the one there is, unless the options change" writeOnly:"true"`
	Schemas []string          `json:"schemas,omitempty"`
	Filter  *filterBody       `json:"filter,omitempty"`
	Open    []string          `json:"open,omitempty" maxItems:"1000" doc:"qualified names of tables to read as a whole although nothing ties them to the filter"`
	Limits  limitsBody        `json:"limits,omitempty"`

	Interviews connections.Interviews `json:"interviews,omitempty" enum:"nobody,members,everybody" doc:"who may ask single questions in an interview; members if absent"`
}

func (b warehouseDraft) draft() connections.Spec {
	d := connections.Spec{Name: b.Name, Kind: b.Kind, Options: b.Options, Secret: secret.New(b.Secret), Schemas: b.Schemas, Open: b.Open, Limits: b.Limits.limits(), Interviews: b.Interviews}
	if b.Filter != nil {
		d.Filter = guard.Filter{Column: b.Filter.Column, Value: b.Filter.Value}
	}
	return d
}

type warehouseID struct {
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

// statementBody is a statement in the audit log.
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

// grantBody holds SQL statements that set up a role.
type grantBody struct {
	SQL string `json:"sql" doc:"what the administrator of the warehouse runs, so that Quaestor can read and do nothing else"`
}

func (s *Handlers) listKinds(context.Context, *struct{}) (web.Page[makeBody], error) {
	return web.Page[makeBody]{Items: web.Map(s.Connections.Connectors, toMakeBody)}, nil
}

func toMakeBody(c warehouse.Connector) makeBody {
	return makeBody{c.Kind(), c.Dialect(), web.Map(c.Fields(), func(f warehouse.Field) makeFieldBody {
		return makeFieldBody{f.Name, f.Label, f.Help, f.Default, f.Choices, f.Required}
	})}
}

func (s *Handlers) listWarehouses(ctx context.Context, _ *struct{}) (web.Page[WarehouseBody], error) {
	list, err := s.Connections.List(ctx, web.ActorFrom(ctx).Tenant)
	return web.Page[WarehouseBody]{Items: web.Map(list, toWarehouseBody)}, err
}

func (s *Handlers) createWarehouse(ctx context.Context, in *newWarehouse) (WarehouseBody, error) {
	a := web.ActorFrom(ctx)
	w, err := s.Connections.Create(ctx, a.Tenant, a.User, in.Body.draft())
	return toWarehouseBody(w), err
}

func (s *Handlers) getWarehouse(ctx context.Context, in *warehouseID) (WarehouseBody, error) {
	w, err := s.Connections.Find(ctx, web.ActorFrom(ctx).Tenant, in.ID)
	return toWarehouseBody(w), err
}

// putWarehouse replaces all settings of a warehouse but its kind: projects and their
// runs rest on the SQL of its make.
func (s *Handlers) putWarehouse(ctx context.Context, in *warehouseChange) (WarehouseBody, error) {
	tenant := web.ActorFrom(ctx).Tenant
	old, err := s.Connections.Find(ctx, tenant, in.ID)
	if err != nil {
		return WarehouseBody{}, err
	}
	if err := web.CheckUnchanged(in.IfMatch, toWarehouseBody(old), "the warehouse"); err != nil {
		return WarehouseBody{}, err
	}
	if in.Body.Kind != "" && in.Body.Kind != old.Kind {
		return WarehouseBody{}, fault.New(fault.Unprocessable, "is %s and cannot be changed; connect another warehouse", old.Kind).At("kind")
	}
	w, err := s.updateWarehouse(ctx, in.ID, old.Version, in.Body.draft())
	return toWarehouseBody(w), err
}

func (s *Handlers) deleteWarehouse(ctx context.Context, in *warehouseID) error {
	return s.Connections.Delete(ctx, web.ActorFrom(ctx).Tenant, in.ID)
}

// testWarehouse tests a saved warehouse and stores the outcome. A warehouse that does
// not answer is an outcome, not an error.
func (s *Handlers) testWarehouse(ctx context.Context, in *warehouseID) (connections.Test, error) {
	return s.Connections.Test(ctx, web.ActorFrom(ctx).Tenant, in.ID)
}

// testDraft tests settings that are not saved, and stores nothing.
func (s *Handlers) testDraft(ctx context.Context, in *newWarehouse) (connections.Test, error) {
	return s.Connections.TestDraft(ctx, web.ActorFrom(ctx).Tenant, "", in.Body.draft())
}

func (s *Handlers) grantFor(_ context.Context, in *newWarehouse) (grantBody, error) {
	sql, err := s.Connections.Grant(in.Body.draft())
	return grantBody{sql}, err
}

func (s *Handlers) listStatements(ctx context.Context, in *statementQuery) (web.Page[statementBody], error) {
	before, err := web.ParsePage(in.Cursor)
	if err != nil {
		return web.Page[statementBody]{}, err
	}
	tenant := web.ActorFrom(ctx).Tenant
	if _, err := s.Connections.Find(ctx, tenant, in.ID); err != nil {
		return web.Page[statementBody]{}, err
	}
	list, err := s.Connections.Audit(ctx, tenant, in.ID, before, in.Limit)
	return pageOf(list, in.Limit, toStatementBody, func(e connections.AuditEntry) string { return strconv.FormatInt(e.ID, 10) }), err
}

func toStatementBody(e connections.AuditEntry) statementBody {
	return statementBody{e.Run, e.Step, e.At, hex.EncodeToString(e.SHA256), e.Sent, e.Verdict, e.Rule, e.Rows, e.Bytes, e.Scanned, e.Milliseconds}
}
