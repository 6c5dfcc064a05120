package webtest

import (
	"net/http"

	"quaestor/web"
	"quaestor/web/review"
)

// CommentsOf lists a session's comments as somebody.
func (c reviewWorld) CommentsOf(w *World, query string) web.Page[review.CommentSeen] {
	w.T.Helper()
	return Fetch[web.Page[review.CommentSeen]](w, http.StatusOK, Request{Path: c.Path + "/comments" + query})
}
