package insight_test

import (
	"fmt"
	"time"

	"quaestor/research/warehouse/insight"
)

// An insight holds figures; its words are filled from them.
func Example() {
	i := insight.Insight{
		Headline: "Orders with country “DE” fell by {{change}} since {{from}}",
		Period:   insight.Period{From: time.Date(2025, 3, 14, 0, 0, 0, 0, time.UTC)},
		Figures:  []insight.Figure{{ID: "change", Value: 41.234, Unit: insight.Percent, SQL: "SELECT …"}},
	}
	fmt.Println(i.Title())
	// Output: Orders with country “DE” fell by 41.2 % since 14 March 2025
}
