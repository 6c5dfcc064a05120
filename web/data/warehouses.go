package data

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/internal/secret"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/projects"
	"quaestor/research/warehouse/wire"
	"quaestor/web"
	"quaestor/web/ui"
)

// makeWords say what a make is called, what it is, and what its secret is.
var makeWords = map[warehouse.Kind]MakeView{
	warehouse.DuckDB:     {Name: "Files or DuckDB", Says: "A DuckDB file, or a folder of CSV, Parquet or JSON files on this server."},
	warehouse.PostgreSQL: {Name: "PostgreSQL", Says: "Version 10 or newer, also managed ones.", Secret: "Password"},
	warehouse.Redshift:   {Name: "Amazon Redshift", Says: "A cluster or a serverless workgroup.", Secret: "Password"},
	warehouse.MySQL:      {Name: "MySQL", Says: "Version 8 or newer, also managed ones.", Secret: "Password"},
	warehouse.MariaDB:    {Name: "MariaDB", Says: "Version 10.5 or newer.", Secret: "Password"},
	warehouse.ClickHouse: {Name: "ClickHouse", Says: "By its native protocol.", Secret: "Password"},
	warehouse.SQLServer:  {Name: "SQL Server", Says: "Also Azure SQL.", Secret: "Password"},
	warehouse.BigQuery:   {Name: "BigQuery", Says: "With the key of a service account.", Secret: "Key file of the service account", LongSecret: true},
	warehouse.Snowflake:  {Name: "Snowflake", Says: "With a password, a token or a key pair.", Secret: "Password, token or private key", LongSecret: true},
}

// warehouseDone says what was just done, by the name that stands in the address.
var warehouseDone = map[string]string{"saved": "It is saved.", "tested": "The test is over.", "refresh": "Its tables are being read."}

func (s *Handlers) newWarehousePage(w http.ResponseWriter, r *http.Request) error {
	if _, err := web.NeedManager(r.Context()); err != nil {
		return err
	}
	v := WarehouseView{Nav: web.NavOf(r.Context(), ui.AtData)}
	kind := r.URL.Query().Get("kind")
	if kind == "" {
		v.Makes = web.Map(s.Connections.Connectors, toMakeView)
		return web.Render(w, r, Warehouse(v))
	}
	if err := s.fillMake(&v, warehouse.Kind(kind), connections.Spec{}); err != nil {
		return err
	}
	return web.Render(w, r, Warehouse(v))
}

func toMakeView(c warehouse.Connector) MakeView {
	m := makeWords[c.Kind()]
	m.Kind = string(c.Kind())
	for _, f := range c.Fields() {
		m.Fields = append(m.Fields, MakeField{Name: f.Name, Label: f.Label, Help: f.Help, Default: f.Default, Choices: f.Choices, Required: f.Required, Long: f.Name == wire.Authority})
	}
	return m
}

// fillMake says what a make asks for and what rights it needs.
func (s *Handlers) fillMake(v *WarehouseView, kind warehouse.Kind, d connections.Spec) error {
	c, err := s.Connections.Connector(kind)
	if err != nil {
		return err
	}
	v.Make = toMakeView(c)
	v.Limits = limitLines(d.Limits)
	d.Kind = kind
	v.Grant, err = s.Connections.Grant(d)
	return err
}

const megabyte = 1 << 20

// limitLines are the bounds as they are typed.
func limitLines(l warehouse.Limits) []LimitLine {
	line := func(name, label, hint string, now, otherwise int64) LimitLine {
		return LimitLine{Name: name, Label: label, Hint: hint, Value: typed(now), Default: strconv.FormatInt(otherwise, 10)}
	}
	return []LimitLine{
		line("rows", "Rows", "The most that is kept of a result.", int64(l.Rows), warehouse.DefaultRows),
		line("bytes", "Megabytes", "The most that is read of a result.", l.Bytes/megabyte, warehouse.DefaultBytes/megabyte),
		line("time", "Seconds", "Then the warehouse is told to stop.", int64(l.Time/time.Second), int64(warehouse.DefaultTime/time.Second)),
		line("scanned", "Megabytes scanned", "Where the warehouse can be asked beforehand, as BigQuery can.", l.Scanned/megabyte, warehouse.DefaultScanned/megabyte),
		line("memory", "Megabytes of memory", "Where the warehouse can be told, as DuckDB can.", l.Memory/megabyte, warehouse.DefaultMemory/megabyte),
	}
}

