package insight

import (
	"slices"
	"testing"
)

// A claim is shown by the figure that it says, and not by another of the same finding.
func TestProofIsOfTheHeadline(t *testing.T) {
	t.Parallel()

	figure := func(id, expr, from string) Figure {
		return Figure{ID: id, SQL: "SELECT " + expr + " AS value\nFROM " + from}
	}
	for _, c := range []struct {
		name     string
		headline string
		figures  []Figure
		sql      string
		columns  []string
	}{
		{"the share of a record", "A single record accounts for {{share}} of the total", []Figure{figure("value", "MAX(x)", "t"), figure("share", "100.0 * MAX(x) / SUM(x)", "t"), figure("average", "AVG(x)", "t")},
			"SELECT 100.0 * MAX(x) / SUM(x) AS value,\n       MAX(x) AS figure_value\nFROM t", []string{"value", "figure_value"}},
		{"a change", "Since {{from}}, {{change}} fewer", []Figure{figure("now", "A", "t\nWHERE y"), figure("was", "B", "t\nWHERE y"), figure("change", "C", "t\nWHERE y")},
			"SELECT C AS value,\n       A AS figure_now\nFROM t\nWHERE y", []string{"value", "figure_now"}},
		{"two sides", "It is {{now}}, against {{rest}}", []Figure{figure("now", "A", "t"), figure("rest", "B", "t")}, "SELECT A AS value,\n       B AS figure_rest\nFROM t", []string{"value", "figure_rest"}},
		{"from other tables", "{{now}}, down from {{was}}", []Figure{figure("now", "A", "t"), figure("was", "B", "u")}, "SELECT A AS value\nFROM t", []string{"value"}},
		{"no figure in the headline", "They rose and have fallen since", []Figure{figure("first", "A", "t"), figure("now", "B", "t")}, "SELECT B AS value\nFROM t", []string{"value"}},
	} {
		i := Insight{Headline: c.headline, Figures: c.figures}
		if p, ok := i.Proof(); !ok || p.SQL != c.sql || !slices.Equal(p.Columns, c.columns) || len(p.Figures) != len(p.Columns) {
			t.Errorf("%s: %q %v", c.name, p.SQL, p.Columns)
		}
	}
	if _, ok := (&Insight{Headline: "Nothing"}).Proof(); ok {
		t.Error("an insight without figures has a proof")
	}
}
