package insight

import (
	"fmt"
	"testing"
)

func TestCompareRuns(t *testing.T) {
	t.Parallel()

	of := func(key string, effect, now float64) Insight {
		return Insight{Key: key, Table: TableOf(key), Effect: effect, Figures: []Figure{{ID: "was", Value: 1}, {ID: "now", Value: now}}}
	}
	before := []Insight{of("drop|s.a|count|r=south", -0.4, 60), of("drop|s.a|sum:x", -0.2, 80), of("rise|s.a|count|r=west", 0.3, 130), of("drop|s.a|average:x", -0.2, 7), of("drop|s.b|count", -0.5, 5), of("drop|s.c|count", -0.5, 5)}
	after := []Insight{of("drop|s.a|count|r=south", -0.41, 59), of("drop|s.a|sum:x", -0.6, 40), of("drop|s.a|count|r=west", -0.3, 70), of("rise|s.a|count|r=east", 0.3, 9), of("trend_break|s.a|average:x", -0.2, 6)}
	got := ""
	for _, c := range Compare(before, after, func(table string) bool { return table != "s.c" }) {
		one := c.Before
		if c.After != nil {
			one = c.After
		}
		was, now := c.Figures()
		values := ""
		if was != nil {
			values += fmt.Sprint(was.Value)
		}
		values += ">"
		if now != nil {
			values += fmt.Sprint(now.Value)
		}
		got += fmt.Sprintf("%s %s %s\n", c.Change, one.Key, values)
	}
	want := `reversed drop|s.a|count|r=west 130>70
changed drop|s.a|sum:x 80>40
changed trend_break|s.a|average:x 7>6
new rise|s.a|count|r=east >9
gone drop|s.b|count 5>
not_searched drop|s.c|count 5>
confirmed drop|s.a|count|r=south 60>59
`
	if got != want {
		t.Errorf("Compare = \n%swant\n%s", got, want)
	}
}
