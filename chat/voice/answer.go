package voice

import (
	"context"
	"encoding/json"
	"time"

	"quaestor/internal/language/messages"
	"quaestor/internal/spoken"
	"quaestor/sessions"
)

// hearOf acts on an event of the session.
func (c *Call) hearOf(ctx context.Context, e sessions.Event) error {
	switch e.Kind {
	case sessions.KindSession:
		c.turn, c.reply = e.Turn, c.replyOf(e.Turn)
		var told sessions.SessionEvent
		if json.Unmarshal(e.Data, &told) == nil && told.Language != "" && told.Language != c.Language {
			c.speakIn(told.Language)
		}
		return c.ready(ctx, e.Turn)
	case sessions.KindDelta:
		var d sessions.DeltaEvent
		if json.Unmarshal(e.Data, &d) != nil || d.Turn < c.reply.turn {
			return nil
		}
		if d.Turn > c.reply.turn { // the client had the beginning of the turn
			c.turn, c.reply = d.Turn, c.replyOf(d.Turn)
			if err := c.ready(ctx, d.Turn); err != nil {
				return err
			}
		}
		return c.speak(ctx, c.reply.add(d))
	case sessions.KindMessage:
		var m sessions.MessageEvent
		if json.Unmarshal(e.Data, &m) != nil || m.Role != string(sessions.FromAssistant) {
			return nil
		}
		return c.whole(ctx, m)
	case sessions.KindSpeech:
		var told sessions.SpeechEvent
		if json.Unmarshal(e.Data, &told) == nil {
			c.aloud.Session = sessions.Speech{Voice: told.Voice, Speed: told.Speed, Language: told.Language}
			c.speakIn(c.Language)
		}
	case sessions.KindQuestion:
		var q sessions.QuestionEvent
		if json.Unmarshal(e.Data, &q) == nil {
			c.ears.asked(&q.Question)
		}
	case sessions.KindInterruption:
		if c.Listens { // whoever speaks broke in
			return c.dropped(ctx)
		}
	case sessions.KindError:
		return c.failedTurn(ctx, e)
	case sessions.KindDone:
		c.turn = 0
		var d sessions.DoneEvent
		if json.Unmarshal(e.Data, &d) == nil && d.Reason == string(sessions.EndCompleted) {
			c.over = &EndEvent{"completed", c.text("voice.completed")}
		}
	}
	return nil
}

// ready makes the mouth ready for the reply of a turn. It waits while the person speaks.
func (c *Call) ready(ctx context.Context, turn int) error {
	c.cut, c.hush = nil, false
	hold := c.ears.hearing()
	if hold {
		c.cut = &interruption{turn: turn}
	}
	return c.mouth.begin(ctx, turn, hold)
}

// dropped ends what is being said, for good.
func (c *Call) dropped(ctx context.Context) error {
	err := c.stop(ctx)
	c.mouth.drop()
	c.cut = nil
	return err
}

// replyOf returns the reply of a turn before anything of it came.
func (c *Call) replyOf(turn int) reply {
	r := reply{turn: turn}
	if c.Rest != nil && c.Rest.Turn == turn && c.After >= 0 {
		r.skip = c.Rest.From
	}
	return r
}

// whole speaks what is left of a reply.
func (c *Call) whole(ctx context.Context, m sessions.MessageEvent) error {
	if m.Turn < c.reply.turn {
		return nil
	}
	if m.Turn > c.reply.turn {
		c.reply = c.replyOf(m.Turn)
	}
	if !c.mouth.is(m.Turn) {
		if err := c.ready(ctx, m.Turn); err != nil {
			return err
		}
	}
	if err := c.speak(ctx, c.reply.finish(m.Content)); err != nil {
		return err
	}
	c.mouth.end()
	return nil
}

// speak says what is new in the reply; again says that it begins again.
func (c *Call) speak(ctx context.Context, again bool) error {
	if again {
		if err := c.ready(ctx, c.reply.turn); err != nil {
			return err
		}
	}
	if c.voice.Load().Speaks() == "" {
		return nil
	}
	c.mouth.add(c.reply.sentences())
	c.ripe.Stop()
	if c.reply.ripe() {
		c.ripe.Reset(ripens)
	}
	return nil
}

// ripens is how long nothing has to follow a closing mark until it ends a sentence: longer
// than between the tokens of "3.5" and "Dr. Ito". Later sentences of a reply come whole, so
// that the first would else wait for the second.
const ripens = 200 * time.Millisecond

// failedTurn tells of a turn that could not be answered.
func (c *Call) failedTurn(ctx context.Context, e sessions.Event) error {
	c.turn = 0
	var told sessions.ErrorEvent
	if json.Unmarshal(e.Data, &told) != nil || told.Detail == "" {
		return nil
	}
	return c.aside(ctx, told.Detail)
}

// aside says something that is no reply.
func (c *Call) aside(ctx context.Context, text string) error {
	if err := c.ready(ctx, 0); err != nil || c.voice.Load().Speaks() == "" {
		return err
	}
	c.mouth.add([]sentence{{text: aloud(text)}})
	c.mouth.end()
	return nil
}

// spoke acts on what became of what was said.
func (c *Call) spoke(ctx context.Context) error {
	report := c.mouth.take()
	if report.err != nil {
		return c.trouble(ctx, "speaking", "voice.speaking", report.err)
	}
	return nil
}

// reminded says something to a person who does not answer, or of whom only noise was heard:
// less and less insistent, and nothing in the end.
func (c *Call) reminded(ctx context.Context, why spoken.Cause) error {
	if c.turn > 0 || c.pending != nil || c.starting != nil || c.mouth.busy() {
		return nil
	}
	c.reminders++
	m, typing := spoken.Reprompt(why, c.reminders)
	if m.Key == "" {
		return nil
	}
	text := m.In(messages.In(c.Language))
	if err := c.Wire.Tell(ctx, ReminderEvent{text, c.reminders, typing}); err != nil {
		return err
	}
	return c.aside(ctx, text)
}
