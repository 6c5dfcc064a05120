package main

import (
	"context"
	"fmt"
	"time"
)

// oneStream is the pace when a single person talks: a quick model, so that a
// short window holds many turns.
var oneStream = pace{first: 50 * time.Millisecond, every: 5 * time.Millisecond}

// kinds lists the servers in the order of the tables.
var kinds = []string{proxyKind, readKind, modelKind, rulesKind}

// paceAt returns how the model answers at so many streams.
func (b *bench) paceAt(streams int) pace {
	p := oneStream
	if streams > 1 {
		p = pace{first: 4 * b.every, every: b.every}
	}
	p.pieces = b.pieces
	return p
}

// measureFlow loads each kind of server with each number of streams, and then
// with clients that never wait.
func (b *bench) measureFlow(ctx context.Context) error {
	for _, kind := range kinds {
		err := b.with(ctx, kind, func(s *server) error {
			for _, n := range b.streams {
				p := b.paceAt(n)
				b.model.set(p)
				if err := b.measureLoad(ctx, load{target: s, clients: n, period: b.period(kind, p), warm: b.warmFor(p), window: b.window}); err != nil {
					return err
				}
			}
			b.model.set(pace{pieces: b.pieces})
			return b.measureLoad(ctx, load{target: s, clients: b.flat, warm: b.warm / 3, window: b.window * 2 / 3})
		})
		if err != nil {
			return err
		}
	}
	b.tellFlow()
	return nil
}

// period is how far the turns of one person are apart. The rules answer at once,
// so their persons take as long as the model would have: the same turns a second.
func (b *bench) period(kind string, p pace) time.Duration {
	if kind == rulesKind {
		return p.length()
	}
	return p.length() + time.Millisecond
}

// warmFor lets everybody have begun before a window opens.
func (b *bench) warmFor(p pace) time.Duration { return min(b.warm, p.length()+b.warm/5) }

func (b *bench) measureLoad(ctx context.Context, l load) error {
	if err := b.awaitQuiet(ctx, l.target); err != nil {
		return err
	}
	fmt.Fprintf(b.out, "   measuring %s, %d clients …\n", l.target.kind, l.clients)
	f, err := b.load(ctx, l)
	if err != nil {
		return err
	}
	b.results.flows = append(b.results.flows, f)
	return nil
}

// quietFor is how long nothing else may use the machine to call it quiet.
const quietFor = time.Second

// awaitQuiet waits until other processes rest, as long as patience lasts.
func (b *bench) awaitQuiet(ctx context.Context, s *server) error {
	for end := b.now() + b.patience; b.now() < end; {
		before, err := b.spent(s)
		if err != nil {
			return err
		}
		if err := b.settle(ctx, quietFor); err != nil {
			return err
		}
		after, err := b.spent(s)
		if err != nil || after.minus(before).others().Seconds() < quietCores*quietFor.Seconds() {
			return err
		}
	}
	return nil
}
