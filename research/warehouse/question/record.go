package question

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/guard"
)

// Record returns the answer as it is kept.
func (f *Found) Record() Record {
	r := Record{Warehouse: f.Warehouse, Name: f.Name, Sentence: f.Sentence, SQL: f.SQL, Sent: f.Sent, Cell: f.Cell, Figure: f.Figure, Exact: f.Exact, Period: f.Period, Table: f.Table, By: f.By, At: f.At, Rows: f.Result.AllRows}
	for _, c := range f.Result.Columns {
		r.Columns = append(r.Columns, c.Name)
	}
	return r
}

// Again sends the statement of a record once more and compares the figure. The guard checks it as it
// did the first time.
func (h *Warehouses) Again(ctx context.Context, tenant string, r Record) (Recheck, error) {
	g, err := h.Store.Open(ctx, tenant, r.Warehouse, connections.View{Filter: guard.Filter(r.Filter)})
	if err != nil {
		return Recheck{}, err
	}
	defer g.Close() //nolint:errcheck // it was only read from
	answer, err := g.Ask(ctx, warehouse.Query{SQL: r.Sent})
	if err != nil {
		return Recheck{}, err
	}
	d := compact(answer.Result)
	out := Recheck{At: time.Now().UTC()}
	at := slices.IndexFunc(d.Columns, func(c digest.ColumnSummary) bool { return strings.EqualFold(c.Name, r.Cell.Column) })
	if at < 0 || r.Cell.Row < 1 || r.Cell.Row > len(d.AllRows) {
		return out, nil
	}
	cell := d.AllRows[r.Cell.Row-1][at]
	if v, ok := numberOf(cell); ok {
		out.Figure, out.Exact = v, strings.Trim(string(cell), `"`)
		out.Same = math.Abs(v-r.Figure) <= 1e-9*math.Max(1, math.Abs(r.Figure))
	}
	return out, nil
}
