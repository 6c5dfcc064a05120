package share

import (
	"context"
	"crypto/rand"
	"net/http"
	"strings"

	"quaestor/chat"
	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web"
)

// invitation returns the open invitation whose link is followed, and the ticket in the
// link. An invitation that is unknown, used, revoked or expired is refused.
func (s *Handlers) invitation(ctx context.Context) (sessions.Invitation, auth.Ticket, error) {
	secret := web.LinkSecret(ctx)
	ticket, err := auth.ReadTicket(auth.Invitation, secret)
	if err != nil {
		return sessions.Invitation{}, ticket, sessions.NoInvitation()
	}
	found, err := sessions.FindInvitation(ctx, s.Pool, ticket.Tenant, ticket.Hash)
	if err == nil {
		err = found.State().Refusal()
	}
	return found, ticket, err
}

// showInvitation shows an invitation. It changes nothing, because programs that show
// previews follow links too.
func (s *Handlers) showInvitation(w http.ResponseWriter, r *http.Request) error {
	found, ticket, err := s.invitation(r.Context())
	if err != nil {
		return err
	}
	session, err := sessions.Find(r.Context(), s.Pool, found.Scope)
	if err != nil {
		return err
	}
	d, err := s.Library.Definition(r.Context(), session.Tenant, session.ObjectiveID)
	if err != nil {
		return err
	}
	d = d.In(session.Language)
	self, err := s.selfOf(r, ticket)
	if err != nil {
		return err
	}
	secret := web.LinkSecret(r.Context())
	return web.Render(w, r, Invitation(InvitationView{Title: d.DisplayName, Description: d.Description, By: found.InvitedBy, Role: found.Role, Name: found.Name,
		Action: web.InvitePath + secret, User: self.User, NeedsAccount: found.Role == sessions.OwnerRole && self.User == ""}))
}

// accept makes the bearer of an invitation a participant: under their account when they
// have one in the organisation that invites, and as a guest otherwise.
func (s *Handlers) accept(w http.ResponseWriter, r *http.Request) error {
	found, ticket, err := s.invitation(r.Context())
	if err != nil {
		return err
	}
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	self, err := s.selfOf(r, ticket)
	if err == nil && self.User != "" {
		_, _, err = s.join(r.Context(), self, ticket)
	} else if err == nil {
		err = s.acceptAsGuest(w, r, found, ticket)
	}
	if err != nil {
		return err
	}
	return web.SeeOther(w, r, "/s/"+found.Scope.Session)
}

// selfOf returns the account of the person who follows an invitation: that of the token in
// the request, or else the one the browser is signed in with, when it belongs to the
// organisation that invites. For everybody else, who come as guests, it returns the zero
// actor.
func (s *Handlers) selfOf(r *http.Request, ticket auth.Ticket) (auth.Actor, error) {
	if r.Header.Get("Authorization") != "" {
		a, _, err := s.ActorOf(r)
		return a, err
	}
	came := s.SignedIn(r)
	if came.Token == "" {
		return auth.Actor{}, nil
	}
	a, err := auth.Authenticate(r.Context(), s.Pool, came.Token)
	// A stale sign-in, or one of another organisation, must not keep anybody out.
	if fault.Is(err, fault.Unauthenticated) || a.Tenant != ticket.Tenant {
		return auth.Actor{}, nil
	}
	return a, err
}

// acceptAsGuest makes a browser a guest of the session, under the name in the form or else
// the name in the invitation, and sets the cookie by which the guest comes back.
func (s *Handlers) acceptAsGuest(w http.ResponseWriter, r *http.Request, found sessions.Invitation, ticket auth.Ticket) error {
	// A second acceptance would use up the invitation for a name that nobody answers to.
	if s.isGuest(r, found.Scope) {
		return fault.New(fault.Conflict, "you already take part in this interview").Coded("takes_part_already")
	}
	name := r.PostFormValue("name")
	if strings.TrimSpace(name) == "" {
		name = found.Name
	}
	user, secret, credential, err := newGuest(ticket.Tenant, name)
	if err != nil {
		return err
	}
	_, _, events, err := sessions.Accept(r.Context(), s.Pool, sessions.Acceptance{Tenant: ticket.Tenant, Hash: ticket.Hash, User: user, Credential: credential})
	if err != nil {
		return err
	}
	s.Hub.Publish(found.Scope, events)
	web.SetGuestCookie(w, r, found.Scope.Session, secret)
	return nil
}

// isGuest reports whether the browser is already a guest of the session.
func (s *Handlers) isGuest(r *http.Request, scope obligations.Scope) bool {
	cookie, err := r.Cookie(web.GuestCookie + scope.Session)
	if err != nil {
		return false
	}
	ticket, err := auth.ReadTicket(auth.Guest, cookie.Value)
	if err != nil || ticket.Tenant != scope.Tenant {
		return false
	}
	guest, err := sessions.FindGuest(r.Context(), s.Pool, scope, ticket.Hash)
	return err == nil && guest != nil
}

