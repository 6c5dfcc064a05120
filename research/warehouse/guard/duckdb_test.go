package guard

import (
	"errors"
	"os"
	"strings"
	"testing"
)

// treeParser takes trees for statements, as DuckDB made them; it prints one as it
// is.
type treeParser struct{}

func (treeParser) Parse(sql string) ([]byte, error) { return []byte(sql), nil }

func (treeParser) Print(tree []byte) (string, error) { return string(tree), nil }

// brokenParser cannot be reached.
type brokenParser struct{ treeParser }

func (brokenParser) Parse(string) ([]byte, error) { return nil, errors.New("nobody is there") }

// duckPolicy is that of the trees that were kept.
func duckPolicy(p Parser) Policy {
	return Policy{
		Dialect: DuckDB, Schemas: []string{"main", "sales"}, Parser: p,
		Relations: []Relation{
			{Schema: "main", Name: "flights", Columns: []string{"date", "delay", "distance", "origin", "destination"}},
			{Schema: "main", Name: "airports", Columns: []string{"iata", "name", "state"}},
			{Schema: "main", Name: "seattle_weather", Columns: []string{"date", "weather", "temp_max", "temp_min"}},
			{Schema: "sales", Name: "orders", Columns: []string{"id", "tenant", "customer_id", "total"}},
			{Schema: "sales", Name: "customers", Columns: []string{"id", "tenant", "country"}},
		},
		Filter: Filter{Column: "tenant", Value: "o'hara"},
	}
}

// trees returns those of statements that may run, or may not: a line each, behind +
// or -.
func trees(t testing.TB, sign string) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/duckdb_trees.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(data)) {
		if tree, ok := strings.CutPrefix(strings.TrimSpace(line), sign+" "); ok {
			out = append(out, tree)
		}
	}
	if len(out) == 0 {
		t.Fatalf("no trees behind %s", sign)
	}
	return out
}

// The walk over the trees needs no DuckDB; what DuckDB makes of whole statements is
// tested where it is.
func TestDuckDBTrees(t *testing.T) {
	t.Parallel()

	g := newGuard(t, duckPolicy(treeParser{}))
	for _, tree := range trees(t, "+") {
		c := &duckCheck{guard: g, hold: true}
		if _, r := c.document([]byte(tree)); r != nil {
			t.Errorf("%s\nis refused: %v", tree, r)
		}
	}
	for _, tree := range trees(t, "-") {
		c := &duckCheck{guard: g, hold: true}
		if _, r := c.document([]byte(tree)); r == nil {
			t.Errorf("%s\nmay run", tree)
		}
	}
}

// A part that is not known of a node, or a node that is not known at all, is
// refused wherever it stands.
func TestDuckDBUnknownParts(t *testing.T) {
	t.Parallel()

	g := newGuard(t, duckPolicy(treeParser{}))
	for _, tree := range trees(t, "+") {
		for at := 0; ; {
			i := strings.Index(tree[at:], `"type":"`)
			if i < 0 {
				break
			}
			at += i
			odd := tree[:at] + `"odd":1,` + tree[at:]
			c := &duckCheck{guard: g}
			if _, r := c.document([]byte(odd)); r == nil {
				t.Errorf("%s\nmay run", odd)
			}
			at++
		}
	}
}

func TestDuckDBParserIsNeeded(t *testing.T) {
	t.Parallel()

	if _, err := New(duckPolicy(nil)); err == nil {
		t.Error("there is a guard without a parser")
	}
	var r *Refusal
	if _, err := newGuard(t, duckPolicy(brokenParser{})).Check("SELECT 1"); err == nil || errors.As(err, &r) {
		t.Errorf("a parser that cannot be reached gives %v", err)
	}
}

// No tree ends the walk but with an answer, and one that passes reads what it may.
func FuzzDuckDB(f *testing.F) {
	for _, sign := range []string{"+", "-"} {
		for _, tree := range trees(f, sign) {
			f.Add([]byte(tree))
		}
	}
	g := newGuard(f, duckPolicy(treeParser{}))
	f.Fuzz(func(t *testing.T, tree []byte) {
		c := &duckCheck{guard: g}
		if _, r := c.document(tree); r != nil {
			return
		}
		for _, name := range c.tables {
			schema, table, _ := strings.Cut(name, ".")
			if g.find(schema, table) == nil {
				t.Fatalf("%s\nreads %s", tree, name)
			}
		}
	})
}
