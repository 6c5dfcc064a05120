package metrics

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// semanticModel is a semantic model of MetricFlow: what may be measured on a table.
type semanticModel struct {
	Name     string
	Model    string
	Relation struct {
		Alias  string
		Schema string `yaml:"schema_name"`
	} `yaml:"node_relation"` // in manifests
	Defaults struct {
		Time string `yaml:"agg_time_dimension"`
	}
	Entities   []flowColumn
	Dimensions []flowColumn
	Measures   []measure
}

// flowColumn is an entity or dimension.
type flowColumn struct {
	Name, Label, Description, Expr, Type string
	Params                               struct {
		Grain string `yaml:"time_granularity"`
	} `yaml:"type_params"`
	meta `yaml:",inline"`
}

type measure struct {
	Name, Label, Description, Agg string
	Expr                          scalar
	Time                          string `yaml:"agg_time_dimension"`
	Create                        bool   `yaml:"create_metric"`
}

// flowMetric is a metric of MetricFlow.
type flowMetric struct {
	Name, Label, Description, Type string
	Filter                         conditions
	Params                         struct {
		Measure, Numerator, Denominator reference
	} `yaml:"type_params"`
	meta `yaml:",inline"`
}

// meta is where dbt projects keep what MetricFlow has no field for.
type meta struct {
	Meta   properties
	Config struct{ Meta properties }
}

type properties struct {
	Owner    string
	Synonyms []string
}

func (m meta) owner() string { return cmp.Or(m.Config.Meta.Owner, m.Meta.Owner) }
func (m meta) synonyms() []string {
	return append(slices.Clone(m.Meta.Synonyms), m.Config.Meta.Synonyms...)
}

// scalar is a text that may be written as a number.
type scalar string

// UnmarshalYAML implements [yaml.Unmarshaler].
func (s *scalar) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode && n.Tag != "!!null" {
		*s = scalar(n.Value)
	}
	return nil
}

// reference names a measure or metric, alone or with a filter of its own.
type reference struct {
	Name   string
	Filter conditions
}

// UnmarshalYAML implements [yaml.Unmarshaler].
func (r *reference) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		if n.Tag != "!!null" {
			r.Name = n.Value
		}
		return nil
	}
	type plain reference
	return n.Decode((*plain)(r))
}

// conditions are a filter: one text, several, or as manifests have it.
type conditions []string

// UnmarshalYAML implements [yaml.Unmarshaler].
func (c *conditions) UnmarshalYAML(n *yaml.Node) error {
	switch n.Kind {
	case yaml.ScalarNode:
		if n.Tag != "!!null" {
			*c = conditions{n.Value}
		}
		return nil
	case yaml.SequenceNode:
		var list []string
		err := n.Decode(&list)
		*c = list
		return err
	}
	var in struct {
		Where []struct {
			SQL string `yaml:"where_sql_template"`
		} `yaml:"where_filters"`
	}
	if err := n.Decode(&in); err != nil {
		return err
	}
	for _, w := range in.Where {
		*c = append(*c, w.SQL)
	}
	return nil
}

// readManifest reads the semantic models and metrics of a dbt manifest; false if the text is none.
func readManifest(text []byte) (Document, bool) {
	var in struct {
		Models  map[string]json.RawMessage `json:"semantic_models"`
		Metrics map[string]json.RawMessage `json:"metrics"`
	}
	if json.Unmarshal(text, &in) != nil || in.Models == nil {
		return Document{}, false
	}
	var models []semanticModel
	var skipped []Skipped
	for _, id := range slices.Sorted(maps.Keys(in.Models)) {
		var m semanticModel
		if err := asYAML(in.Models[id], &m); err != nil {
			skipped = append(skipped, Skipped{id, "is no semantic model that is known here"})
			continue
		}
		models = append(models, m)
	}
	var nodes []yaml.Node
	for _, id := range slices.Sorted(maps.Keys(in.Metrics)) {
		var n yaml.Node
		if err := asYAML(in.Metrics[id], &n); err != nil || len(n.Content) == 0 {
			skipped = append(skipped, Skipped{id, "is no metric that is known here"})
			continue
		}
		nodes = append(nodes, *n.Content[0])
	}
	out := metricFlow(models, nodes)
	out.Format, out.Skipped = Manifest, append(skipped, out.Skipped...)
	return out, true
}

// metricFlow returns what semantic models and metrics define.
func metricFlow(models []semanticModel, metrics []yaml.Node) Document {
	out := Document{Format: MetricFlow}
	taken := map[string]bool{}
	for i := range models {
		for _, m := range models[i].Measures {
			if !m.Create {
				continue
			}
			if s, err := models[i].measured(m, Spec{Name: m.Name, Label: m.Label, Description: m.Description}); err != nil {
				out.skip(m.Name, "%s", err)
			} else {
				out.Specs, taken[s.Name] = append(out.Specs, s), true
			}
		}
	}
	for i := range metrics {
		var m flowMetric
		if err := metrics[i].Decode(&m); err != nil {
			out.skip(cmp.Or(m.Name, fmt.Sprintf("metric %d", i+1)), "is written in another way than MetricFlow's; write its name, type and type_params")
			continue
		}
		s, err := m.spec(models)
		if err != nil {
			out.skip(m.Name, "%s", err)
			continue
		}
		out.Specs, taken[s.Name] = append(out.Specs, s), true
	}
	for i := range models {
		out.Specs = append(out.Specs, models[i].dimensions(taken)...)
	}
	return out
}

