package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"quaestor/internal/prerequisite"
	"quaestor/research/warehouse/connections"
	dataquestion "quaestor/research/warehouse/question"
	"quaestor/research/warehouse/runs"
)

// writing is how a product writes the pieces of which the tables are made.
type writing struct {
	prefix  string                                     // of the names of tables
	table   func(name, columns, key string) string     // makes one
	series  func(n int) (from, i string)               // n rows, and the number of each from 1
	pick    func(i string, m int, of ...string) string // one of some texts
	day     func(start, days string) string            // so many days after a date
	decimal func(x string) string                      // a number with two places
	integer func(x string) string                      // the whole part of a division
	text    func(prefix, i string) string              // a name with a number
	types   map[string]string                          // by the name of ours
}

// tpch are the statements that make the tables of the benchmark TPC-H with n orders, and so a
// little more than five times as many rows.
func (w writing) tpch(n int) []string {
	customers, parts, suppliers := n/10, n/8, n/150+10
	var out []string
	add := func(name, key string, rows int, columns ...[3]string) {
		var types, values []string
		from, i := w.series(rows)
		for _, c := range columns {
			types = append(types, c[0]+" "+w.types[c[1]])
			values = append(values, strings.ReplaceAll(c[2], "#", i)+" AS "+c[0])
		}
		out = append(out, w.table(w.prefix+name, strings.Join(types, ", "), key), "INSERT INTO "+w.prefix+name+" SELECT "+strings.Join(values, ", ")+" FROM "+from)
	}
	add("nation", "n_nationkey", 25, [3]string{"n_nationkey", "int", "#"}, [3]string{"n_name", "text", w.text("NATION ", "#")}, [3]string{"n_regionkey", "int", "# % 5"})
	add("customer", "c_custkey", customers, [3]string{"c_custkey", "big", "#"}, [3]string{"c_name", "text", w.text("Customer-", "#")}, [3]string{"c_nationkey", "int", "1 + # * 7 % 25"},
		[3]string{"c_acctbal", "decimal", w.decimal("# * 7919 % 10000")}, [3]string{"c_mktsegment", "text", w.pick("# * 3", 5, "AUTOMOBILE", "BUILDING", "FURNITURE", "HOUSEHOLD", "MACHINERY")})
	add("supplier", "s_suppkey", suppliers, [3]string{"s_suppkey", "big", "#"}, [3]string{"s_name", "text", w.text("Supplier-", "#")}, [3]string{"s_nationkey", "int", "1 + # * 11 % 25"}, [3]string{"s_acctbal", "decimal", w.decimal("# * 6151 % 10000")})
	add("part", "p_partkey", parts, [3]string{"p_partkey", "big", "#"}, [3]string{"p_name", "text", w.text("part ", "#")}, [3]string{"p_brand", "text", w.text("Brand-", "# % 25")},
		[3]string{"p_container", "text", w.pick("#", 4, "SM BOX", "LG CASE", "MED BAG", "JUMBO JAR")}, [3]string{"p_size", "int", "1 + # * 13 % 50"}, [3]string{"p_retailprice", "decimal", w.decimal("900 + # % 1100")})
	placed := w.day("1992-01-01", w.integer(fmt.Sprintf("# * 2400 / %d", n)))
	add("orders", "o_orderkey", n, [3]string{"o_orderkey", "big", "#"}, [3]string{"o_custkey", "big", fmt.Sprintf("1 + # * 7919 %% %d", customers)}, [3]string{"o_orderstatus", "text", w.pick("# * 5", 3, "F", "O", "P")},
		[3]string{"o_totalprice", "decimal", w.decimal("1000 + # * 104729 % 400000")}, [3]string{"o_orderdate", "date", placed},
		[3]string{"o_orderpriority", "text", w.pick("# * 31", 5, "1-URGENT", "2-HIGH", "3-MEDIUM", "4-NOT SPECIFIED", "5-LOW")}, [3]string{"o_clerk", "text", w.text("Clerk-", "# * 13 % 1000")}, [3]string{"o_shippriority", "int", "0"})
	shipped := func(days string) string {
		return w.day("1992-01-01", w.integer(fmt.Sprintf("(# + 3) * 600 / %d", n))+" + "+days)
	}
	add("lineitem", "l_orderkey, l_linenumber", 4*n, [3]string{"l_orderkey", "big", w.integer("(# + 3) / 4")}, [3]string{"l_linenumber", "int", "1 + (# - 1) % 4"}, [3]string{"l_partkey", "big", fmt.Sprintf("1 + # * 6151 %% %d", parts)},
		[3]string{"l_suppkey", "big", fmt.Sprintf("1 + # * 4391 %% %d", suppliers)}, [3]string{"l_quantity", "decimal", w.decimal("1 + # * 17 % 50")}, [3]string{"l_extendedprice", "decimal", w.decimal("100 + # * 7907 % 90000")},
		[3]string{"l_discount", "decimal", "(# * 3 % 11) / 100.0"}, [3]string{"l_returnflag", "text", w.pick("# * 29", 3, "A", "N", "R")}, [3]string{"l_linestatus", "text", w.pick("#", 2, "F", "O")},
		[3]string{"l_shipdate", "date", shipped("1 + # * 37 % 120")}, [3]string{"l_receiptdate", "date", shipped("2 + # * 37 % 120 + # % 29")}, [3]string{"l_shipmode", "text", w.pick("# * 11", 7, "AIR", "FOB", "MAIL", "RAIL", "REG AIR", "SHIP", "TRUCK")})
	return out
}

