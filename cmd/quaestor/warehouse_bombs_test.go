package main

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/runs"
)

// bombLimit is what a statement may take in these tests.
const bombLimit = 2 * time.Second

// bombs are statements that would take all there is, with an innocent one after
// each.
var bombs = []string{
	"SELECT COUNT(*) AS n FROM shop.orders a, shop.orders b, shop.orders c, shop.orders d",
	"WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT SUM(n) AS n FROM r",
	"WITH RECURSIVE r AS (SELECT status AS s FROM shop.orders UNION ALL SELECT s || s FROM r) SELECT MAX(length(s)) AS n FROM r",
	"SELECT repeat(status, 100000000) AS s FROM shop.orders",
	"SELECT repeat(repeat('x', 10000), 10000) AS s FROM shop.orders",
	"SELECT COUNT(*) AS n FROM generate_series(1, 100000000000) g",
	"SELECT * FROM shop.orders a, shop.orders b, shop.orders c",
	"SELECT a.status, b.status AS other FROM shop.orders a, shop.orders b ORDER BY a.total * b.total",
	"SELECT string_agg(a.status || b.status, ',') AS s FROM shop.orders a, shop.orders b, shop.orders c",
	"SELECT COUNT(*) AS n FROM shop.orders WHERE repeat('a', 40) ~ '^(a+)+(a+)+(a+)+b$'",
	"SELECT lpad('x', 1000000000) AS s",
	"SELECT 10 ^ 100000 AS n, 99999999::numeric ^ 99999 AS m",
}

// checkBombs has a hostile analyst ask for bombs through o.
func checkBombs(t *testing.T, o *remoteServer, project string, queries []string) {
	t.Helper()
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, steps := o.explore(project, len(queries)+5)
	runtime.GC()
	runtime.ReadMemStats(&after)

	if r.Status != runs.Completed || r.Stop != runs.StopComplete || len(steps) != len(queries)+1 {
		t.Fatalf("%+v", r)
	}
	for i, st := range steps[:len(queries)] {
		if took := steps[i+1].At.Sub(st.At); took > bombLimit+2*time.Second {
			t.Errorf("step %d took %v: %s", st.N, took, st.Query)
		}
		if i%2 == 1 && (st.Error != "" || st.Rows != 3) {
			t.Errorf("step %d, after a bomb: %+v", st.N, st.Step)
		}
		if len(st.Digest) > 64<<10 || len(st.Error) > 1000 || st.Class == warehouse.OtherError {
			t.Errorf("step %d keeps %d bytes, (%s) %s", st.N, len(st.Digest), st.Class, st.Error)
		}
	}
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 50<<20 {
		t.Errorf("the heap grew by %d MB", grown>>20)
	}
	t.Logf("heap %d to %d MB, from the system %d to %d MB", before.HeapAlloc>>20, after.HeapAlloc>>20, before.Sys>>20, after.Sys>>20)
}

// hostile are replies that ask for bombs, and for something innocent after each.
func hostile(innocent func(i int) string) (queries []string) {
	for i, b := range bombs {
		queries = append(queries, b, innocent(i))
	}
	return queries
}

// TestBombsOverPostgreSQL has each bomb end within its limits, and the connection
// work on.
func TestBombsOverPostgreSQL(t *testing.T) {
	m := newMart(t, small...)
	queries := hostile(func(i int) string { return fmt.Sprintf("%s LIMIT %d", byStatus, 3+i) })
	o := newRemoteServer(t, Settings{}, script{lines: asking(queries...)})
	draft := m.draft()
	draft.Limits.Time = bombLimit
	_, project := o.connect(draft)
	checkBombs(t, o, project, queries)
}
