// Package warehouse holds the contracts of exploring somebody's data warehouse: it
// is asked with SQL, what comes back is kept as small digests, and every step is
// shown.
//
//	Analyst ──reply──▶ ParseAction ──▶ Source.Ask ──▶ guard ──▶ Conn.Query ──▶ digest ──▶ Step
//	   ▲                                  (lookups and searches: the index)               │
//	   └────────────────────────────── Situation ◀────────────────────────────────────────┘
//
// A [Connector] opens one make of warehouse, and its [Conn] reads only and holds its
// limits by itself. A [Source] is a warehouse as a run sees it: indexed, guarded,
// audited. An [Analyst] decides what to do next; what it wants is an [Action], which
// [ParseAction] finds in its reply. A [Step] is what came of it.
//
// The rooms below implement them; docs/warehouse.md tells how they work together.
package warehouse
