package main

import (
	"context"
	"errors"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"quaestor/internal/fault"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/projects"
	"quaestor/research/warehouse/runs"
	"quaestor/research/warehouse/wire"
)

// small is a shop that is made in no time.
var small = []string{
	"CREATE TABLE shop.customers (id int PRIMARY KEY, country text)",
	"INSERT INTO shop.customers SELECT i, (ARRAY['DE','FR','US'])[1 + i % 3] FROM generate_series(1, 300) i",
	"CREATE TABLE shop.orders (id int PRIMARY KEY, customer_id int REFERENCES shop.customers, status text, total numeric(10,2), placed_at timestamptz)",
	"INSERT INTO shop.orders SELECT i, 1 + i % 300, (ARRAY['paid','sent','returned'])[1 + i % 3], i % 90, timestamptz '2024-01-01' + i * interval '3 hours' FROM generate_series(1, 2000) i",
	"ANALYZE",
}

const (
	countOrders    = "SELECT COUNT(*) AS orders FROM shop.orders"
	countCustomers = "SELECT COUNT(*) AS customers FROM shop.customers"
	byStatus       = "SELECT status, COUNT(*) AS orders FROM shop.orders GROUP BY status ORDER BY status"
	byCountry      = "SELECT country, COUNT(*) AS customers FROM shop.customers GROUP BY country ORDER BY country"
)

// TestWarehouseChangesUnderARun has a warehouse change between the second step and
// the third. The step says what is wrong, and what comes after it is answered.
func TestWarehouseChangesUnderARun(t *testing.T) {
	for name, c := range map[string]struct {
		change string // with % for the role
		class  warehouse.ErrorClass
		says   string
	}{
		"a table is dropped":  {"DROP TABLE shop.orders", warehouse.UnknownTable, `relation "shop.orders" does not exist`},
		"a column is renamed": {"ALTER TABLE shop.orders RENAME COLUMN status TO state", warehouse.UnknownColumn, `column "status" does not exist`},
		"a right is revoked":  {"REVOKE SELECT ON shop.orders FROM %", warehouse.NoPermission, "permission denied for table orders"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMart(t, small...)
			who := script{lines: asking(countCustomers, countOrders, byStatus, byCountry), before: map[int]func(){3: func() { m.exec(strings.ReplaceAll(c.change, "%", m.role)) }}}
			o := newRemoteServer(t, Settings{}, who)
			_, project := o.connect(m.draft())
			r, steps := o.explore(project, 10)

			want := runs.NoOutcome // the one table with figures cannot be analysed any more
			if c.class == warehouse.UnknownColumn {
				want = runs.FullOutcome
			}
			if r.Status != runs.Completed || r.Outcome != want || r.Stop != runs.StopComplete || r.Counters.Failed != 1 || r.Counters.Successful != 3 || len(steps) != 5 {
				t.Fatalf("%+v", r)
			}
			if st := steps[2]; st.Class != c.class || !strings.Contains(st.Error, c.says) || strings.Contains(st.Error, "SQLSTATE") {
				t.Errorf("step 3 says (%s) %s", st.Class, st.Error)
			}
		})
	}
}

// door stands before a server on a Unix socket. It can be shut, which cuts whoever
// is inside.
type door struct {
	listener net.Listener
	behind   string

	mu    sync.Mutex // guards the rest
	shut  bool
	conns []net.Conn
}

// newDoor puts a door before a socket, and returns the folder of its own.
func newDoor(t *testing.T, behind string) (*door, string) {
	t.Helper()
	dir := t.TempDir()
	l, err := new(net.ListenConfig).Listen(t.Context(), "unix", filepath.Join(dir, filepath.Base(behind)))
	if err != nil {
		t.Fatal(err)
	}
	d := &door{listener: l, behind: behind}
	var all sync.WaitGroup
	all.Go(func() { d.serve(&all) })
	t.Cleanup(func() { _ = l.Close(); d.set(true); all.Wait() })
	return d, dir
}

func (d *door) serve(all *sync.WaitGroup) {
	for {
		in, err := d.listener.Accept()
		if err != nil {
			return
		}
		all.Go(func() { d.through(in) })
	}
}

// through lets a connection pass until either side or the door ends it.
func (d *door) through(in net.Conn) {
	defer func() { _ = in.Close() }()
	out, err := new(net.Dialer).DialContext(context.Background(), "unix", d.behind)
	if err != nil {
		return
	}
	defer func() { _ = out.Close() }()
	d.mu.Lock()
	d.conns = append(d.conns, in, out)
	shut := d.shut
	d.mu.Unlock()
	if shut {
		return
	}
	var both sync.WaitGroup
	both.Go(func() { _, _ = io.Copy(out, in); _ = out.Close() })
	_, _ = io.Copy(in, out)
	_ = in.Close()
	both.Wait()
}

