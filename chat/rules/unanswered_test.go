package rules

import (
	"slices"
	"strings"
	"testing"

	"quaestor/chat/chattest"
	"quaestor/internal/language/messages"
	"quaestor/sessions"
)

// talkOf begins a conversation of a shipped objective and answers until it asks for
// key.
func talkOf(t testing.TB, contextType, key string) *talk {
	t.Helper()
	k := newTalk(t, *chattest.Shipped(t, contextType))
	for p := k.turn(""); p.Question == nil || p.Question.Key != key; p = k.turn(cooperate(k, p.Question)) {
		if p.Question == nil {
			t.Fatalf("nothing is asked:\n%s", strings.Join(k.lines, "\n"))
		}
		if p.Ends != "" {
			t.Fatalf("%s is never asked for:\n%s", key, strings.Join(k.lines, "\n"))
		}
	}
	return k
}

// last is what was said last.
func (k *talk) last() string { return k.lines[len(k.lines)-1] }

// "Let me put it another way", said before a question about something else, made no
// sense, and neither did asking for one number and then for a date.
func TestWhatIsAskedInVainIsSaidToStayOpen(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 2)

	for _, test := range []struct{ contextType, key, answer string }{
		{"project_discovery", "deadline_flexibility", "it would be a pain but the world does not end"},
		{"project_discovery", "user_count", "15 in winter and around 3000 in summer"},
	} {
		k := talkOf(m, test.contextType, test.key)
		q := k.scene.Asked
		for range 3 {
			q = k.turn(test.answer).Question
		}
		if q.Key == test.key {
			m.Fatalf("asks for %s four times", test.key)
		}
		got := k.last()
		said := slices.ContainsFunc(messages.In("en").Wordings("left-open", nil, messages.Manner{}), func(c messages.Wording) bool { return c.SaidIn(got) })
		if !said || strings.Contains(got, "another way") || strings.Contains(got, "which of those numbers") {
			m.Errorf("after three answers in vain it says\n%s\nwant it said that %s stays open", got, test.key)
		}
	}
}

// Answers to a form that could not be read brought the whole form back, again and
// again.
func TestFormInVainIsTakenOneByOne(t *testing.T) {
	t.Parallel()

	k := newTalk(t, *chattest.Shipped(t, "project_discovery"))
	p := k.turn("")
	for p.Question.Purpose != sessions.ToForm {
		p = k.turn(cooperate(k, p.Question))
	}
	first := p.Question.Fields[0].Key
	p = k.turn("that varies quite a lot")
	if p.Question.Purpose != sessions.ToAsk || p.Question.Key != first {
		t.Errorf("asks %+v, want %s alone:\n%s", p.Question, first, k.last())
	}
}

// What was listed with all its choices a moment ago is named only, when something
// came between: people lost sight of the answer to what they wanted to know.
func TestFormIsNotListedAgainAfterADigression(t *testing.T) {
	t.Parallel()

	k := newTalk(t, *chattest.Shipped(t, "project_discovery"))
	for p := k.turn(""); p.Question.Purpose != sessions.ToForm; {
		p = k.turn(cooperate(k, p.Question))
	}
	k.turn("are you a robot?")
	if got := k.last(); strings.Contains(got, "\n- ") || !strings.Contains(got, "short") {
		t.Errorf("lists the form again:\n%s", got)
	}
	k.turn("can you repeat the question?")
	if got := k.last(); !strings.Contains(got, "\n- ") {
		t.Errorf("does not list the form when asked to:\n%s", got)
	}
}

// A vague answer stood against the clear one after it ("Which of them holds?"), and three of
// them ended the interview with all that waits for it.
func TestVagueAnswersAreGoneBeyond(t *testing.T) {
	t.Parallel()
	m := chattest.Measured(t, 1)

	k := newTalk(m, *chattest.Shipped(m, "business_profile"))
	k.turn("")
	k.turn("stuff")
	if p := k.turn("We bake bread for cafés"); p.Conflict != nil || p.Question.Key == "business_overview" || strings.Contains(k.last(), "stuff") {
		m.Errorf("after a clear answer it says\n%s\nwant it to go on", k.last())
	}

	k = newTalk(m, *chattest.Shipped(m, "business_profile"))
	k.turn("")
	for _, in := range []string{"stuff", "things and more", "good stuff"} {
		k.turn(in)
	}
	if q := k.scene.Asked; q == nil || q.Key == "business_overview" {
		m.Errorf("after three vague answers it asks %+v, want what waits for it:\n%s", q, strings.Join(k.lines, "\n"))
	}
}
