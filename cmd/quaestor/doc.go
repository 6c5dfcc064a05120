// Command quaestor is a conversational discovery server: it interviews people
// until what must be known is known, with evidence for every value.
//
// A tour of the packages, bottom up:
//
//	obligations   what must be learnt: templates, values with evidence, the rules
//	sessions      a conversation: phases, memory, transcript, the event log and its hub
//	research      questions that are looked up, queued on River in the turn's own transaction
//	chat          the turn: understand, decide, reply, settle; chat/rules asks without a model
//	web           the chat endpoint, event streams, the API, the pages
//	internal      plumbing: auth, llm, postgres (and the private cluster), secret, fault, telemetry
//	migrations    the schema
//
// Imports point down this list only; arrows_test.go enforces it. This package wires
// the others: it reads the settings once and builds everything from top to bottom in
// serve.go. No other package imports it.
//
// The commands are in the files of their names. work.go builds what works jobs, which
// the server and a process that only works have in common; research.go and
// warehouse.go build the two halves of it. doctor.go and admin.go report how the
// program is set up, to the operator and on the pages of those who manage it.
package main