// set shuts the door, or opens it.
func (d *door) set(shut bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.shut = shut
	if shut {
		for _, c := range d.conns {
			_ = c.Close()
		}
		d.conns = nil
	}
}

// behindDoor connects a mart through a door.
func behindDoor(t *testing.T, m *mart) (*door, map[string]string) {
	t.Helper()
	options := m.draft().Options
	d, dir := newDoor(t, filepath.Join(options[wire.Host], ".s.PGSQL."+options[wire.Port]))
	options[wire.Host] = dir
	return d, options
}

// TestWarehouseComesBack has the server vanish for two steps, and while a statement
// runs. What is asked after it is answered.
func TestWarehouseComesBack(t *testing.T) {
	m := newMart(t, small...)
	d, options := behindDoor(t, m)
	fall := func() { d.set(true) }
	who := script{lines: asking(countOrders, byStatus, byCountry, countCustomers, byStatus), before: map[int]func(){2: fall, 4: func() { d.set(false) }}}
	o := newRemoteServer(t, Settings{}, who)
	draft := m.draft()
	draft.Options = options
	_, project := o.connect(draft)
	r, steps := o.explore(project, 10)

	if r.Status != runs.Completed || r.Stop != runs.StopComplete || r.Counters.Failed != 2 || r.Counters.Successful != 3 || len(steps) != 6 {
		t.Fatalf("%+v", r)
	}
	for _, st := range steps[1:3] {
		if st.Class != warehouse.Unreachable || st.Error != "the server ended the connection" {
			t.Errorf("step %d says (%s) %s", st.N, st.Class, st.Error)
		}
	}
	if st := steps[4]; st.Repeats != 0 || st.Rows != 3 {
		t.Errorf("what failed for the connection was not asked again: %+v", st.Step)
	}
}

// TestConnectionEndsUnderAStatement has an administrator end the connection while it
// works.
func TestConnectionEndsUnderAStatement(t *testing.T) {
	m := newMart(t, small...)
	long := "SELECT COUNT(*) AS n FROM shop.orders a, shop.orders b, shop.orders c"
	ended := make(chan error, 1)
	end := func() {
		go func() { ended <- m.terminate() }()
	}
	o := newRemoteServer(t, Settings{}, script{lines: asking(countOrders, long, byStatus), before: map[int]func(){2: end}})
	_, project := o.connect(m.draft())
	r, steps := o.explore(project, 10)

	if err := <-ended; err != nil {
		t.Error(err)
	}
	if r.Status != runs.Completed || r.Counters.Failed != 1 || r.Counters.Successful != 2 || steps[1].Class != warehouse.Unreachable {
		t.Errorf("%+v", r)
	}
}

// terminate ends the connections of the role that work, once there is one.
func (m *mart) terminate() error {
	for range 200 {
		var n int
		err := m.super.QueryRow(context.Background(), `WITH working AS MATERIALIZED (SELECT pid FROM pg_stat_activity WHERE usename = $1 AND state = 'active' AND query LIKE '%shop.orders c%')
			SELECT COUNT(*) FROM working WHERE pg_terminate_backend(pid)`, m.role).Scan(&n)
		if err != nil || n > 0 {
			return err
		}
		if _, err := m.super.Exec(context.Background(), "SELECT pg_sleep(0.05)"); err != nil {
			return err
		}
	}
	return errors.New("no statement was seen at work")
}

// TestWarehouseStaysAway has the server vanish for good: the run ends with what it
// has.
func TestWarehouseStaysAway(t *testing.T) {
	m := newMart(t, small...)
	d, options := behindDoor(t, m)
	o := newRemoteServer(t, Settings{}, script{lines: asking(countOrders, byStatus, byCountry, countCustomers, byStatus), before: map[int]func(){2: func() { d.set(true) }}})
	draft := m.draft()
	draft.Options = options
	_, project := o.connect(draft)
	r, steps := o.explore(project, 10)

	if r.Status != runs.Completed || r.Outcome != runs.PartialOutcome || r.Stop != runs.StopWarehouse || len(steps) != 4 || steps[0].Rows != 1 {
		t.Errorf("%+v", r)
	}
}