// spec returns the definition of a metric.
func (m *flowMetric) spec(models []semanticModel) (Spec, error) {
	s := Spec{Kind: Metric, Name: m.Name, Label: m.Label, Description: m.Description, Owner: m.owner(), Synonyms: m.synonyms()}
	switch m.Type {
	case "simple":
		return m.simple(models, s)
	case "ratio":
		num, den := m.Params.Numerator, m.Params.Denominator
		if len(m.Filter)+len(num.Filter)+len(den.Filter) > 0 {
			return s, errors.New("is a ratio with filters of its own; define its two metrics with the filters, and the ratio of those")
		}
		s.Numerator, s.Denominator = num.Name, den.Name
		return s, nil
	}
	return s, fmt.Errorf("is of type %q; only simple and ratio metrics are taken over: write it as an expression over one table, or as a ratio of two metrics", m.Type)
}

func (m *flowMetric) simple(models []semanticModel, s Spec) (Spec, error) {
	for i := range models {
		j := slices.IndexFunc(models[i].Measures, func(x measure) bool { return x.Name == m.Params.Measure.Name })
		if j < 0 {
			continue
		}
		s, err := models[i].measured(models[i].Measures[j], s)
		if err != nil {
			return s, err
		}
		s.Filters, err = models[i].conditions(append(slices.Clone(m.Params.Measure.Filter), m.Filter...))
		return s, err
	}
	return s, fmt.Errorf("is of the measure %q, which no semantic model here has; import the file of its semantic model with it", m.Params.Measure.Name)
}

// aggregates are the aggregations of measures that all warehouses have.
var aggregates = map[string]string{"sum": "SUM(%s)", "count": "COUNT(%s)", "count_distinct": "COUNT(DISTINCT %s)", "average": "AVG(%s)", "avg": "AVG(%s)", "min": "MIN(%s)", "max": "MAX(%s)",
	"sum_boolean": "SUM(CASE WHEN %s THEN 1 ELSE 0 END)"}

// measured returns s with the table, the expression and the time of a measure.
func (m *semanticModel) measured(of measure, s Spec) (Spec, error) {
	aggregate, known := aggregates[strings.ToLower(of.Agg)]
	if !known {
		return s, fmt.Errorf("is a measure aggregated by %q, which not every warehouse has; write it as an expression", of.Agg)
	}
	s.Kind, s.Table, s.Expression = Metric, m.table(), fmt.Sprintf(aggregate, cmp.Or(string(of.Expr), of.Name))
	s.Description = cmp.Or(s.Description, of.Description)
	if i := slices.IndexFunc(m.Dimensions, func(c flowColumn) bool { return c.Name == cmp.Or(of.Time, m.Defaults.Time) }); i >= 0 {
		s.Time = cmp.Or(m.Dimensions[i].Expr, m.Dimensions[i].Name)
		if g := Grain(strings.ToLower(m.Dimensions[i].Params.Grain)); slices.Contains(Grains, g) {
			s.Grain = g
		}
	}
	return s, nil
}

// inQuotes matches a text in quotes, such as the last argument of ref('project', 'orders').
var inQuotes = regexp.MustCompile(`['"]([^'"]+)['"]`)

// table returns the table of a model: of a manifest the one dbt made, else the model's name.
func (m *semanticModel) table() string {
	if m.Relation.Alias != "" {
		return strings.Trim(m.Relation.Schema+"."+m.Relation.Alias, ".")
	}
	if all := inQuotes.FindAllStringSubmatch(m.Model, -1); len(all) > 0 {
		return all[len(all)-1][1]
	}
	return cmp.Or(m.Model, m.Name)
}

// template matches what stands for a column in a filter, such as {{ Dimension('order__state') }}.
var template = regexp.MustCompile(`\{\{\s*(Dimension|TimeDimension|Entity)\(\s*['"]([^'"]+)['"]\s*(?:,\s*['"]\w+['"]\s*)?\)\s*\}\}`)

// conditions returns filters with the columns of m in the place of templates.
func (m *semanticModel) conditions(list []string) ([]string, error) {
	var out []string
	for _, c := range list {
		var missing string
		filled := template.ReplaceAllStringFunc(c, func(t string) string {
			path := template.FindStringSubmatch(t)[2]
			name := path[strings.LastIndex(path, "__")+1:]
			name = strings.TrimPrefix(name, "_")
			for _, column := range append(slices.Clone(m.Dimensions), m.Entities...) {
				if column.Name == name {
					return cmp.Or(column.Expr, column.Name)
				}
			}
			missing = path
			return t
		})
		switch {
		case missing != "":
			return nil, fmt.Errorf("is filtered by %s, which is no column of %s; a metric is over one table", missing, m.table())
		case strings.Contains(filled, "{{") || strings.Contains(filled, "{%"):
			return nil, fmt.Errorf("is filtered by a template, %s; write the condition as SQL", clip(c, 80))
		}
		out = append(out, filled)
	}
	return out, nil
}

// dimensions returns the dimensions of a model. One whose name is taken gets that of the model
// before it.
func (m *semanticModel) dimensions(taken map[string]bool) []Spec {
	var out []Spec
	for _, c := range m.Dimensions {
		name := c.Name
		if taken[name] {
			name = m.Name + "_" + name
		}
		taken[name] = true
		out = append(out, Spec{Kind: Dimension, Name: name, Label: c.Label, Description: c.Description, Table: m.table(), Expression: cmp.Or(c.Expr, c.Name), Owner: c.owner(), Synonyms: c.synonyms()})
	}
	return out
}

// clip shortens a text to at most most characters.
func clip(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}
