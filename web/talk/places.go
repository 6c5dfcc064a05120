package talk

import (
	"context"
	"sync"
)

// places bound what is done at a time: in all, for an organisation, and for a person, so that whoever
// takes long does not take the places of others. The zero value is not usable; see [newPlaces].
type places struct {
	all, organisation, person int

	mu    sync.Mutex
	taken map[string]*place // by whose it is; guarded by mu
}

// place is what one party has taken, or waits for.
type place struct {
	free  chan struct{} // holds as many as are taken
	users int           // who have taken it or wait for it; guarded by the mutex of places
}

// newPlaces returns places of those numbers.
func newPlaces(all, organisation, person int) *places {
	return &places{all: all, organisation: organisation, person: person, taken: map[string]*place{}}
}

// take waits for a place of a person of an organisation, until ctx ends, which ok tells. Whoever has taken one has to call release.
func (p *places) take(ctx context.Context, tenant, user string) (release func(), ok bool) {
	var mine []func()
	release = func() {
		for i := len(mine) - 1; i >= 0; i-- {
			mine[i]()
		}
	}
	// The narrowest comes first: who waits for their own place holds none of others.
	for _, one := range []struct {
		key string
		of  int
	}{{"person " + tenant + " " + user, p.person}, {"organisation " + tenant, p.organisation}, {"all", p.all}} {
		done, ok := p.enter(ctx, one.key, one.of)
		if !ok {
			release()
			return nil, false
		}
		mine = append(mine, done)
	}
	return release, true
}

// enter takes one of the places of a party.
func (p *places) enter(ctx context.Context, key string, of int) (leave func(), ok bool) {
	p.mu.Lock()
	at := p.taken[key]
	if at == nil {
		at = &place{free: make(chan struct{}, of)}
		p.taken[key] = at
	}
	at.users++
	p.mu.Unlock()
	gone := func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if at.users--; at.users == 0 {
			delete(p.taken, key)
		}
	}
	select {
	case at.free <- struct{}{}:
		return func() { <-at.free; gone() }, true
	case <-ctx.Done():
	}
	gone()
	return nil, false
}
