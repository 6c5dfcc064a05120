// Package obligations holds what a discovery must learn and how sure we are of
// it: templates, values with evidence, and the rules that change them.
//
// An [Obligation] is one thing to find out. Its status moves by a fixed table,
// which is in status.go:
//
//	pending ──► in_progress ──► partial ──► satisfied
//	   ▲             │             │            │
//	   └─────────────┴── deferred ─┴── skipped ─┘
//
// Every status can be left again, because a session can be reopened.
//
// Confidence is computed here from the evidence. A model's own figure can only
// lower it:
//
//	0.00–0.40 low        not to be relied on
//	0.41–0.70 medium     partial
//	0.71–0.90 high       satisfied, unless satisfiedWhen asks for more
//	0.91–1.00 very high  stated explicitly
//
// Two numbers tell how far a session has come. The score is
// Σ(satisfied: confidence × priority; partial: ½ × confidence × priority) ÷ Σ priority,
// the progress is Σ(satisfied or skipped: priority; partial: ½ priority) ÷ Σ priority.
// Both are capped at 0.85 while a required key is open.
//
// Everything except store.go, search.go, rows.go and plain.go is pure: values in,
// values out.
package obligations
