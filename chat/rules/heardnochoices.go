package rules

import (
	"slices"

	"quaestor/chat"
	"quaestor/internal/listening"
	"quaestor/obligations"
	"quaestor/sessions"
)

// dropDenied takes out the choices that the message names and denies: "health no", "kein Abo",
// "Abo? Nein".
func (h *heard) dropDenied() {
	kept := h.out.Findings[:0:0]
	for _, f := range h.out.Findings {
		o := h.find(f.Key)
		if o == nil || len(o.Choices) == 0 || f.Value == nil || f.Act != obligations.Tell && f.Act != obligations.Correct {
			kept = append(kept, f)
			continue
		}
		picked := textsOf(f.Value)
		left := slices.DeleteFunc(slices.Clone(picked), func(v string) bool { return h.deniedChoice(o, v) })
		switch {
		case len(left) == len(picked):
		case len(left) > 0:
			f.Value = encode(left)
		case h.asked != nil && h.asked.Key == o.Key && h.purpose() == sessions.ToConfirm:
			f = obligations.Finding{Key: o.Key, Act: obligations.Deny, Value: h.proposal(), Reason: "the person says this is not right"}
			h.out.Intent, h.out.About = chat.Disagree, o.Key
		default:
			continue
		}
		kept = append(kept, f)
	}
	h.out.Findings = kept
}

// deniedChoice reports whether the message names a choice of o, with a no right before or
// behind it, and nowhere without.
func (h *heard) deniedChoice(o *obligations.Obligation, value string) bool {
	c := o.Pick(value)
	if c == nil || kindOf(o.Template) == listening.YesNo {
		return false // "no no" is a no
	}
	folded, denied := h.folded(), false
	for from := 0; from < len(folded); {
		score, at := saidAt(c, folded[from:])
		if score <= 0 {
			break
		}
		at += from
		before := at > 0 && (isOne("no", folded[at-1]) || h.rejects(at-1))
		next := at + 1
		if next < len(folded) && isMark(folded[next], "?,") {
			next++
		}
		behind := next < len(folded) && saysNo(folded[next]) && (next+1 == len(folded) || isMark(folded[next+1], ",.;!\n"))
		if !before && !behind {
			return false
		}
		denied, from = true, at+1
	}
	return denied
}
