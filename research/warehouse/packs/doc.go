// Package packs holds what an analyst of a field knows before seeing any data: the
// areas worth looking into, the words they are known by, the prompts, and what a
// project of the field should say about itself.
//
// A [Pack] is read by [Parse] from the envelope in which packs are exchanged, and
// checked by [Pack.Faults]. [Pack.For] is what it comes to for one category:
//
//	envelope ── Parse ──▶ Pack ── For(category) ──▶ Kit: areas, prompts, profile
//
// [Builtin] lists the packs that come with the server. Their texts lie in builtin/
// as markdown and JSON.
//
// A prompt is a [Template]: parsed once, filled in one pass, so that data which
// looks like a placeholder stays data. The bounds a prompt names are placeholders
// too, and get their numbers from the constants of quaestor/research/warehouse.
// Nothing here is stored, and nothing blocks.
package packs
