// Package ui draws the pages people talk to Quaestor on.
//
// A component takes what it shows and fetches nothing; words and values are made
// by the functions beside it, which are tested apart. Everything a page shows can
// be read, and every question answered, without JavaScript: the forms post to
// /start, /research and below /s/{id}. With it, the scripts of web/static draw the
// messages from the session's event stream. Everything else on a page that changes is
// fetched from the server when an event tells that it did, as the same component, and
// put in the place of what is there (parts.js), so markup and words have one source.
// What scripts add before the server knows of it, an unsent message or a file, they take
// from the template elements at the end of the page: these components drawn empty.
//
// Layout is named in the markup: stack, row, line, cards, box, facts and the other
// primitives of app.css. The sheet of a page holds only what is its own.
//
// Text of people, documents and models is escaped everywhere. Only [Markdown]
// makes markup of it, through a closed list of elements. No page has inline
// script or style, and none loads anything from elsewhere.
package ui
