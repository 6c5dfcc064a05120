package talk_test

import (
	"testing"
	"time"

	"quaestor/internal/speech"
	"quaestor/internal/speech/speechtest"
	"quaestor/web/webtest"
)

// BenchmarkFirstSound measures the time from the end of an utterance, which a button tells,
// to the first sound of the reply: with the rules, and an API of speech that answers at once.
func BenchmarkFirstSound(b *testing.B) {
	api := speechtest.New(b, "We bake bread for the cafés in our town")
	w := webtest.Open(b, webtest.Terms{Voice: speech.New(speech.Options{URL: api.URL})})
	id := w.Begin("business_profile")
	c := w.Voice(id, hello)
	silenced(c)
	sound := said(1)
	total := time.Duration(0)

	for b.Loop() {
		c.Send(`{"type":"press"}`)
		c.Play(sound)
		c.Send(`{"type":"release"}`)
		ended := time.Now()
		c.Hears(1)
		total += time.Since(ended)
		c.Send(`{"type":"interrupt"}`)
		listening(c)
	}
	b.ReportMetric(float64(total.Microseconds())/1000/float64(b.N), "ms/first-sound")
}
