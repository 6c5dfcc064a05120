package rules

import (
	"strings"
	"testing"

	"quaestor/chat"
	"quaestor/chat/chattest"
	"quaestor/obligations"
	"quaestor/sessions"
)

// What is said back stands alone; of a scrap it is only said that it was heard.
func TestScrapsAreNotSaidBack(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		language, said, scrap string
	}{
		{"en", "open a new branch", "branch"}, {"en", "carpenter, boss", "arpenter"}, {"en", "that would help", "would help"}, {"en", "put it wherever suits you", "suits"}, {"en", "hire two cooks", "ooks"}, {"en", "went", "ent,"},
		{"de", "neuen Standort eröffnen", "Standort"}, {"de", "Tischler, Chef", "Tischler"}, {"de", "schreib das wohin du magst", "magst"}, {"de", "früher zusperren", "zusperren"}, {"de", "verschwunden", "erschwunden"}, {"de", "das wäre schon was", "wäre"},
	} {
		key := "business"
		s := chattest.Scene(key, tt.said)
		if tt.language == "de" {
			s = chattest.SceneIn(chattest.Bakery(), "vorhaben", tt.said)
			key = "vorhaben"
		}
		s.Session.Language = tt.language
		o := obligations.Find(s.Obligations, key)
		chattest.Hold(s, key, `"`+tt.said+`"`, s.Turn)
		w := newWriter(s, &chat.Plan{Question: s.Asked, List: s.Obligations})
		w.sayText(o)
		if got := strings.Join(w.pieces, ""); got == "" || strings.Contains(got, tt.scrap) {
			t.Errorf("%q is met with %q", tt.said, got)
		}
	}
	for _, tt := range []struct{ language, said, want string }{
		{"en", "a bakery in Leeds", "a bakery in Leeds"}, {"en", "We lost two bakers", "ou lost two bakers"}, {"de", "Stammkunden aus der Nachbarschaft", "Stammkunden aus der Nachbarschaft"},
	} {
		s := chattest.Scene("business", tt.said)
		s.Session.Language = tt.language
		chattest.Hold(s, "business", `"`+tt.said+`"`, s.Turn)
		w := newWriter(s, &chat.Plan{Question: chattest.Ask(obligations.Find(s.Obligations, "target_market"), sessions.ToAsk), List: s.Obligations})
		w.sayText(obligations.Find(s.Obligations, "business"))
		if got := strings.Join(w.pieces, ""); !strings.Contains(strings.ToLower(got), strings.ToLower(tt.want)) {
			t.Errorf("%q is met with %q, want it said back", tt.said, got)
		}
	}
}

// A careless yes to what is read back is one, and no value.
func TestCarelessYesIsAYes(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 0)

	for language, said := range map[string][]string{
		"en": {"suppose so", "wherever", "put it where you like", "if you like", "whatever you like", "I suppose", "might as well"},
		"de": {"von mir aus", "meinetwegen", "wie Sie meinen", "wo du willst", "wird schon passen", "egal wo"},
	} {
		for _, in := range said {
			s := chattest.Scene("", in)
			key := "business"
			if language == "de" {
				s, key = chattest.SceneIn(chattest.Bakery(), "", in), "vorhaben"
			}
			s.Session.Language = language
			chattest.Hold(s, key, `"Weniger Reste am Abend"`, 4)
			s.Asked = chattest.Ask(obligations.Find(s.Obligations, key), sessions.ToConfirm)
			if u := understand(m, s); u.Intent != chat.Agree || strings.TrimSuffix(chattest.Brief(u.Findings), "~") != key+`="Weniger Reste am Abend" confirmed` {
				m.Errorf("%q to what is read back is %s and finds %s, want a yes", in, u.Intent, chattest.Brief(u.Findings))
			}
			s.Asked = chattest.Ask(obligations.Find(s.Obligations, key), sessions.ToAsk)
			obligations.Find(s.Obligations, key).Value = nil
			if u := understand(m, s); len(u.Findings) > 0 && u.Findings[0].Value != nil {
				m.Errorf("%q is the value %s", in, chattest.Brief(u.Findings))
			}
		}
	}
	for in, language := range map[string]string{"no, it's a café": "en", "not really": "en", "nein, gar nicht": "de", "so nicht": "de"} {
		s := chattest.Scene("", in)
		s.Session.Language = language
		chattest.Hold(s, "business", `"Weniger Reste am Abend"`, 4)
		s.Asked = chattest.Ask(obligations.Find(s.Obligations, "business"), sessions.ToConfirm)
		if u := understand(m, s); u.Intent == chat.Agree {
			m.Errorf("%q is a yes", in)
		}
	}
}

// Whether a text answers is asked as somebody would ask it, without the name of a field.
func TestWhetherATextAnswersIsAsked(t *testing.T) {
	t.Parallel()

	long := `"Everything we ever wanted has to go through head office eventually somehow"`
	for key, want := range map[string]string{"business": "what your business does", "target_market": "who your target market is", "competitors": "Do you have competitors", "vorhaben": "was Sie mit Ihrer Bäckerei erreichen möchten"} {
		s := chattest.Scene(key, "x")
		if key == "vorhaben" {
			s = chattest.SceneIn(chattest.Bakery(), key, "x")
			s.Session.Language = "de"
		}
		chattest.Hold(s, key, long, s.Turn)
		q := chattest.Ask(obligations.Find(s.Obligations, key), sessions.ToConfirm)
		got := newWriter(s, &chat.Plan{Question: q, List: s.Obligations}).confirmation(q)
		if !strings.Contains(got, want) || strings.Contains(got, "under “") {
			t.Errorf("whether a text is %s is asked %q, want %q in it", key, got, want)
		}
	}
}