// The products, as they write TPC-H.
var (
	postgresWriting = writing{prefix: "shop.", table: func(name, columns, key string) string {
		return "CREATE TABLE " + name + " (" + columns + ", PRIMARY KEY (" + key + "))"
	}, series: func(n int) (string, string) { return fmt.Sprintf("generate_series(1::bigint, %d) AS i", n), "i" },
		pick: func(i string, m int, of ...string) string {
			return fmt.Sprintf("(ARRAY['%s'])[1 + %s %% %d]", strings.Join(of, "','"), i, m)
		},
		day: func(start, days string) string { return "date '" + start + "' + CAST(" + days + " AS int)" }, decimal: func(x string) string { return x }, integer: func(x string) string { return "(" + x + ")" },
		text:  func(prefix, i string) string { return "'" + prefix + "' || (" + i + ")" },
		types: map[string]string{"int": "integer", "big": "bigint", "text": "text", "decimal": "numeric(15,2)", "date": "date"}}
	duckdbWriting = func() writing {
		w := postgresWriting
		w.prefix = ""
		w.series = func(n int) (string, string) { return fmt.Sprintf("range(1, %d) AS r(i)", n+1), "i" }
		w.integer = func(x string) string { return "CAST(floor(" + x + ") AS bigint)" }
		w.pick = func(i string, m int, of ...string) string {
			return fmt.Sprintf("(['%s'])[1 + %s %% %d]", strings.Join(of, "','"), i, m)
		}
		return w
	}()
	mariadbWriting = writing{table: func(name, columns, key string) string {
		return "CREATE TABLE " + name + " (" + columns + ", PRIMARY KEY (" + key + "))"
	}, series: func(n int) (string, string) { return fmt.Sprintf("seq_1_to_%d", n), "seq" },
		pick: func(i string, m int, of ...string) string {
			return fmt.Sprintf("ELT(1 + %s %% %d, '%s')", i, m, strings.Join(of, "','"))
		},
		day: func(start, days string) string { return "date '" + start + "' + INTERVAL (" + days + ") DAY" }, decimal: func(x string) string { return x }, integer: func(x string) string { return "FLOOR(" + x + ")" },
		text:  func(prefix, i string) string { return "CONCAT('" + prefix + "', " + i + ")" },
		types: map[string]string{"int": "int", "big": "bigint", "text": "varchar(40)", "decimal": "decimal(15,2)", "date": "date"}}
	clickhouseWriting = writing{prefix: "shop.", table: func(name, columns, key string) string {
		return "CREATE TABLE " + name + " (" + columns + ") ENGINE = MergeTree ORDER BY (" + key + ")"
	}, series: func(n int) (string, string) {
		return fmt.Sprintf("(SELECT toInt64(number + 1) AS i FROM numbers(%d))", n), "i"
	},
		pick: func(i string, m int, of ...string) string {
			return fmt.Sprintf("['%s'][1 + %s %% %d]", strings.Join(of, "','"), i, m)
		},
		day: func(start, days string) string { return "toDate('" + start + "') + (" + days + ")" }, decimal: func(x string) string { return "toDecimal64(" + x + ", 2)" }, integer: func(x string) string { return "toInt64(floor(" + x + "))" },
		text:  func(prefix, i string) string { return "concat('" + prefix + "', toString(" + i + "))" },
		types: map[string]string{"int": "Int32", "big": "Int64", "text": "String", "decimal": "Decimal(15,2)", "date": "Date"}}
)

