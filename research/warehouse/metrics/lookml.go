package metrics

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// view is a view of LookML, written as YAML.
type view struct {
	Name       string
	Table      string      `yaml:"sql_table_name"`
	Dimensions []lookField `yaml:"dimensions"`
	Groups     []lookField `yaml:"dimension_groups"`
	Measures   []lookField `yaml:"measures"`
}

// lookField is a dimension or a measure of a view.
type lookField struct {
	Name, Label, Description, Type, SQL string
	Synonyms                            []string
	Filters                             lookFilters
}

// lookFilter limits a measure to rows with a value in a dimension.
type lookFilter struct{ Field, Value string }

// lookFilters are filters as a list of pairs, of field and value, or as a map.
type lookFilters []lookFilter

// UnmarshalYAML implements [yaml.Unmarshaler].
func (f *lookFilters) UnmarshalYAML(n *yaml.Node) error {
	nodes := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		nodes = n.Content
	}
	for _, n := range nodes {
		pairs := map[string]string{}
		if err := n.Decode(&pairs); err != nil {
			return err
		}
		if field, ok := pairs["field"]; ok && len(pairs) == 2 {
			*f = append(*f, lookFilter{field, pairs["value"]})
			continue
		}
		for _, field := range slices.Sorted(maps.Keys(pairs)) {
			*f = append(*f, lookFilter{field, pairs[field]})
		}
	}
	return nil
}

// lookML returns what views define.
func (w *written) lookML() Document {
	out := Document{Format: LookML}
	for i := range w.Views {
		v := &w.Views[i]
		for _, m := range v.Measures {
			s := v.spec(Metric, m)
			var err error
			if s.Expression, err = v.measure(m, 0); err == nil {
				s.Filters, err = v.filters(m.Filters)
			}
			out.add(v.Name, s, err)
		}
		for _, d := range append(slices.Clone(v.Dimensions), v.Groups...) {
			s := v.spec(Dimension, d)
			var err error
			s.Expression, err = v.expand(cmp.Or(d.SQL, d.Name), 0)
			out.add(v.Name, s, err)
		}
	}
	return out
}

// add takes over a field of a view, or notes why not. One whose name is taken gets that of the
// view before it.
func (d *Document) add(view string, s Spec, err error) {
	if err != nil {
		d.skip(view+"."+s.Name, "%s", err)
		return
	}
	if slices.ContainsFunc(d.Specs, func(o Spec) bool { return o.Name == s.Name }) {
		s.Name = view + "_" + s.Name
	}
	d.Specs = append(d.Specs, s)
}

func (v *view) spec(kind Kind, f lookField) Spec {
	return Spec{Kind: kind, Name: f.Name, Label: f.Label, Description: f.Description, Synonyms: f.Synonyms, Table: cmp.Or(v.Table, v.Name)}
}

// maxDepth bounds how far fields refer to fields.
const maxDepth = 8

// lookAggregates are the types of measures that all warehouses have.
var lookAggregates = map[string]string{"sum": "SUM(%s)", "count_distinct": "COUNT(DISTINCT %s)", "average": "AVG(%s)", "min": "MIN(%s)", "max": "MAX(%s)"}

// measure returns the expression of a measure.
func (v *view) measure(m lookField, depth int) (string, error) {
	switch {
	case m.Type == "count" && m.SQL == "":
		return "COUNT(*)", nil
	case m.Type == "number":
		return v.expand(m.SQL, depth)
	case lookAggregates[m.Type] == "":
		return "", fmt.Errorf("is of type %q; count, sum, average, min, max, count_distinct and number are taken over: write it as an expression", m.Type)
	case m.SQL == "":
		return "", errors.New("has no sql; say what is aggregated")
	}
	of, err := v.expand(m.SQL, depth)
	return fmt.Sprintf(lookAggregates[m.Type], of), err
}

// substitution matches ${TABLE}. and ${field}.
var substitution = regexp.MustCompile(`\$\{TABLE\}\.|\$\{([^}]*)\}`)

