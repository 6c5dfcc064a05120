//go:build duckdb

package main

import (
	"database/sql"
	"encoding/json"
	"io"
	"math"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "github.com/duckdb/duckdb-go/v2" // writes the file

	"quaestor/internal/llm/llmtest"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/research/warehouse/connections"
)

// busyFile is the shop busy as a file of DuckDB.
func busyFile(t *testing.T) connections.Spec {
	t.Helper()
	path := filepath.Join(t.TempDir(), "retail.duckdb")
	db, err := sql.Open("duckdb", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range append([]string{"CREATE SCHEMA shop"}, busy...) {
		s = strings.NewReplacer(") i", ") AS g(i)", ") k", ") AS h(k)", " / ", " // ").Replace(s)
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	spec := files(path)
	spec.Schemas = []string{"shop"}
	return spec
}

// busyClickHouse is the shop busy as ClickHouse writes it.
var busyClickHouse = []string{
	"CREATE TABLE shop.customers (id UInt32, country String, segment String, signed_up DateTime) ENGINE = MergeTree ORDER BY id",
	"INSERT INTO shop.customers SELECT number + 1, ['DE','FR','US','IT'][1 + number % 4], ['new','old','lapsed'][1 + number % 3], toDateTime('2023-01-01 00:00:00') + number * 18000 FROM numbers(1500)",
	"CREATE TABLE shop.products (id UInt32, category String, brand String, price Decimal(10,2)) ENGINE = MergeTree ORDER BY id",
	"INSERT INTO shop.products SELECT number + 1, ['tea','cups','cake'][1 + number % 3], concat('brand ', toString(number % 7)), toDecimal64(2 + number % 40, 2) FROM numbers(200)",
	"CREATE TABLE shop.orders (id UInt32, customer_id UInt32, status String, channel String, total Decimal(10,2), placed_at DateTime, shipped_at Nullable(DateTime)) ENGINE = MergeTree ORDER BY id",
	`INSERT INTO shop.orders SELECT number, 1 + number % 1500, ['paid','sent','returned'][1 + intDiv(number * number, 3) % 3], ['web','phone'][1 + intDiv(number, 5) % 2], toDecimal64(5 + (number * 7919) % 90, 2),
		toDateTime('2024-01-01 00:00:00') + number * 4200, if(number % 9 > 0, toDateTime('2024-01-03 00:00:00') + number * 4200, NULL) FROM numbers(12001) WHERE number > 0 AND NOT (number > 8000 AND number % 4 = 0)`,
	"CREATE TABLE shop.lines (id UInt32, order_id UInt32, product_id UInt32, pieces UInt8, amount Decimal(10,2)) ENGINE = MergeTree ORDER BY id",
	"INSERT INTO shop.lines SELECT id * 2, id, 1 + (id * 31) % 200, 1 + id % 5, toDecimal64(3 + (id * 104729) % 60, 2) FROM shop.orders",
	"INSERT INTO shop.lines SELECT id * 2 + 1, id, 1 + (id * 31 + 1) % 200, 1 + id % 5, toDecimal64(3 + (id * 104729) % 60, 2) FROM shop.orders",
}

// used is what a run uses, or is likely to, as the API shows it.
type used struct {
	Statements, Rows, BytesScanned float64
	In, Out                        float64 // tokens of a run
	TokensIn, TokensOut            float64 // of an estimate
}

// TestEstimatesOfTheAPIAreNearWhatRunsUse asks the API what a run will use, from the catalog alone and then from an
// earlier run with another number of steps, and holds it against the totals of the run: statements, rows, tokens, and
// the bytes that the make of the warehouse reports, each within a quarter. DuckDB and PostgreSQL report no bytes, and
// none are estimated; ClickHouse does.
func TestEstimatesOfTheAPIAreNearWhatRunsUse(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name  string
		open  func(*testing.T) connections.Spec
		model bool
		month string // of an order
		steps []int
	}{
		{"duckdb with a model", busyFile, true, "date_trunc('month', placed_at)", []int{30, 60}},
		{"duckdb without a model", busyFile, false, "", []int{30, 15}},
		{"postgresql with a model", func(t *testing.T) connections.Spec { return newMart(t, busy...).draft() }, true, "date_trunc('month', placed_at)", []int{20, 40}},
		{"postgresql without a model", func(t *testing.T) connections.Spec { return newMart(t, busy...).draft() }, false, "", []int{40, 20}},
		{"clickhouse with a model", func(t *testing.T) connections.Spec { return newClickHouse(t, busyClickHouse...) }, true, "toStartOfMonth(placed_at)", []int{20, 40}},
		{"clickhouse without a model", func(t *testing.T) connections.Spec { return newClickHouse(t, busyClickHouse...) }, false, "", []int{30, 20}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			args := []string{"--database-url", postgrestest.URL(t), "--secrets-file", filepath.Join(t.TempDir(), "keys.json")}
			if tt.model {
				model := llmtest.New(t)
				model.Handle(func(r llmtest.Request) llmtest.Reply {
					out := diligent(r)
					out.Text = strings.ReplaceAll(out.Text, "date_trunc('month', placed_at)", tt.month)
					return out
				})
				args = append(args, "--model", "clerk", "--model-url", model.URL())
			}
			p := launch(t, args...)
			project := p.projectOver(tt.open(t))
			for n, steps := range tt.steps {
				order := map[string]any{"maxSteps": steps, "minSteps": steps}
				var said struct {
					Runs  int
					Total used
				}
				p.posted("/api/v1/projects/"+project+"/estimate", order, &said)
				if said.Runs != n {
					t.Errorf("the estimate rests on %d runs, want %d", said.Runs, n)
				}
				run := post[runShown](p, "/api/v1/projects/"+project+"/runs", order)
				if r := p.exploring(run.ID, never); r.Status != "completed" {
					t.Fatalf("%+v", r)
				}
				got := fetch[struct{ Total used }](p, "/api/v1/runs/"+run.ID).Total
				for _, c := range []struct {
					what      string
					said, was float64
				}{{"statements", said.Total.Statements, got.Statements}, {"rows", said.Total.Rows, got.Rows}, {"bytes", said.Total.BytesScanned, got.BytesScanned},
					{"tokens in", said.Total.TokensIn, got.In}, {"tokens out", said.Total.TokensOut, got.Out}} {
					t.Logf("%d steps: %s: said %g, used %g", steps, c.what, c.said, c.was)
					if math.Abs(c.said-c.was) > 0.25*c.was {
						t.Errorf("%d steps: %s: %g was said, %g was used", steps, c.what, c.said, c.was)
					}
				}
				if reports := strings.HasPrefix(tt.name, "clickhouse"); (got.BytesScanned > 0) != reports || got.Rows == 0 || (got.In > 0) != tt.model {
					t.Errorf("%d steps: it used %+v", steps, got)
				}
			}
		})
	}
}

