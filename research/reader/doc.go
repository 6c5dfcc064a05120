// Package reader turns pages and files into text, with proof.
//
// What the package holds:
//
//   - [Text] is pure: the same name, media type and bytes give the same text on
//     every machine. A [Page] keeps the bytes and their hash, so whoever doubts a
//     quotation reads it again.
//   - What a person would not see is not in the text: scripts, comments, hidden,
//     same-coloured and off-screen elements as far as the element itself says so,
//     attributes, and letters without a shape.
//   - Text is text. Nothing in a source has a meaning here beyond being quoted.
//   - Everything is bounded: bytes, time, rate, redirects, nesting, entries of an
//     archive. All but plain text is read in a child process with its own limits.
//   - robots.txt is obeyed, and a host is asked one thing at a time.
//
// Nothing is written to disk and no content is logged.
package reader
