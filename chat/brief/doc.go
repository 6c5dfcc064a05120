// Package brief reports the results of an interview for people to read and keep: what is
// known, how surely and on whose word; what is disputed; what is open and why; what
// research found; and what to do next.
//
// [Of] makes a [Brief] from what is stored, by rules alone, so that the same session gives
// the same brief. Every text in it is clean: it has no control characters, nothing that
// changes the direction of writing, and calls people by names and never by ids. Pages show
// the Brief itself; Markdown, Word and PDF are written from one outline of it, so that no
// form contains less than another.
//
//	Material → Of → Brief → outline → Markdown, DOCX, PDF
//	                      ↘ the page
//
// The package owns no rows and knows nothing of turns. It stands above research, whose
// results are part of a brief.
package brief