// projectOver connects a warehouse over the API, reads its tables, and returns a project of it.
func (p *program) projectOver(spec connections.Spec) string {
	p.t.Helper()
	type made struct{ ID string }
	body := map[string]any{"name": spec.Name, "kind": spec.Kind, "options": spec.Options, "schemas": spec.Schemas}
	if !spec.Secret.IsZero() {
		body["secret"] = spec.Secret.Reveal()
	}
	w := post[made](p, "/api/v1/warehouses", body)
	p.posted("/api/v1/warehouses/"+w.ID+"/refresh", map[string]any{}, nil)
	end, tick := time.Now().Add(patience), time.NewTicker(20*time.Millisecond)
	defer tick.Stop()
	for len(fetch[struct{ Items []any }](p, "/api/v1/warehouses/"+w.ID+"/drift").Items) == 0 {
		if time.Now().After(end) {
			p.t.Fatal("the tables were never read")
		}
		<-tick.C
	}
	return post[made](p, "/api/v1/projects", map[string]any{"name": spec.Name, "warehouseId": w.ID}).ID
}

// posted sends a body, which must be accepted, and reads the answer into out unless that is nil.
func (p *program) posted(path string, body, out any) {
	p.t.Helper()
	resp, err := p.ask(p.t.Context(), path, body)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode >= http.StatusMultipleChoices {
		p.t.Fatalf("%s answered %d: %s (%v)", path, resp.StatusCode, raw, err)
	}
	if out == nil {
		return
	}
	if err := json.Unmarshal(raw, out); err != nil {
		p.t.Fatalf("%s: %v in %s", path, err, raw)
	}
}
