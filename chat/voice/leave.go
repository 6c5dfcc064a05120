package voice

import (
	"context"
	"slices"
	"time"

	"quaestor/sessions"
)

// takeRest makes a turn of words that still wait for one when the call is over: who said them
// knows that they were heard.
func (c *Call) takeRest() {
	defer c.workers.Wait()
	for len(c.inbox) > 0 {
		if note, ok := (<-c.inbox).(startedNote); ok && c.starting != nil {
			c.startedLate(*c.starting, note)
		}
	}
	if w := c.pending; w != nil && w.number > 0 {
		c.stopTurn(context.Background())
		c.startLate(*w)
	}
}

// startedLate takes what came of the start of a turn once the call is over.
func (c *Call) startedLate(w words, s startedNote) {
	switch codeOf(s.err) {
	case "":
		c.record(w, s.turn)
	case turnRunning:
		c.startLate(w)
	}
}

// restLimit bounds how long words wait for their turn once the call is over.
const restLimit = time.Minute

// startLate begins the turn of words once the one that runs has ended.
func (c *Call) startLate(w words) {
	ctx, cancel := context.WithTimeout(context.Background(), restLimit) // the client has left
	defer cancel()
	sub := c.Hub.Subscribe(c.Pool, c.scope(), c.After)
	defer sub.Close()
	for {
		note := c.start(ctx, w, nil)
		if codeOf(note.err) != turnRunning {
			c.startedLate(w, note)
			return
		}
		for ended := false; !ended; {
			events, err := sub.Next(ctx, restLimit)
			if err != nil {
				return
			}
			ended = slices.ContainsFunc(events, func(e sessions.Event) bool { return e.Kind == sessions.KindDone || e.Kind == sessions.KindError })
		}
	}
}
