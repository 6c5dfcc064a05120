package review

import (
	"net/url"
	"strconv"

	"quaestor/sessions"
)

// openComments are those nobody has dealt with.
func (v ReviewView) openComments() []sessions.Comment {
	return commentsWhere(v.Comments, sessions.Comment.Open)
}

// dealtComments are those that somebody has dealt with.
func (v ReviewView) dealtComments() []sessions.Comment {
	return commentsWhere(v.Comments, func(c sessions.Comment) bool { return !c.Open() })
}

// commentsOn are those about a value.
func (v ReviewView) commentsOn(key string) []sessions.Comment {
	return commentsWhere(v.Comments, func(c sessions.Comment) bool { return c.Key == key && c.Open() })
}

func commentsWhere(list []sessions.Comment, is func(sessions.Comment) bool) []sessions.Comment {
	var out []sessions.Comment
	for _, c := range list {
		if is(c) {
			out = append(out, c)
		}
	}
	return out
}

// commentForm is a form that takes a comment.
type commentForm struct {
	Session string
	Name    string // of the form
	Key     string // of the obligation it is about; empty for none
	Turn    int    // it is about; 0 for none
	About   string // what it is about, for who does not see where the form stands
	Refused Refused
}

// commentPath is where comments on a session are sent to.
func commentPath(session string) string { return "/review/" + url.PathEscape(session) + "/comments" }

// aboutWords say what a comment is about, and where that is; no words for the
// interview as a whole.
func (v ReviewView) aboutWords(c sessions.Comment) (words, path string) {
	switch {
	case c.Key != "":
		return v.name(c.Key), "#ob-" + c.Key
	case c.Turn > 0:
		return "Turn " + strconv.Itoa(c.Turn), v.callsPath(c.Turn)
	}
	return "", ""
}
