// Package schema stores what warehouses hold, so that a run need not ask them: tables with their
// keys, row counts and a few masked rows, and what tables and columns are found by.
//
//	warehouse ── Refresh ──► warehouse_tables   tables: columns, keys, samples, content hash
//	                             │
//	                             ▼
//	                         warehouse_texts    words of a table or of a column; equal columns share one
//	                             │ Encode
//	                             ▼
//	                         warehouse_vectors  embeddings of the texts
//
//	Load ──► Snapshot: catalog, Lookup, Catalog(budget)
//	Search:  full text, meaning, size, fused
//
// Invariants:
//
//   - What has not changed is not written, sampled or encoded again. What has changed is
//     reported as a [Drift], by table and column.
//   - Everything is written in batches, each of which is atomic. If a refresh stops between
//     two, nothing is lost, and the next refresh continues from there.
//   - A table that cannot be described or sampled is stored with the reason.
//   - A search works with what there is: without vectors it uses words alone. Vectors of
//     different encoders are never compared.
//   - Lookups and searches never ask the warehouse.
package schema
