package digest

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// likelyValue draws what a driver may give: of one kind, nearly always, as the values of
// a column are.
func likelyValue(t *rapid.T, kind int) any {
	if rapid.IntRange(0, 19).Draw(t, "odd") == 0 {
		kind = rapid.IntRange(0, 8).Draw(t, "kind")
	}
	n := rapid.Int64Range(-30, 30).Draw(t, "n")
	switch kind {
	case 0:
		return n
	case 1:
		return float64(n) / 4
	case 2:
		return string(rune('a' + n&31))
	case 3:
		return n > 0
	case 4:
		return time.Unix(n*86_400, 0)
	case 5:
		return time.Unix(n*1_234, n*1_000)
	case 6:
		return nil
	case 7:
		return int(n)
	default:
		return math.NaN()
	}
}

// Rows that are maps have the digest of the same rows whose cells stand in order,
// whatever the types of their values, and whatever was read before.
func TestMapsAreReadAsRowsAre(t *testing.T) {
	t.Parallel()

	names := []string{"user_id", "amount", "name"}
	rapid.Check(t, func(t *rapid.T) {
		kinds := rapid.SliceOfN(rapid.IntRange(0, 8), len(names), len(names)).Draw(t, "kinds")
		n := rapid.SampledFrom([]int{0, 1, 20, 21, 60}).Draw(t, "rows")
		rows, maps := make([][]any, n), make([]map[string]any, n)
		for r := range rows {
			rows[r], maps[r] = make([]any, len(names)), map[string]any{}
			for i, name := range names {
				if rows[r][i] = likelyValue(t, kinds[i]); rows[r][i] != nil || r%2 == 0 {
					maps[r][name] = rows[r][i]
				}
			}
		}
		want, _ := json.Marshal(Compact(FromRows(names, rows), Mask{}))
		for what, d := range map[string]*CompactResult{"CompactMaps": CompactMaps(names, maps, Mask{}), "FromMaps": Compact(FromMaps(names, maps), Mask{})} {
			if got, _ := json.Marshal(d); string(got) != string(want) {
				t.Fatalf("%s gives %s, want %s", what, got, want)
			}
		}
	})
}

// A number that stands for a person is no less one when it is a float.
func TestFloatsOfPeopleAreHidden(t *testing.T) {
	t.Parallel()

	c := Column{Name: "customer_id"}
	for i := range 100 {
		c.Floats = append(c.Floats, float64(i)+0.5)
	}
	d := Compact([]Column{c}, Mask{Key: []byte("k")})
	if got := string(d.HeadRows[3][0]); got[:2] != `"~` {
		t.Errorf("customer 3.5 is shown as %s", got)
	}
}
