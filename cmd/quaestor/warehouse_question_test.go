package main

import (
	"testing"

	"github.com/google/uuid"

	"quaestor/obligations"
	"quaestor/research"
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
	if err := d.Cancel(t.Context(), o.tenant, run); err != nil {
		t.Errorf("cancelling what is over: %v", err)
	}

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
