package builtin

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/guard"
)

// counts answers every statement with one row of nines, as if all were known to be
// few.
func counts(t testing.TB, sql string) (*digest.CompactResult, error) {
	list, _, _ := strings.Cut(strings.TrimPrefix(sql, "SELECT "), "\nFROM ")
	n := strings.Count(list, ",\n       ") + 1
	names, row := make([]string, n), make([]any, n)
	for i := range n {
		names[i], row[i] = fmt.Sprint("c", i), int64(9+i%7*40)
	}
	copy(names, outputs(sql))
	return digest.Compact(digest.FromRows(names, [][]any{row}), digest.Mask{}), nil
}

func TestEmptyWarehouse(t *testing.T) {
	t.Parallel()

	for name, tables := range map[string][]catalog.Table{
		"no tables":  nil,
		"no records": {{Name: "a", Rows: 0, Columns: []catalog.Column{{Name: "x", Type: "int"}}}, {Name: "b", Rows: 0, Columns: []catalog.Column{{Name: "x", Type: "int"}}}},
		"no columns": {{Name: "a", Rows: 5}},
	} {
		w := newWorld(guard.PostgreSQL, tables, 40, counts)
		if got := w.run(t); len(w.situation.Steps) != 1 || !strings.Contains(got, "nothing to look at") {
			t.Errorf("%s: after %d steps %q", name, len(w.situation.Steps), got)
		}
	}
}

// wide returns n columns of turning types.
func wide(n int) []catalog.Column {
	out := make([]catalog.Column, n)
	for i := range out {
		out[i] = catalog.Column{Name: fmt.Sprintf("%s %d", []string{"amount", "status", "created at", "customer_id", "note"}[i%5], i), Type: []string{"numeric", "text", "timestamp", "bigint", "text"}[i%5]}
	}
	return out
}

func TestManyTables(t *testing.T) {
	t.Parallel()

	tables := make([]catalog.Table, 3000)
	for i := range tables {
		tables[i] = catalog.Table{Schema: "s", Name: fmt.Sprintf("%s_%c%c", []string{"orders", "payments", "clicks", "tmp"}[i%4], 'a'+i%26, 'a'+i/26%26) + strings.Repeat("x", i/676), Rows: int64(i) * 1000, Columns: wide(8)}
	}
	w := newWorld(guard.PostgreSQL, tables, 60, counts)
	w.situation.Instructions.Areas = []warehouse.Area{{ID: "p", Name: "Payments", Keywords: []string{"payment"}, Priority: 1}, {ID: "c", Name: "Clicks", Keywords: []string{"click"}, Priority: 2}}
	began := time.Now()
	w.run(t)
	types := map[warehouse.StepType]int{}
	for _, s := range w.situation.Steps {
		types[s.Type]++
		if strings.Contains(s.Query, "tmp_") {
			t.Errorf("a leftover is asked: %s", s.Query)
		}
	}
	if types[warehouse.LookupStep] == 0 || types[warehouse.SearchStep] != 2 || types[warehouse.QueryStep] < 40 {
		t.Errorf("it took %v", types)
	}
	if took := time.Since(began); took > 60*time.Second {
		t.Errorf("60 steps take %s", took)
	}
	checkSteps(t, w)
}

// A table of 1,500 columns is profiled in slices, by real statements.
func TestWideTable(t *testing.T) {
	t.Parallel()

	var sql strings.Builder
	sql.WriteString("CREATE SCHEMA shop;\nCREATE TABLE shop.wide (")
	for i, c := range wide(1500) {
		if i > 0 {
			sql.WriteString(", ")
		}
		fmt.Fprintf(&sql, "%q %s", c.Name, c.Type)
	}
	sql.WriteString(`);
INSERT INTO shop.wide ("amount 0", "status 1", "created at 2", "customer_id 3") SELECT i * 7 % 90, 's' || i % 4, timestamp '2024-01-01' + i * interval '1 hour', i % 40 FROM generate_series(1, 2000) i`)
	tx := open(t, sql.String())
	tables := tablesOf(t, tx, "shop")
	w := newWorld(guard.PostgreSQL, tables, 40, guarded(t, tx, tables))
	w.run(t)
	for _, f := range w.failures() {
		t.Error(f)
	}
	if n := len(w.situation.Steps); n < 25 {
		t.Errorf("it is done after %d steps", n)
	}
	checkSteps(t, w)
}

