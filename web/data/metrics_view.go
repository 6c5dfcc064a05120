package data

import (
	"encoding/json"
	"fmt"
	"strings"

	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/metrics"
	"quaestor/web"
	"quaestor/web/ui"
)

// MetricsView is what [Metrics] shows: what an organisation has defined over a warehouse.
type MetricsView struct {
	Nav     ui.Nav
	Notice  string // what the last form did; may be empty
	Failure string // why the last form failed; may be empty
	Form    ui.FormView

	Warehouse connections.Warehouse
	List      []metrics.Definition
	Examples  []metrics.Example
	Edited    metrics.Definition // that the form shows; without a version it is a new one
	Proposals []metrics.Spec     // nil unless they were asked for
	Proposed  bool               // they were asked for
	Plan      *metrics.Plan      // of the import that is previewed; nil for none
	Tested    string             // name of the definition that was asked for its value
	Value     metrics.Value      // what came of it
}

// metricsPath is the address of the page.
func metricsPath(warehouse string) string { return warehousePath(warehouse) + "/metrics" }

func (v MetricsView) path() string { return metricsPath(v.Warehouse.ID) }

// metricFields are the fields of the form in their order, to find the first at fault.
var metricFields = []string{"name", "label", "kind", "table", "expression", "filters", "time", "grain", "numerator", "denominator", "synonyms", "owner", "description"}

// focus reports whether a field is the first at fault.
func (v MetricsView) focus(field string) bool { return v.Form.First("metric", field, metricFields) }

// kinds are the choices of what a definition is.
func kinds() []ui.Choice {
	return []ui.Choice{{Value: string(metrics.Metric), Name: "Metric: a figure"}, {Value: string(metrics.Dimension), Name: "Dimension: what figures are divided by"}}
}

// grains are the choices of the span that a metric is reported in.
func grains() []ui.Choice {
	return append([]ui.Choice{{Value: "", Name: "None"}}, web.Map(metrics.Grains, func(g metrics.Grain) ui.Choice { return ui.Choice{Value: string(g), Name: ui.Capital(string(g))} })...)
}

// sqlOf is what a definition is, in one line.
func sqlOf(s metrics.Spec) string {
	if s.IsRatio() {
		return s.Numerator + " / " + s.Denominator
	}
	out := s.Expression + " of " + s.Table
	if len(s.Filters) > 0 {
		out += " where " + strings.Join(s.Filters, " and ")
	}
	return out
}

// valueWords is what a definition came to.
func valueWords(v metrics.Value) string {
	if len(v.Members) == 0 {
		return plainJSON(v.Value)
	}
	out := web.Map(v.Members, func(m metrics.Member) string { return fmt.Sprintf("%s (%s)", plainJSON(m.Value), ui.Digits(m.Rows)) })
	if v.More {
		out = append(out, "…")
	}
	return strings.Join(out, ", ")
}

// plainJSON is a JSON value for people: a text without its quotes, nothing as such.
func plainJSON(raw string) string {
	var text string
	switch {
	case raw == "null" || raw == "":
		return "no value"
	case json.Unmarshal([]byte(raw), &text) == nil:
		return text
	}
	return raw
}

// plannedWords say what an import does with a definition.
var plannedWords = map[metrics.Change]string{metrics.Added: "New", metrics.Changed: "Changed", metrics.Same: "As it is", metrics.Refused: "Refused"}

// taken reports whether an import has anything to store.
func taken(p *metrics.Plan) bool {
	for _, row := range p.Rows {
		if row.Change == metrics.Added || row.Change == metrics.Changed {
			return true
		}
	}
	for _, e := range p.Examples {
		if e.Problem == "" {
			return true
		}
	}
	return false
}
