package inquiry

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"quaestor/research/warehouse/digest"
)

// Cell is a place in a result.
type Cell struct {
	Row    int    `json:"row"` // from 1
	Column string `json:"column"`
}

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

	Measure string `json:"measure,omitempty"` // what the figure is of, in words; only of a finding of a run
	Now     *Cell  `json:"now,omitempty"`     // the cell that Measure is of, where the sentence tells of another; nil if it is the figure
	Filter  Filter `json:"filter,omitzero"`   // through which the statement was sent, beside the warehouse's own
}

// Filter lets through only the rows whose column has a value; the zero value lets all of them.
type Filter struct {
	Column, Value string
}

// Text returns the record as people read it: the sentence, the cells of the result, and the
// statement.
func (r Record) Text() string {
	var b strings.Builder
	b.WriteString(r.Sentence + "\n\n" + strings.Join(r.Columns, " | ") + "\n")
	for _, row := range r.Rows {
		cells := make([]string, len(row))
		for i, c := range row {
			cells[i] = Label(c)
		}
		b.WriteString(strings.Join(cells, " | ") + "\n")
	}
	b.WriteString("\n" + r.Sent + "\n")
	return b.String()
}

// Measured returns the figure that Measure is of. ok is false if the result does not have it.
func (r Record) Measured() (v float64, ok bool) {
	if r.Now == nil {
		return r.Figure, true
	}
	at := slices.Index(r.Columns, r.Now.Column)
	if at < 0 || r.Now.Row < 1 || r.Now.Row > len(r.Rows) || at >= len(r.Rows[r.Now.Row-1]) {
		return 0, false
	}
	err := json.Unmarshal(r.Rows[r.Now.Row-1][at], &v)
	return v, err == nil
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

// Rounded returns a figure as it is told: to two digits behind the point, or to four significant ones
// if it is below one.
func Rounded(n float64) float64 {
	scale := 100.0
	for scale < 1e12 && n != 0 && math.Abs(n)*scale < 1000 && math.Abs(n) < 1 {
		scale *= 10
	}
	return math.Round(n*scale) / scale
}

// Day returns the time in a cell; zero for none.
func Day(cell json.RawMessage) time.Time {
	s := strings.Trim(string(cell), `"`)
	if len(s) < len(time.DateOnly) {
		return time.Time{}
	}
	t, _ := time.Parse(time.DateOnly, s[:len(time.DateOnly)])
	return t
}

// Label returns a cell as a label.
func Label(cell json.RawMessage) string {
	var s string
	if json.Unmarshal(cell, &s) != nil {
		s = string(cell)
	}
	if t := Day(cell); !t.IsZero() && len(s) > len(time.DateOnly) {
		return t.Format(time.DateOnly)
	}
	return s
}
