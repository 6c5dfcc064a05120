package data

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"quaestor/internal/language"
	"quaestor/internal/secret"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/projects"
	"quaestor/sessions/settings"
	"quaestor/web"
	"quaestor/web/ui"
)

// makes describe the supported makes to people.
var makes = map[warehouse.Kind]MakeView{
	warehouse.DuckDB:     {Name: "Files or DuckDB", About: "A DuckDB file, or a folder of CSV, Parquet or JSON files on this server."},
	warehouse.PostgreSQL: {Name: "PostgreSQL", About: "Version 10 or newer, also managed ones.", Secret: "Password"},
	warehouse.Redshift:   {Name: "Amazon Redshift", About: "A cluster or a serverless workgroup.", Secret: "Password"},
	warehouse.MySQL:      {Name: "MySQL", About: "Version 8 or newer, also managed ones.", Secret: "Password"},
	warehouse.MariaDB:    {Name: "MariaDB", About: "Version 10.5 or newer.", Secret: "Password"},
	warehouse.ClickHouse: {Name: "ClickHouse", About: "By its native protocol.", Secret: "Password"},
	warehouse.SQLServer:  {Name: "SQL Server", About: "Also Azure SQL.", Secret: "Password"},
	warehouse.BigQuery:   {Name: "BigQuery", About: "With the key of a service account.", Secret: "Key file of the service account", LongSecret: true},
	warehouse.Snowflake:  {Name: "Snowflake", About: "With a password, a token or a key pair.", Secret: "Password, token or private key", LongSecret: true},
}

// warehouseNotices are what the page of a warehouse tells after a form, by the value of
// done in its address.
var warehouseNotices = map[string]string{"saved": "It is saved.", "tested": "The test is over.", "refresh": "Its tables are being read."}

// shownStatements is how many statements of the audit a page lists.
const shownStatements = 20

// warehouseView shows the warehouse that the address names, which takes seven round
// trips, else the form of a new one of ?kind=, or the makes to choose from.
func (s *Handlers) warehouseView(r *http.Request) (WarehouseView, error) {
	ctx, tenant := r.Context(), web.ActorFrom(r.Context()).Tenant
	v := WarehouseView{Nav: web.NavOf(ctx, ui.AtData), Notice: warehouseNotices[r.URL.Query().Get("done")]}
	id := r.PathValue("id")
	if id == "" {
		return v, s.fillNew(r, &v)
	}
	var err error
	if v.Warehouse, err = s.Connections.Find(ctx, tenant, id); err != nil {
		return v, err
	}
	spec := connections.Spec{Kind: v.Kind, Options: v.Options, Schemas: v.Schemas, Limits: v.Warehouse.Limits}
	v.Statements, err = s.Connections.Audit(ctx, tenant, id, 0, shownStatements)
	return v, errors.Join(err, s.fillMake(&v, spec), s.fillIndex(r, &v), s.fillProjectsOf(ctx, &v))
}

// fillNew adds what the make of a new warehouse asks for, or all makes before one is
// chosen. The make comes from the address or from the form that was refused.
func (s *Handlers) fillNew(r *http.Request, v *WarehouseView) error {
	d, _ := draftOf(r.PostForm) // faults are shown where the form was refused
	if r.PostForm == nil {
		d.Kind = warehouse.Kind(r.URL.Query().Get("kind"))
	}
	if d.Kind == "" {
		v.Makes = web.Map(s.Connections.Connectors, toMakeView)
		return nil
	}
	return s.fillMake(v, d)
}

func toMakeView(c warehouse.Connector) MakeView {
	m := makes[c.Kind()]
	m.Kind, m.Fields = c.Kind(), c.Fields()
	return m
}

// fillMake adds what the make of a draft asks for, and the rights that it needs.
func (s *Handlers) fillMake(v *WarehouseView, d connections.Spec) error {
	c, err := s.Connections.Connector(d.Kind)
	if err != nil {
		return err
	}
	v.Make, v.Limits = toMakeView(c), limitFields(d.Limits)
	v.Grant, err = s.Connections.Grant(d)
	return err
}

// maxListedProjects bounds the projects of an organisation among which those of a
// warehouse are looked for.
const maxListedProjects = 1000

