// Package mcp lets programs use Quaestor over the Model Context Protocol: an assistant
// interviews a person, reads what the interview came to, and looks into the warehouses of
// an organisation, with tools instead of operations of the API.
//
// It speaks the streamable HTTP transport at one address, /mcp, through the official SDK,
// without sessions of its own: every request carries its credential and is answered by
// whichever instance it reaches. A tool may do what the holder of the credential may do in
// the API and nothing else; it calls the packages that the other features call. What is
// refused is the error of a tool, with the words that the API has for it. Results are
// bounded: a list says that there is more, a text that it was cut.
//
//	routes.go      the address, and what is refused before a message is read
//	tool.go        how tools are registered, guarded, and how errors are worded
//	interviews.go  interviews: begun, continued, read
//	state.go       an interview as tools return it
//	brief.go       objectives and briefs
//	warehouses.go  warehouses and their tables
//	metrics.go     what is defined over warehouses
//	ask.go         one question of a warehouse
//	runs.go        projects, and runs that explore them
//	insights.go    what the analysis of a run came to
package mcp
