package talk

import (
	"errors"
	"sync"

	"quaestor/internal/fault"
)

// talkers knows who speaks in which session on this server, so that a call that comes back takes
// its place at once. That one speaks at a time on all servers, [sessions.Talker] sees to.
type talkers struct {
	mu    sync.Mutex
	calls map[string]*talker // by session; guarded by mu
}

// talker is somebody who speaks.
type talker struct {
	call     string
	replaced chan struct{} // closed when the same call goes on over another connection
	over     chan struct{} // closed when it has ended
}

// errReplaced ends a connection whose call goes on over another.
var errReplaced = errors.New("the call goes on elsewhere")

// take lets a call speak in a session until release, or until replaced is closed because
// the same call has come back over another connection. It is a Conflict while another call
// speaks.
func (t *talkers) take(session, call string) (release func(), replaced <-chan struct{}, err error) {
	for {
		t.mu.Lock()
		now := t.calls[session]
		if now == nil {
			mine := &talker{call: call, replaced: make(chan struct{}), over: make(chan struct{})}
			if t.calls == nil {
				t.calls = map[string]*talker{}
			}
			t.calls[session] = mine
			t.mu.Unlock()
			return func() {
				t.mu.Lock()
				defer t.mu.Unlock()
				delete(t.calls, session)
				close(mine.over)
			}, mine.replaced, nil
		}
		if now.call != call {
			t.mu.Unlock()
			return nil, nil, fault.New(fault.Conflict, "somebody else speaks in this session; watch, or type").Coded("call_running")
		}
		select {
		case <-now.replaced:
		default:
			close(now.replaced)
		}
		t.mu.Unlock()
		<-now.over // it ends as soon as it is told
	}
}