// fillProjectsOf adds the projects that explore the warehouse.
func (s *Handlers) fillProjectsOf(ctx context.Context, v *WarehouseView) error {
	list, err := s.Projects.List(ctx, v.Tenant, projects.Cursor{}, maxListedProjects)
	v.Projects = slices.DeleteFunc(list, func(p projects.Project) bool { return p.Warehouse != v.ID })
	return err
}

// megabyte is the unit in which people type limits of size.
const megabyte = 1 << 20

// limitFields are the fields of the form for the limits of statements. A limit that is
// 0 has its default, which the empty field shows.
func limitFields(l warehouse.Limits) []ui.FormField {
	field := func(name, label, hint string, value, normal int64) ui.FormField {
		f := ui.FormField{Form: "warehouse", Name: "limits." + name, Label: label, Hint: hint, Hold: strconv.FormatInt(normal, 10), Mode: "decimal", Longest: 20, ID: "limit-" + name}
		if value != 0 {
			f.Value = strconv.FormatInt(value, 10)
		}
		return f
	}
	return []ui.FormField{
		field("rows", "Rows", "The most that is kept of a result.", int64(l.Rows), warehouse.DefaultRows),
		field("bytes", "Megabytes", "The most that is read of a result.", l.Bytes/megabyte, warehouse.DefaultBytes/megabyte),
		field("time", "Seconds", "Then the warehouse is told to stop.", int64(l.Time/time.Second), int64(warehouse.DefaultTime/time.Second)),
		field("scanned", "Megabytes scanned", "Where the warehouse can be asked beforehand, as BigQuery can.", l.Scanned/megabyte, warehouse.DefaultScanned/megabyte),
		field("memory", "Megabytes of memory", "Where the warehouse can be told, as DuckDB can.", l.Memory/megabyte, warehouse.DefaultMemory/megabyte),
		field("atOnce", "At the same time", "Queries that the analysis of a run sends at once; at most "+strconv.Itoa(warehouse.MaxAtOnce)+".", int64(l.AtOnce), warehouse.DefaultAtOnce),
	}
}

// askerChoices are who may ask single questions of a warehouse in interviews.
func askerChoices() []ui.Choice {
	return []ui.Choice{{Value: string(connections.MembersAsk), Name: "People of the organisation"}, {Value: string(connections.EverybodyAsks), Name: "Guests with a link as well"}, {Value: string(connections.NobodyAsks), Name: "Nobody"}}
}

// draftOf reads the form of a warehouse. The error is about the first limit that is no
// number; everything else is checked when the draft is saved.
func draftOf(form url.Values) (d connections.Spec, err error) {
	d = connections.Spec{Name: form.Get("name"), Kind: warehouse.Kind(form.Get("kind")), Options: map[string]string{}, Secret: secret.New(form.Get("secret")),
		Schemas: strings.Split(form.Get("schemas"), ","), Filter: guard.Filter{Column: form.Get("filter"), Value: form.Get("filterValue")}, Open: strings.Split(form.Get("open"), ","), Interviews: connections.Interviews(form.Get("interviews"))}
	for name := range form {
		if option, ok := strings.CutPrefix(name, "options."); ok {
			d.Options[option] = form.Get(name)
		}
	}
	limit := func(name string) int64 {
		n, bad := wholeNumber(form, "limits."+name, "is a whole number, or empty for the default")
		if err == nil {
			err = bad
		}
		return n
	}
	d.Limits = warehouse.Limits{Rows: int(limit("rows")), Bytes: limit("bytes") * megabyte, Time: time.Duration(limit("time")) * time.Second,
		Scanned: limit("scanned") * megabyte, Memory: limit("memory") * megabyte, AtOnce: int(limit("atOnce"))}
	return d, err
}

