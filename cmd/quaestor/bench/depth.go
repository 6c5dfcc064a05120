package main

import (
	"context"
	"errors"
	"slices"
	"time"
)

// depth is what a turn costs at a depth of one conversation.
type depth struct {
	kind     string
	turn     int
	overhead sample
	prompt   int64 // bytes of the request for the reply
	reading  int64 // bytes of the request for the understanding
}

// depthNear is how many turns up to the one named are looked at.
const depthNear = 20

// depthSessions is how many conversations go that deep, one after another.
const depthSessions = 2

// depthPieces keeps replies short: a thousand of them are said.
const depthPieces = 10

// depths are the turns looked at: the first full prompt is that of turn 20, as
// the prompt holds the last 20 turns.
func (b *bench) depths() []int {
	out := []int{10, 40, 100, 400, b.depth}
	return slices.Compact(slices.DeleteFunc(out, func(n int) bool { return n > b.depth }))
}

// measureDepth takes long conversations and looks at some of their turns.
func (b *bench) measureDepth(ctx context.Context) error {
	b.model.set(pace{pieces: depthPieces})
	for _, kind := range []string{readKind, modelKind} {
		if err := b.with(ctx, kind, func(s *server) error { return b.deepen(ctx, s) }); err != nil {
			return err
		}
	}
	b.tellDepth()
	return nil
}

func (b *bench) deepen(ctx context.Context, s *server) error {
	var list []*depth
	for _, n := range b.depths() {
		list = append(list, &depth{kind: s.kind, turn: n})
	}
	if err := each(ctx, []*talker{b.talker(s, "warm")}, 3*turnsASession); err != nil {
		return err
	}
	for range depthSessions {
		t := b.talker(s, "deep")
		t.endless = true
		for n := 1; n <= b.depth; n++ {
			e, err := t.say(ctx)
			if err == nil && e.failed != "" {
				err = errors.New(e.failed)
			}
			if err != nil {
				return err
			}
			b.noteDepth(list, n, e.overhead())
		}
	}
	b.results.depths = append(b.results.depths, list...)
	return nil
}

func (b *bench) noteDepth(list []*depth, n int, overhead time.Duration) {
	for _, d := range list {
		near := depthNear
		if d.turn == 10 {
			near = 8 // the first turns of a session are not like the rest
		}
		if n <= d.turn && n > d.turn-near {
			d.overhead.add(overhead)
		}
		if n == d.turn {
			d.prompt = b.model.replied.Load()
			if d.kind == modelKind { // a floor asks for no understanding
				d.reading = b.model.understood.Load()
			}
		}
	}
}
