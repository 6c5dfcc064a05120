// Package models stores the language models that organisations set for themselves, and
// returns clients for them.
//
//	Spec → Store.Create → row, with its key sealed
//	Store.Test          → does it answer, and what does it take: a schema, JSON, neither?
//	Store.Clients       → per role a chain of the tenant's models, in their order; else the server's
//
// Invariants:
//
//   - A key is opened only where a client is made. A server without keys to seal with
//     accepts none.
//   - If the address changes, the key must be given again, so that nobody who may edit a
//     model can have its key sent elsewhere.
//   - An organisation that has set models for a role is served by these alone: where none of
//     them works, the rules go on, and nothing is said to the server's model.
//   - Rows are read where they are used, so that a change holds at once on every server.
//     Clients are kept as long as their rows are the same, with what they have learnt.
package models
