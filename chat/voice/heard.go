package voice

import (
	"context"
	"slices"
	"strings"
	"time"

	"quaestor/chat"
	"quaestor/internal/audio"
	"quaestor/internal/fault"
	"quaestor/internal/speech"
	transcripts "quaestor/internal/spoken"
	"quaestor/sessions"
)

// draft is an utterance, or what seems to be one so far, that is written down. That begins
// when the person pauses, and not only when it is certain that they have finished.
type draft struct {
	to     time.Duration // where in the stream it ends; negative for one of a button
	number int           // of the utterance; 0 while the person may go on
	sound  []int16       // where the person agreed to be recorded
	passed bool          // it seemed to be no answer, and what was played has gone on
	cancel context.CancelFunc

	done bool
	text string
	err  error
}

// draftNote is what a draft came to.
type draftNote struct {
	draft *draft
	texts []string // what it may be, the likeliest first
	err   error
}

// partialNote is what a draft came to so far.
type partialNote struct {
	draft *draft
	text  string
}

// alternatives is how many other transcripts are looked at where a value is asked for that
// words alone tell: the right one is hardly ever further behind.
const alternatives = 8

// speechTries is how often an utterance is written down, and a sentence spoken, before that is
// given up.
const speechTries = 2

// paused has what was said so far written down.
func (c *Call) paused(ctx context.Context, s sound) {
	c.dropDraft()
	c.drafts = append(c.drafts, c.write(ctx, s))
}

// ended makes an utterance of what was said: the draft is that already, if nothing was said
// since.
func (c *Call) ended(ctx context.Context, s sound) {
	n := len(c.drafts)
	if n == 0 || c.drafts[n-1].number > 0 || c.drafts[n-1].to != s.to || s.to < 0 {
		c.dropDraft()
		c.drafts = append(c.drafts, c.write(ctx, s))
		n = len(c.drafts)
	}
	c.drafts[n-1].number = c.Utterance
	c.Utterance++
}

// dropDraft drops what may go on, and returns the words that it has by now.
func (c *Call) dropDraft() string {
	n := len(c.drafts)
	if n == 0 || c.drafts[n-1].number > 0 {
		return ""
	}
	d := c.drafts[n-1]
	d.cancel()
	c.drafts = c.drafts[:n-1]
	return d.text
}

// passBy lets the reply go on over what was said, and returns its words by now. What is not
// written down yet may still turn out to be an answer: hearing can be slow.
func (c *Call) passBy() string {
	n := len(c.drafts)
	if n == 0 || c.drafts[n-1].number > 0 || c.drafts[n-1].done {
		return c.dropDraft()
	}
	d := c.drafts[n-1]
	d.number, d.passed = c.Utterance, true
	c.Utterance++
	return ""
}

// awaited reports whether the reply waits for what an utterance is.
func (c *Call) awaited() bool {
	return slices.ContainsFunc(c.drafts, func(d *draft) bool { return d.number > 0 && !d.passed })
}

// write has sound written down.
func (c *Call) write(ctx context.Context, s sound) *draft {
	d, voice := &draft{to: s.to}, c.voice.Load()
	if c.records {
		d.sound = s.samples
	}
	hearing := speech.Hearing{Partial: func(text string) { c.put(partialNote{d, text}) }}
	if kind := chat.SpokenKind(c.ears.question); kind != transcripts.Prose && kind != transcripts.Name && kind != transcripts.Address {
		hearing.Alternatives = alternatives
	}
	if held, kind := chat.HeldAloud(c.ears.question); held != "" {
		hearing.Grammar, hearing.Names = transcripts.Grammar(c.tongue, held, kind), strings.Fields(held)
	}
	wav := c.recordingOf(s.samples, voice)
	ctx, d.cancel = context.WithCancel(ctx)
	c.workers.Go(func() {
		defer d.cancel()
		note := draftNote{draft: d}
		for range speechTries {
			note.texts, note.err = voice.Transcripts(ctx, wav, hearing)
			if note.err == nil || ctx.Err() != nil || !fault.Is(note.err, fault.Unavailable) {
				break
			}
		}
		c.put(note)
	})
	return d
}

// telephoneRate is that of calls that carry nothing above 4 kHz.
const telephoneRate = 8000

// recordingOf returns samples as a file for what hears: programs know wide sound only.
func (c *Call) recordingOf(samples []int16, voice *speech.Voice) []byte {
	if c.Rate <= telephoneRate && voice.Local() {
		samples = audio.Widened(samples)
	}
	return audio.WAV(samples, audio.Rate)
}

// written takes what a draft came to. The ears learn of the words while the person may go
// on: from "and", they have not finished.
func (c *Call) written(n draftNote) {
	d, q := n.draft, c.ears.question
	d.done, d.err = true, n.err
	words := ""
	if len(n.texts) > 0 {
		words = n.texts[transcripts.Choose(c.tongue, n.texts, wantedBy(q))]
		d.text = transcripts.Written(c.tongue, words, chat.SpokenKind(q))
	}
	if d.number == 0 && d.err == nil {
		c.ears.heard(words)
	}
}

// wantedBy returns what the answer to a question may be.
func wantedBy(q *sessions.Question) transcripts.Wanted {
	w := transcripts.Wanted{Kind: chat.SpokenKind(q), Now: time.Now()}
	w.Held, w.HeldKind = chat.HeldAloud(q)
	if q != nil {
		w.Min, w.Max, w.About = q.Min, q.Max, q.Label+" "+q.Unit
		for _, choice := range q.Choices {
			w.Choices = append(w.Choices, choice.Label)
		}
	}
	if q != nil && q.Purpose != sessions.ToAsk {
		w.Choices = nil // a yes or a no
	}
	return w
}

// partly tells what a draft came to so far.
func (c *Call) partly(ctx context.Context, n partialNote) error {
	number := n.draft.number
	if number == 0 {
		number = c.Utterance
	}
	if n.draft.done || n.draft.passed || !slices.Contains(c.drafts, n.draft) {
		return nil
	}
	return c.Wire.Tell(ctx, PartialEvent{number, n.text})
}

// overheard is what somebody who still speaks seems to have said.
type overheard struct {
	utterance int
	text      string
}

// overhear has what was said so far written down for a caption, where there is machine to
// spare. What it comes to decides nothing.
func (c *Call) overhear(ctx context.Context) {
	if !c.ears.longer() {
		return
	}
	voice, number := c.voice.Load(), c.Utterance
	done, ok := voice.Spare()
	if !ok {
		return
	}
	wav := c.recordingOf(c.ears.soFar(), voice)
	c.workers.Go(func() {
		defer done()
		if text, err := voice.Hear(ctx, wav); err == nil && text != "" { // a caption less
			c.put(overheard{number, text})
		}
	})
}

// caption tells what somebody seems to say, unless they have finished meanwhile: then the
// words themselves are on their way.
func (c *Call) caption(ctx context.Context, o overheard) error {
	if o.utterance != c.Utterance || !c.ears.hearing() {
		return nil
	}
	return c.Wire.Tell(ctx, PartialEvent{o.utterance, o.text})
}

// understand acts on the utterances that are written down, in their order.
func (c *Call) understand(ctx context.Context) error {
	for len(c.drafts) > 0 && c.drafts[0].number > 0 && c.drafts[0].done {
		d := c.drafts[0]
		c.drafts = c.drafts[1:]
		if err := c.understood(ctx, d); err != nil {
			return err
		}
	}
	return nil
}

// utterances reports whether something that was said is being written down.
func (c *Call) utterances() bool { return len(c.drafts) > 0 && c.drafts[0].number > 0 }
