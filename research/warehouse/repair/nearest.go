package repair

import (
	"strings"
)

// nearest returns the name that name was most likely meant to be: the one that
// differs in capitals only, else in underscores only, else the one with the least
// edits, of which a quarter of the name may be wrong. Only when there is exactly
// one.
func nearest(name string, names []string) (string, bool) {
	low, bare := strings.ToLower(name), squeezed(name)
	for _, like := range []func(string) bool{
		func(s string) bool { return s == name },
		func(s string) bool { return strings.ToLower(s) == low },
		func(s string) bool { return squeezed(s) == bare },
		func(s string) bool { return singular(squeezed(s)) == singular(bare) },
	} {
		switch one, n := only(names, like); {
		case n == 1:
			return one, true
		case n > 1:
			return "", false
		}
	}
	return leastEdits(low, names)
}

// only returns the one different name that is like it, and how many are.
func only(names []string, like func(string) bool) (one string, n int) {
	for _, s := range names {
		if like(s) && (n == 0 || s != one) {
			one = s
			n++
		}
	}
	return one, n
}

// squeezed is a name without what people forget of it.
func squeezed(name string) string {
	return strings.NewReplacer("_", "", " ", "", "-", "").Replace(strings.ToLower(name))
}

func singular(name string) string {
	if s, ok := strings.CutSuffix(name, "ies"); ok {
		return s + "y"
	}
	return strings.TrimSuffix(name, "s")
}

func leastEdits(low string, names []string) (string, bool) {
	limit := min(3, len(low)/4)
	best, least, tie := "", limit+1, false
	for _, s := range names {
		if n := len(s) - len(low); n > limit || -n > limit {
			continue
		}
		d := edits(low, strings.ToLower(s), limit)
		switch {
		case d < least:
			best, least, tie = s, d, false
		case d == least && d <= limit && !strings.EqualFold(s, best):
			tie = true
		}
	}
	return best, least <= limit && !tie
}

// edits returns how many bytes must be put in, left out, changed or swapped with
// their neighbour to make b of a; more than limit for any number beyond it.
func edits(a, b string, limit int) int {
	before, row, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next[0] = i
		best := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(next[j-1]+1, row[j]+1, row[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
			best = min(best, next[j])
		}
		if best > limit {
			return limit + 1
		}
		before, row, next = row, next, before
	}
	return row[len(b)]
}
