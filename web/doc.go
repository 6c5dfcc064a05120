// Package web is what all pages, streams and operations of the API share: it turns
// credentials into actors, errors into problems, forms and bodies into values, and logs
// into streams. [Server] is all of that; features embed it and are mounted onto it with
// [Server.Handler]. What they show and change is theirs, and what happens is decided
// below them.
//
//	cmd/quaestor ─► web/talk, web/review, …  ─► web ─► web/ui, web/static
//
// A feature imports this package, and this package no feature. It knows sessions and
// obligations, but neither turns nor research.
package web
