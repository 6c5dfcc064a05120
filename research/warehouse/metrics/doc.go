// Package metrics holds what an organisation means by the names of its figures: a small
// semantic layer over a warehouse that a team can own.
//
// A [Definition] is a metric, such as revenue, or a dimension, such as country: an expression
// over one table, with filters, the grain it is reported in, an owner, and the other names
// that people have for it. A ratio is a metric of two others. Definitions come from forms,
// from documents ([Parse] reads ours, dbt's manifests, MetricFlow's and LookML-like YAML), or
// from proposals that [Propose] makes of a catalog. Beside them are [Example]s, questions with
// a query that somebody has verified.
//
// [Find] resolves the names in a question, so that whoever answers it can use a definition
// and say so. It is pure, and so are reading and proposing.
//
//	document.go, metricflow.go, lookml.go → Spec ─┐
//	propose.go ← catalog ────────────────→ Spec ─┤ check.go: by the guard, field by field
//	forms and API ───────────────────────→ Spec ─┘     ↓
//	                                               store.go, examples.go: rows
//	find.go: question → definitions                value.go: the current value
//
// Every part of a definition is SQL of an untrusted author: it is checked when it is saved,
// and the whole statement again, by the connection's guard, whenever it is asked.
package metrics
