// Package packs holds what an analyst of a field knows before seeing any data: the areas worth
// exploring, the keywords for them, the prompts, and what a project in the field should state
// about itself.
//
// [Parse] parses a [Pack] from the envelope in which packs are exchanged, [Pack.Faults] checks
// it, and [Pack.For] combines its base with one category:
//
//	envelope ── Parse ──▶ Pack ── For(category) ──▶ Kit: areas, prompts, profile
//
// [Builtin] returns the packs that come with the server. Their texts are in builtin/ as markdown
// and JSON.
//
// A prompt is a [PromptTemplate]: parsed once and filled in one pass, so that data which looks like a
// placeholder stays data. The bounds that a prompt mentions are placeholders too and get their
// numbers from the constants of quaestor/research/warehouse. The package stores nothing and never
// blocks.
package packs
