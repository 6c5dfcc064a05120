// Package web is everything HTTP, and nothing else: the chat endpoint,
// the event streams, the API, the pages. It turns credentials into actors,
// errors into problems and the event log into streams; what happens is decided
// below it.
package web
