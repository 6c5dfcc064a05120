package question

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/guard"
)

// Record is an answer as it is kept: enough to ask the same again.
type Record struct {
	Warehouse string       `json:"warehouse"` // id
	Name      string       `json:"name"`      // of the warehouse, at the time
	Sentence  string       `json:"sentence"`
	SQL       string       `json:"sql"`
	Sent      string       `json:"sent"` // as the guard printed it
	Cell      Cell         `json:"cell"`
	Figure    float64      `json:"figure"`
	Exact     string       `json:"exact"`
	Period    string       `json:"period,omitempty"`
	Table     string       `json:"table"`
	Columns   []string     `json:"columns"`
	Rows      []digest.Row `json:"rows"`
	By        string       `json:"by"`
	At        time.Time    `json:"at"`

	Measure string       `json:"measure,omitempty"` // what the figure is of, in words; only of a finding of a run
	Filter  guard.Filter `json:"filter,omitzero"`   // through which the statement was sent, beside the warehouse's own
}

// Record returns the answer as it is kept.
func (f *Found) Record() Record {
	r := Record{Warehouse: f.Warehouse, Name: f.Name, Sentence: f.Sentence, SQL: f.SQL, Sent: f.Sent, Cell: f.Cell, Figure: f.Figure, Exact: f.Exact, Period: f.Period, Table: f.Table, By: f.By, At: f.At, Rows: f.Result.AllRows}
	for _, c := range f.Result.Columns {
		r.Columns = append(r.Columns, c.Name)
	}
	return r
}

// Text returns the record as people read it: the sentence, the cells of the result, and the
// statement.
func (r Record) Text() string {
	var b strings.Builder
	b.WriteString(r.Sentence + "\n\n" + strings.Join(r.Columns, " | ") + "\n")
	for _, row := range r.Rows {
		cells := make([]string, len(row))
		for i, c := range row {
			cells[i] = labelOf(c)
		}
		b.WriteString(strings.Join(cells, " | ") + "\n")
	}
	b.WriteString("\n" + r.Sent + "\n")
	return b.String()
}

// ParseRecord reads a record that was kept.
func ParseRecord(body []byte) (Record, error) {
	var r Record
	if err := json.Unmarshal(body, &r); err != nil {
		return r, fmt.Errorf("record of a warehouse's answer: %w", err)
	}
	return r, nil
}

// Recheck is what the same statement says now.
type Recheck struct {
	Figure float64
	Exact  string // empty if the cell is gone, or has no figure any more
	Same   bool   // the figure is the same
	At     time.Time
}

// Again sends the statement of a record once more and compares the figure. The guard checks it as it
// did the first time.
func (h *Warehouses) Again(ctx context.Context, tenant string, r Record) (Recheck, error) {
	g, err := h.Store.Open(ctx, tenant, r.Warehouse, connections.View{Filter: r.Filter})
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
