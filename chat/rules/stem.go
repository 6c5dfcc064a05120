package rules

import "strings"

// stem brings the forms of a word together, roughly: launch, launches, launched
// and launching; organisation and organization; color and colour.
func stem(w string) string {
	if len(w) < 4 {
		return w
	}
	switch {
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		w = w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "ing") && len(w) > 5:
		w = undouble(w[:len(w)-3])
	case strings.HasSuffix(w, "ed") && len(w) > 4:
		w = undouble(w[:len(w)-2])
	case strings.HasSuffix(w, "es") && len(w) > 4:
		w = w[:len(w)-2]
	case strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
		w = w[:len(w)-1]
	}
	if strings.HasSuffix(w, "e") && len(w) > 3 {
		w = w[:len(w)-1]
	}
	if strings.HasSuffix(w, "our") && len(w) > 4 {
		w = w[:len(w)-3] + "or"
	}
	return strings.ReplaceAll(w, "iz", "is")
}

func stems(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = stem(w)
	}
	return out
}

func undouble(w string) string {
	n := len(w)
	if n > 3 && w[n-1] == w[n-2] && !strings.ContainsRune("lsz", rune(w[n-1])) {
		return w[:n-1]
	}
	return w
}

// near reports whether a and b are the same word but for a slip of the fingers:
// one letter for words of five and more, two for words of nine and more.
func near(a, b string) bool {
	if a == b || stem(a) == stem(b) {
		return true
	}
	short := min(len(a), len(b))
	switch {
	case short == 4 && len(a) != len(b) && a[0] == b[0]:
		return distance(a, b, 1) <= 1
	case short < 5 || isDigit(a) || isDigit(b):
		return false
	case short < 9:
		return distance(a, b, 1) <= 1
	}
	return distance(a, b, 2) <= 2
}

// distance counts the letters to insert, delete, replace or swap to make b of a,
// and gives up beyond limit.
func distance(a, b string, limit int) int {
	x, y := []rune(a), []rune(b)
	if len(x)-len(y) > limit || len(y)-len(x) > limit || len(x) > maxWord || len(y) > maxWord {
		return limit + 1
	}
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(row[j-1]+1, last[j]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(y)]
}

// maxWord bounds the words compared letter by letter, in runes.
const maxWord = 40
