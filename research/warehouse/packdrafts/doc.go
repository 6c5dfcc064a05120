// Package packdrafts makes packs of documents and a slice of a warehouse.
//
//	sources ── read ──► sections ── drafted ──► edited, drafted again ── accepted ──► a version of a pack
//
// [Store.Create] stores a draft with its sources and queues a job. The job reads the sources, plans
// the areas, and drafts one section after the other; each is stored by itself, so whoever takes over
// from a server that died goes on with the next. A model drafts if the organisation has one, else
// rules do, from the tables and the terms of the documents; a section says which.
//
// Invariants:
//
//   - What sources say is data. Passages that give orders to machines are left out before a model
//     sees them, and a section that holds an order, an address or a placeholder that does not exist is
//     not taken from a model.
//   - A section is accepted only without faults, each of which names a field and what would be
//     right. A draft is accepted when all of its sections are, as the next version of its pack.
//   - A draft sees the warehouse as its filter lets it be seen.
package packdrafts
