package talk

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/sync/errgroup"

	"quaestor/chat/voice"
	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/sessions"
	"quaestor/web"
)

// line is what a call is held over: the websocket of a page, a telephone network, or a client of
// another API. It is a [voice.Wire] that also reads.
type line interface {
	voice.Wire

	// read takes frames until the client leaves (errClosed) or sends one that cannot be.
	read(ctx context.Context, call *voice.Call) error
}

// lineOptions are what a call over a line begins with.
type lineOptions struct {
	session   sessions.Session
	name      string // of the call
	rate      int    // of the samples that the line plays and hears
	push      bool
	muted     bool
	utterance int          // number of the first utterance; 0 means 1
	after     int64        // the last event that the client has; negative for none
	rest      *voice.Place // of a reply that was not heard to its end; nil for none
}

// converse holds a call over l until it ends, and closes the connection with the reason.
func (s *Handlers) converse(ctx context.Context, conn *websocket.Conn, l line, o lineOptions) {
	var reader sync.WaitGroup
	defer reader.Wait()
	defer func() { _ = conn.CloseNow() }() // ends the reader
	hangUpFor(conn, s.hold(ctx, conn, l, o, &reader))
}

// hold holds a call and returns why it ended: one at a time in its session, on all servers.
// Whoever speaks must be allowed to talk there, now and every keep-alive. The reader ends with
// the connection.
func (s *Handlers) hold(ctx context.Context, conn *websocket.Conn, l line, o lineOptions, reader *sync.WaitGroup) callEnd {
	limited, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	release, replaced, err := s.talkers.take(o.session.ID, o.name)
	if err != nil {
		return s.endOf(ctx, err)
	}
	defer release()
	talker, err := sessions.TakeTalk(limited, s.Pool, o.session.Scope(), o.name, max(talkerLasts*s.KeepAlive, leastTalk))
	if err != nil {
		return s.endOf(ctx, err)
	}
	defer s.leave(ctx, talker)
	call, err := voice.New(voice.Options{Engine: s.Engine, Hub: s.Hub, Pool: s.Pool, Voice: s.Voice, Wire: l, Input: inputOf(web.ActorFrom(ctx), o.session.ID),
		Language: o.session.Language, Rate: o.rate, Name: o.name, Utterance: o.utterance, After: o.after, Rest: o.rest, Push: o.push})
	if err != nil {
		return s.endOf(ctx, err)
	}
	ended := make(chan error, 1)
	reader.Go(func() { ended <- l.read(context.WithoutCancel(ctx), call) }) // a read that is cancelled would close the line without a reason
	g, running := errgroup.WithContext(limited)
	g.Go(func() error { return call.Run(running) })
	g.Go(func() error { return s.stillTalks(running, conn, talker, o.session.ID) })
	g.Go(func() error {
		select {
		case err := <-ended:
			return err
		case <-replaced:
			return errReplaced
		case <-running.Done():
			return running.Err()
		}
	})
	if o.muted {
		call.Mute(true)
	}
	return s.endOf(ctx, g.Wait())
}

// talkerLasts is how many keep-alives the right to speak lasts: a server that dies is waited
// for that long by others, and one whose database is away for a moment loses nothing.
const (
	talkerLasts = 3
	leastTalk   = 10 * time.Second // a database that is slow takes nothing from anybody
)

// leave gives the right to speak back, whether or not the client stays.
func (s *Handlers) leave(ctx context.Context, talker *sessions.Talker) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), web.WriteDeadline)
	defer cancel()
	if err := talker.Leave(ctx); err != nil {
		s.Log.WarnContext(ctx, "give back the right to speak", "err", err) // it runs out by itself
	}
}

// mayTalk returns an error unless who ctx is of may talk in a session.
func (s *Handlers) mayTalk(ctx context.Context, session string) (sessions.Session, error) {
	if err := web.Need(web.ActorFrom(ctx), auth.Talk); err != nil {
		return sessions.Session{}, err
	}
	return s.Session(web.AsWrite(ctx), session)
}

// stillTalks asks every keep-alive whether the line is alive, whether the speaker may still
// talk, and whether they are still the one who does. It returns an error once one is not.
func (s *Handlers) stillTalks(ctx context.Context, conn *websocket.Conn, talker *sessions.Talker, session string) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(s.KeepAlive):
		}
		now, err := s.Recheck(ctx, s.MayRead(session))
		if err == nil {
			_, err = s.mayTalk(now, session)
		}
		if web.LostAccess(err) {
			return err
		}
		if held, err := talker.Keep(ctx); err == nil && !held { // a database that is away takes nothing from anybody
			return errReplaced
		}
		if err := inTime(ctx, conn.Ping); err != nil {
			return err
		}
	}
}

// withTicket returns ctx as that of the bearer of a ticket, which is used up, and the session
// that it is for.
func (s *Handlers) withTicket(ctx context.Context, secret string) (context.Context, string, error) {
	t, err := auth.ReadTicket(auth.Call, secret)
	if err != nil {
		return nil, "", fault.New(fault.Unauthenticated, "this is no ticket for a call, or not all of it").Because(err)
	}
	used, err := sessions.UseCallTicket(ctx, s.Pool, t.Tenant, t.Hash, time.Now())
	if err != nil {
		return nil, "", err
	}
	ctx, err = s.WithTicket(ctx, used.Scope, used.User)
	return ctx, used.Scope.Session, err
}

// bearerOf is who holds a ticket: they may do in one session what a member may.
func bearerOf(tenant, user, session string) auth.Actor {
	return auth.Actor{Tenant: tenant, User: user, Role: auth.Member, Session: session}
}

// bearer returns the token or ticket in the header of a request; empty for none.
func bearer(r *http.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// isTicket reports whether a credential is a ticket for a call.
func isTicket(credential string) bool { return strings.HasPrefix(credential, string(auth.Call)) }

// identified returns ctx as that of the bearer of a token or a ticket. The session is empty
// for a token.
func (s *Handlers) identified(r *http.Request, credential string) (ctx context.Context, session string, err error) {
	if isTicket(credential) {
		return s.withTicket(r.Context(), credential)
	}
	r, err = s.Identified(r, credential)
	if err != nil {
		return nil, "", err
	}
	return r.Context(), "", nil
}

// hangUpFor closes a websocket with the reason for which its call ended.
func hangUpFor(conn *websocket.Conn, end callEnd) {
	reason := end.event.Detail
	_ = conn.Close(end.status, strings.ToValidUTF8(reason[:min(len(reason), 100)], "")) // who has gone needs no reason
}
