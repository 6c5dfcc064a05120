package pick

import "strings"

// The text around the steps.
const (
	textBegin = "[\n"
	textEnd   = "]"
	around    = 4 // upper bound of the tokens of both
)

// minShare is the least number of tokens to which a step is cut: below that, little of a result
// remains.
const minShare = 300

// fit returns those of order, which is sorted by rank, that together take at most budget tokens.
// If they take more, steps above an equal share are cut to it, the last ones first. If that is not
// enough, steps that alone exceed the budget are dropped, and then the last ones.
func fit(order []*rankedCandidate, budget int) []*rankedCandidate {
	order = affordable(order, budget)
	total := around
	for _, r := range order {
		total += r.entry.tokens
	}
	share := max((budget-around)/max(len(order), 1), minShare)
	for i := len(order) - 1; i >= 0 && total > budget; i-- {
		total -= order[i].shrink(share)
	}
	order = leave(order, func(_ int, r *rankedCandidate) DropReason {
		if r.entry.tokens > budget-around {
			total -= r.entry.tokens
			return OverBudget
		}
		return ""
	})
	for i := len(order) - 1; i >= 0 && total > budget; i-- {
		total -= order[i].entry.tokens
		order[i].reason = OverBudget
		order = order[:i]
	}
	return order
}

// affordable drops the last steps, which would not fit even if all were cut.
func affordable(order []*rankedCandidate, budget int) []*rankedCandidate {
	least := around
	return leave(order, func(_ int, r *rankedCandidate) DropReason {
		if least += min(r.entry.tokens, minShare); least > budget {
			return OverBudget
		}
		return ""
	})
}

// shrink cuts a step to limit tokens if it is larger, and returns how many that saves. A step that
// cannot be cut stays as it is and may be dropped later.
func (r *rankedCandidate) shrink(limit int) int {
	before := r.entry.tokens
	if before <= limit {
		return 0
	}
	small, ok := r.within(limit)
	if !ok {
		return 0
	}
	r.entry, r.cut = small, true
	return before - small.tokens
}

// text writes steps as a JSON array and returns an upper bound of its tokens.
func text(selected []*rankedCandidate) (string, int) {
	size, total := len(textBegin)+len(textEnd), around
	for _, r := range selected {
		size, total = size+len(r.entry.line), total+r.entry.tokens
	}
	var b strings.Builder
	b.Grow(size)
	b.WriteString(textBegin)
	for i, r := range selected {
		line := r.entry.line
		if i == len(selected)-1 {
			b.Write(line[:len(line)-len(",\n")])
			b.WriteByte('\n')
			continue
		}
		b.Write(line)
	}
	b.WriteString(textEnd)
	return b.String(), total
}
