// Package reader extracts the text of web pages and files, with evidence of it.
//
// Invariants:
//
//   - [Text] is pure: the same name, media type and bytes give the same text on
//     every machine. A [Page] keeps the bytes and their hash, so that anybody who
//     doubts a quotation can extract the text again.
//   - The text does not contain what a person would not see: scripts, comments,
//     attributes, characters without a shape, and elements that are hidden, of the
//     background's colour or off screen, as far as the element itself says so.
//   - Nothing in a source has any meaning here beyond being text to quote.
//   - Everything is bounded: bytes, time, rate, redirects, nesting, entries of an
//     archive. Everything but plain text is parsed in a child process with limits
//     of its own.
//   - robots.txt is obeyed, and a host gets one request at a time.
//
// Nothing is written to disk, and no content is logged.
package reader
