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

// hosts are the sites a Reader knows: when each may be asked again, and what its
// robots.txt says. About maxHosts of them are kept.
type hosts struct {
	mu  sync.Mutex       // guards all, and each host's users and used
	all map[string]*host // by scheme, name and port
}

// host is one site. Only the holder of the turn may touch free, rules and until.
type host struct {
	users int       // reads that hold the turn or wait for it
	used  time.Time // when it was last entered
	turn  chan struct{}

	free  time.Time // when the next request may begin
	rules rules
	until time.Time // when rules expire; zero if they were never read
}

// enter returns the host of a key; the caller must call leave when done with it.
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

// leave releases a host.
func (h *hosts) leave(at *host) {
	h.mu.Lock()
	defer h.mu.Unlock()
	at.users--
}

// makeRoom forgets the least recently used host if there are too many. A host in
// use stays. The caller must hold mu.
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

// acquire waits for the turn, and then until the host may be asked again.
func (at *host) acquire(ctx context.Context) error {
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

// release ends the turn. The next may begin after gap, or after the host's own delay if
// that is longer.
func (at *host) release(now time.Time, gap time.Duration) {
	at.free = now.Add(max(gap, at.rules.delay))
	<-at.turn
}
