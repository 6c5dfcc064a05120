package main

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// load is many talkers at once, for a warm-up and a window.
type load struct {
	target  *server
	clients int
	period  time.Duration // from the start of one turn to that of the next, at least; zero means never wait
	warm    time.Duration
	window  time.Duration
	endless bool
}

// flow is what a load showed. Durations are of turns that ended within the
// window and did not open a session.
type flow struct {
	load
	turns    int
	ttft     sample // added to the model's own time
	overhead sample // added to the whole turn
	tail     sample
	delay    sample // of pieces
	failed   int
	degraded int
	why      string // the first failure
	cost     cost
	idle     int64 // bytes resident before
	peak     int64 // bytes resident at most
}

// perSecond returns turns a second.
func (f *flow) perSecond() float64 { return float64(f.turns) / f.window.Seconds() }

// perThousand returns seconds of CPU per 1,000 turns.
func (f *flow) perThousand(cpu time.Duration) float64 {
	if f.turns == 0 {
		return 0
	}
	return cpu.Seconds() * 1000 / float64(f.turns)
}

// perStream returns the memory of a stream, in bytes.
func (f *flow) perStream() float64 { return float64(f.peak-f.idle) / float64(f.clients) }

// take adds a turn.
func (f *flow) take(e *exchange) {
	f.turns++
	if e.degraded {
		f.degraded++
	}
	if e.opened {
		return
	}
	f.ttft.add(e.firstAdded())
	f.overhead.add(e.overhead())
	f.tail.add(e.tail())
	f.delay.add(e.delays...)
}

// run loads the server. Its error is that of a broken measurement; turns that
// fail are counted.
func (b *bench) load(ctx context.Context, l load) (*flow, error) {
	f := &flow{load: l, idle: l.target.idle}
	ctx, cancel := context.WithTimeout(ctx, l.warm+l.window+30*time.Second)
	defer cancel()
	start := b.now()
	from, to := start+l.warm, start+l.warm+l.window
	var mu sync.Mutex // guards f
	var wg sync.WaitGroup
	for i := range l.clients {
		wg.Go(func() {
			b.talk(ctx, l, i, to, func(e *exchange, err error) {
				mu.Lock()
				defer mu.Unlock()
				f.note(e, err, from, to)
			})
		})
	}
	err := b.observe(ctx, f, from, to)
	wg.Wait()
	return f, err
}

func (f *flow) note(e *exchange, err error, from, to time.Duration) {
	switch {
	case err != nil:
		f.fail(err.Error())
	case e.failed != "":
		f.fail(e.failed)
	case e.ended >= from && e.ended < to:
		f.take(e)
	}
}

func (f *flow) fail(why string) {
	f.failed++
	if f.why == "" {
		f.why = why
	}
}

// talk is one talker's part: turns one after another, its first one at its share
// of the period so that not all begin at once.
func (b *bench) talk(ctx context.Context, l load, i int, until time.Duration, note func(*exchange, error)) {
	t := b.talker(l.target, fmt.Sprintf("p%d", i))
	t.endless = l.endless
	next := b.now() + l.period*time.Duration(i)/time.Duration(l.clients)
	for ctx.Err() == nil {
		if !b.waitUntil(ctx, next) || b.now() >= until {
			return
		}
		next = max(next+l.period, b.now())
		e, err := t.say(ctx)
		note(&e, err)
		if err != nil {
			t.session = ""
			next = b.now() + 100*time.Millisecond // a server that refuses is not hammered
		}
	}
}

// observe waits for the window's end and measures what it cost.
func (b *bench) observe(ctx context.Context, f *flow, from, to time.Duration) error {
	if !b.waitUntil(ctx, from) {
		return ctx.Err()
	}
	before, err := b.spent(f.target)
	if err != nil {
		return err
	}
	for b.now() < to {
		if f.peak, err = peak(f.target.pid(), f.peak); err != nil {
			return err
		}
		if !b.waitUntil(ctx, min(to, b.now()+100*time.Millisecond)) {
			return ctx.Err()
		}
	}
	after, err := b.spent(f.target)
	f.cost = after.minus(before)
	return err
}

// waitUntil waits for an instant; false when ctx ends first.
func (b *bench) waitUntil(ctx context.Context, at time.Duration) bool {
	wait := at - b.now()
	if wait <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// talker returns a person's program for a server, under a name nobody else has.
func (b *bench) talker(s *server, name string) *talker {
	return &talker{clock: b.clock, http: s.http, base: s.base, name: fmt.Sprintf("%s-%d-%s", s.kind, b.talkers.Add(1), name)}
}
