package main

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/digest"
)

// random is splitmix64, so that every run has the same data.
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func (r *random) float() float64 { return float64(r.next()>>11) / (1 << 53) }

func (r *random) intn(n int) int { return int(r.next() % uint64(n)) }

// orderNames are the columns of orders.
var orderNames = []string{"order_id", "customer_id", "country", "plan", "device", "amount", "quantity", "discount", "ratio", "sessions", "is_active", "created_at"}

// orders returns n rows as drivers of database/sql give them to those who read maps.
func orders(n int) []map[string]any {
	r := random(42)
	countries, plans, devices := strings.Fields("DE FR ES IT NL US GB BR IN JP"), strings.Fields("free basic pro team"), strings.Fields("ios android web")
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	out := make([]map[string]any, n)
	for i := range out {
		ratio := r.float()
		if r.intn(5000) == 0 {
			ratio = math.NaN()
		}
		var discount any = r.float() * 30
		if r.intn(20) == 0 {
			discount = nil
		}
		out[i] = map[string]any{
			"ratio": ratio, "discount": discount, "customer_id": fmt.Sprintf("cust-%07d", r.intn(1_000_000)), "country": countries[r.intn(10)], "plan": plans[r.intn(4)], "device": devices[r.intn(3)],
			"amount": r.float() * 500, "quantity": int64(r.intn(12) + 1), "sessions": int64(r.intn(400)), "is_active": r.intn(3) != 0,
			"created_at": begin.Add(time.Duration(r.intn(180*24*3600)) * time.Second), "order_id": int64(i + 1),
		}
	}
	return out
}

// nativeOrders returns rows as our own drivers read them.
func nativeOrders(rows []map[string]any) []digest.Column {
	out := make([]digest.Column, len(orderNames))
	for i, name := range orderNames {
		c := &out[i]
		c.Name = name
		for _, row := range rows {
			appendCell(c, row[name])
		}
	}
	out[7].Null = make([]bool, len(rows))
	for r, row := range rows {
		out[7].Null[r] = row["discount"] == nil
	}
	return out
}

// appendCell appends a value in its native form.
func appendCell(c *digest.Column, v any) {
	switch v := v.(type) {
	case int64:
		c.Ints = append(c.Ints, v)
	case float64:
		c.Floats = append(c.Floats, v)
	case nil:
		c.Floats = append(c.Floats, 0)
	case string:
		c.Strings, c.Text = append(c.Strings, v), true
	case bool:
		c.Bools = append(c.Bools, v)
	case time.Time:
		c.Micros = append(c.Micros, v.UnixMicro())
	}
}

// schemas returns n tables.
func schemas(n int) []catalog.Table {
	r := random(7)
	things, parts := strings.Fields("order visit stock ledger invoice player ticket refund"), strings.Fields("line head item event")
	out := make([]catalog.Table, n)
	for i := range out {
		t := &out[i]
		t.Schema, t.Name = fmt.Sprint("area", i%20), fmt.Sprintf("%s_%s_%dx", things[i%8], parts[i/8%4], i)
		for c := range 4 + r.intn(60) {
			t.Columns = append(t.Columns, catalog.Column{Name: fmt.Sprint("measure_", c), Type: "numeric"})
		}
		t.Columns[0] = catalog.Column{Name: "id", Type: "bigint", Key: true}
		t.Columns[1] = catalog.Column{Name: "customer_id", Type: "bigint"}
		t.Rows = int64(r.intn(50_000_000))
	}
	out[0].Name = "customers"
	return out
}

// queried returns a step with the digest of a result.
func queried(n int, d json.RawMessage, rows int) warehouse.Step {
	subject := []string{"revenue by country and plan", "sessions by device", "stock by store", "staff by month", "visits by hour"}[n%5]
	sql := fmt.Sprintf("SELECT country, plan, date_trunc('month', created_at) AS m, sum(amount), count(*) FROM area%d.order_line_%dx WHERE quantity > %d GROUP BY 1, 2, 3 ORDER BY 4 DESC", n%20, n*8, n%12)
	thinking := strings.Repeat(fmt.Sprintf("The dip of month %d may be one of all countries or of one plan, which the shares by plan would tell; ", n%12), 16)
	said, _ := json.Marshal(map[string]any{"thinking": thinking, "query": sql, "query_purpose": subject}) // strings never fail
	return warehouse.Step{N: n, Type: warehouse.QueryStep, Thinking: thinking, Purpose: subject, Query: sql, SQL: sql, Rows: rows, Digest: d, Reply: string(said), Tables: []string{fmt.Sprintf("area%d.order_line_%dx", n%20, n*8)}}
}

// stored returns the digest of the first columns of some orders, as it is stored.
func stored(rows, columns int) json.RawMessage {
	d := digest.Compact(nativeOrders(orders(rows))[:columns], digest.Mask{})
	raw, _ := json.Marshal(d) // a digest is JSON
	return raw
}
