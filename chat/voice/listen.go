package voice

import (
	"context"
	"errors"
	"time"

	"quaestor/chat"
	"quaestor/internal/audio"
	"quaestor/internal/fault"
	"quaestor/internal/spoken"
)

// take does what the client asks for, or hears what it sends.
func (c *Call) take(ctx context.Context, m any) error {
	if c.Listens {
		return nil
	}
	switch m := m.(type) {
	case soundFrame:
		err := c.sounds(ctx)(c.ears.hear(m))
		c.overhear(ctx)
		return err
	case mutedNote:
		return c.sounds(ctx)(c.ears.mute(bool(m)))
	case consentNote:
		return c.consented(ctx, bool(m))
	case pushNote:
		c.Push = bool(m)
		return c.sounds(ctx)(c.ears.push(c.Push))
	case pressedNote:
		return c.sounds(ctx)(c.ears.press(bool(m)))
	case playedNote:
		if c.cut != nil && c.cut.turn == m.turn {
			c.cut.heard = min(max(m.at, 0), c.mouth.sentUntil())
		}
	case breakNote:
		return c.breakOff(ctx)
	case draftNote:
		c.written(m)
	case overheard:
		return c.caption(ctx, m)
	case partialNote:
		return c.partly(ctx, m)
	case startedNote:
		return c.startedTurn(ctx, m)
	}
	return nil
}

// sounds returns what acts on what the ears made of sound.
func (c *Call) sounds(ctx context.Context) func([]sound, error) error {
	return func(list []sound, err error) error {
		for _, s := range list {
			if err == nil {
				err = c.sounded(ctx, s)
			}
		}
		return err
	}
}

func (c *Call) sounded(ctx context.Context, s sound) error {
	switch s.kind {
	case beganSound:
		return c.stop(ctx)
	case falseSound:
		if text := c.passBy(); text != "" {
			if err := c.Wire.Tell(ctx, HeardEvent{0, text, false}); err != nil {
				return err
			}
		}
		return c.goOn(ctx)
	case pausedSound:
		c.paused(ctx, s)
	case endedSound:
		c.ended(ctx, s)
	case silentSound:
		if c.asking && !c.mouth.busy() {
			return c.afterConsent(ctx) // silence is no consent
		}
		return c.reminded(ctx, spoken.Silence)
	}
	return nil
}

// stop stops what is played, because the person speaks.
func (c *Call) stop(ctx context.Context) error {
	turn, heard, ok, err := c.mouth.stop(ctx)
	if ok {
		c.cut = &interruption{turn, heard}
	}
	return err
}

// goOn plays on where it was stopped, unless something said since has to be heard first.
func (c *Call) goOn(ctx context.Context) error {
	if c.cut == nil || c.hush || c.awaited() || c.pending != nil || c.starting != nil || c.ears.hearing() {
		return nil
	}
	at := c.cut.heard
	c.cut = nil
	return c.mouth.resume(ctx, at)
}

// breakOff stops what is played for good: the person asked for silence. A reply that is
// still being made is stopped as well.
func (c *Call) breakOff(ctx context.Context) error {
	if err := c.stop(ctx); err != nil || c.cut == nil {
		return err
	}
	c.hush = true
	c.stopTurn(ctx)
	return nil
}

// hushed records what was heard of a reply that was broken off, once its turn is over.
func (c *Call) hushed() {
	if !c.hush || c.turn > 0 || c.cut == nil {
		return
	}
	c.hush = false
	broken := c.broken()
	if broken.Turn == 0 {
		return
	}
	c.workers.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), startLimit) // it happened, whether or not the client stays
		defer cancel()
		_ = c.Engine.Interrupt(ctx, c.scope(), broken) // what was not heard stays readable
	})
}

// stopTurn stops the running turn, once, if this call began it.
func (c *Call) stopTurn(ctx context.Context) {
	if c.turn == 0 || c.turn != c.mine {
		return
	}
	turn := c.turn
	c.mine = 0
	c.workers.Go(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), startLimit)
		defer cancel()
		_ = c.Engine.Stop(ctx, c.scope(), turn) // one that is not stopped ends by itself
	})
}

// broken drops the rest of the reply that was stopped, and returns what was heard of it.
func (c *Call) broken() chat.Interruption {
	bytes, _ := c.mouth.heardUntil(c.cut.heard)
	out := chat.Interruption{Turn: c.cut.turn, Heard: bytes, By: c.Input.User}
	c.mouth.drop()
	c.cut = nil
	return out
}

