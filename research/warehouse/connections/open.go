package connections

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/secret"
	"quaestor/internal/secret/seal"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/schema"
)

// Reach returns a connection for reading what a warehouse holds. No statement from outside may be
// sent through it; [Store.Open] is for those. If the warehouse has a filter, only tables that
// somebody has opened have samples, because others would show rows of other tenants. The caller closes the connection. It
// costs no look at the index, so it works before the first refresh.
func (s *Store) Reach(ctx context.Context, tenant, id string) (warehouse.Conn, Warehouse, error) {
	conn, w, err := s.reach(ctx, tenant, id)
	if err == nil && w.Filter.Column != "" {
		conn = &filteredConn{Conn: conn, warehouse: w}
	}
	return conn, w, err
}

// reach finds a warehouse and opens a connection to it.
func (s *Store) reach(ctx context.Context, tenant, id string) (warehouse.Conn, Warehouse, error) {
	w, err := s.Find(ctx, tenant, id)
	if err != nil {
		return nil, w, err
	}
	settings, err := s.settings(w)
	if err != nil {
		return nil, w, err
	}
	conn, err := s.dial(ctx, settings)
	return conn, w, err
}

// dial opens a connection.
func (s *Store) dial(ctx context.Context, settings warehouse.Settings) (warehouse.Conn, error) {
	c, err := s.Connector(settings.Kind)
	if err != nil {
		return nil, err
	}
	conn, err := c.Open(ctx, settings)
	var late *warehouse.QueryError
	if errors.As(err, &late) && late.Class == warehouse.TimedOut && ctx.Err() == nil { // no statement was asked yet
		return nil, warehouse.NewQueryError(warehouse.Unreachable, "the server did not answer in time", "", err)
	}
	return conn, err
}

// settings returns the settings of w with its secret opened. The secret is opened only if the
// tenant may connect.
func (s *Store) settings(w Warehouse) (warehouse.Settings, error) {
	out := warehouse.Settings{Kind: w.Kind, Options: w.Options, Schemas: w.Schemas, Limits: w.Limits.OrDefault()}
	if err := s.allowed(w.Tenant, w.Kind, w.Options); err != nil || !w.HasSecret {
		return out, err
	}
	var err error
	if out.Secret, err = s.Sealer.Open(w.Tenant, sealName(w.ID), w.sealed); err != nil {
		return out, lost(w, err)
	}
	return out, nil
}

// lost returns the fault for a secret that cannot be opened.
func lost(w Warehouse, err error) error {
	if errors.Is(err, seal.ErrNoKeys) || errors.Is(err, seal.ErrOther) {
		return fault.New(fault.Unavailable, "the secret of %q was sealed with keys this server does not have; give it again, or set QUAESTOR_SECRETS_FILE to the old keys", w.Name).At("secret").Coded("sealed_elsewhere").Because(err)
	}
	return fmt.Errorf("open the secret of warehouse %s: %w", w.ID, err)
}

// gateway is a warehouse that is open for statements. It implements [warehouse.Gateway]. It is safe
// for concurrent use.
type gateway struct {
	store     *Store
	warehouse Warehouse
	conn      warehouse.Conn // closed by Close
	dialect   guard.Dialect
	guards    []*guard.Guard        // applied in order, each to the statement that the one before printed
	filter    guard.Filter          // the view's, or else the warehouse's
	all       *schema.Snapshot      // what the warehouse held as of Open
	snapshot  *schema.Snapshot      // what of it the warehouse's filter lets be seen
	index     *catalog.Index        // the tables in the view
	seen      func(ref string) bool // whether a table is in the view
	limits    warehouse.Limits      // of each statement; without zeros
}

// AtOnce returns how many statements the analysis of a run may send at the same time.
func (g *gateway) AtOnce() int { return g.limits.AtOnce }

// View restricts a warehouse to a part of it.
type View struct {
	Schemas []string     // empty means all
	Filter  guard.Filter // applied in addition to the warehouse's own filter
}

// Open connects to a warehouse and returns it for statements, which may read the tables that are
// indexed and in the view v. It is a Conflict while nothing is indexed, and Unprocessable if the view
// is empty.
func (s *Store) Open(ctx context.Context, tenant, id string, v View) (warehouse.Gateway, error) {
	snapshot, err := s.Index.Load(ctx, tenant, id)
	if err != nil {
		return nil, err
	}
	conn, w, err := s.reach(ctx, tenant, id)
	if err != nil {
		return nil, err
	}
	o := &gateway{store: s, warehouse: w, conn: conn, dialect: s.makes[w.Kind].Dialect(), all: snapshot, snapshot: seen(snapshot, w), limits: w.Limits.OrDefault()}
	if err := o.show(v); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return o, nil
}

