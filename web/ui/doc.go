// Package ui holds the components that several features draw their pages with.
//
// A component takes what it shows and fetches nothing; words and values are made
// by the functions beside it, which are tested apart. Everything a page shows can
// be read, and every question answered, without JavaScript: the forms post to
// /start, /research and below /s/{id}. With it, the features' scripts put in the
// parts that the server draws anew, and fill the few pieces that stand in template
// elements at the end of a page, which are these components drawn empty; so markup and
// words have one source.
//
// Text of people, documents and models is escaped everywhere. Only [Markdown]
// makes markup of it, through a closed list of elements. No page has inline
// script or style, and none loads anything from elsewhere.
package ui
