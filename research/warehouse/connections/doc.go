// Package connections keeps the data warehouses that organisations connect, and
// lets statements into them.
//
//	Draft → Store.Create → row, its secret sealed
//	Store.Test           → does it answer, as whom, and could it write
//	Store.Open           → warehouse.Source: middlewares → guard → Conn, every statement in the audit
//
// Invariants:
//
//   - A secret is opened where a connection is made and nowhere else. Without keys
//     to seal with, none is taken.
//   - A changed address needs its secret again: whoever may edit a warehouse cannot
//     have its password sent elsewhere.
//   - What is sent was printed by the guard. What a middleware returns goes through
//     the guard again.
//   - Every statement stands in the audit, also one that was refused.
package connections