// Tables of texts only, and a single one, have something to ask, too.
func TestTextsOnly(t *testing.T) {
	t.Parallel()

	tx := open(t, `CREATE SCHEMA shop;
CREATE TABLE shop.notes (title text, body text, author_email text, colour text);
INSERT INTO shop.notes SELECT 'Title ' || i % 300, repeat('word ', i % 50), 'a' || i || '@example.org', (ARRAY['red','green','blue'])[1 + i % 3] FROM generate_series(1, 900) i`)
	tables := tablesOf(t, tx, "shop")
	w := newWorld(guard.PostgreSQL, tables, 40, guarded(t, tx, tables))
	summary := w.run(t)
	for _, f := range w.failures() {
		t.Error(f)
	}
	if n := len(w.situation.Steps); n < 6 || !strings.Contains(summary, "notes") {
		t.Errorf("after %d steps: %s", n, summary)
	}
	checkSteps(t, w)
}

// Being done too early is refused until the least number of steps; it says so
// again and does nothing else.
func TestDoneTooEarly(t *testing.T) {
	t.Parallel()

	w := newWorld(guard.PostgreSQL, []catalog.Table{{Name: "a", Rows: 5, Columns: []catalog.Column{{Name: "payload", Type: "jsonb"}}}}, 10, counts)
	w.situation.MinSteps = 6
	summary := w.run(t)
	if n := len(w.situation.Steps); n != 7 || !strings.Contains(summary, "1 question about a was answered") {
		t.Errorf("after %d steps: %s", n, summary)
	}
}

// Whatever fails is not asked again, and ends nothing but what it is about.
func TestFailures(t *testing.T) {
	t.Parallel()

	tables := func() []catalog.Table {
		return []catalog.Table{{Name: "good", Rows: 900, Columns: wide(10)}, {Name: "bad", Rows: 90_000, Columns: wide(10)}}
	}
	for _, tt := range []struct {
		class warehouse.ErrorClass
		most  int // queries of the bad table
		ends  string
	}{
		{warehouse.NoPermission, 1, "good"}, {warehouse.UnknownTable, 1, "good"}, {warehouse.TimedOut, 2, "good"}, {warehouse.OverQuota, 2, "good"},
		{warehouse.SyntaxError, maxSplits + 1, "good"}, {warehouse.UnknownColumn, maxSplits + 1, "good"}, {warehouse.Forbidden, maxSplits + 1, "good"},
	} {
		w := newWorld(guard.PostgreSQL, tables(), 40, counts)
		bad := 0
		w.after = func(s *warehouse.Step) {
			if strings.Contains(s.Query, `"bad"`) {
				bad++
				s.Digest, s.Error, s.Class = nil, "it failed", tt.class
			}
		}
		if got := w.run(t); bad == 0 || bad > tt.most || !strings.Contains(got, tt.ends) {
			t.Errorf("%s: the bad table is asked %d times, at most %d were right; %s", tt.class, bad, tt.most, got)
		}
	}
}

func TestUnreachable(t *testing.T) {
	t.Parallel()

	w := newWorld(guard.PostgreSQL, []catalog.Table{{Name: "a", Rows: 900, Columns: wide(10)}}, 40, counts)
	w.after = func(s *warehouse.Step) {
		if s.Query != "" {
			s.Digest, s.Error, s.Class = nil, "nobody there", warehouse.Unreachable
		}
	}
	if got := w.run(t); len(w.situation.Steps) != 2+maxBroken || !strings.HasPrefix(got, "The warehouse could not be reached any more.") {
		t.Errorf("after %d steps: %s", len(w.situation.Steps), got)
	}
}

