// Package documents stores the contents of a tenant's own folder, so that research
// can find and quote them.
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
//   - What is stored of a file is its state at one moment: hash, bytes, text and
//     passages change together or not at all. A sync that ends early leaves every
//     file either done or untouched.
//   - A passage is a substring of its document's text, byte for byte.
//   - A file that is not read is a row with the reason, or is listed in the [Report]:
//     nothing is left out silently.
//   - Nothing outside the folder is opened, wherever links lead.
//   - Vectors are added after the rows. Without an encoder, or while it fails, search
//     by words still works. Vectors of different encoders are never compared; those
//     of a former encoder are made again.
//
// The package knows no file formats; the caller provides the extraction, see
// [Options].
package documents
