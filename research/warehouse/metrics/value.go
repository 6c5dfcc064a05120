package metrics

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"quaestor/internal/fault"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/digest"
)

// maxMembers is how many values of a dimension are told: all that a digest keeps as rows.
const maxMembers = digest.CompactInlineThreshold

// Value is what a definition comes to at present.
type Value struct {
	Value   string   // of a metric, as JSON: a number, a text, or null
	Members []Member // of a dimension, the most frequent first, at most 20
	More    bool     // there may be more members
	SQL     string   // that was sent
	Took    time.Duration
}

// Member is a value of a dimension.
type Member struct {
	Value string // as JSON
	Rows  int64
}

// Value asks a warehouse for what a definition comes to. It is Unprocessable, with the field
// expression, if the warehouse refuses the query, or if a metric is no single figure.
func (s Store) Value(ctx context.Context, tenant, warehouseID, name string) (Value, error) {
	d, err := s.Named(ctx, tenant, warehouseID, name)
	if err != nil {
		return Value{}, err
	}
	var parts []Spec
	if d.IsRatio() {
		for _, part := range []string{d.Numerator, d.Denominator} {
			p, err := s.Named(ctx, tenant, warehouseID, part)
			if err != nil {
				return Value{}, err
			}
			parts = append(parts, p.Spec)
		}
	}
	g, err := s.Connections.Open(ctx, tenant, warehouseID, connections.View{})
	if err != nil {
		return Value{}, unanswered(err)
	}
	defer func() { _ = g.Close() }() // everything was read
	sql := d.Statement(g.Dialect(), parts...)
	if d.Kind == Dimension {
		sql = d.Members(g.Dialect())
	}
	answer, err := g.Ask(ctx, warehouse.Query{SQL: sql})
	if err != nil {
		return Value{SQL: answer.Sent.SQL}, unanswered(err)
	}
	out := Value{SQL: answer.Sent.SQL, Took: answer.Result.Took}
	if d.Kind == Dimension {
		out.Members, out.More = members(answer.Result), answer.Result.Rows == maxMembers
		return out, nil
	}
	out.Value, err = single(answer.Result)
	return out, err
}

// unanswered words why a warehouse did not answer.
func unanswered(err error) error {
	var q *warehouse.QueryError
	if !errors.As(err, &q) {
		return err
	}
	if q.Class == warehouse.Unreachable {
		return fault.New(fault.Unavailable, "the warehouse does not answer: %s", q.Error()).Coded("warehouse_away").Because(err)
	}
	return wrong("expression", "the warehouse refuses it: %s", q.Error()).Coded("metric_refused").Because(err)
}

// single returns the one value of a result.
func single(r *warehouse.Result) (string, error) {
	rows := digest.Compact(r.Columns, digest.Mask{}).AllRows
	if r.Rows != 1 || len(r.Columns) != 1 || len(rows) != 1 || len(rows[0]) != 1 {
		return "", wrong("expression", "gives %d rows; a metric is one figure, such as SUM(total)", r.Rows).Coded("metric_not_single")
	}
	return string(rows[0][0]), nil
}

// members returns the values of a dimension, in the order of the result.
func members(r *warehouse.Result) []Member {
	out := make([]Member, 0, r.Rows)
	for _, row := range digest.Compact(r.Columns, digest.Mask{}).AllRows {
		if len(row) != 2 {
			return nil
		}
		n, _ := strconv.ParseInt(unquoted(row[1]), 10, 64)
		out = append(out, Member{string(row[0]), n})
	}
	return out
}

// unquoted returns a JSON value without the quotes of a text.
func unquoted(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}