// One column that fails takes no other with it.
func TestOneBadColumn(t *testing.T) {
	t.Parallel()

	w := newWorld(guard.PostgreSQL, []catalog.Table{{Name: "a", Rows: 900, Columns: wide(10)}}, 30, counts)
	w.after = func(s *warehouse.Step) {
		if strings.Contains(s.Query, `"amount 5"`) {
			s.Digest, s.Error, s.Class = nil, "no such thing", warehouse.TypeMismatch
		}
	}
	w.run(t)
	var asked, failed int
	for _, s := range w.situation.Steps {
		if strings.Contains(s.Query, `"amount 5"`) {
			failed++
		} else if s.Query != "" {
			asked++
		}
	}
	if failed > 6 || asked < 10 {
		t.Errorf("%d queries name the column that fails, %d do not", failed, asked)
	}
}

// A table that a lookup does not find is not asked, and a reply that is not
// understood is not said again.
func TestLookupsAndNudges(t *testing.T) {
	t.Parallel()

	w := newWorld(guard.PostgreSQL, []catalog.Table{{Name: "good", Rows: 900, Columns: wide(10)}, {Name: "gone", Rows: 9000, Columns: wide(10)}}, 12, counts)
	w.after = func(s *warehouse.Step) {
		if s.Type == warehouse.LookupStep {
			s.Tables = []string{"good"}
		}
	}
	w.run(t)
	for _, s := range w.situation.Steps {
		if strings.Contains(s.Query, `"gone"`) {
			t.Errorf("step %d asks a table that was not found", s.N)
		}
	}

	s := w.situation
	s.Steps = s.Steps[:4]
	first, err := Analyst{}.Next(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	s.Correction, s.Rejected = "it cannot be read", first.Text
	if second, err := (Analyst{}).Next(t.Context(), s); err != nil || second.Text == first.Text {
		t.Errorf("it says again %s (%v)", second.Text, err)
	}
}

// A table whose statements nearly take too long is read in part from then on, so that none is lost.
func TestSlowTable(t *testing.T) {
	t.Parallel()

	w := newWorld(guard.PostgreSQL, []catalog.Table{{Name: "lines", Rows: 4_000_000, Columns: wide(10)}}, 12, func(t testing.TB, sql string) (*digest.CompactResult, error) {
		if !strings.HasPrefix(sql, "SELECT COUNT(*)") {
			return counts(t, sql)
		}
		names := outputs(sql)
		row := make([]any, len(names))
		for i := range row {
			row[i] = int64(4_000_000) // rows, and values that all differ
		}
		return digest.Compact(digest.FromRows(names, [][]any{row}), digest.Mask{}), nil
	})
	slow := 0
	w.after = func(s *warehouse.Step) {
		if strings.Contains(s.Query, "LIMIT 1333333") { // a third of the rows, in the time that is good
			return
		}
		if s.Query != "" && len(w.situation.Steps) > 2 { // not the profile
			slow++
			s.Took = 12 * time.Second
		}
	}
	w.run(t)
	if slow != 1 {
		t.Errorf("%d statements are slow, want one", slow)
	}
	last := w.situation.Steps[len(w.situation.Steps)-2]
	if !strings.Contains(last.Query, "LIMIT 1333333") || !strings.Contains(last.Thinking, "only the first 1,333,333 of about 4,000,000 records of lines are read") {
		t.Errorf("the last statement reads %s\n%s", last.Query, last.Thinking)
	}
}

// Tables of a great many rows are read in part, and that is said.
func TestLargeTable(t *testing.T) {
	t.Parallel()

	for name, want := range map[guard.Dialect]string{guard.DuckDB: "LIMIT 2000000", guard.SQLServer: "SELECT TOP (2000000)"} {
		w := newWorld(name, []catalog.Table{{Name: "huge", Rows: 4_000_000_000, Columns: []catalog.Column{{Name: "amount", Type: "double"}, {Name: "region", Type: "varchar"}}}}, 4, counts)
		w.run(t)
		step := w.situation.Steps[1]
		if !strings.Contains(step.Query, want) || !strings.HasSuffix(step.Purpose, ", in the first 2,000,000 of about 4,000,000,000 records of huge") || !strings.Contains(step.Thinking, "only the first 2,000,000 of about 4,000,000,000 records of huge are read") {
			t.Errorf("%s: %s\n%s", name, step.Thinking, step.Query)
		}
	}
}
