package talk

import (
	"testing"

	"quaestor/obligations"
	"quaestor/sessions"
)

func TestOneQuestionIsBeingAsked(t *testing.T) {
	t.Parallel()

	o := &obligations.Obligation{Template: &obligations.Template{Key: "team"}, Status: obligations.InProgress}
	form := &sessions.Question{Purpose: sessions.ToForm, Fields: []sessions.Question{{Key: "budget"}, {Key: "team"}}}
	for _, tt := range []struct {
		name string
		view ChatView
		want string
	}{
		{"asked in a form", ChatView{Question: form}, "Being asked"},
		{"something else is asked", ChatView{Question: &sessions.Question{Key: "budget"}}, "Asked, still open"},
		{"nothing is asked", ChatView{}, "Asked, still open"},
		{"the interview is over", ChatView{Question: form, Session: sessions.Session{Status: sessions.Completed}}, "Asked, still open"},
	} {
		if got := tt.view.statusWords(o); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
