package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// load is how a server performed under a number of people who talk at once. Durations
// are of turns that ended within the window and did not make their session.
type load struct {
	target       *server
	talkers      int
	window       time.Duration
	turns        int
	first, whole sample // as people feel them
	addedToFirst sample // the model's own time left out
	added        sample
	prompt       int // turns whose first words came no later than the model's own, and promptness
	failed       int
	degraded     int
	why          string // the first failure
	cost         cost
	peak         int64 // bytes resident at most
}

// promptness is what a server may add to the model's first token for a turn to count as
// prompt: a person does not notice 50 ms.
const promptness = 50 * time.Millisecond

// perSecond returns turns a second.
func (l *load) perSecond() float64 { return float64(l.turns) / l.window.Seconds() }

// perThousand returns seconds of CPU per 1,000 turns.
func (l *load) perThousand(cpu time.Duration) float64 {
	return cpu.Seconds() * 1000 / float64(max(l.turns, 1))
}

// measureTurns loads each kind of server with each number of talkers.
func (b *bench) measureTurns(ctx context.Context) error {
	for _, kind := range kinds {
		err := b.with(ctx, kind, func(s *server) error {
			for _, n := range b.talkers {
				fmt.Fprintf(b.out, "   measuring %s, %d talkers …\n", kind, n)
				l, err := b.load(ctx, s, n)
				if err != nil {
					return err
				}
				b.loads = append(b.loads, l)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	b.tellTurns()
	return nil
}

// load lets people talk for a warm-up and a window. Its error is that of a broken
// measurement; turns that fail are counted.
func (b *bench) load(ctx context.Context, s *server, talkers int) (*load, error) {
	l := &load{target: s, talkers: talkers, window: b.window}
	start := b.now()
	from, to := start+b.warm, start+b.warm+b.window
	var mu sync.Mutex // guards l, but for what observe writes
	var wg sync.WaitGroup
	for i := range talkers {
		wg.Go(func() {
			b.talk(ctx, b.talker(s, fmt.Sprint("p", i)), start+b.stagger(i, talkers), to, func(e *exchange, err error) {
				mu.Lock()
				defer mu.Unlock()
				l.note(e, err, from, to, b.firstDue(s))
			})
		})
	}
	err := b.observe(ctx, l, from, to)
	wg.Wait()
	return l, err
}

// stagger is when a talker begins, so that not all do at once.
func (b *bench) stagger(i, talkers int) time.Duration {
	return b.warm * time.Duration(i) / time.Duration(2*talkers)
}

// firstDue is the longest that first words may take to be prompt.
func (b *bench) firstDue(s *server) time.Duration {
	if s.kind == modelKind {
		return b.pace.first + promptness
	}
	return promptness
}

// note counts a turn if it ended within the window.
func (l *load) note(e *exchange, err error, from, to, due time.Duration) {
	if err != nil {
		l.failed++
		if l.why == "" {
			l.why = err.Error()
		}
		return
	}
	if e.ended < from || e.ended >= to {
		return
	}
	l.turns++
	if e.degraded {
		l.degraded++
	}
	if e.opened {
		return
	}
	l.first.add(e.firstWords())
	l.whole.add(e.whole())
	l.addedToFirst.add(e.addedToFirst())
	l.added.add(e.added())
	if e.firstWords() <= due {
		l.prompt++
	}
}

// talk is one talker's part: turns one after another, with time to think between.
func (b *bench) talk(ctx context.Context, t *talker, from, until time.Duration, note func(*exchange, error)) {
	for next := from; b.waitUntil(ctx, next) && b.now() < until; next = b.now() + b.think {
		e, err := t.say(ctx)
		note(&e, err)
		if err != nil {
			t.session = ""
		}
	}
}

// observe waits for the window's end and measures what it cost.
func (b *bench) observe(ctx context.Context, l *load, from, to time.Duration) error {
	if !b.waitUntil(ctx, from) {
		return ctx.Err()
	}
	before, err := b.spent(l.target)
	if err != nil {
		return err
	}
	for b.now() < to {
		now, err := resident(l.target.pid())
		if err != nil {
			return err
		}
		l.peak = max(l.peak, now)
		if !b.waitUntil(ctx, min(to, b.now()+100*time.Millisecond)) {
			return ctx.Err()
		}
	}
	after, err := b.spent(l.target)
	l.cost = after.minus(before)
	return err
}

// each lets all people take so many turns, side by side.
func each(ctx context.Context, people []*talker, turns int) error {
	errs := make([]error, len(people))
	var wg sync.WaitGroup
	for i, t := range people {
		wg.Go(func() {
			for n := 0; n < turns && errs[i] == nil; n++ {
				_, errs[i] = t.say(ctx)
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}
