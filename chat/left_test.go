package chat

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
)

// CheckLeft compares what e would begin the session's next turn with, if nobody
// writes to it before, with what is stored; kept is false when it keeps nothing, ahead
// when a message would not be read ahead.
func (e *Engine) CheckLeft(ctx context.Context, s obligations.Scope) (diff string, kept, ahead bool, err error) {
	k := e.kept.take(s)
	if k == nil {
		return "", false, false, nil
	}
	e.kept.put(s, k)
	l := e.loader(ctx, s)
	var session *sessions.Session
	b := postgres.NewBatch(s.Tenant)
	l.queueState(b)
	if k.rest != nil {
		l.queueRest(b)
	}
	sessions.Load(b, s, &session)
	if err := b.Send(ctx, e.Pool); err != nil || session.Version != k.version {
		return "", false, false, err
	}
	same := cmp.Options{cmpopts.EquateEmpty(), cmpopts.IgnoreFields(sessions.Message{}, "At"), cmpopts.IgnoreFields(sessions.Session{}, "CreatedAt", "UpdatedAt"),
		cmp.AllowUnexported(Scene{}), cmpopts.IgnoreFields(Scene{}, "Now", "told", "gate")}
	if k.rest == nil || k.talker == nil {
		got := &Scene{}
		k.into(got)
		return cmp.Diff(l.scene, got, same), true, false, nil
	}
	d, err := e.Library.Definition(ctx, s.Tenant, session.ObjectiveID)
	if err != nil {
		return "", false, false, err
	}
	session.Turns++
	l.scene.Part = k.talker.part
	e.enter(l.scene, *session, sessions.Turn{Scope: s, Number: session.Turns, Attempt: 1, User: k.talker.user}, d, "Hello")
	if l.scene.accounted() {
		before, err := e.spentBefore(ctx, s, session.Turns)
		if err != nil {
			return "", false, false, err
		}
		l.scene.Spent = before.Until(time.Time{})
	}
	got := e.next(Input{Tenant: s.Tenant, User: k.talker.user, Message: "Hello"}, s, k)
	same = append(same, cmpopts.IgnoreFields(Spent{}, "At", "Seconds"))
	return cmp.Diff(l.scene, got, same), true, true, nil
}

func TestKeepingIsBounded(t *testing.T) {
	t.Parallel()

	k := newKeeping()
	text := strings.Repeat("x", 64<<10)
	const n = 2 * maxKept / (64 << 10)
	for i := range n {
		k.put(obligations.Scope{Tenant: "a", Session: strconv.Itoa(i)}, &left{version: int64(i), transcript: []sessions.Message{{Content: text}}})
	}
	if k.bytes > maxKept || k.order.Len() != len(k.at) || len(k.at) < n/3 {
		t.Errorf("%d bytes are kept of %d sessions, at most %d bytes should be", k.bytes, len(k.at), maxKept)
	}
	last := obligations.Scope{Tenant: "a", Session: strconv.Itoa(n - 1)}
	if k.take(obligations.Scope{Tenant: "a", Session: "0"}) != nil || k.take(obligations.Scope{Tenant: "b", Session: last.Session}) != nil {
		t.Error("take found what was left longest ago, or another tenant's")
	}
	k.put(last, &left{version: 7})
	if got := k.take(last); got == nil || got.version != 7 || k.take(last) != nil {
		t.Errorf("take = %+v, want what was put last, once", got)
	}
	k.put(last, &left{version: 8})
	k.expire(time.Now().Add(-time.Hour))
	if len(k.at) == 0 {
		t.Error("what was put just now expired an hour ago")
	}
	k.expire(time.Now().Add(time.Hour))
	if k.bytes != 0 || len(k.at) != 0 {
		t.Errorf("%d bytes and %d sessions are counted of nothing", k.bytes, len(k.at))
	}
}

// Hasty is hasty, for tests.
func (p *Plan) Hasty() bool { return p.hasty() }
