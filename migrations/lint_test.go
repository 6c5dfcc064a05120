package migrations_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// query is one of the statements that Go code is made from.
type query struct {
	file, name string
	remark     string // what it is for
	sql        string // without comments
}

var named = regexp.MustCompile(`(?m)^-- name: (\w+) :\w+\n`)

// readQueries reads all of the program's.
func readQueries(t *testing.T) []query {
	t.Helper()
	var out []query
	err := filepath.WalkDir("..", func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules") {
			return filepath.SkipDir
		}
		if d.IsDir() || filepath.Ext(path) != ".sql" || filepath.Base(filepath.Dir(path)) != "dbsqlc" {
			return nil
		}
		text, err := os.ReadFile(path)
		out = append(out, split(path, string(text))...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 40 {
		t.Fatalf("%d queries were found, want at least 40", len(out))
	}
	return out
}

func split(file, text string) []query {
	var out []query
	marks := named.FindAllStringSubmatchIndex(text, -1)
	for i, m := range marks {
		end := len(text)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		q := query{file: file, name: text[m[2]:m[3]]}
		for line := range strings.Lines(text[m[1]:end]) {
			code, remark, _ := strings.Cut(line, "--")
			q.sql += code + "\n"
			q.remark += remark
		}
		out = append(out, q)
	}
	return out
}

// touches returns the tables a query reads or writes, of those given.
func (q query) touches(tables []string) []string {
	return slices.DeleteFunc(slices.Clone(tables), func(table string) bool {
		return !regexp.MustCompile(`\b` + table + `\b`).MatchString(q.sql)
	})
}

// tenantless are the queries over a table with tenants that name none, and why.
var tenantless = map[string]string{
	"TokenByHash": "finds out the tenant of a bearer; its policy shows the one row with the hash given",
}

func TestEveryQueryOverATableWithTenantsNamesTheTenant(t *testing.T) {
	t.Parallel()

	tables := column[string](t, schema(t), owned)
	tenant := regexp.MustCompile(`@tenant_id\b`)
	for _, q := range readQueries(t) {
		touched := q.touches(tables)
		if reason, excepted := tenantless[q.name]; len(touched) > 0 && tenant.MatchString(q.sql) == excepted {
			t.Errorf("%s: %s over %v names @tenant_id: %t; its exception: %q", q.file, q.name, touched, !excepted, reason)
		}
	}
}

func TestEveryQueryIsIntroduced(t *testing.T) {
	t.Parallel()

	for _, q := range readQueries(t) {
		if remark := strings.TrimSpace(q.remark); len(remark) < 5 || !strings.HasSuffix(remark, ".") {
			t.Errorf("%s: %s opens with %q, want a sentence", q.file, q.name, remark)
		}
	}
}

func TestNoQueryChangesHistory(t *testing.T) {
	t.Parallel()

	changes := regexp.MustCompile(`\b(UPDATE|DELETE\s+FROM|TRUNCATE|MERGE\s+INTO)\s+(obligation_trail|obligation_events|messages|discovery_session_summaries|session_events)\b`)
	for _, q := range readQueries(t) {
		if got := changes.FindString(q.sql); got != "" && q.name != "DeltaTrim" { // which lets pieces of a whole reply go
			t.Errorf("%s: %s says %q of a table that is append only", q.file, q.name, got)
		}
	}
}

// Code reads and writes through the functions that are generated of the queries, in a
// variable of this name in the package that owns them.
var called = regexp.MustCompile(`\bqueries\.(\w+)`)

func TestEveryQueryIsCalled(t *testing.T) {
	t.Parallel()

	calls := map[string][]string{} // of queries, by the folder of the package that owns them
	for _, q := range readQueries(t) {
		owner := filepath.Dir(filepath.Dir(filepath.Dir(q.file)))
		if calls[owner] == nil {
			calls[owner] = readCalls(t, owner)
		}
		if !slices.Contains(calls[owner], q.name) {
			t.Errorf("%s: no code calls %s; delete it", q.file, q.name)
		}
	}
}

// readCalls returns the queries that the package in a folder calls, its tests left out.
func readCalls(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("the sources of %s: %d, %v", folder, len(files), err)
	}
	var out []string
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range called.FindAllStringSubmatch(string(text), -1) {
			out = append(out, m[1])
		}
	}
	return out
}
