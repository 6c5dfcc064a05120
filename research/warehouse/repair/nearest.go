package repair

import (
	"strings"
)

// nearest returns the name among names that name most likely means: one that differs only in case,
// else only in underscores, else only in number, else the one with the fewest edits, which may
// affect up to a quarter of the name. It returns false unless exactly one qualifies.
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

// only returns a name for which like is true, and how many different ones there are. n stops
// being exact beyond 1 for names that repeat; callers only tell none, one and several apart.
func only(names []string, like func(string) bool) (one string, n int) {
	for _, s := range names {
		if like(s) && (n == 0 || s != one) {
			one = s
			n++
		}
	}
	return one, n
}

// squeezed returns a name without separators, in lower case.
func squeezed(name string) string {
	return strings.NewReplacer("_", "", " ", "", "-", "").Replace(strings.ToLower(name))
}

// singular removes a plural ending of English. It need not be right: names are only
// compared with each other.
func singular(name string) string {
	if s, ok := strings.CutSuffix(name, "ies"); ok {
		return s + "y"
	}
	return strings.TrimSuffix(name, "s")
}

// leastEdits returns the name with the fewest edits, if it is the only one. At most three edits
// are allowed, and at most a quarter of the name. A tie returns false. Names shorter than four
// bytes allow no edits, because any of them would resemble another.
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

// edits returns the number of bytes to insert, delete, replace or swap with their neighbour to
// turn a into b (optimal string alignment distance). It returns limit+1 for more than limit. It
// gives up on a row as soon as all of it exceeds limit, which makes long lists of names cheap.
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
