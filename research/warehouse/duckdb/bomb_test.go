//go:build duckdb && cgo

package duckdb_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"testing"
	"time"

	"quaestor/research/warehouse"
)

// bombs are statements that take all they can get. The guard refuses some; here
// they come past it.
var bombs = []string{
	"SELECT length(repeat('a', 2000000000))",
	"SELECT repeat('a', 2000000000)",
	"SELECT repeat(repeat('a', 100000), 100000)",
	endless,
	"SELECT count(*) FROM range(100000) a, range(100000) b, range(100000) c WHERE a.range + b.range < c.range",
	"WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r",
	"WITH RECURSIVE r AS (SELECT 'x' AS s UNION ALL SELECT s || s FROM r) SELECT max(length(s)) FROM r",
	"WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r, range(10)) SELECT * FROM r",
	"SELECT count(*) FROM generate_series(1, 1000000000000)",
	"SELECT range(1000000000000)",
	"SELECT len(list(range)) FROM range(10000000000)",
	"SELECT string_agg(repeat('x', 1000), '') FROM range(100000000)",
	"SELECT range % 1000000007 AS k, list(range) FROM range(10000000000) GROUP BY 1",
	"SELECT DISTINCT hash(range) FROM range(10000000000)",
	"SELECT range FROM range(10000000000) ORDER BY hash(range) LIMIT 1 OFFSET 5000000000",
	"SELECT regexp_matches(repeat('a', 100000000), '(a|a|a)*b')",
	"SELECT regexp_replace(repeat('a', 50000000), '(a+)+', '\\1\\1\\1', 'g')",
	"SELECT list_resize([1], 2000000000)",
	"SELECT lpad('a', 2000000000, 'b')",
	"SELECT list_transform(range(1000000), x -> list_transform(range(1000000), y -> x * y))",
	"SELECT to_json(range(100000000))::VARCHAR",
	"SELECT median(range) OVER (ORDER BY range ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM range(100000000)",
	"SELECT json_extract(repeat('[', 100000000), '$[0]')",
	"SELECT format('{:2000000000}', 'x')",
	"SELECT 'x'::VARCHAR || repeat('b', 500000000) FROM range(1000)",
	"SELECT factorial(range::INTEGER % 30) FROM range(100000000000)",
}

// Whatever a statement does, it ends in time and within its memory, the next one is
// answered, and this process does not grow.
func TestBombs(t *testing.T) {
	const limit = 1500 * time.Millisecond
	const memory = 256 << 20
	conn := open(t, makeFile(t, lake), warehouse.Limits{Memory: memory})
	must(t, conn, "SELECT 1")
	before := resident(t, "self")
	for _, sql := range bombs {
		most, stop := make(chan int, 1), make(chan struct{})
		go watch(t, conn.Pid(), most, stop)
		began := time.Now()
		r, err := conn.Query(t.Context(), statement(sql), warehouse.Limits{Time: limit, Memory: memory, Bytes: 8 << 20})
		took := time.Since(began)
		close(stop)
		peak := <-most
		t.Logf("%5.2fs %4d MB %-50.50s %v", took.Seconds(), peak>>20, sql, err)
		if took > limit+2*time.Second {
			t.Errorf("%s takes %s", sql, took)
		}
		if peak > memory+768<<20 {
			t.Errorf("%s takes %d MB", sql, peak>>20)
		}
		switch class := warehouse.ClassOf(err); {
		case err == nil && (r.Rows > 1 && !r.More):
			t.Errorf("%s gives %d rows", sql, r.Rows)
		case err != nil && class != warehouse.TimedOut && class != warehouse.OverQuota && class != warehouse.OtherError && class != warehouse.TypeMismatch:
			t.Errorf("%s ends with %v", sql, err)
		}
		if got := must(t, conn, "SELECT count(*) FROM airports"); got != "4\n" {
			t.Errorf("after %s: %q", sql, got)
		}
	}
	runtime.GC()
	debug.FreeOSMemory()
	if grown := resident(t, "self") - before; grown > 50<<20 {
		t.Errorf("this process grew by %d MB", grown>>20)
	}
}

// watch sends the most memory that a process was seen to hold.
func watch(t *testing.T, pid int, most chan<- int, stop <-chan struct{}) {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	peak := 0
	for {
		select {
		case <-stop:
			most <- peak
			return
		case <-tick.C:
			peak = max(peak, resident(t, strconv.Itoa(pid)))
		}
	}
}

// resident is how much memory a process holds; 0 if it is gone.
func resident(t testing.TB, process string) int {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("/proc", process, "statm"))
	var all, held int
	if _, scanErr := fmt.Fscan(bytes.NewReader(b), &all, &held); err != nil || scanErr != nil {
		return 0
	}
	return held * os.Getpagesize()
}