// show restricts o to a view.
func (o *gateway) show(v View) error {
	o.filter = o.warehouse.Filter
	filters := []guard.Filter{o.warehouse.Filter}
	if v.Filter.Column != "" {
		o.filter = v.Filter
		filters = append(filters, v.Filter)
	}
	o.index, o.seen = o.snapshot.Index, func(string) bool { return true }
	if len(v.Schemas) > 0 || v.Filter.Column != "" || o.warehouse.Filter.Column != "" {
		o.narrow(v)
	}
	for i, f := range filters {
		g, err := guard.New(o.policy(v.Schemas, f, i == 0))
		if err != nil {
			return fmt.Errorf("guard warehouse %s: %w", o.warehouse.ID, err)
		}
		o.guards = append(o.guards, g)
	}
	return nil
}

// narrow restricts o to the tables of some schemas (all if there are none), and removes the samples
// of tables that the view's filter is on.
func (o *gateway) narrow(v View) {
	var tables []catalog.Table
	refs := map[string]bool{}
	for i, a := range accessOf(o.snapshot.Relations(), v.Filter, nil) {
		t := o.snapshot.Tables[i]
		if len(v.Schemas) > 0 && !slices.Contains(v.Schemas, t.Schema) {
			continue
		}
		if a.Access == Filtered {
			t.Samples, t.Categories = nil, nil
		}
		tables = append(tables, t)
		refs[t.Ref()] = true
	}
	o.snapshot = o.snapshot.With(tables)
	o.index, o.seen = o.snapshot.Index, func(ref string) bool { return refs[ref] }
}

// policy returns what a guard with filter f lets statements read. The first guard decides which
// tables a statement may name: the second reads what the first has printed, which may hold tables
// outside of the view that keys lead through. Only the warehouse's own filter closes tables.
func (o *gateway) policy(schemas []string, f guard.Filter, first bool) guard.Policy {
	p := guard.Policy{Dialect: o.dialect, Filter: f, Close: first}
	for _, t := range o.all.Relations() {
		t.Open = slices.Contains(o.warehouse.Open, (&catalog.Table{Schema: t.Schema, Name: t.Name}).Ref())
		if first && len(schemas) > 0 && !slices.Contains(schemas, t.Schema) {
			p.Hidden = append(p.Hidden, t)
			continue
		}
		p.Relations = append(p.Relations, t)
		p.Schemas = withNew(p.Schemas, t.Schema)
	}
	p.Parser, _ = o.conn.(guard.Parser)
	return p
}

// withNew returns list with v appended if it is not there yet.
func withNew(list []string, v string) []string {
	if len(list) > 0 && list[len(list)-1] == v { // the usual case: relations are grouped by schema
		return list
	}
	for _, have := range list {
		if have == v {
			return list
		}
	}
	return append(list, v)
}

// Dialect implements [warehouse.Gateway].
func (o *gateway) Dialect() guard.Dialect { return o.dialect }

// Filter implements [warehouse.Gateway]. If there are two filters it returns the view's.
func (o *gateway) Filter() guard.Filter { return o.filter }

// Catalog implements [warehouse.Gateway].
func (o *gateway) Catalog() *catalog.Index { return o.index }

// Lookup implements [warehouse.Gateway]. Tables outside the view count as unknown and are not
// named as candidates either.
func (o *gateway) Lookup(_ context.Context, refs []string) (warehouse.LookupAnswer, error) {
	all := o.snapshot.Lookup(refs)
	var out warehouse.LookupAnswer
	for _, t := range all.Tables {
		if i, ok, _ := o.index.Find(t.Ref); ok && o.seen(t.Ref) {
			out.Tables = append(out.Tables, warehouse.TableDetail{Ref: t.Ref, Text: o.index.Describe(i)})
		} else {
			out.NotFound = append(out.NotFound, warehouse.NotFound{Ref: t.Ref})
		}
	}
	for _, n := range all.NotFound {
		n.Candidates = slices.DeleteFunc(slices.Clone(n.Candidates), func(ref string) bool { return !o.seen(ref) })
		out.NotFound = append(out.NotFound, n)
	}
	return out, nil
}

// Search implements [warehouse.Gateway].
func (o *gateway) Search(ctx context.Context, words string, topK int) ([]warehouse.Hit, error) {
	hits, err := o.store.Index.Search(ctx, o.snapshot, words, topK)
	return slices.DeleteFunc(hits, func(h warehouse.Hit) bool { return !o.seen(h.Ref) }), err
}

// Close closes the connection.
func (o *gateway) Close() error { return o.conn.Close() }