// expand returns SQL with the fields of v in the place of references to them.
func (v *view) expand(sql string, depth int) (string, error) {
	if depth > maxDepth {
		return "", errors.New("refers to fields that refer to each other")
	}
	var failed error
	out := substitution.ReplaceAllStringFunc(sql, func(ref string) string {
		// After the first fault nothing is expanded: fields of many references to fields of
		// many references would take forever.
		if failed != nil || strings.HasPrefix(ref, "${TABLE}.") {
			return ""
		}
		part, err := v.field(substitution.FindStringSubmatch(ref)[1], depth)
		failed = err
		return "(" + part + ")"
	})
	switch {
	case failed != nil:
		return "", failed
	case len(out) > maxSQL:
		return "", fmt.Errorf("comes to more than %d bytes of SQL", maxSQL)
	case strings.Contains(out, "{%") || strings.Contains(out, "{{"):
		return "", errors.New("holds a template of Liquid; write it as SQL")
	}
	return out, nil
}

// field returns the expression of a field of v.
func (v *view) field(name string, depth int) (string, error) {
	for _, d := range v.Dimensions {
		if d.Name == name {
			return v.expand(cmp.Or(d.SQL, d.Name), depth+1)
		}
	}
	for _, m := range v.Measures {
		if m.Name != name {
			continue
		}
		if len(m.Filters) > 0 {
			return "", fmt.Errorf("is made of %s, which has filters; write it as one expression", name)
		}
		return v.measure(m, depth+1)
	}
	return "", fmt.Errorf("refers to %s, which is no field of %s; a metric is over one table", clip(name, 80), v.Name)
}

// number matches a comparison with a number, as Looker writes it.
var number = regexp.MustCompile(`^(>=|<=|>|<)?\s*(-?\d+(?:\.\d+)?)$`)

// plainValue matches a value without the marks that mean something in Looker's filters.
var plainValue = regexp.MustCompile(`^[\p{L}\d_][\p{L}\d_ .&'/-]*$`)

// filters returns the filters of a measure as conditions.
func (v *view) filters(list []lookFilter) ([]string, error) {
	var out []string
	for _, f := range list {
		i := slices.IndexFunc(v.Dimensions, func(d lookField) bool { return d.Name == strings.TrimPrefix(f.Field, v.Name+".") })
		if i < 0 {
			return nil, fmt.Errorf("is filtered by %s, which is no dimension of %s", f.Field, v.Name)
		}
		sql, err := v.expand(cmp.Or(v.Dimensions[i].SQL, v.Dimensions[i].Name), 0)
		if err != nil {
			return nil, err
		}
		condition, err := f.condition(v.Dimensions[i].Type, sql)
		if err != nil {
			return nil, err
		}
		out = append(out, condition)
	}
	return out, nil
}

// condition returns a filter as SQL: a yes or no, a comparison with a number, or one or more
// texts.
func (f lookFilter) condition(kind, sql string) (string, error) {
	unknown := fmt.Errorf("is filtered by %s: %q, which is not taken over; write the condition as SQL", f.Field, clip(f.Value, 80))
	switch n := number.FindStringSubmatch(f.Value); {
	case kind == "yesno" && (f.Value == "yes" || f.Value == "no"):
		return map[string]string{"yes": "", "no": "NOT "}[f.Value] + "(" + sql + ")", nil
	case kind == "number" && n != nil:
		return sql + " " + cmp.Or(n[1], "=") + " " + n[2], nil
	case kind == "number" || kind == "yesno":
		return "", unknown
	}
	var values []string
	for value := range strings.SplitSeq(f.Value, ",") {
		if value = strings.TrimSpace(value); !plainValue.MatchString(value) {
			return "", unknown
		}
		values = append(values, "'"+strings.ReplaceAll(value, "'", "''")+"'")
	}
	if len(values) == 1 {
		return sql + " = " + values[0], nil
	}
	return sql + " IN (" + strings.Join(values, ", ") + ")", nil
}
