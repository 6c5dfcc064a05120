package insight_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/insight"
)

// restless makes a shop without effects whose data are as real ones are: it grows, amounts have a
// long tail, and some customers come far more often than others, so that those who are first seen
// late come back less.
func restless(seed uint64, days int) grown {
	r := rand.New(rand.NewPCG(seed, 9))
	people := grownTable{name: "users", columns: []catalog.Column{key("id", "bigint"), col("city", "text"), col("source", "text"), col("gender", "text")}}
	upTo, sum := make([]float64, 5000), 0.0
	for i := range upTo {
		people.rows = append(people.rows, []any{int64(i + 1), string(rune('A' + r.IntN(12))), pickOne(r, []string{"x", "y", "z"}), pickOne(r, []string{"f", "m"})})
		sum += math.Exp(r.NormFloat64())
		upTo[i] = sum
	}
	buys := grownTable{name: "buys", foreign: []catalog.Foreign{foreign("user_id", "users")}, columns: []catalog.Column{key("id", "bigint"), col("user_id", "bigint"), col("created_at", "timestamp"), col("amount", "double precision"),
		col("status", "text"), col("payment", "text"), col("rating", "integer"), col("shipped_at", "timestamp"), col("promo", "text"), col("is_gift", "boolean")}}
	for len(buys.rows) < 40_000 {
		d := r.IntN(days)
		if r.Float64() > (0.3+0.7*float64(d)/float64(days))*season(d)/1.3 {
			continue
		}
		user, _ := slices.BinarySearch(upTo, r.Float64()*sum)
		at := origin.AddDate(0, 0, d).Add(time.Duration(r.IntN(86400)) * time.Second)
		var sent, promo any = at.Add(time.Duration(r.ExpFloat64()*48) * time.Hour), "P"
		if r.Float64() < 0.1 {
			sent = nil
		}
		if r.Float64() < 0.7 {
			promo = nil
		}
		buys.rows = append(buys.rows, []any{int64(len(buys.rows) + 1), int64(user + 1), at, math.Exp(3 + 1.1*r.NormFloat64()), pickOne(r, []string{"ok", "returned", "cancelled"}), pickOne(r, []string{"card", "cash", "wire"}),
			int64(1 + r.IntN(5)), sent, promo, r.Float64() < 0.08})
	}
	return grown{tables: []grownTable{people, buys}}
}

// Growth, long tails and regulars are no severe findings.
func TestGrowthIsNoise(t *testing.T) {
	t.Parallel()

	for engine, load := range engines {
		for seed, days := range []int{75, 420, 900} {
			t.Run(engine, func(t *testing.T) {
				g := restless(uint64(seed), days)
				dialect, ask := load(t, g)
				for _, i := range all(t, g, dialect, ask) {
					if i.Severity == insight.Critical || i.Severity == insight.High {
						t.Errorf("over %d days: %s", days, story(i))
					}
					truthful(t, i, ask)
				}
			})
		}
	}
}
