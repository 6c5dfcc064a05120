// Command quaestor is a conversational discovery server: it interviews people
// until what must be known is known, with evidence for every value.
//
// A tour of the house, bottom up:
//
//	obligations   what must be learnt: templates, values with evidence, the rules
//	sessions      a conversation: phases, memory, transcript, the event log and its hub
//	research      doubts, queued on River in the turn's own transaction
//	chat          the turn: understand, decide, reply, settle; chat/rules asks without a model
//	web           the chat endpoint, event streams, the API, the pages
//	internal      plumbing: auth, llm, postgres (and the private cluster), secret, fault, telemetry
//	migrations    the schema
//
// Every arrow points down; arrows_test.go holds the code to it. This package
// wires: it reads the settings once, builds everything top to bottom in serve.go
// and is known by nobody.
package main
