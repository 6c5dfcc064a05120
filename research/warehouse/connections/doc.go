// Package connections stores the data warehouses that organisations connect, and runs statements in
// them.
//
//	Draft → Store.Create → row, with its secret sealed
//	Store.Test           → does it answer, as which role, and could that write?
//	Store.Open           → warehouse.Gateway: guard → middlewares → Conn, with every statement audited
//
// Invariants:
//
//   - A secret is opened only where a connection is made. A server without keys to seal
//     secrets with accepts none.
//   - If the address changes, the secret must be given again, so that nobody who may edit a
//     warehouse can have its password sent elsewhere.
//   - What is sent was printed by the guard. What a middleware returns is checked by the
//     guard again.
//   - Every statement is written to the audit log, refused ones included.
package connections
