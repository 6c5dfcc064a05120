// Package documents keeps what stands in a tenant's own folder, so that research
// can find it and quote it.
//
//	folder ── Sync ──► research_documents   a file: bytes, hash, text, or why it is refused
//	                        │ Pieces
//	                        ▼
//	                   research_passages    600 to 1,000 characters, words, a vector
//	                        ▲
//	Search, Engine ─────────┘               full text and meaning, fused
//
// Invariants:
//
//   - What is stored of a file is what was read of it at one moment: hash, bytes,
//     text and passages change together or not at all. A sync that ends early leaves
//     files done and files not begun.
//   - A passage is a stretch of its document's text, byte for byte.
//   - A file that is not read is a row that says why, or stands in the [Report]:
//     nothing is left out in silence.
//   - Nothing outside the folder is opened, whatever its links say.
//   - Vectors come after the rows. Without an encoder, or while it fails, words are
//     found all the same; vectors of another encoder are never compared and are made
//     again.
//
// It reads no formats: that is given to it, see [Options].
package documents