// understood acts on the words of an utterance.
func (c *Call) understood(ctx context.Context, d *draft) error {
	if d.err != nil {
		if err := c.trouble(ctx, "hearing", "voice.hearing", d.err); err != nil {
			return err
		}
		return c.goOn(ctx)
	}
	if c.asking && d.text != "" {
		if err := c.Wire.Tell(ctx, HeardEvent{d.number, d.text, true}); err != nil {
			return err
		}
		if taken, err := c.consentIn(ctx, d.text); taken || err != nil {
			return err
		}
		return c.saidAnswer(d)
	}
	asking := false
	if c.cut != nil {
		_, asking = c.mouth.heardUntil(c.cut.heard)
	}
	// While the question is asked, a "yes" answers it.
	over := c.cut != nil || d.passed
	answer := d.text != "" && (!over || asking || !audio.Backchannel(c.tongue, d.text))
	if err := c.Wire.Tell(ctx, HeardEvent{d.number, d.text, answer}); err != nil {
		return err
	}
	switch {
	case answer:
		return c.saidAnswer(d)
	case c.cut != nil:
		return c.goOn(ctx)
	case d.text == "" && !d.passed && !c.utterances():
		return c.reminded(ctx, spoken.Noise)
	}
	return nil
}

// saidAnswer lets the words of an utterance wait for their turn.
func (c *Call) saidAnswer(d *draft) error {
	c.reminders = 0
	w := words{number: d.number, text: d.text, sound: audio.Encode(nil, d.sound), length: audio.Duration(len(d.sound), audio.Rate)}
	if c.pending != nil { // said before the turn of the words before could begin
		w = c.pending.and(w)
	}
	c.pending = &w
	return nil
}

// trouble tells that speech failed, and the message of that key.
func (c *Call) trouble(ctx context.Context, with, key string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	e := TroubleEvent{With: with, Code: "speech_failed", Detail: c.text(key)}
	var f *fault.Error
	if errors.As(err, &f) && f.Code != "" {
		e.Code = f.Code
	}
	return c.Wire.Tell(ctx, e)
}

// startLimit bounds the start of a turn, which outlives the line.
const startLimit = 10 * time.Second

// startedNote is what came of the start of a turn.
type startedNote struct {
	turn int
	err  error
}

// proceed makes a turn of the words that wait, as soon as the reply before is over: one
// that the person broke into is stopped, and what was heard of it is recorded.
func (c *Call) proceed(ctx context.Context) error {
	if c.pending == nil || c.starting != nil {
		return nil
	}
	if c.turn > 0 {
		if c.pending.number > 0 {
			c.stopTurn(ctx)
		}
		return nil
	}
	if err := c.stop(ctx); err != nil { // words of before the reply began
		return err
	}
	var broken *chat.Interruption
	if c.cut != nil {
		if b := c.broken(); b.Turn > 0 {
			broken = &b
		}
	}
	w := *c.pending
	c.starting, c.pending = c.pending, nil
	c.workers.Go(func() {
		if note := c.start(ctx, w, broken); !c.put(note) {
			c.startedLate(w, note)
		}
	})
	return nil
}

// turnRunning is the code of words that have to wait for the end of another turn.
const turnRunning = "turn_running"

// codeOf returns the code of a fault, "internal" of another error, and nothing of none.
func codeOf(err error) string {
	var f *fault.Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &f):
		return f.Code
	}
	return "internal"
}

// start begins the turn of words.
func (c *Call) start(ctx context.Context, w words, broken *chat.Interruption) startedNote {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), startLimit) // what was said is taken, whether or not the client stays
	defer cancel()
	if broken != nil {
		if err := c.Engine.Interrupt(ctx, c.scope(), *broken); err != nil && !fault.Is(err, fault.NotFound) {
			return startedNote{err: err}
		}
	}
	in := c.Input
	in.Message, in.Voice = w.text, true
	if w.number > 0 {
		in.ClientMessageID = c.messageID(w.number)
	}
	started, err := c.Engine.Start(ctx, in)
	return startedNote{started.Turn.Number, err}
}

// startedTurn goes on once the words have become a turn. Those that cannot are told, so that
// the person can send them in writing.
func (c *Call) startedTurn(ctx context.Context, s startedNote) error {
	w := *c.starting
	c.starting = nil
	var f *fault.Error
	code := codeOf(s.err)
	switch {
	case s.err == nil:
		c.mine = s.turn
		c.record(w, s.turn)
		if s.turn > c.reply.turn {
			c.turn = s.turn
		}
	case code == turnRunning: // of somebody who typed: the words wait for its end
		running, err := c.Engine.Running(ctx, c.scope())
		if err == nil {
			c.turn = running
			c.wait(w)
		}
		return err
	default:
		detail := c.text("voice.unsent")
		if errors.As(s.err, &f) {
			detail = f.Message
		}
		if err := c.Wire.Tell(ctx, UnsentEvent{w.number, w.text, code, detail}); err != nil {
			return err
		}
	}
	return nil
}

// wait lets words wait for their turn, before those that wait already.
func (c *Call) wait(w words) {
	if c.pending != nil {
		w = w.and(*c.pending)
	}
	c.pending = &w
}
