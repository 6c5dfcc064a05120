// Package ui draws the pages people talk to Quaestor on.
//
// A component takes what it shows and fetches nothing; words and values are made
// by the functions beside it, which are tested apart. Everything a page shows can
// be read, and every question answered, without JavaScript: the forms post to
// /start, /research and below /s/{id}. With it, the scripts of web/static keep the
// same markup up to date from the session's event stream. They take the pieces
// they add from the template elements at the end of the page, which are these
// components drawn empty, or from the server, as the cards of research are, and
// their words from the page's data-page attribute, so markup and words have one
// source.
//
// Text of people, documents and models is escaped everywhere. Only [Markdown]
// makes markup of it, through a closed list of elements. No page has inline
// script or style, and none loads anything from elsewhere.
package ui
