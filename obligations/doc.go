// Package obligations holds what a discovery must learn and how sure we are of
// it: templates, values with evidence, and the rules that change them.
//
// An [Obligation] is one thing to find out. Its status moves by a fixed table:
//
//	pending ──► in_progress ──► partial ──► satisfied
//	   ▲             │             │            │
//	   └─────────────┴── deferred ─┴── skipped ─┘   every status has ways out
//
// Confidence is computed here from evidence, never taken from a model as it is:
//
//	0.00–0.40 low        not to be relied on
//	0.41–0.70 medium     partial
//	0.71–0.90 high       satisfied, unless satisfiedWhen asks for more
//	0.91–1.00 very high  said in so many words
//
// Two numbers say how far a session is. The score is
// Σ(satisfied: confidence × priority; partial: ½ × confidence × priority) ÷ Σ priority,
// the progress is Σ(satisfied or skipped: priority; partial: ½ priority) ÷ Σ priority;
// both stay at 0.85 at most while a required key is open.
//
// Everything but store.go and its rows.go is pure: values in, values out.
package obligations
