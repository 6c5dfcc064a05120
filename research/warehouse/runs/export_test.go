package runs

import (
	"context"
	"time"

	"quaestor/internal/lease"
)

// Until takes a run and works it until ctx ends or it is over, and leaves
// everything as a process leaves it that is killed.
func (r *Runner) Until(ctx context.Context, tenant, id string) error {
	run, _, err := r.acquire(ctx, tenant, id)
	if err != nil || run == nil {
		return err
	}
	return r.through(ctx, *run)
}

// Normalised is what two queries have in common that ask the same.
func Normalised(query string) string { return normalised(query) }

// Transitions are the statuses that may follow each.
var Transitions = transitions

// What a run says when it ends early.
var (
	ErrLost   = lease.ErrLost
	ErrPaused = errPaused
)

// LookEvery sets how often subscriptions made from now on look without being woken.
func (h *Hub) LookEvery(d time.Duration) { h.every = d }

// AlertsOf returns what those who watch findings are told, and what they watch from then on in place
// of a finding, by its title before.
func AlertsOf(watched map[string][]string, known, resolved []Entry, found []Insight) (told []AlertEvent, next map[string]string) {
	next = map[string]string{}
	for _, a := range alertsOf("run", watched, known, resolved, found) {
		told = append(told, a.AlertEvent)
		if a.next != "" {
			next[a.Before] = a.next
		}
	}
	return told, next
}
