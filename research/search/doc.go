// Package search asks search engines where an answer may be found.
//
//	SearXNG, Brave, Tavily    the web, over HTTP
//	Several                   one engine after the other, until one answers
//	documents.Engine          a tenant's own folder, in package research/documents
//
//	Query → Engine.Search → []Hit, best first, or an *Error
//
// Invariants:
//
//   - What an engine returns is data: titles and snippets have neither markup nor
//     invisible characters and a limited length; addresses are http or https, in a
//     normal form, without duplicates.
//   - A response is bounded in bytes and in time. A query is cut at a word to what
//     the engine accepts.
//   - A key is sent in a header and appears nowhere else: not in an address, an error
//     or a log. Redirects to another origin are not followed.
//   - An error contains no text of the engine's, only a kind and words of our own.
//
// The package does not open the pages found; package research/reader does.
package search
