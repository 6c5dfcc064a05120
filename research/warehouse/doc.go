// Package warehouse defines the contracts for exploring a data warehouse: questions are
// asked in SQL, results are reduced to small digests, and every step is recorded and shown.
//
//	Analyst ──reply──▶ ParseAction ──▶ Source.Ask ──▶ guard ──▶ Conn.Query ──▶ digest ──▶ Step
//	   ▲                                  (lookups and searches: the index)               │
//	   └────────────────────────────── Situation ◀────────────────────────────────────────┘
//
// A [Connector] opens one make of warehouse. Its [Conn] is read-only and enforces limits by
// itself. A [Gateway] is a warehouse as a run uses it: indexed, guarded and audited. An
// [Analyst] decides what to do next, and [ParseAction] finds the [Action] in its reply. A
// [Step] is the record of an action and its outcome.
//
// The packages below this one implement the contracts; docs/warehouse.md describes how they
// work together.
package warehouse
