package claims

import (
	"slices"
	"strings"
)

// Bounds of a summary.
const (
	maxSummary   = 600 // bytes
	maxSentences = 3
)

// Summarise words the claims for the conversation: one to three sentences, each
// as a claim has it, with where it was found; at most 600 bytes. Claims that give
// what q asks for go first, and those that contradict each other side by side.
// It is "" when there is nothing to say.
func Summarise(q ResearchQuestion, list []Claim, contradicted bool) string {
	order := told(q, list, contradicted)
	lead := ""
	if contradicted && len(order) > 1 {
		lead = "The sources differ. "
	}
	var b strings.Builder
	b.WriteString(lead)
	left := maxSentences
	if lead != "" {
		left--
	}
	var said []Claim
	for _, c := range order {
		n := max(1, len(split(c.Text)))
		s := saying(c, true)
		if s == "" || n > left || b.Len()+len(s)+1 > maxSummary {
			continue
		}
		left -= n
		b.WriteString(s) // its length counts; which hosts are named is decided below
		b.WriteByte(' ')
		said = append(said, c)
	}
	if len(said) == 0 {
		return ""
	}
	out := strings.TrimSuffix(lead, " ")
	for i, c := range said {
		last := lead != "" || i == len(said)-1 || said[i+1].Host != c.Host
		out += " " + saying(c, last)
	}
	return strings.TrimSpace(out)
}

// told orders the claims for telling: by rank, those that give what is asked
// for before others; when contradicted the best disputed claim comes first with
// what says otherwise behind it.
func told(q ResearchQuestion, list []Claim, contradicted bool) []Claim {
	test := wanted(q)
	out := slices.Clone(list)
	slices.SortStableFunc(out, func(a, b Claim) int {
		if test != nil {
			if x, y := test(read(a.Text)), test(read(b.Text)); x != y {
				if x {
					return -1
				}
				return 1
			}
		}
		switch {
		case a.Rank > b.Rank:
			return -1
		case a.Rank < b.Rank:
			return 1
		}
		return 0
	})
	if !contradicted {
		return out
	}
	first := slices.IndexFunc(out, func(c Claim) bool { return len(c.Against) > 0 })
	if first < 0 {
		return out
	}
	pair := []Claim{out[first]}
	for _, c := range out {
		if slices.Contains(out[first].Against, c.N) && len(pair) == 1 {
			pair = append(pair, c)
		}
	}
	for _, c := range out {
		if !slices.ContainsFunc(pair, func(p Claim) bool { return p.N == c.N }) {
			pair = append(pair, c)
		}
	}
	return pair
}

// saying is the text of c, with its host before the full stop if that is to be
// named: of several in a row that one source says, the last names it.
func saying(c Claim, named bool) string {
	text := strings.TrimRight(plainText(c.Text), ". ")
	switch {
	case text == "":
		return ""
	case c.Host == "" || !named:
		return text + "."
	}
	return text + " (" + c.Host + ")."
}
