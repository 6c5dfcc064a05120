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

// invitation returns the invitation whose link is being followed.
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

// invite shows an invitation. It changes nothing, for programs that look ahead
// follow links too.
func (s *Handlers) invite(w http.ResponseWriter, r *http.Request) error {
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
	self, err := s.selfOf(r, ticket)
	if err != nil {
		return err
	}
	secret := web.LinkSecret(r.Context())
	return web.Render(w, r, Invitation(InvitationView{Title: d.DisplayName, Description: d.Description, By: found.InvitedBy, Role: found.Role, Name: found.Name,
		Action: web.InvitePath + secret, User: self.User, NeedsAccount: found.Role == sessions.OwnerRole && self.User == ""}))
}

// accept lets the bearer of an invitation in: as themselves when they have an account
// here, as a guest otherwise.
func (s *Handlers) accept(w http.ResponseWriter, r *http.Request) error {
	found, ticket, err := s.invitation(r.Context())
	if err != nil {
		return err
	}
	r.Body = http.MaxBytesReader(w, r.Body, web.MaxBody)
	if err := r.ParseForm(); err != nil {
		return fault.New(fault.Invalid, "the form cannot be read").Because(err)
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
	http.Redirect(w, r, "/s/"+found.Scope.Session, http.StatusSeeOther)
	return nil
}

// selfOf returns who follows an invitation with an account: who sends a token, and who
// signed in, where that account is of the organisation that invites. It returns the
// zero actor for who comes as a guest.
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
	if fault.Is(err, fault.Unauthenticated) || a.Tenant != ticket.Tenant {
		return auth.Actor{}, nil
	}
	return a, err
}

func (s *Handlers) acceptAsGuest(w http.ResponseWriter, r *http.Request, found sessions.Invitation, ticket auth.Ticket) error {
	if s.isGuest(r, found.Scope) {
		return fault.New(fault.Conflict, "you take part in this interview already").Coded("takes_part_already")
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

// isGuest reports whether a browser is a guest of the session already.
func (s *Handlers) isGuest(r *http.Request, scope obligations.Scope) bool {
	cookie, err := r.Cookie(web.GuestCookie + scope.Session)
	if err != nil {
		return false
	}
	ticket, err := auth.ReadTicket(auth.Guest, cookie.Value)
	if err != nil || ticket.Tenant != scope.Tenant {
		return false
	}
	who, err := sessions.FindGuest(r.Context(), s.Pool, scope, ticket.Hash)
	return err == nil && who != nil
}

// join makes somebody with an account a participant.
func (s *Handlers) join(ctx context.Context, a auth.Actor, ticket auth.Ticket) (sessions.Invitation, sessions.Participant, error) {
	if err := web.Need(a, auth.Read); err != nil {
		return sessions.Invitation{}, sessions.Participant{}, err
	}
	if ticket.Tenant != a.Tenant || a.Session != "" {
		return sessions.Invitation{}, sessions.Participant{}, sessions.NoInvitation()
	}
	found, err := sessions.FindInvitation(ctx, s.Pool, a.Tenant, ticket.Hash)
	if err != nil {
		return found, sessions.Participant{}, err
	}
	if found.Role.MayTalk() && !a.May(auth.Talk) {
		return found, sessions.Participant{}, fault.New(fault.Forbidden, "this invitation is to talk; your role, %s, only reads along. It waits for somebody who may", a.Role).Coded("role_too_low")
	}
	used, who, events, err := sessions.Accept(ctx, s.Pool, sessions.Acceptance{Tenant: a.Tenant, Hash: ticket.Hash, User: a.User})
	if err != nil {
		return used, who, err
	}
	s.Hub.Publish(used.Scope, events)
	return used, who, nil
}

// newInvitation makes an invitation to a session of which the actor is an owner,
// and its link.
func (s *Handlers) newInvitation(ctx context.Context, id string, in sessions.Invite) (sessions.Invitation, string, error) {
	session, err := s.owned(ctx, id)
	if err != nil {
		return sessions.Invitation{}, "", err
	}
	if session.Status == sessions.Completed && in.Part == sessions.ContributorRole {
		return sessions.Invitation{}, "", fault.New(fault.Conflict, "this session is completed and takes nobody's contributions; observers can be asked in").At("role").Coded("session_completed")
	}
	secret, ticket, err := auth.NewTicket(auth.Invitation, session.Tenant)
	if err != nil {
		return sessions.Invitation{}, "", err
	}
	in.By, in.Hash = web.ActorFrom(ctx).User, ticket.Hash
	made, err := sessions.CreateInvitation(ctx, s.Pool, session.Scope(), in)
	return made, secret, err
}

// owned returns a session the actor may decide about the people of: as an owner
// of it, or as a reviewer.
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

// askIn takes the form of a page: it makes an invitation and shows its link,
// once.
func (s *Handlers) askIn(w http.ResponseWriter, r *http.Request) error {
	r.Body = http.MaxBytesReader(w, r.Body, web.MaxBody)
	if err := r.ParseForm(); err != nil {
		return fault.New(fault.Invalid, "the form cannot be read").Because(err)
	}
	made, secret, err := s.newInvitation(r.Context(), r.PathValue("id"), sessions.Invite{Part: sessions.Role(r.PostFormValue("role")), Name: r.PostFormValue("name")})
	if err != nil {
		return err
	}
	return web.Render(w, r, Invited(InvitedView{Session: made.Scope.Session, Role: made.Role, Name: made.Name, Link: web.BaseOf(r) + web.InvitePath + secret, ExpiresAt: made.ExpiresAt}))
}

// leaveHere takes the form of a page: whoever sent it takes part no longer.
func (s *Handlers) leaveHere(w http.ResponseWriter, r *http.Request) error {
	session, err := s.leave(r.Context(), r.PathValue("id"), self)
	if err != nil {
		return err
	}
	web.SetGuestCookie(w, r, session.ID, "")
	return web.Render(w, r, Left())
}

// guestMark is how many letters set guests of one name apart.
const guestMark = 8

// newGuest returns what a new guest of a tenant goes by, comes back with and is
// known by.
func newGuest(tenant, name string) (user, secret string, credential []byte, err error) {
	secret, ticket, err := auth.NewTicket(auth.Guest, tenant)
	return sessions.GuestName(chat.Visible(name), strings.ToLower(rand.Text()[:guestMark])), secret, ticket.Hash, err
}
