package sessions

import (
	"context"
	"sync"
	"time"
	"unicode/utf16"

	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/internal/dbsqlc"
)

// Deltas is a reply while it is being made. Subscribers on this instance are
// woken for each piece and take what they lack from memory. Once somebody on
// another instance reads along, pieces are also written to the log, gathered:
// the first at once, then every 100 ms or 400 bytes.
type Deltas struct {
	hub     *Hub
	scope   obligations.Scope
	turn    int
	held    int // attempt of the turn this is the reply of
	attempt int // held, and one more each time the reply was begun again

	counted bool // as one being made; guarded by hub.mu

	mu     sync.Mutex
	text   []byte // guarded by mu
	units  int    // UTF-16 length of text; guarded by mu
	shared bool   // pieces are written down; guarded by mu
	closed bool   // guarded by mu

	flush  chan struct{} // wakes the writer; nil until shared
	done   chan struct{} // the writer has ended; nil until shared
	logged bool          // pieces were written; read after Close
}

// How pieces are gathered before they are written.
const (
	gatherFor   = 100 * time.Millisecond
	gatherBytes = 400
)

// Reply returns the Deltas of a turn that is being worked here, and hands the events
// just committed with its beginning to those who read along: in one step, or a reader
// could see a piece before the turn, or take the turn for one that is worked
// elsewhere. [Deltas.Close] ends it.
func (h *Hub) Reply(t Turn, begun ...Event) *Deltas {
	d := &Deltas{hub: h, scope: t.Scope, turn: t.Number, held: t.Attempt, attempt: t.Attempt, counted: true}
	h.mu.Lock()
	h.making++
	if before := h.replies[t.Scope.Session]; before != nil {
		before.uncount()
	}
	h.replies[t.Scope.Session] = d
	h.topics.Deliver(t.Scope.Session, begun)
	h.topics.Wake(t.Scope.Session)
	h.mu.Unlock()
	h.notifyOthers(t.Scope, begun)
	return d
}

// uncount takes the reply from those being made. The hub's lock is held.
func (d *Deltas) uncount() {
	if d.counted {
		d.counted = false
		d.hub.making--
	}
}

// Write adds a piece.
func (d *Deltas) Write(piece string) {
	d.mu.Lock()
	d.text = append(d.text, piece...)
	d.units += units(piece)
	shared := d.shared
	d.mu.Unlock()
	d.hub.topics.Wake(d.scope.Session)
	if shared {
		d.poke()
	}
}

// Text returns the reply so far.
func (d *Deltas) Text() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return string(d.text)
}

// Reset empties the reply: the next piece begins it again, under the next
// attempt, so that readers drop what they show.
func (d *Deltas) Reset() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.text) > 0 {
		d.text, d.units = nil, 0
		d.attempt++
	}
}

// Close ends the reply, waits for the writer and reports whether pieces were
// written to the log, which then must be trimmed.
func (d *Deltas) Close() (logged bool) {
	d.hub.mu.Lock()
	if d.hub.replies[d.scope.Session] == d {
		delete(d.hub.replies, d.scope.Session)
	}
	d.uncount()
	d.hub.mu.Unlock()
	d.mu.Lock()
	d.closed = true
	done := d.done
	d.mu.Unlock()
	if done != nil {
		d.poke()
		<-done
	}
	return d.logged
}

// since returns the text after m and moves m to the end.
func (d *Deltas) since(m *mark) (text string, from int, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if m.turn != d.turn || m.attempt != d.attempt {
		*m = mark{turn: d.turn, attempt: d.attempt}
	}
	if m.bytes >= len(d.text) {
		return "", 0, false
	}
	text, from = string(d.text[m.bytes:]), m.units
	m.bytes, m.units = len(d.text), d.units
	return text, from, true
}

// share starts writing pieces to the log, unless the reply is over.
func (d *Deltas) share() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.shared || d.closed {
		return
	}
	d.shared = true
	d.flush, d.done = make(chan struct{}, 1), make(chan struct{})
	d.flush <- struct{}{}
	d.hub.wg.Go(d.write)
}

func (d *Deltas) poke() {
	select {
	case d.flush <- struct{}{}:
	default:
	}
}

// write logs what gathers until the reply is closed.
func (d *Deltas) write() {
	defer close(d.done)
	var m mark
	last := time.Time{}
	for range d.flush {
		d.mu.Lock()
		closed, waiting := d.closed, len(d.text)-m.bytes
		d.mu.Unlock()
		if closed {
			return
		}
		if rest := gatherFor - time.Since(last); rest > 0 && waiting < gatherBytes {
			d.gather(rest)
		}
		text, from, ok := d.since(&m)
		if !ok {
			continue
		}
		last = time.Now()
		d.append(DeltaEvent{Turn: d.turn, Attempt: m.attempt, Offset: from, Content: text})
	}
}

// gather waits for more, until rest is over or the reply is.
func (d *Deltas) gather(rest time.Duration) {
	timer := time.NewTimer(rest)
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
			return
		case <-d.flush:
			d.mu.Lock()
			closed := d.closed
			d.mu.Unlock()
			if closed {
				d.poke()
				return
			}
		}
	}
}

// append logs one piece, unless another attempt has the turn by now. It need not
// survive a crash of the database: the reply is made again then.
func (d *Deltas) append(piece DeltaEvent) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second) // outlives no turn: Close waits for it
	defer cancel()
	e := newEvent(d.turn, piece)
	b := postgres.NewBatch(d.scope.Tenant)
	b.Relax()
	appendPiece(b, d, &e)
	if err := b.Send(ctx, d.hub.pool); err != nil {
		d.hub.log.WarnContext(ctx, "log piece of reply", "session", d.scope.Session, "turn", d.turn, "err", err)
		return
	}
	if e.Seq == 0 {
		return
	}
	d.logged = true
	d.hub.Publish(d.scope, []Event{e})
}

// appendPiece queues a piece onto the log and gives it its number; it stays 0
// when the turn is no longer this attempt's.
func appendPiece(b *postgres.Batch, d *Deltas, e *Event) {
	postgres.One(b, queries.DeltaAppend, &dbsqlc.DeltaAppendParams{
		TenantID: d.scope.Tenant, SessionID: d.scope.Session, Turn: int32(d.turn), Attempt: int32(d.held),
		Data: string(e.Data),
	}, func(seq int64) error {
		e.Seq = seq
		return nil
	})
}

// units is the length of s in UTF-16 code units.
func units(s string) int {
	n := 0
	for _, r := range s {
		n += max(utf16.RuneLen(r), 1)
	}
	return n
}