// typed is a number as somebody typed it; empty for the default.
func typed(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// warehousePage takes seven round trips.
func (s *Handlers) warehousePage(w http.ResponseWriter, r *http.Request) error {
	v, err := s.warehouseView(r)
	if err != nil {
		return err
	}
	v.Notice = warehouseDone[r.URL.Query().Get("done")]
	return web.Render(w, r, Warehouse(v))
}

// shownStatements are the statements of the audit that a page lists.
const shownStatements = 20

func (s *Handlers) warehouseView(r *http.Request) (WarehouseView, error) {
	ctx, a := r.Context(), web.ActorFrom(r.Context())
	v := WarehouseView{Nav: web.NavOf(ctx, ui.AtData)}
	if _, err := web.NeedManager(ctx); err != nil {
		return v, err
	}
	h, err := s.Connections.Find(ctx, a.Tenant, r.PathValue("id"))
	if err != nil {
		return v, err
	}
	v.ID, v.Name, v.Version, v.HasSecret, v.Options, v.Schemas = h.ID, h.Name, h.Version, h.HasSecret, h.Options, h.Schemas
	v.Filter = [2]string{h.Filter.Column, h.Filter.Value}
	v.Test = toTestView(h.Test)
	if err := s.fillMake(&v, h.Kind, connections.Spec{Options: h.Options, Schemas: h.Schemas, Limits: h.Limits}); err != nil {
		return v, err
	}
	return v, errors.Join(s.fillStatements(ctx, a, &v), s.fillIndex(r, a, &v), s.fillUsers(ctx, a, &v))
}

// mostUsers is among how many projects those of a warehouse are looked for.
const mostUsers = 1000

// fillUsers lists the projects that look into the warehouse.
func (s *Handlers) fillUsers(ctx context.Context, a auth.Actor, v *WarehouseView) error {
	list, err := s.Projects.List(ctx, a.Tenant, projects.Cursor{}, mostUsers)
	for _, p := range list {
		if p.Warehouse == v.ID {
			v.Projects = append(v.Projects, LinkRow{Path: "/data/projects/" + p.ID, Name: p.Name})
		}
	}
	return err
}

// fillStatements lists what was asked last.
func (s *Handlers) fillStatements(ctx context.Context, a auth.Actor, v *WarehouseView) error {
	list, err := s.Connections.Audit(ctx, a.Tenant, v.ID, 0, shownStatements)
	v.Statements = web.Map(list, func(e connections.AuditEntry) StatementRow {
		row := StatementRow{At: e.At, Verdict: string(e.Verdict), Rule: e.Rule, SQL: e.Sent, Rows: e.Rows, Took: time.Duration(e.Milliseconds * float64(time.Millisecond))}
		if e.Run != "" {
			row.Run = "/data/runs/" + e.Run
		}
		return row
	})
	return err
}

func toTestView(t *connections.Test) *TestView {
	if t == nil {
		return nil
	}
	out := &TestView{At: t.At, Well: t.Well, Says: t.Says, Role: t.Role, Server: t.Server, CanWrite: t.CanWrite, Why: t.Why, Took: time.Duration(t.Milliseconds * float64(time.Millisecond))}
	switch {
	case t.MoreTables:
		out.Tables = "more than " + strconv.Itoa(t.Tables) + " tables"
	case t.Tables == 1:
		out.Tables = "1 table"
	case t.Tables > 1:
		out.Tables = strconv.Itoa(t.Tables) + " tables"
	}
	return out
}

// draftOf reads the form of a warehouse, with what is wrong about its numbers.
func draftOf(form url.Values) (connections.Spec, error) {
	d := connections.Spec{Name: form.Get("name"), Kind: warehouse.Kind(form.Get("kind")), Options: map[string]string{}, Secret: secret.New(form.Get("secret")),
		Schemas: strings.Split(form.Get("schemas"), ","), Filter: guard.Filter{Column: form.Get("filter"), Value: form.Get("filterValue")}}
	for name := range form {
		if option, ok := strings.CutPrefix(name, "options."); ok {
			d.Options[option] = form.Get(name)
		}
	}
	for _, l := range []struct {
		name string
		put  func(int64)
	}{
		{"rows", func(n int64) { d.Limits.Rows = int(n) }},
		{"bytes", func(n int64) { d.Limits.Bytes = n * megabyte }},
		{"time", func(n int64) { d.Limits.Time = time.Duration(n) * time.Second }},
		{"scanned", func(n int64) { d.Limits.Scanned = n * megabyte }},
		{"memory", func(n int64) { d.Limits.Memory = n * megabyte }},
	} {
		text := strings.TrimSpace(form.Get("limits." + l.name))
		if text == "" {
			continue
		}
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil || n < 0 {
			return d, fault.New(fault.Unprocessable, "is a whole number, or empty for the default").At("limits." + l.name)
		}
		l.put(n)
	}
	return d, nil
}

// connectHere keeps a new warehouse, tries it, and has its tables read.
func (s *Handlers) connectHere(w http.ResponseWriter, r *http.Request) error {
	a, d, err := s.postedWarehouse(w, r)
	if err != nil && d.Kind == "" {
		return err
	}
	var made connections.Warehouse
	if err == nil {
		made, err = s.Connections.Create(r.Context(), a.Tenant, a.User, d)
	}
	if err != nil {
		v := WarehouseView{Nav: web.NavOf(r.Context(), ui.AtData)}
		if bad := s.fillMake(&v, d.Kind, d); bad != nil {
			return bad
		}
		return s.warehouseAgain(w, r, v, err)
	}
	return s.triedHere(w, r, a, made.ID)
}

// postedWarehouse reads the form of those who manage.
func (s *Handlers) postedWarehouse(w http.ResponseWriter, r *http.Request) (auth.Actor, connections.Spec, error) {
	a, err := web.NeedManager(r.Context())
	if err != nil {
		return a, connections.Spec{}, err
	}
	if err := web.ReadForm(w, r); err != nil {
		return a, connections.Spec{}, err
	}
	d, err := draftOf(r.PostForm)
	return a, d, err
}

// changeHere saves a warehouse and tries it.
func (s *Handlers) changeHere(w http.ResponseWriter, r *http.Request) error {
	a, d, err := s.postedWarehouse(w, r)
	if err != nil && d.Kind == "" {
		return err
	}
	id := r.PathValue("id")
	if err == nil {
		version, _ := strconv.Atoi(r.PostFormValue("version")) // one that is none is no version there is
		_, err = s.Connections.Update(r.Context(), a.Tenant, id, version, d)
	}
	if err != nil {
		v, bad := s.warehouseView(r)
		if bad != nil {
			return bad
		}
		return s.warehouseAgain(w, r, v, err)
	}
	return s.triedHere(w, r, a, id)
}

// triedHere tries a warehouse that was just saved and shows what came of it.
func (s *Handlers) triedHere(w http.ResponseWriter, r *http.Request, a auth.Actor, id string) error {
	t, err := s.Connections.Test(r.Context(), a.Tenant, id)
	if err != nil {
		return err
	}
	if t.Well {
		if err := s.refresh(r.Context(), a.Tenant, id); err != nil {
			return err
		}
	}
	return web.EndForm(w, r, "/data/warehouses/"+id+"?done=saved")
}

// warehouseAgain shows the form again with what was typed, all but the secret.
func (s *Handlers) warehouseAgain(w http.ResponseWriter, r *http.Request, v WarehouseView, err error) error {
	if !web.WantsPage(r) || fault.Is(err, fault.Internal) {
		return err
	}
	p := web.ProblemOf(err, web.RequestID(r.Context()))
	v.Form = web.FormOf(r, "warehouse", err)
	v.Form.Values.Del("secret")
	if v.Failure = "That could not be saved; see the field that is marked."; len(v.Form.Faults) == 0 {
		v.Failure = web.Sentence(p.Detail)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(p.Status)
	return Warehouse(v).Render(r.Context(), w)
}

func (s *Handlers) testHere(w http.ResponseWriter, r *http.Request) error {
	a, err := web.NeedManager(r.Context())
	if err != nil {
		return err
	}
	if _, err := s.Connections.Test(r.Context(), a.Tenant, r.PathValue("id")); err != nil {
		return err
	}
	return web.EndForm(w, r, "/data/warehouses/"+r.PathValue("id")+"?done=tested#test")
}

func (s *Handlers) forgetHere(w http.ResponseWriter, r *http.Request) error {
	a, _, err := s.postedWarehouse(w, r)
	if err != nil {
		return err
	}
	id := r.PathValue("id")
	if r.PostFormValue("sure") != "yes" {
		v, err := s.warehouseView(r)
		if err != nil {
			return err
		}
		return s.warehouseAgain(w, r, v, fault.New(fault.Unprocessable, "tick the box beside the button to forget it"))
	}
	if err := s.Connections.Delete(r.Context(), a.Tenant, id); err != nil {
		return err
	}
	return web.EndForm(w, r, "/data?done=forgotten")
}
