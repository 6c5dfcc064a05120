package voice

import (
	"testing"
	"time"

	"quaestor/internal/audio"
	"quaestor/internal/speech/speechtest"
	"quaestor/obligations"
	"quaestor/sessions"
)

// Somebody who spells is given time for it; who says a name as a whole is answered soon.
func TestSpellingIsWaitedFor(t *testing.T) {
	t.Parallel()

	name := &sessions.Question{Purpose: sessions.ToAsk, Widget: obligations.Text, Label: "Name", ValueType: "person"}
	city := &sessions.Question{Purpose: sessions.ToAsk, Widget: obligations.Text, Label: "Market"}
	for _, tt := range []struct {
		question *sessions.Question
		words    string
		want     time.Duration
	}{
		{name, "", 2400 * time.Millisecond},
		{name, "Peter S C H", 2400 * time.Millisecond},
		{name, "Peter Schmidt", 900 * time.Millisecond},
		{city, "", 900 * time.Millisecond},
	} {
		e, err := newEars(audio.Rate, "en")
		if err != nil {
			t.Fatal(err)
		}
		e.asked(tt.question)
		stream := append(make([]int16, audio.Rate), speechtest.Voice(1, audio.Rate)...)
		stream = append(stream, make([]int16, 4*audio.Rate)...)
		waited := time.Duration(0)
		for at := 0; at < len(stream) && waited == 0; at += audio.Rate / 50 {
			heard, err := e.hear(stream[at : at+audio.Rate/50])
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range heard {
				switch s.kind {
				case pausedSound:
					e.heard(tt.words)
				case endedSound:
					waited = e.detector.Position() - s.to
				case beganSound, falseSound, silentSound:
				}
			}
		}
		if waited != tt.want {
			t.Errorf("%s, %q: waits %s, want %s", tt.question.Label, tt.words, waited, tt.want)
		}
	}
}
