package sessions

import (
	"context"
	"encoding/json"
	"slices"
	"time"
	"unicode/utf8"

	"quaestor/internal/feed"
	"quaestor/internal/postgres"
	"quaestor/obligations"
)

// Subscription reads one session's log from a number on, live. [feed.Subscription.Next]
// returns events in the order of their numbers, or a piece of the running reply: an event
// of kind delta without a number. It belongs to one goroutine; see [Hub.Subscribe].
type Subscription struct {
	*feed.Subscription[Event]
	hub   *Hub
	scope obligations.Scope

	sent    mark // how much of the running reply was returned
	running int  // turn that began and has not ended, 0 for none
	local   bool // and it is worked here
}

// mark is a place in a running reply.
type mark struct{ turn, attempt, bytes, units int }

// How often a subscription reads without having been told to. While a turn runs on
// another instance it asks more often, for that instance must be kept writing the reply
// down.
const (
	lookEvery  = 10 * time.Second
	watchEvery = 3 * time.Second
)

// Subscribe returns a subscription to the events after that number. The caller
// ends it with [Subscription.Close].
func (h *Hub) Subscribe(db postgres.DB, s obligations.Scope, after int64) *Subscription {
	sub := &Subscription{hub: h, scope: s}
	h.mu.Lock()
	sub.Subscription = h.topics.Subscribe(s.Session, after, sub.source(db))
	elsewhere := h.replies[s.Session] == nil
	h.mu.Unlock()
	if elsewhere { // a turn may be running on another instance
		h.watch(s.Session)
	}
	return sub
}

// Follow is like [Hub.Subscribe] for a caller that has just begun a turn here: log is
// the turn's first event, or all of them, so that nothing need be read.
func (h *Hub) Follow(db postgres.DB, s obligations.Scope, log []Event) *Subscription {
	sub := &Subscription{hub: h, scope: s}
	sub.Subscription = h.topics.Follow(s.Session, log, sub.source(db))
	return sub
}

func (s *Subscription) source(db postgres.DB) feed.Source[Event] {
	return feed.Source[Event]{
		Read: func(ctx context.Context, after int64) ([]Event, bool, error) { return After(ctx, db, s.scope, after) },
		Every: func() time.Duration {
			if s.elsewhere() {
				return watchEvery
			}
			return lookEvery
		},
		Polling: func() {
			if s.elsewhere() {
				s.hub.watch(s.scope.Session)
			}
		},
		Show: s.show,
	}
}

// elsewhere reports whether a turn runs on another instance.
func (s *Subscription) elsewhere() bool { return s.running > 0 && !s.local }

// show returns what a reader gets of new events, or else a piece of the running reply.
func (s *Subscription) show(events []Event, live bool) []Event {
	if live {
		events = s.withRest(events)
	}
	if out := s.accept(events); len(out) > 0 {
		return out
	}
	if piece, ok := s.piece(); ok {
		return []Event{piece}
	}
	return nil
}

// withRest puts before a live turn's whole message the piece of it that was not
// streamed yet, so that a reader that follows has seen all of it in pieces.
func (s *Subscription) withRest(events []Event) []Event {
	for i, e := range events {
		if e.Kind != KindMessage {
			continue
		}
		var whole MessageEvent
		if json.Unmarshal(e.Data, &whole) != nil || whole.Degraded != "" || s.sent.turn == e.Turn && s.sent.bytes >= len(whole.Content) {
			return events
		}
		m := s.sent
		if m.turn != e.Turn || !utf8.RuneStart(whole.Content[m.bytes]) {
			m = mark{turn: e.Turn}
		}
		rest := Event{Turn: e.Turn}
		rest.Kind, rest.Data = Encode(DeltaEvent{Turn: e.Turn, Attempt: m.attempt, Offset: m.units, Content: whole.Content[m.bytes:]})
		return slices.Insert(slices.Clone(events), i, rest)
	}
	return events
}

// accept keeps track of the turn that runs, and drops the pieces that were returned
// before.
func (s *Subscription) accept(events []Event) []Event {
	out := make([]Event, 0, len(events))
	begun := false
	for _, e := range events {
		switch {
		case e.Kind == KindSession:
			s.running, s.sent, begun = e.Turn, mark{turn: e.Turn}, true
		case e.Kind.Last():
			s.running, s.sent = 0, mark{}
		case e.Kind == KindDelta && e.Seq > 0: // without a number it never was in the log
			s.running = e.Turn
			if s.seen(e) {
				continue
			}
			e.Seq = 0 // pieces have no number in a stream
		}
		out = append(out, e)
	}
	if begun && s.running > 0 {
		s.locate()
	}
	return out
}

// locate notes where the turn runs, and asks for its reply when that is elsewhere.
func (s *Subscription) locate() {
	reply := s.hub.reply(s.scope.Session)
	s.local = reply != nil && reply.turn == s.running
	if !s.local {
		s.hub.watch(s.scope.Session)
	}
}

// seen reports whether a logged piece was returned from memory already.
func (s *Subscription) seen(e Event) bool {
	var d DeltaEvent
	if json.Unmarshal(e.Data, &d) != nil || d.Turn < s.sent.turn {
		return true
	}
	if d.Turn > s.sent.turn { // a reader that comes back mid-sentence has the turn's first event already
		s.sent = mark{turn: d.Turn}
	}
	if d.Attempt < s.sent.attempt {
		return true
	}
	end := d.Offset + units(d.Content)
	if d.Attempt == s.sent.attempt && end <= s.sent.units {
		return true
	}
	if d.Attempt > s.sent.attempt || s.local {
		s.sent.attempt = d.Attempt
	}
	if !s.local {
		s.sent.units = end
	}
	return false
}

// piece returns what the running reply has grown by since the last piece, when
// it is made here. Events that came meanwhile go before it: one of them may be the
// turn's first.
func (s *Subscription) piece() (Event, bool) {
	s.hub.mu.Lock()
	reply, late := s.hub.replies[s.scope.Session], s.Pending()
	s.hub.mu.Unlock()
	if late || reply == nil || s.running != 0 && reply.turn != s.running {
		return Event{}, false
	}
	s.local = true
	text, from, ok := reply.since(&s.sent)
	if !ok {
		return Event{}, false
	}
	_, data := Encode(DeltaEvent{Turn: reply.turn, Attempt: s.sent.attempt, Offset: from, Content: text})
	return Event{Turn: reply.turn, Kind: KindDelta, Data: data}, true
}