// TestRunsThatCannotBegin are over at once, with the reason.
func TestRunsThatCannotBegin(t *testing.T) {
	o := newRemoteServer(t, Settings{}, script{})
	m := newMart(t, small...)
	set := func(name, value string) map[string]string {
		options := m.draft().Options
		options[name] = value
		return options
	}
	for name, c := range map[string]struct {
		options map[string]string
		says    string
	}{
		"a role there is not":     {set(wire.User, "nobody_at_all"), `role "nobody_at_all" does not exist`},
		"a database there is not": {set(wire.Database, "nothing"), `database "nothing" does not exist`},
	} {
		t.Run(name, func(t *testing.T) {
			draft := m.draft()
			draft.Name, draft.Options = name, c.options
			_, project := o.connect(draft)
			r, steps := o.explore(project, 10)

			if r.Status != runs.Failed || len(steps) > 0 || !strings.Contains(r.Failure, c.says) {
				t.Errorf("%s: %q after %d steps", r.Status, r.Failure, len(steps))
			}
		})
	}
}

// TestWarehouseNeverThere tries a few times, and says meanwhile why.
func TestWarehouseNeverThere(t *testing.T) {
	o := newRemoteServer(t, Settings{}, script{})
	m := newMart(t, small...)
	draft := m.draft()
	draft.Options[wire.Host], draft.Options[wire.Port] = "127.0.0.1", "1"
	_, project := o.connect(draft)
	id := o.begin(project, 10)
	sub := o.explorer.hub.Subscribe(o.tenant, id, 0)
	defer sub.Close()

	r := o.awaits(sub, id, func(r runs.Run) bool { return r.Status == runs.Interrupted })
	if !strings.Contains(r.Detail, "nothing answers at 127.0.0.1:1") || !strings.Contains(r.Detail, "it will be tried again") {
		t.Errorf("it waits because %q", r.Detail)
	}
	if _, err := o.commands.Cancel(t.Context(), o.tenant, id, "someone"); err != nil {
		t.Fatal(err)
	}
	if r, _ := o.over(id); r.Status != runs.Cancelled {
		t.Errorf("%s", r.Status)
	}
}

// awaits reads a run until it is as is says.
func (o *remoteServer) awaits(sub *runs.Subscription, id string, is func(runs.Run) bool) runs.Run {
	o.t.Helper()
	ctx, cancel := context.WithTimeout(o.t.Context(), time.Minute)
	defer cancel()
	for {
		r, err := runs.Find(ctx, o.pool, o.tenant, id)
		if err != nil {
			o.t.Fatal(err)
		}
		if is(r) {
			return r
		}
		if _, err := sub.Next(ctx, time.Second); ctx.Err() != nil {
			o.t.Fatalf("%s at %s: %q, %v", r.Status, r.Phase, r.Detail, err)
		}
	}
}

// TestWarehouseIsForgottenUnderARun moves the project elsewhere and deletes the
// connection while the run works: it ends, and its steps stay.
func TestWarehouseIsForgottenUnderARun(t *testing.T) {
	m := newMart(t, small...)
	var o *remoteServer
	var old, project string
	moved := make(chan struct{})
	forget := func() {
		<-moved
		if err := o.explorer.store.Delete(context.Background(), o.tenant, old); err != nil {
			t.Error(err)
		}
	}
	o = newRemoteServer(t, Settings{}, script{lines: asking(countOrders, byStatus, byCountry, countCustomers), before: map[int]func(){2: forget}})
	old, project = o.connect(m.draft())
	if err := o.explorer.store.Delete(t.Context(), o.tenant, old); !fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), "project") {
		t.Errorf("a warehouse with a project is deleted: %v", err)
	}
	id := o.begin(project, 10)
	other := m.draft()
	other.Name = "Another"
	o.move(project, other)
	close(moved)
	r, steps := o.over(id)

	if r.Status != runs.Completed || r.Outcome != runs.PartialOutcome || r.Stop != runs.StopWarehouse || r.Warehouse != "" || len(steps) != 4 || steps[0].Rows != 1 {
		t.Fatalf("%+v, %d steps", r, len(steps))
	}
	if st := steps[1]; st.Error != "the warehouse is not connected any more" {
		t.Errorf("step 2 says %q", st.Error)
	}
}

// move has a project explore another warehouse from now on.
func (o *remoteServer) move(project string, d connections.Spec) {
	o.t.Helper()
	w, err := o.explorer.store.Create(o.t.Context(), o.tenant, "someone", d)
	if err != nil {
		o.t.Fatal(err)
	}
	p, err := o.explorer.projects.Find(o.t.Context(), o.tenant, project)
	if err != nil {
		o.t.Fatal(err)
	}
	if _, err := o.explorer.projects.Update(o.t.Context(), o.tenant, project, "someone", p.Version, projects.Spec{Name: p.Name, Pack: p.Pack, Warehouse: w.ID}); err != nil {
		o.t.Fatal(err)
	}
}
