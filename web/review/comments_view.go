package review

import (
	"strconv"

	"quaestor/sessions"
	"quaestor/web"
)

// openComments returns the comments that nobody has dealt with.
func (v sessionView) openComments() []sessions.Comment {
	return web.Where(v.Comments, sessions.Comment.Open)
}

// closedComments returns the comments that somebody has dealt with.
func (v sessionView) closedComments() []sessions.Comment {
	return web.Where(v.Comments, func(c sessions.Comment) bool { return !c.Open() })
}

// commentsOn returns the open comments on a value.
func (v sessionView) commentsOn(key string) []sessions.Comment {
	return web.Where(v.Comments, func(c sessions.Comment) bool { return c.Key == key && c.Open() })
}

// commentForm is a form that adds a comment.
type commentForm struct {
	Session string
	Name    string // of the form, by which a refusal finds it again
	Key     string // of the obligation it is on; empty for none
	Turn    int    // that it is on; 0 for none
	About   string // what it is on, for people who cannot see where the form stands
	Refusal formRefusal
}

// commentPath is where new comments on a session are posted to.
func commentPath(session string) string { return sessionPath(session) + "/comments" }

// subjectOf returns what a comment is on and where that is shown. Both are empty for a
// comment on the session as a whole.
func (v sessionView) subjectOf(c sessions.Comment) (words, path string) {
	switch {
	case c.Key != "":
		return v.name(c.Key), "#ob-" + c.Key
	case c.Turn > 0:
		return "Turn " + strconv.Itoa(c.Turn), v.turnPath(c.Turn)
	}
	return "", ""
}
