package voice

import (
	"context"

	"quaestor/internal/spoken"
	"quaestor/sessions"
)

// askConsent asks the person whether they may be recorded, before anything else. It reports
// false when there is nothing to ask: the organisation keeps no sound, or they said it before.
func (c *Call) askConsent(ctx context.Context) (asks bool, err error) {
	if !c.aloud.Records() {
		return false, nil
	}
	consent, err := sessions.FindConsent(ctx, c.Pool, c.scope(), c.Input.User)
	if err != nil || consent == sessions.ConsentDeclined {
		return false, err
	}
	if consent == sessions.ConsentGiven {
		c.records = true
		return false, c.Wire.Tell(ctx, RecordingEvent{On: true})
	}
	c.asking = true
	c.ears.asked(&sessions.Question{Purpose: sessions.ToConfirm})
	text := c.text("voice.consent")
	if err := c.Wire.Tell(ctx, ConsentEvent{text}); err != nil {
		return true, err
	}
	return true, c.aside(ctx, text)
}

// consented takes the answer of the person, whenever they give it, and goes on to the
// interview if it waited for that.
func (c *Call) consented(ctx context.Context, allowed bool) error {
	if !c.aloud.Records() {
		return nil
	}
	events, err := sessions.Decide(ctx, c.Pool, c.scope(), c.Input.User, allowed)
	if err != nil {
		return err
	}
	c.Hub.Publish(c.scope(), events)
	c.records = allowed
	if err := c.Wire.Tell(ctx, RecordingEvent{On: allowed}); err != nil {
		return err
	}
	return c.afterConsent(ctx)
}

// afterConsent begins the interview if it waited for an answer. Without one nothing is
// recorded, and the next call asks again.
func (c *Call) afterConsent(ctx context.Context) error {
	if !c.asking {
		return nil
	}
	c.asking = false
	c.cut = nil
	c.mouth.drop()
	return c.join(ctx)
}

// consentIn takes what an utterance says of being recorded, and reports whether that is all it
// says. Anything but a yes or a no is no consent, and is said to the interviewer.
func (c *Call) consentIn(ctx context.Context, text string) (taken bool, err error) {
	allowed, clear := spoken.YesOrNo(text)
	if !clear {
		return false, c.afterConsent(ctx)
	}
	return true, c.consented(ctx, allowed)
}

// record keeps the sound of an utterance that has become the message of a turn. What cannot
// be kept is missed by nobody who speaks, and stands in writing.
func (c *Call) record(w words, turn int) {
	if !c.records || len(w.sound) == 0 {
		return
	}
	c.workers.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), startLimit) // it was said, whether or not the client stays
		defer cancel()
		_, _ = sessions.KeepRecording(ctx, c.Pool, c.scope(), sessions.Recording{Turn: turn, User: c.Input.User, Length: w.length, Sound: w.sound})
	})
}
