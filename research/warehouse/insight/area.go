package insight

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"quaestor/research/warehouse"
)

// maxOfArea bounds the insights of one area.
const maxOfArea = 12

// kindWords are what an area may call an effect of each kind.
var kindWords = map[Kind]string{
	Drop: "trend decline decrease drop volume count total per month", Rise: "trend growth increase volume count total per month", Shift: "share mix segment percent of total",
	TrendBreak: "trend growth decline rate of change", Outlier: "outlier largest invalid", NullSpike: "null missing completeness coverage gap null share unknown",
	DateRate: "delay late on time cancelled lead time", Retention: "retention cohort repeat returning churn second order", Simpson: "compare difference by type segment versus mix",
	Difference: "compare difference average segment versus by type", Concentrated: "concentration pareto top share long tail dominant",
}

// Assign distributes insights among areas, each to the one whose keywords it names most, and gives
// them their ids. An insight that names none goes to the first area. Within an area the most
// severe come first, at most 12. A record that stands out in several measures or tables is one
// insight. Equal arguments give equal results.
func Assign(areas []warehouse.Area, all []Insight) []Insight {
	areas = slices.Clone(areas)
	slices.SortStableFunc(areas, func(a, b warehouse.Area) int {
		return cmp.Or(cmp.Compare(a.Priority, b.Priority), cmp.Compare(a.ID, b.ID))
	})
	all = slices.Clone(all)
	sortInsights(all)
	all = mergeRecords(all)
	counts := map[string]int{}
	var out []Insight
	for _, i := range all {
		a := closest(areas, &i)
		if counts[a] == maxOfArea {
			continue
		}
		counts[a]++
		i.Area, i.ID = a, fmt.Sprintf("%s-%d", a, counts[a])
		out = append(out, i)
	}
	return out
}

// closest returns the id of the area that an insight is about.
func closest(areas []warehouse.Area, i *Insight) string {
	own := strings.ToLower(i.Headline + " " + i.Measure + " " + i.Table)
	for _, c := range i.Segment {
		own += " " + strings.ToLower(c.Column)
	}
	kind := kindWords[i.Kind]
	best, most := 0, -1
	for n, a := range areas {
		score := 0
		for _, k := range a.Keywords {
			switch k = strings.ToLower(k); {
			case names(own, k):
				score += 2
			case names(kind, k):
				score++
			}
		}
		if score > most {
			best, most = n, score
		}
	}
	if len(areas) == 0 {
		return "general"
	}
	return areas[best].ID
}

// names reports whether a text has a keyword at the beginning of a word.
func names(text, keyword string) bool {
	return strings.HasPrefix(text, keyword) || strings.Contains(text, " "+keyword) || strings.Contains(text, "_"+keyword) || strings.Contains(text, "."+keyword)
}
