package data_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/runs"
	"quaestor/web/data"
)

func TestFigure(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		x      float64
		column string
		want   string
	}{
		{3000000, "records", "3,000,000"},
		{2001, "year_of", "2001"},
		{2001, "records", "2,001"},
		{30000, "year_total", "30,000"},
		{0.1234567, "share", "0.1235"},
		{56.6612, "share_pct", "56.66"},
		{269421.7123, "cost", "269,421.7"},
		{-12.5, "delay", "-12.5"},
		{1e-9, "p", "1e-09"},
		{math.NaN(), "p", "none"},
		{math.Inf(1), "p", "none"},
	} {
		if got := data.Figure(tt.x, tt.column); got != tt.want {
			t.Errorf("Figure(%v, %q) = %q, want %q", tt.x, tt.column, got, tt.want)
		}
	}
}

// query is step n, a query with a result.
func query(n int, result *data.ResultView) data.StepView {
	return data.StepView{StoredStep: runs.StoredStep{Step: warehouse.Step{N: n, Type: warehouse.QueryStep, Rows: result.Rows}}, Run: "r", Result: result}
}

// drawnStep is the markup of a step.
func drawnStep(t testing.TB, s data.StepView) string {
	t.Helper()
	var b strings.Builder
	if err := data.Step(&s).Render(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// along is a result with a first column of a kind and one measure.
func along(kind string, values ...float64) *data.ResultView {
	r := &data.ResultView{Rows: len(values), Whole: true, Columns: []data.ColumnView{{Name: "first", Kind: kind}, {Name: "n", Kind: "number", Values: values}}}
	for i, v := range values {
		r.Head = append(r.Head, []string{"row " + string(rune('a'+i)), data.Figure(v, "n")})
	}
	return r
}

func TestResultsAreDrawnAsTheyAre(t *testing.T) {
	t.Parallel()

	const line, bar = `data-testid="chart"`, `class="cell-bar"`
	for _, tt := range []struct {
		name       string
		result     *data.ResultView
		has, hasNo string
	}{
		{"along a time, a line", along("timestamp", 1, 2, 3), line, bar},
		{"along a category, bars", along("string", 1, 2, 3), bar, line},
		{"all the same, neither", along("string", 2, 2, 2), "<td", bar},
		{"a line with a gap", along("timestamp", 1, math.NaN(), 3, 4), "M0.0", bar},
		{"nothing but gaps", along("timestamp", math.NaN(), math.NaN()), "<td", line},
		{"one row, facts", along("string", 1), "<dl", "<table"},
		{"many rows, what the columns hold", &data.ResultView{Rows: 900, Columns: []data.ColumnView{{Name: "n", Kind: "number", Summary: "1 to 9", Spread: [5]float64{1, 2, 3, 4, 9}, Spreads: true}}}, `class="strip"`, line},
	} {
		got := drawnStep(t, query(1, tt.result))
		if !strings.Contains(got, tt.has) || strings.Contains(got, tt.hasNo) {
			t.Errorf("%s: want %q and not %q in %s", tt.name, tt.has, tt.hasNo, got)
		}
	}
}

func TestChartsHaveFiniteCoordinates(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64(), 2, 60).Draw(t, "values")
		kind := rapid.SampledFrom([]string{"timestamp", "string", "number"}).Draw(t, "kind")
		r := along(kind, values...)
		r.Columns[0].Values = values
		whole := query(1, r)
		whole.Whole = true
		var b strings.Builder
		if err := data.Step(&whole).Render(context.Background(), &b); err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"NaN", "Inf"} {
			if strings.Contains(b.String(), bad) {
				t.Fatalf("%v is drawn with %s", values, bad)
			}
		}
	})
}

func TestLongRunsAreFolded(t *testing.T) {
	t.Parallel()

	list := make([]data.StepView, 100)
	for i := range list {
		list[i] = query(100-i, along("string", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20))
		list[i].Purpose, list[i].Query = "records by state", "SELECT 1"
	}
	data.FoldSteps(list, 3)
	if list[0].Folded || !list[99].Folded || list[97].Folded {
		t.Errorf("the latest is folded: %t, the first: %t, the one that is wanted: %t", list[0].Folded, list[99].Folded, list[97].Folded)
	}
	nodes := 0
	for _, s := range list {
		nodes += strings.Count(drawnStep(t, s), "<") / 2
	}
	if nodes > 3600 {
		t.Errorf("a hundred steps take %d nodes", nodes)
	}
}

func TestStepsShowHostileTextAsText(t *testing.T) {
	t.Parallel()

	const bad = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>`
	r := along("string", 1, 2)
	r.Head[0][0], r.Columns[0].Name, r.Columns[1].Summary = bad, bad, bad
	hostile := warehouse.Step{N: 1, Type: warehouse.QueryStep, Purpose: bad, Thinking: bad, Query: bad, SQL: "x" + bad, Error: bad, Class: bad, Tables: []string{bad},
		Fixes: []warehouse.Fix{{By: bad, Class: bad, Error: bad}}}
	got := drawnStep(t, data.StepView{StoredStep: runs.StoredStep{Step: hostile}, Run: "r", Result: r, Comment: bad})
	if strings.Contains(got, "<script") || strings.Contains(got, "<img") {
		t.Errorf("drawn as markup: %s", got)
	}
}
