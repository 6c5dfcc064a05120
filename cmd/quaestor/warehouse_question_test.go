package main

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"quaestor/obligations"
	"quaestor/research"
	"quaestor/research/warehouse/metrics"
	"quaestor/research/warehouse/runs"
)

// bridge returns how an interview on the server reaches its warehouses.
func (o *remoteServer) bridge() *bridged {
	return &bridged{o.explorer, func() *research.Queue { return o.commands.Queue }}
}

// TestDiscoveryRunsOnceAndIsFollowed starts a run for a task, as a worker that died and its
// successor do, follows it to its end, and cancels another.
func TestDiscoveryRunsOnceAndIsFollowed(t *testing.T) {
	m := newMart(t, small...)
	held := make(chan struct{})
	o := newRemoteServer(t, Settings{}, script{lines: asking(countCustomers, countOrders), before: map[int]func(){2: func() { <-held }}})
	id, project := o.connect(m.draft())
	if err := o.explorer.store.Refresh(t.Context(), o.tenant, id); err != nil {
		t.Fatal(err)
	}
	d := o.bridge().discoveries()
	task := research.Task{ID: uuid.NewString(), Scope: obligations.Scope{Tenant: o.tenant}, User: "someone", Order: research.Order{Query: "What is in our data?"}}
	run, err := d.Start(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := d.Start(t.Context(), task); err != nil || again != run {
		t.Fatalf("started again: %s, %v, want %s", again, err, run)
	}
	if p, err := d.Look(t.Context(), o.tenant, run); err != nil || p.Over || p.Doing == "" {
		t.Errorf("while it runs: %+v, %v", p, err)
	}
	close(held)
	r := untilOver(t, o.explorer, o.tenant, run)
	p, err := d.Look(t.Context(), o.tenant, run)
	if err != nil || !p.Over || p.Failure != "" || len(p.Found) == 0 || r.Project != project {
		t.Errorf("once it is over: %+v of project %s, %v, want findings of %s", p, r.Project, err, project)
	}
	for _, f := range p.Found {
		if again, err := o.explorer.warehouses.Again(t.Context(), o.tenant, f.Record); err != nil || !again.Same {
			t.Errorf("the statement of %s, sent again, says %+v (%v)", f.Record.Sentence, again, err)
		}
	}
	if err := d.Cancel(t.Context(), o.tenant, run); err != nil {
		t.Errorf("cancelling what is over: %v", err)
	}
	o.remembers(r, p.Found[0])

	task.ID = uuid.NewString()
	other, err := d.Start(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Cancel(t.Context(), o.tenant, other); err != nil {
		t.Fatal(err)
	}
	if r := untilOver(t, o.explorer, o.tenant, other); r.Status != runs.Cancelled && r.Status != runs.Completed {
		t.Errorf("the other run is %s", r.Status)
	}
}

// remembers fails unless the next run is told what a run found and what is watched.
func (o *remoteServer) remembers(r runs.Run, f research.RunFinding) {
	o.t.Helper()
	if err := o.commands.Watch(o.t.Context(), o.tenant, r.ID, f.Ref, "someone", true); err != nil {
		o.t.Fatal(err)
	}
	watched := strings.TrimSuffix(f.Record.Sentence, ".")
	next := runs.Run{Tenant: o.tenant, Project: r.Project, Warehouse: r.Warehouse, MaxSteps: 5, Previous: []runs.Previous{{ID: r.ID, Ended: *r.Ended, Found: []string{"Orders fell"}, Recommended: []string{"open: Look into it"}}}}
	b, _, err := o.explorer.brief(o.t.Context(), next)
	if err != nil {
		o.t.Fatal(err)
	}
	for _, want := range []string{"AVOID finding again", "- Orders fell", "- open: Look into it", "MONITOR what people watch", "- " + watched} {
		if !strings.Contains(b.Previous, want) || !strings.Contains(b.System, want) {
			o.t.Errorf("the next run is not told %q: %s", want, b.Previous)
		}
	}
}

// TestFindingsAreMeasuredByMetrics reads what a team has defined as findings are measured by it.
func TestFindingsAreMeasuredByMetrics(t *testing.T) {
	m := newMart(t, small...)
	o := newRemoteServer(t, Settings{}, nil)
	id, _ := o.connect(m.draft())
	if err := o.explorer.store.Refresh(t.Context(), o.tenant, id); err != nil {
		t.Fatal(err)
	}
	defined := o.explorer.warehouses.Metrics
	for _, spec := range []metrics.Spec{
		{Kind: metrics.Metric, Name: "orders", Table: "shop.orders", Expression: "COUNT(*)"},
		{Kind: metrics.Metric, Name: "large", Table: "shop.orders", Expression: "COUNT(*)", Filters: []string{"total > 100"}},
		{Kind: metrics.Metric, Name: "share_large", Label: "Share of large orders", Numerator: "large", Denominator: "orders"},
		{Kind: metrics.Dimension, Name: "state", Table: "shop.orders", Expression: "status"},
	} {
		if _, err := defined.Save(t.Context(), o.tenant, id, "someone", 0, spec); err != nil {
			t.Fatal(err)
		}
	}
	list, err := o.explorer.definitions(defined)(t.Context(), o.tenant, id)
	if err != nil || len(list) != 3 {
		t.Fatalf("%d metrics are read: %+v (%v)", len(list), list, err)
	}
	for _, d := range list {
		if isRatio := d.Numerator != nil && d.Numerator.Filters[0] == "total > 100" && d.Denominator.Expression == "COUNT(*)"; isRatio != (d.Name == "share_large") {
			t.Errorf("%s is read as %+v", d.Name, d)
		}
		if !strings.HasPrefix(d.Line, d.Name+" (metric): ") {
			t.Errorf("%s is told as %q", d.Name, d.Line)
		}
	}
}
