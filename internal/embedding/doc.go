// Package embedding turns texts into vectors whose cosine tells how close two
// texts are in meaning.
//
//	Lite      USE-lite, run in this process from a folder of weights; English
//	Remote    any OpenAI-compatible /embeddings, through internal/llm
//
//	texts → Encoder.Encode → numbers → vector(1536), zeros after its own, beside the encoder's name
//
// Invariants:
//
//   - Vectors of different encoders are never compared: [Encoder.Name] is stored
//     with each vector, and queries compare vectors of one name only.
//   - An empty text has no vector. It is nil, never zeros, and is stored as NULL.
//   - Numbers are finite; a vector has at most [Stored] of them.
//
// It stores nothing: rows and search belong to the packages that own the texts.
// The weights are no part of the program. provision.sh fetches them, and
// weights.sha256 names every file it needs and what must be in it.
package embedding