// Ask implements [warehouse.Gateway]. If the warehouse was deleted meanwhile, nothing is sent.
// Every statement is recorded in the audit, those that are refused or fail as well; one that
// cannot be recorded fails, even if it was answered.
func (o *gateway) Ask(ctx context.Context, q warehouse.Query) (warehouse.Answer, error) {
	began := time.Now()
	if _, err := o.store.Find(ctx, o.warehouse.Tenant, o.warehouse.ID); fault.Is(err, fault.NotFound) {
		return warehouse.Answer{}, warehouse.NewQueryError(warehouse.Unreachable, "the warehouse is not connected any more", "", err)
	} else if err != nil {
		return warehouse.Answer{}, err
	}
	stmt, rule, err := o.admit(ctx, q)
	if err != nil {
		return warehouse.Answer{}, errors.Join(err, o.record(ctx, q, "", Refused, rule, nil, time.Since(began)))
	}
	result, err := o.conn.Query(ctx, stmt, o.limits)
	if err != nil {
		if len(stmt.Filtered) > 0 {
			err = withoutValues(err)
		}
		return warehouse.Answer{Sent: stmt}, errors.Join(err, o.record(ctx, q, stmt.SQL, Failed, string(warehouse.ClassOf(err)), nil, time.Since(began)))
	}
	if err := o.record(ctx, q, stmt.SQL, Passed, "", result, result.Took); err != nil {
		return warehouse.Answer{}, err
	}
	return warehouse.Answer{Result: result, Sent: stmt}, nil
}

// withoutValues returns an error of a statement that a filter is on, without the warehouse's own
// words where these could quote a value. The warehouse may compute an expression before it applies
// the filter, so the value that it complains about can be another tenant's.
func withoutValues(err error) error {
	var q *warehouse.QueryError
	if !errors.As(err, &q) {
		return err
	}
	switch q.Class {
	case warehouse.TypeMismatch, warehouse.DivisionByZero, warehouse.OtherError:
		return warehouse.NewQueryError(q.Class, "the warehouse could not compute a value; its message is not shown, because it may quote a row that the filter leaves out", "", err)
	}
	return err
}

// ruleGovernance is the rule in the audit log for statements that a middleware refused.
const ruleGovernance = "governance"

// admit returns the statement that may be sent in place of q, or the rule and the reason why not.
// A middleware may change a statement. What it makes of it passes the guards again, so that no
// middleware can widen what may be read.
func (o *gateway) admit(ctx context.Context, q warehouse.Query) (stmt guard.Statement, rule string, err error) {
	if stmt, err = o.check(q.SQL); err != nil {
		return stmt, ruleOf(err), refused(err)
	}
	for _, see := range o.store.Middleware {
		text, err := see(ctx, warehouse.Statement{Tenant: o.warehouse.Tenant, Warehouse: o.warehouse.ID, Run: q.Run, Step: q.Step, Statement: stmt})
		if err != nil {
			return stmt, ruleGovernance, warehouse.NewQueryError(warehouse.Forbidden, "refused by governance: "+err.Error(), "", err)
		}
		if text == stmt.SQL {
			continue
		}
		if stmt, err = o.check(text); err != nil {
			return stmt, ruleGovernance, warehouse.NewQueryError(warehouse.Forbidden, "what governance made of it may not run: "+err.Error(), "", err)
		}
	}
	return stmt, "", nil
}

// check passes a statement through all guards.
func (o *gateway) check(sql string) (stmt guard.Statement, err error) {
	for _, g := range o.guards {
		if stmt, err = g.Check(sql); err != nil {
			return stmt, err
		}
		sql = stmt.SQL
	}
	return stmt, nil
}

// ruleOf returns the rule by which the guard refused.
func ruleOf(err error) string {
	var r *guard.Refusal
	if errors.As(err, &r) {
		return string(r.Rule)
	}
	return "guard"
}

// refused turns a refusal into a [*warehouse.QueryError]. Unknown tables and syntax get their own
// classes, because they are repaired like those of the warehouse.
func refused(err error) error {
	class := warehouse.Forbidden
	switch ruleOf(err) {
	case string(guard.RuleRelation):
		class = warehouse.UnknownTable
	case string(guard.RuleSyntax):
		class = warehouse.SyntaxError
	}
	return warehouse.NewQueryError(class, err.Error(), "", err)
}

// secretOf returns the secret to test a draft with: its own, or else the stored one.
func (s *Store) secretOf(w Warehouse, d Spec) (secret.Secret, error) {
	if !d.Secret.IsZero() || !w.HasSecret {
		return d.Secret, nil
	}
	kept, err := s.settings(w)
	return kept.Secret, err
}
