package voice

import (
	"context"
	"slices"
	"time"

	"quaestor/internal/audio"
	"quaestor/internal/fault"
	transcripts "quaestor/internal/spoken"
)

// draft is an utterance, or what seems to be one so far, that is written down. That begins
// when the person pauses, and not only when it is certain that they have finished.
type draft struct {
	to     time.Duration // where in the stream it ends; negative for one of a button
	number int           // of the utterance; 0 while the person may go on
	passed bool          // it seemed to be no answer, and what was played has gone on
	cancel context.CancelFunc

	done bool
	text string
	err  error
}

// draftNote is what a draft came to.
type draftNote struct {
	draft *draft
	text  string
	err   error
}

// hearingTries is how often an utterance is written down before that is given up.
const hearingTries = 2

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
	ctx, d.cancel = context.WithCancel(ctx)
	c.workers.Go(func() {
		defer d.cancel()
		note := draftNote{draft: d}
		for range hearingTries {
			note.text, note.err = voice.Hear(ctx, audio.WAV(s.samples, audio.Rate))
			if note.err == nil || ctx.Err() != nil || !fault.Is(note.err, fault.Unavailable) {
				break
			}
		}
		c.put(note)
	})
	return d
}

// written takes what a draft came to. The ears learn of the words while the person may go
// on: from "and", they have not finished.
func (c *Call) written(n draftNote) {
	d := n.draft
	d.done, d.text, d.err = true, transcripts.Written(c.Language, n.text, c.ears.kind), n.err
	if d.number == 0 && d.err == nil {
		c.ears.heard(d.text)
	}
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
