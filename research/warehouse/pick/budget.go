package pick

import "strings"

// What stands around the steps that are written.
const (
	textBegin = "[\n"
	textEnd   = "]"
	around    = 4 // tokens of both, at most
)

// minShare is how many tokens a step is left when steps are cut.
const minShare = 300

// fit returns those of order, which is by rank, that take at most budget tokens
// together. Over budget, those beyond an equal share are cut to it from the last
// one on; if that is not enough, what alone is over budget is dropped, and then the
// last ones.
func fit(order []*ranked, budget int) []*ranked {
	order = affordable(order, budget)
	total := around
	for _, r := range order {
		total += r.entry.tokens
	}
	share := max((budget-around)/max(len(order), 1), minShare)
	for i := len(order) - 1; i >= 0 && total > budget; i-- {
		total -= order[i].shrink(share)
	}
	order = leave(order, func(_ int, r *ranked) Reason {
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

// affordable drops the last ones of order that would not fit if all were cut.
func affordable(order []*ranked, budget int) []*ranked {
	least := around
	return leave(order, func(_ int, r *ranked) Reason {
		if least += min(r.entry.tokens, minShare); least > budget {
			return OverBudget
		}
		return ""
	})
}

// shrink cuts a step to limit tokens, when it is larger, and returns how many that
// saves. One that cannot be cut stays, to be dropped.
func (r *ranked) shrink(limit int) int {
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

// text writes steps as a JSON array, and returns how many tokens it has at most.
func text(selected []*ranked) (string, int) {
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