// tpchQuestions are ten questions, with the statement of the test's own that answers each; T. stands
// before the names of tables.
var tpchQuestions = []struct{ tag, words, sql string }{
	{"en", "How many orders are there?", "SELECT count(*) FROM T.orders"},
	{"en", "How many customers do we have?", "SELECT count(*) FROM T.customer"},
	{"en", "How many orders were placed in March 1994?", "SELECT count(*) FROM T.orders WHERE o_orderdate >= '1994-03-01' AND o_orderdate < '1994-04-01'"},
	{"en", "What is the average total price of orders?", "SELECT avg(o_totalprice) FROM T.orders"},
	{"en", "How many customers are in the segment BUILDING?", "SELECT count(*) FROM T.customer WHERE c_mktsegment = 'BUILDING'"},
	{"de", "Wie viele Bestellungen gab es 1996?", "SELECT count(*) FROM T.orders WHERE o_orderdate >= '1996-01-01' AND o_orderdate < '1997-01-01'"},
	{"en", "What is the total of the total price of orders in 1995?", "SELECT sum(o_totalprice) FROM T.orders WHERE o_orderdate >= '1995-01-01' AND o_orderdate < '1996-01-01'"},
	{"en", "How many orders have priority 1-URGENT?", "SELECT count(*) FROM T.orders WHERE o_orderpriority = '1-URGENT'"},
	{"en", "What is the average quantity of line items?", "SELECT avg(l_quantity) FROM T.lineitem"},
	{"en", "How many suppliers are there?", "SELECT count(*) FROM T.supplier"},
}

// explored runs over a warehouse without a model and asks it the ten questions, whose figures are
// held against what own says.
func (o *remoteServer) tpch(spec connections.Spec, own func(sql string) float64) {
	t := o.t
	t.Helper()
	id, project := o.connect(spec)
	begin := time.Now()
	if err := o.explorer.store.Refresh(t.Context(), o.tenant, id); err != nil {
		t.Fatal(err)
	}
	t.Logf("tables read in %v", time.Since(begin).Round(time.Millisecond))
	begin = time.Now()
	r, steps := o.explore(project, 40)
	t.Logf("a run of %d steps in %v: %s", len(steps), time.Since(begin).Round(time.Millisecond), r.Summary)
	if r.Status != runs.Completed || r.Outcome != runs.FullOutcome || r.Counters.Failed > 0 || r.Counters.Successful < 30 {
		t.Errorf("%+v", r)
	}
	areas, err := runs.Areas(t.Context(), o.pool, o.tenant, r.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range areas {
		if a.Status == runs.AreaFailed || a.Reason != "" {
			t.Errorf("area %s: %s", a.ID, a.Reason)
		}
	}
	now := time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)
	for _, q := range tpchQuestions {
		begin := time.Now()
		found, err := o.explorer.warehouses.Ask(t.Context(), o.tenant, dataquestion.Asked{Text: dataquestion.Text{Words: q.words, Language: q.tag, Now: now}, Warehouse: id})
		took := time.Since(begin).Round(time.Millisecond)
		if err != nil {
			t.Errorf("%s (%v): %v", q.words, took, err)
			continue
		}
		want := own(q.sql)
		t.Logf("%s %v in %v: %s", q.words, found.Figure, took, found.Sentence)
		if diff := found.Figure - want; diff > 1e-6*want+0.005 || -diff > 1e-6*want+0.005 {
			t.Errorf("%s is answered %v, want %v: %s\n%s", q.words, found.Figure, want, found.Sentence, found.SQL)
		}
	}
}

// tpchOrders is how many orders the tables have: with make test-long five million rows in all.
func tpchOrders() int { return prerequisite.Scale(6_000, 980_000) }

// TestTPCHIsExplored runs over TPC-H in each product that runs here and asks it ten questions.
func TestTPCHIsExplored(t *testing.T) {
	t.Run("postgresql", func(t *testing.T) {
		m := newMart(t, append(postgresWriting.tpch(tpchOrders()), "ANALYZE")...)
		o := newRemoteServer(t, Settings{}, nil)
		o.tpch(m.draft(), func(sql string) (out float64) {
			if err := m.super.QueryRow(t.Context(), "SELECT CAST(("+strings.ReplaceAll(sql, "T.", "shop.")+") AS double precision)").Scan(&out); err != nil {
				t.Fatal(err)
			}
			return out
		})
	})
	t.Run("mariadb", func(t *testing.T) {
		spec, ask := newMariaDBAnd(t, append(mariadbWriting.tpch(tpchOrders()), "ANALYZE TABLE orders, lineitem, customer, part, supplier, nation")...)
		newRemoteServer(t, Settings{}, nil).tpch(spec, func(sql string) float64 { return ask(strings.ReplaceAll(sql, "T.", "shop.")) })
	})
	t.Run("clickhouse", func(t *testing.T) {
		spec, ask := newClickHouseAnd(t, clickhouseWriting.tpch(tpchOrders())...)
		newRemoteServer(t, Settings{}, nil).tpch(spec, func(sql string) float64 {
			what, from, _ := strings.Cut(strings.TrimPrefix(sql, "SELECT "), " FROM T.")
			return ask("SELECT toFloat64(" + what + ") FROM shop." + from)
		})
	})
}
