// Package schema keeps what warehouses hold, so that a run need not ask them: their
// tables with keys, counts and a few masked rows, and what tables and columns are
// found by.
//
//	warehouse ── Refresh ──► warehouse_tables   a table: columns, keys, samples, a hash of it
//	                             │
//	                             ▼
//	                         warehouse_texts    words of a table, or of a column; columns alike share one
//	                             │ Encode
//	                             ▼
//	                         warehouse_vectors  where they lie among others
//
//	Load ──► Snapshot: catalog, Lookup, Catalog(budget)
//	Search:  full text, meaning, size, fused
//
// Invariants:
//
//   - What did not change is not written, sampled or encoded again. What changed is
//     told: a [Drift] says which tables and columns.
//   - Everything is written in batches, each whole by itself. Who stops between two
//     loses nothing, and the next refresh goes on where it was.
//   - A table that cannot be described or sampled is a row that says why.
//   - A search works with what is there: without vectors by words alone; vectors of
//     different encoders are never compared.
//   - No lookup and no search asks the warehouse.
package schema