// join makes a person with an account a participant. An invitation to talk is refused, and
// stays open, when their role in the organisation only lets them read.
func (s *Handlers) join(ctx context.Context, a auth.Actor, ticket auth.Ticket) (sessions.Invitation, sessions.Participant, error) {
	if err := web.Need(a, auth.Read); err != nil {
		return sessions.Invitation{}, sessions.Participant{}, err
	}
	// A guest's credential is for one session, and an invitation of another organisation is
	// as good as unknown.
	if ticket.Tenant != a.Tenant || a.Session != "" {
		return sessions.Invitation{}, sessions.Participant{}, sessions.NoInvitation()
	}
	found, err := sessions.FindInvitation(ctx, s.Pool, a.Tenant, ticket.Hash)
	if err != nil {
		return found, sessions.Participant{}, err
	}
	if found.Role.MayTalk() && !a.May(auth.Talk) {
		return found, sessions.Participant{}, fault.New(fault.Forbidden, "this invitation is to talk, and your role, %s, may only read. It stays open for somebody who may talk", a.Role).Coded("role_too_low")
	}
	used, person, events, err := sessions.Accept(ctx, s.Pool, sessions.Acceptance{Tenant: a.Tenant, Hash: ticket.Hash, User: a.User})
	if err != nil {
		return used, person, err
	}
	s.Hub.Publish(used.Scope, events)
	return used, person, nil
}

// newInvitation creates an invitation to a session that the actor decides about, and
// returns it with its secret, which is not stored.
func (s *Handlers) newInvitation(ctx context.Context, session sessions.Session, in sessions.Invite) (sessions.Invitation, string, error) {
	if session.Status == sessions.Completed && in.Part == sessions.ContributorRole {
		return sessions.Invitation{}, "", fault.New(fault.Conflict, "this session is completed and takes no contributions until it is reopened; observers can still be invited").At("role").Coded("session_completed")
	}
	secret, ticket, err := auth.NewTicket(auth.Invitation, session.Tenant)
	if err != nil {
		return sessions.Invitation{}, "", err
	}
	in.By, in.Hash = web.ActorFrom(ctx).User, ticket.Hash
	made, err := sessions.CreateInvitation(ctx, s.Pool, session.Scope(), in)
	return made, secret, err
}

// owned returns a session whose participants, links and invitations the actor may decide
// about, as an owner of the session or as a reviewer.
func (s *Handlers) owned(ctx context.Context, id string) (sessions.Session, error) {
	a := web.ActorFrom(ctx)
	session, err := s.Session(ctx, id)
	if err != nil {
		return session, err
	}
	if err := web.Need(a, auth.Talk); err != nil {
		return session, err
	}
	if a.May(auth.Review) {
		return session, nil
	}
	_, part, err := sessions.FindAs(ctx, s.Pool, session.Scope(), a.User)
	if err == nil && part != sessions.OwnerRole {
		err = fault.New(fault.Forbidden, "only an owner of the interview decides who takes part").Coded("not_an_owner")
	}
	return session, err
}

// postInvitation creates an invitation and shows its link, once.
func (s *Handlers) postInvitation(w http.ResponseWriter, r *http.Request) error {
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	session, err := s.owned(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	made, secret, err := s.newInvitation(r.Context(), session, sessions.Invite{Part: sessions.Role(r.PostFormValue("role")), Name: r.PostFormValue("name")})
	if err != nil {
		return err
	}
	return web.Render(w, r, Invited(InvitedView{Session: made.Scope.Session, Role: made.Role, Name: made.Name, Link: web.BaseOf(r) + web.InvitePath + secret, ExpiresAt: made.ExpiresAt}))
}

// postLeave ends the participation of the person who posts the form. A guest also loses
// the cookie, without which nobody can act as them again.
func (s *Handlers) postLeave(w http.ResponseWriter, r *http.Request) error {
	session, err := s.leave(r.Context(), r.PathValue("id"), self)
	if err != nil {
		return err
	}
	web.SetGuestCookie(w, r, session.ID, "")
	return web.Render(w, r, Left())
}

// guestMark is the number of random letters after a guest's name, which tell guests of the
// same name apart. Eight of base 32 are 40 bits, far more than a session has guests.
const guestMark = 8

// newGuest returns the name of a new guest of a tenant, the secret for their cookie, and
// the hash of that secret, which is stored.
func newGuest(tenant, name string) (user, secret string, credential []byte, err error) {
	secret, ticket, err := auth.NewTicket(auth.Guest, tenant)
	return sessions.GuestName(chat.Visible(name), strings.ToLower(rand.Text()[:guestMark])), secret, ticket.Hash, err
}
