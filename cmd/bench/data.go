package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// What a warehouse has that questions are asked and a run explores.
const (
	warehouseTables = 2000
	warehouseDB     = "bench_warehouse"
	warehouseRole   = "bench_reader"
	runSteps        = 1000
	shortSteps      = 60
	askRounds       = 20
	pollEvery       = 5 * time.Millisecond
)

// stepAt matches where a run tells the model how far it is.
var stepAt = regexp.MustCompile(`Steps done: (\d+) of at most`)

// stepReply returns the model's next step of a run, and false for a call that is of no run. Each
// step asks something else, so that none is answered from what is stored.
func stepReply(body []byte) (string, bool) {
	all := stepAt.FindAllSubmatch(body, -1)
	if len(all) == 0 {
		return "", false
	}
	n, _ := strconv.Atoi(string(all[len(all)-1][1])) // digits
	return fmt.Sprintf(`{"thinking": "Orders above the next amount, by state.", "query": "SELECT state, count(*) AS n, avg(total) AS average FROM shop.orders WHERE total > %d GROUP BY state ORDER BY state", "query_purpose": "orders above %d"}`, n, n), true
}

// measureData measures questions over a catalog of many tables, the memory of a long run by its
// steps, and the page of it.
func (b *bench) measureData(ctx context.Context) error {
	at, err := b.warehouse(ctx)
	if err != nil {
		return fmt.Errorf("make the warehouse: %w", err)
	}
	out := table{left: 1, head: []string{"what", "n", "p50 / p99 ms"}}
	var house string
	err = b.with(ctx, rulesKind, func(s *server) error { // what a question takes beside a model
		d := &dataTalker{b.talker(s, "data"), b}
		if house, err = d.connect(ctx, at); err != nil {
			return err
		}
		took, err := d.questions(ctx, house)
		out.add(fmt.Sprintf("a question over %d tables, until it is answered", warehouseTables), fmt.Sprint(took.len()), took.String())
		return err
	})
	if err != nil {
		return err
	}
	return b.with(ctx, modelKind, func(s *server) error {
		d := &dataTalker{b.talker(s, "data"), b}
		run, memory, err := d.explore(ctx, s, house)
		if err != nil {
			return err
		}
		for _, page := range []string{"/data/runs/" + run, "/api/v1/runs/" + run + "/steps?limit=200"} {
			took, err := d.page(ctx, page)
			if err != nil {
				return err
			}
			out.add(strings.ReplaceAll(page, run, "…")+fmt.Sprintf(" of a run of %d steps", b.longRun()), fmt.Sprint(took.len()), took.String())
		}
		b.tell("Questions and runs", &out)
		b.tell("Memory of the server by the steps of a run", memory)
		return nil
	})
}

// longRun is how many steps the run has.
func (b *bench) longRun() int {
	if b.rows < 10_000 { // a smoke run
		return shortSteps
	}
	return runSteps
}

// warehouse makes a database of many tables beside the server's own, and returns its settings.
func (b *bench) warehouse(ctx context.Context) (map[string]string, error) {
	if _, err := b.db.Exec(ctx, "CREATE DATABASE "+warehouseDB); err != nil {
		return nil, err
	}
	u, err := url.Parse(b.cluster.URL())
	if err != nil {
		return nil, err
	}
	u.Path = "/" + warehouseDB
	conn, err := pgx.Connect(ctx, u.String())
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close(ctx) }()
	var sql strings.Builder
	sql.WriteString("CREATE ROLE " + warehouseRole + " LOGIN; CREATE SCHEMA shop; CREATE TABLE shop.orders (id bigint PRIMARY KEY, customer_id bigint, state text, channel text, total numeric(12,2), placed_at timestamptz);" +
		"INSERT INTO shop.orders SELECT i, i % 900, (ARRAY['paid','open','returned'])[1 + i % 3], (ARRAY['web','shop'])[1 + i % 2], i * 7919 % 2000, timestamptz '2024-01-01' + i * interval '40 minutes' FROM generate_series(1, 20000) AS i;")
	for n := range warehouseTables - 1 {
		fmt.Fprintf(&sql, "CREATE TABLE shop.%s_%d (id bigint PRIMARY KEY, created_at timestamptz, region_code text, %[1]s_value numeric, status text, owner_id bigint, note text, is_active boolean);",
			[]string{"ledger", "shipment", "contract", "sensor", "payroll", "ticket", "campaign"}[n%7], n)
	}
	sql.WriteString("GRANT USAGE ON SCHEMA shop TO " + warehouseRole + "; GRANT SELECT ON ALL TABLES IN SCHEMA shop TO " + warehouseRole + "; ANALYZE shop.orders;")
	if _, err := conn.Exec(ctx, sql.String()); err != nil {
		return nil, err
	}
	host, port := u.Query().Get("host"), u.Query().Get("port")
	if host == "" {
		host, port = u.Hostname(), u.Port()
	}
	return map[string]string{"host": host, "port": port, "database": warehouseDB, "user": warehouseRole}, nil
}

