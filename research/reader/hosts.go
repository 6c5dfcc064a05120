package reader

import (
	"context"
	"sync"
	"time"
)

const (
	maxHosts   = 1_024
	rulesStand = 24 * time.Hour
)

// hosts are the sites one Reader knows: when each may be asked again, and what
// its robots.txt says. It keeps about maxHosts of them.
type hosts struct {
	mu  sync.Mutex       // guards all, and users and used of each
	all map[string]*host // by scheme, name and port
}

// host is one site. Only who has the turn touches free, rules and until.
type host struct {
	users int       // who waits for the turn or has it
	used  time.Time // when somebody last came
	turn  chan struct{}

	free  time.Time // the next request may begin
	rules rules
	until time.Time // when rules must be read again; zero if they never were
}

// enter returns the host of a key, which the caller gives back with leave.
func (h *hosts) enter(key string, now time.Time) *host {
	h.mu.Lock()
	defer h.mu.Unlock()
	at, ok := h.all[key]
	if !ok {
		h.makeRoom()
		at = &host{turn: make(chan struct{}, 1)}
		h.all[key] = at
	}
	at.users++
	at.used = now
	return at
}

// leave gives a host back.
func (h *hosts) leave(at *host) {
	h.mu.Lock()
	defer h.mu.Unlock()
	at.users--
}

// makeRoom forgets the host nobody came to for longest, if there are many. One
// that is in use stays. The caller must hold mu.
func (h *hosts) makeRoom() {
	if len(h.all) < maxHosts {
		return
	}
	oldest := ""
	for key, at := range h.all {
		if at.users == 0 && (oldest == "" || at.used.Before(h.all[oldest].used)) {
			oldest = key
		}
	}
	delete(h.all, oldest)
}

// take waits for the turn and then for the moment the host may be asked.
func (at *host) take(ctx context.Context) error {
	select {
	case at.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	t := time.NewTimer(time.Until(at.free))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		<-at.turn
		return ctx.Err()
	}
}

// give ends the turn; the next may begin after gap, or what the host asks for.
func (at *host) give(now time.Time, gap time.Duration) {
	at.free = now.Add(max(gap, at.rules.delay))
	<-at.turn
}
