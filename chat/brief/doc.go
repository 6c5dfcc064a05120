// Package brief tells what an interview came to, for people to read and keep:
// what is known, how surely and on whose word; what is disputed; what is open
// and why; what research found; and what to do next.
//
// [Of] makes a [Brief] of what is stored, by rules alone: the same session gives
// the same brief. Every text in it is clean: no control characters, nothing that
// turns the direction of writing, people by names and never by ids. Pages show
// the value itself; Markdown, Word and PDF are written from one outline of it,
// so that no form says less than another.
//
//	Material → Of → Brief → outline → Markdown, DOCX, PDF
//	                      ↘ the page
//
// It owns no rows and knows no turns. It stands above research, whose findings are
// part of a brief.
package brief
