package schema

import (
	"cmp"
	"slices"
	"strings"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
)

// Lookup describes tables by the names a model used, the first warehouse.MaxLookupTables of refs, each
// table once. A name may be qualified, or unqualified if it is unique; case and quotes are ignored. A
// name that matches none or several is returned with the tables that may have been meant.
func (s *Snapshot) Lookup(refs []string) warehouse.LookupAnswer {
	var out warehouse.LookupAnswer
	seen := map[int]bool{}
	for _, ref := range refs[:min(len(refs), warehouse.MaxLookupTables)] {
		i, ok, candidates := s.Index.Find(ref)
		switch {
		case !ok:
			if candidates == nil {
				candidates = s.near(ref)
			}
			out.NotFound = append(out.NotFound, warehouse.NotFound{Ref: ref, Candidates: candidates[:min(len(candidates), maxCandidates)]})
		case !seen[i]:
			seen[i] = true
			out.Tables = append(out.Tables, warehouse.TableDetail{Ref: s.Tables[i].Ref(), Text: s.Index.Describe(i)})
		}
	}
	return out
}

// maxCandidates is how many candidates are returned for a name.
const maxCandidates = 10

// maxNear is how many similar names are suggested.
const maxNear = 5

// near returns tables whose names resemble ref.
func (s *Snapshot) near(ref string) []string {
	meant := wordsOf(lastPart(ref))
	name := strings.Join(meant, "_")
	if name == "" || len(name) > 200 {
		return nil
	}
	type candidate struct {
		i    int
		away float64
	}
	var list []candidate
	for i := range s.Tables {
		other := strings.ToLower(s.Tables[i].Name)
		if away := distance(name, meant, other); away < 1 {
			list = append(list, candidate{i, away})
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(a.away, b.away) })
	var out []string
	for _, c := range list[:min(len(list), maxNear)] {
		out = append(out, s.Tables[c.i].Ref())
	}
	return out
}

// lastPart returns what follows the last dot.
func lastPart(ref string) string {
	return ref[strings.LastIndexByte(ref, '.')+1:]
}

// distance returns how much a name differs from the one that was written: 0 for equal, 1 or more for
// unrelated. One or two letters may be wrong, or one of several words. The steps order the kinds of
// similarity: a typo before a part of a name before shared words.
func distance(name string, meant []string, other string) float64 {
	if d := len(name) - len(other); d >= -2 && d <= 2 && len(name) > 3 {
		n := min(edits(name, other, 2), edits(catalog.Singular(name), catalog.Singular(other), 2))
		if n <= min(2, len(name)/4) {
			return 0.1 * float64(n)
		}
	}
	if strings.Contains(other, name) || len(other) > 3 && strings.Contains(name, other) {
		return 0.3 + 0.3*(1-float64(min(len(name), len(other)))/float64(max(len(name), len(other))))
	}
	shared := 0
	for _, w := range meant {
		if len(w) > 2 && strings.Contains(other, catalog.Singular(w)) {
			shared++
		}
	}
	if shared == 0 || 2*shared < len(meant) {
		return 1
	}
	return 0.9 - 0.2*float64(shared)/float64(len(meant))
}

// edits returns the edit distance of a and b in bytes (Levenshtein), or most+1 if it is larger than
// most.
func edits(a, b string, most int) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, least := row[0], i+1
		row[0] = i + 1
		for j := range len(b) {
			now := before
			if a[i] != b[j] {
				now = 1 + min(before, row[j], row[j+1])
			}
			before, row[j+1] = row[j+1], now
			least = min(least, now)
		}
		if least > most {
			return most + 1
		}
	}
	return row[len(b)]
}
