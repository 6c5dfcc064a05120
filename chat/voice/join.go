package voice

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/sessions"
)

// open tells that the call is ready, and follows the session, once it is known whether the
// person may be recorded.
func (c *Call) open(ctx context.Context) error {
	s := c.scope()
	session, err := c.Engine.Find(ctx, s)
	if err != nil {
		return err
	}
	if c.aloud, err = c.Engine.Aloud(ctx, s); err != nil {
		return err
	}
	c.speakIn(cmp.Or(session.Language, c.Language))
	if c.Listens {
		return c.listen(ctx)
	}
	if c.Push {
		if _, err := c.ears.push(true); err != nil {
			return err
		}
	}
	if err := c.skipTaken(ctx); err != nil {
		return err
	}
	err = c.Wire.Tell(ctx, ReadyEvent{SessionID: s.Session, Rate: c.Rate, Speaks: c.voice.Load().Speaks() != "", Hears: c.voice.Load().Hears() != "",
		Language: c.tongue, Talks: true, Utterance: c.Utterance})
	if err != nil {
		return err
	}
	if asks, err := c.askConsent(ctx); asks || err != nil {
		return err
	}
	return c.join(ctx)
}

// listen follows the session for somebody who only listens, and speaks what is replied from
// now on.
func (c *Call) listen(ctx context.Context) (err error) {
	if c.silent, err = sessions.Head(ctx, c.Pool, c.scope()); err != nil {
		return err
	}
	err = c.Wire.Tell(ctx, ReadyEvent{SessionID: c.Input.SessionID, Rate: c.Rate, Speaks: c.voice.Load().Speaks() != "", Language: c.tongue})
	c.followLog(ctx)
	return err
}

// join finds where the conversation is and follows it from there.
func (c *Call) join(ctx context.Context) error {
	session, err := c.Engine.Find(ctx, c.scope())
	if err != nil {
		return err
	}
	c.ears.asked(session.Question)
	if err := c.begin(ctx, session); err != nil {
		return err
	}
	c.followLog(ctx)
	return nil
}

// followLog brings the events of the session to Run.
func (c *Call) followLog(ctx context.Context) {
	sub := c.Hub.Subscribe(c.Pool, c.scope(), c.After)
	c.workers.Go(func() {
		defer sub.Close()
		for {
			events, err := sub.Next(ctx, time.Hour)
			if err != nil {
				c.failed <- err
				return
			}
			select {
			case c.log <- events:
			case <-ctx.Done():
				return
			}
		}
	})
}

// skipTaken moves on to the first utterance that was not taken: a client whose line broke
// does not know what became of the last one.
func (c *Call) skipTaken(ctx context.Context) error {
	for {
		var taken *sessions.Turn
		b := postgres.NewBatch(c.Input.Tenant)
		sessions.LoadSent(b, c.scope(), c.messageID(c.Utterance), &taken)
		if err := b.Send(ctx, c.Pool); err != nil || taken == nil {
			return fault.Wrap(err, "look for an utterance of session %s", c.Input.SessionID)
		}
		c.Utterance++
	}
}

// messageID is what the message of an utterance is known by.
func (c *Call) messageID(utterance int) string { return fmt.Sprintf("voice-%s-%d", c.Name, utterance) }

// begin finds where the conversation is, when the client does not say.
func (c *Call) begin(ctx context.Context, session sessions.Session) error {
	if c.After >= 0 {
		return c.goesOn(ctx, session)
	}
	running, err := sessions.RunningTurn(ctx, c.Pool, c.scope())
	if err != nil {
		return err
	}
	if c.After, err = sessions.Head(ctx, c.Pool, c.scope()); err != nil {
		return err
	}
	if running != nil {
		c.After = running.FirstSeq - 1
		return nil
	}
	if session.Turns == 0 {
		c.pending = &words{}
		return nil
	}
	return c.latest(ctx, session, func(sessions.Message) bool { return true })
}

// goesOn speaks the rest of the latest reply, if that was not heard to its end when the line
// broke and nobody broke into it.
func (c *Call) goesOn(ctx context.Context, session sessions.Session) error {
	if c.Rest == nil || session.Turns == 0 {
		return nil
	}
	return c.latest(ctx, session, func(m sessions.Message) bool { return m.Turn == c.Rest.Turn && m.Complete && !m.Interrupted })
}

// latest speaks the latest reply if it is wanted.
func (c *Call) latest(ctx context.Context, session sessions.Session, wanted func(sessions.Message) bool) error {
	said, err := sessions.Transcript(ctx, c.Pool, c.scope(), session.Turns-1, 2)
	if err != nil {
		return err
	}
	for _, m := range said {
		if m.Role == sessions.FromAssistant && m.Content != "" && wanted(m) {
			c.reply = c.replyOf(m.Turn)
			return c.whole(ctx, sessions.MessageEvent{Turn: m.Turn, Role: string(m.Role), Content: m.Content})
		}
	}
	return nil
}