// submitWarehouse saves the warehouse that the address names, or connects a new one.
// It is tested at once, and its tables are read if it answers. A test that fails is
// shown on the page; the warehouse stays saved.
func (s *Handlers) submitWarehouse(w http.ResponseWriter, r *http.Request) error {
	ctx, a, id := r.Context(), web.ActorFrom(r.Context()), r.PathValue("id")
	d, err := draftOf(r.PostForm)
	switch {
	case err != nil:
	case id == "":
		var made connections.Warehouse
		made, err = s.Connections.Create(ctx, a.Tenant, a.User, d)
		id = made.ID
	default:
		version, _ := strconv.Atoi(r.PostFormValue("version")) // 0 is no version, and refused as an old one would be
		_, err = s.updateWarehouse(ctx, id, version, d)
	}
	if err != nil {
		return s.warehouseAgain(w, r, err)
	}
	t, err := s.Connections.Test(ctx, a.Tenant, id)
	if err == nil && t.Well {
		err = s.Connections.EnqueueRefresh(ctx, s.Queue, a.Tenant, id)
	}
	if err != nil {
		return err
	}
	return web.EndForm(w, r, warehousePath(id)+"?done=saved")
}

// updateWarehouse changes a warehouse, and writes into the journal what changed of its filter.
func (s *Handlers) updateWarehouse(ctx context.Context, id string, version int, d connections.Spec) (connections.Warehouse, error) {
	a := web.ActorFrom(ctx)
	old, err := s.Connections.Find(ctx, a.Tenant, id)
	if err != nil {
		return old, err
	}
	now, err := s.Connections.Update(ctx, a.Tenant, id, version, d)
	if err != nil {
		return now, err
	}
	if says := filterChange(old, now); says != "" {
		err = s.note(ctx, now.Name, says)
	}
	return now, err
}

// note writes into the journal what the actor did about something of the organisation's data.
func (s *Handlers) note(ctx context.Context, subject, says string) error {
	a := web.ActorFrom(ctx)
	return settings.Note(ctx, s.Pool, a.Tenant, settings.JournalEntry{Actor: a.User, Kind: settings.Data, Subject: subject, Detail: settings.Detail{Says: says}})
}

// filterChange tells how the rows that may be read of a warehouse changed; empty if they did not.
func filterChange(old, now connections.Warehouse) string {
	var parts []string
	if old.Filter != now.Filter {
		if now.Filter.Column == "" {
			parts = append(parts, "took the filter off")
		} else {
			parts = append(parts, "set the filter to "+now.Filter.Column+" = "+now.Filter.Value)
		}
	}
	without := func(list, other []string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(t string) bool { return slices.Contains(other, t) })
	}
	if opened := without(now.Open, old.Open); len(opened) > 0 {
		parts = append(parts, "opened the whole of "+strings.Join(opened, ", "))
	}
	if closed := without(old.Open, now.Open); len(closed) > 0 {
		parts = append(parts, "closed "+strings.Join(closed, ", "))
	}
	if len(parts) == 0 {
		return ""
	}
	return language.Clip(strings.Join(parts, ", "), maxNoted) + " in"
}

// maxNoted bounds what is written into the journal about a change, in characters.
const maxNoted = 1000

// warehouseAgain shows the form with what was typed, except the secret, and what is
// wrong with it.
func (s *Handlers) warehouseAgain(w http.ResponseWriter, r *http.Request, err error) error {
	return web.ShowAgain(w, r, err, func(reason string) (templ.Component, error) {
		v, bad := s.warehouseView(r)
		v.Form = web.FormOf(r, "warehouse", err)
		v.Form.Values.Del("secret")
		v.Failure = v.Form.FailureOr(reason)
		return Warehouse(v), bad
	})
}

// submitTest tests a warehouse as it is saved.
func (s *Handlers) submitTest(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	if _, err := s.Connections.Test(r.Context(), web.ActorFrom(r.Context()).Tenant, id); err != nil {
		return err
	}
	return web.EndForm(w, r, warehousePath(id)+"?done=tested#test")
}

// submitWarehouseDelete forgets a warehouse if the box beside the button is ticked.
func (s *Handlers) submitWarehouseDelete(w http.ResponseWriter, r *http.Request) error {
	if err := confirmed(r, "tick the box beside the button to forget it"); err != nil {
		return s.warehouseAgain(w, r, err)
	}
	if err := s.Connections.Delete(r.Context(), web.ActorFrom(r.Context()).Tenant, r.PathValue("id")); err != nil {
		return err
	}
	return web.EndForm(w, r, "/data?done=forgotten")
}