// dataTalker is a program that connects a warehouse and asks it.
type dataTalker struct {
	*talker
	b *bench
}

// call makes a request and reads its answer, which must be a success.
func (d *dataTalker) call(ctx context.Context, method, path string, body, into any) error {
	var sent io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			return err
		}
		sent = bytes.NewReader(raw)
	}
	resp, err := d.send(ctx, method, path, sent)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("%s %s: %s: %.300s", method, path, resp.Status, raw)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(raw, into)
}

// until asks again and again until done says so.
func (d *dataTalker) until(ctx context.Context, path string, into any, done func() bool) error {
	for {
		if err := d.call(ctx, http.MethodGet, path, nil, into); err != nil || done() {
			return err
		}
		if err := d.b.pause(ctx, pollEvery); err != nil {
			return err
		}
	}
}

// connect connects the warehouse, waits until its tables are read, and returns its id.
func (d *dataTalker) connect(ctx context.Context, at map[string]string) (string, error) {
	var house struct{ ID string }
	if err := d.call(ctx, http.MethodPost, "/api/v1/warehouses", map[string]any{"name": "Bench", "kind": "postgresql", "schemas": []string{"shop"}, "options": at}, &house); err != nil {
		return "", err
	}
	path := "/api/v1/warehouses/" + house.ID
	if err := d.call(ctx, http.MethodPost, path+"/refresh", map[string]any{}, nil); err != nil {
		return "", err
	}
	var list struct{ Items []json.RawMessage }
	return house.ID, d.until(ctx, path+"/tables?limit=1", &list, func() bool { return len(list.Items) > 0 })
}

// questions asks the warehouse and waits for each answer.
func (d *dataTalker) questions(ctx context.Context, house string) (took sample, err error) {
	for n := range pageWarm + askRounds {
		began := d.now()
		var task struct{ ID, Status, Summary string }
		body := map[string]any{"query": fmt.Sprintf("How many orders have a total above %d?", 100+n), "taskType": "warehouse_question", "warehouseId": house}
		if err := d.call(ctx, http.MethodPost, "/api/v1/research-tasks", body, &task); err != nil {
			return took, err
		}
		over := func() bool { return task.Status == "completed" || task.Status == "failed" }
		if err := d.until(ctx, "/api/v1/research-tasks/"+task.ID, &task, over); err != nil {
			return took, err
		}
		if !strings.Contains(task.Summary, "orders") || task.Status == "failed" {
			return took, fmt.Errorf("a question is answered %s: %s", task.Status, task.Summary)
		}
		if n >= pageWarm {
			took.add(d.now() - began)
		}
	}
	return took, nil
}

// explore has a run explore the warehouse to its end, and returns its id and the memory of the
// server by its steps.
func (d *dataTalker) explore(ctx context.Context, s *server, house string) (string, *table, error) {
	var project, run struct{ ID string }
	if err := d.call(ctx, http.MethodPost, "/api/v1/projects", map[string]any{"name": "Bench", "warehouseId": house}, &project); err != nil {
		return "", nil, err
	}
	steps := d.b.longRun()
	began := d.now()
	if err := d.call(ctx, http.MethodPost, "/api/v1/projects/"+project.ID+"/runs", map[string]any{"maxSteps": steps, "minSteps": steps}, &run); err != nil {
		return "", nil, err
	}
	out := &table{left: 0, head: []string{"steps", "after s", "RSS MB"}}
	var r struct {
		Status   string
		Error    string
		Counters struct{ Steps int }
	}
	next := steps / 10
	err := d.until(ctx, "/api/v1/runs/"+run.ID, &r, func() bool {
		for r.Counters.Steps >= next && next <= steps {
			held, err := resident(s.pid())
			if err != nil {
				break
			}
			out.add(fmt.Sprint(r.Counters.Steps), figure((d.now() - began).Seconds()), fmt.Sprint(held>>20))
			next = r.Counters.Steps - r.Counters.Steps%(steps/10) + steps/10
		}
		return r.Status == "completed" || r.Status == "failed" || r.Status == "cancelled"
	})
	if err == nil && (r.Status != "completed" || r.Counters.Steps < steps) {
		err = fmt.Errorf("the run is %s after %d steps: %s", r.Status, r.Counters.Steps, r.Error)
	}
	return run.ID, out, err
}

// page times a page that a browser opens.
func (d *dataTalker) page(ctx context.Context, path string) (took sample, err error) {
	for i := range pageWarm + pageRounds {
		began := d.now()
		if err := d.call(ctx, http.MethodGet, path, nil, nil); err != nil {
			return took, err
		}
		if i >= pageWarm {
			took.add(d.now() - began)
		}
	}
	return took, nil
}
