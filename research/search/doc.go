// Package search asks engines where something may be read.
//
//	SearXNG, Brave, Tavily    the web, over HTTP
//	Several                   one after the other, until one answers
//	documents.Engine          a tenant's own folder, in package research/documents
//
//	Query → Engine.Search → []Hit, the best first, or an *Error
//
// Invariants:
//
//   - What an engine answers is data: titles and snippets come without markup,
//     without invisible characters and cut to a length; addresses are http or https,
//     in one spelling, each once.
//   - An answer has bounds in bytes and in time. A query is cut at a word to what
//     the engine takes.
//   - A key is in a header and nowhere else: not in an address, an error or a log.
//     An engine that redirects to another origin is not followed.
//   - An error holds no words of the engine's, only a kind and words of ours.
//
// It opens no page that was found; that is package research/reader's.
package search
