package voice

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/audio"
	"quaestor/internal/speech"
	"quaestor/obligations"
	"quaestor/sessions"
)

// texts returns what is said of sentences.
func texts(list []sentence) []string {
	var out []string
	for _, s := range list {
		out = append(out, s.text)
	}
	return out
}

func TestSentencesAreSaidAsSoonAsTheyAreWhole(t *testing.T) {
	t.Parallel()

	r := reply{turn: 1}
	var said []string
	for _, d := range []sessions.DeltaEvent{
		{Offset: 0, Content: "Grüße 🥖. How "},
		{Offset: 4, Content: "e 🥖. How many"}, // overlaps
		{Offset: 99, Content: "lost"},         // something was missed
		{Offset: 18, Content: " are you? I"},
	} {
		if r.add(d) {
			t.Errorf("%+v begins again", d)
		}
		said = append(said, texts(r.sentences())...)
	}
	if diff := cmp.Diff([]string{"Grüße 🥖.", "How many are you?"}, said); diff != "" {
		t.Errorf("before the end (-want +got):\n%s", diff)
	}
	if r.finish("Grüße 🥖. How many are you? I am curious") {
		t.Error("the whole begins again")
	}
	if diff := cmp.Diff([]string{"I am curious"}, texts(r.sentences())); diff != "" {
		t.Errorf("at the end (-want +got):\n%s", diff)
	}
}

func TestSentenceRipensAtItsMark(t *testing.T) {
	t.Parallel()

	r := reply{turn: 1}
	r.add(sessions.DeltaEvent{Content: "It costs 3"})
	if got := r.take(); r.ripe() || got != nil {
		t.Errorf("without a mark it says %q", texts(got))
	}
	r.add(sessions.DeltaEvent{Offset: 10, Content: "."})
	r.add(sessions.DeltaEvent{Offset: 11, Content: "5 euros."})
	if got := texts(r.take()); cmp.Diff([]string{"It costs 3.5 euros."}, got) != "" {
		t.Errorf("it says %q", got)
	}
	r.finish("It costs 3.5 euros. And you?")
	if got := texts(r.sentences()); cmp.Diff([]string{"And you?"}, got) != "" {
		t.Errorf("then it says %q", got)
	}
}

func TestReplyThatBeginsAgainIsSaidAgain(t *testing.T) {
	t.Parallel()

	r := reply{turn: 1}
	r.add(sessions.DeltaEvent{Content: "Hello there. What "})
	r.sentences()
	if !r.add(sessions.DeltaEvent{Attempt: 1, Content: "Good day. "}) {
		t.Error("the next attempt does not begin again")
	}
	if got := texts(r.sentences()); cmp.Diff([]string{"Good day."}, got) != "" {
		t.Errorf("it says %q", got)
	}
	if !r.finish("Something else.") {
		t.Error("another text does not begin again")
	}
	if got := texts(r.sentences()); cmp.Diff([]string{"Something else."}, got) != "" {
		t.Errorf("it says %q", got)
	}
}

func TestMarksAreNotSaid(t *testing.T) {
	t.Parallel()

	for written, want := range map[string]string{
		"**Team**: _twelve_ people":                    "Team: twelve people",
		"- one\n- two":                                 "one two",
		"## Noted\n1. Bread":                           "Noted Bread",
		"See [the page](https://example.org/?a=b) now": "See the page now",
		" … ":    "",
		"`code`": "code",
	} {
		if got := aloud(written); got != want {
			t.Errorf("aloud(%q) = %q, want %q", written, got, want)
		}
	}
}

// What was heard of what was said is found in what is written, marks and all.
func TestHeardWordsAreFoundInTheText(t *testing.T) {
	t.Parallel()

	written := "- **Bread** and cakes – for 12 cafés.\n"
	for n, want := range []string{"", "- **Bread**", "- **Bread** and", "- **Bread** and cakes", "- **Bread** and cakes – for"} {
		if got := written[:cutAt(written, n)]; got != want {
			t.Errorf("the first %d words are %q, want %q", n, got, want)
		}
	}
	if got := cutAt(written, 99); got != len(strings.TrimSpace(written)) {
		t.Errorf("all words end at %d", got)
	}
}

func TestLongSentencesAreSaidInPieces(t *testing.T) {
	t.Parallel()

	for _, text := range []string{strings.Repeat("word ", 1000), strings.Repeat("é", 5000)} {
		r := reply{}
		r.finish(text)
		list := r.sentences()
		at := 0
		for _, s := range list {
			if s.from != at || len([]rune(s.text)) > speech.MaxText {
				t.Errorf("a piece from %d of %d characters after %d", s.from, len([]rune(s.text)), at)
			}
			at = s.to
		}
		if at != len(text) {
			t.Errorf("the pieces end at %d of %d", at, len(text))
		}
	}
}

func TestPatienceFollowsTheQuestion(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		q    *sessions.Question
		want audio.Expected
	}{
		{nil, audio.ExpectText},
		{&sessions.Question{Purpose: sessions.ToConfirm}, audio.ExpectClosed},
		{&sessions.Question{Purpose: sessions.ToAsk, Widget: obligations.ChoiceOne}, audio.ExpectClosed},
		{&sessions.Question{Purpose: sessions.ToAsk, Widget: obligations.Number}, audio.ExpectFigure},
		{&sessions.Question{Purpose: sessions.ToAsk, Widget: obligations.Text}, audio.ExpectText},
		{&sessions.Question{Purpose: sessions.ToWiden}, audio.ExpectStory},
	} {
		if got := expectedOf(tt.q); got != tt.want {
			t.Errorf("expectedOf(%+v) = %s, want %s", tt.q, got, tt.want)
		}
	}
}

func TestEveryEventHasItsType(t *testing.T) {
	t.Parallel()

	for want, e := range map[string]Event{
		`{"type":"state","state":"listening"}`:          StateEvent{Listening},
		`{"type":"stop","turn":3}`:                      StopEvent{3},
		`{"type":"resume","turn":3,"ms":1240}`:          ResumeEvent{3, milliseconds(1240 * time.Millisecond)},
		`{"type":"end","reason":"busy","detail":"why"}`: EndEvent{"busy", "why"},
	} {
		if got := string(Encode(e)); got != want {
			t.Errorf("Encode(%+v) = %s, want %s", e, got, want)
		}
	}
}
