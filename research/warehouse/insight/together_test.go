package insight

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestPairsAreAskedTogether makes sure that no set of dimensions is larger than a result may be, that each has a pair
// that no other has, and that a pair stays out only if no third dimension fits beside it, or helps.
func TestPairsAreAskedTogether(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(3, 40), 2, 8).Draw(t, "sizes")
		most := rapid.IntRange(10, 12_000).Draw(t, "most")
		var wanted [][2]int
		for i := range sizes {
			for k := i + 1; k < len(sizes); k++ {
				wanted = append(wanted, [2]int{i, k})
			}
		}
		sets := together(sizes, wanted, most)
		covered := 0
		for _, set := range sets {
			product := 1
			for _, k := range set {
				product *= sizes[k]
			}
			if product > most || len(set) < 3 {
				t.Fatalf("%v of %v makes %d cells, at most %d are allowed", set, sizes, product, most)
			}
		}
		for _, p := range wanted {
			if slices.ContainsFunc(sets, func(set []int) bool { return slices.Contains(set, p[0]) && slices.Contains(set, p[1]) }) {
				covered++
			}
		}
		if len(sets) > 0 && covered < 3 || len(sets) > covered {
			t.Fatalf("%d sets have %d pairs", len(sets), covered)
		}
		if all := product(sizes); all <= most && len(sizes) > 2 && (len(sets) != 1 || covered != len(wanted)) {
			t.Fatalf("all of %v fit together, and are in %v", sizes, sets)
		}
	})
}

func product(sizes []int) int {
	out := 1
	for _, n := range sizes {
		out *= n
	}
	return out
}
