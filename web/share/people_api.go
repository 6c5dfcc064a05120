package share

import (
	"context"
	"time"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/sessions"
	"quaestor/web"
)

// ParticipantBody is somebody who takes part in a session on the wire. The
// person who began it has no id, for they stay.
type ParticipantBody struct {
	ID        string        `json:"id,omitempty"`
	UserID    string        `json:"userId"`
	Role      sessions.Role `json:"role"`
	Guest     bool          `json:"guest" doc:"has no account"`
	InvitedBy string        `json:"invitedBy,omitempty"`
	JoinedAt  time.Time     `json:"joinedAt"`
}

func toParticipantBody(p sessions.Participant) ParticipantBody {
	return ParticipantBody{p.ID, p.User, p.Role, p.Guest, p.InvitedBy, p.JoinedAt}
}

// InvitationBody is an invitation on the wire; Token and Link are there once,
// when it is made.
type InvitationBody struct {
	ID         string                   `json:"id"`
	SessionID  string                   `json:"sessionId"`
	Role       sessions.Role            `json:"role"`
	Name       string                   `json:"name,omitempty"`
	State      sessions.InvitationState `json:"state" enum:"open,used,revoked,expired"`
	Token      string                   `json:"token,omitempty" doc:"shown once"`
	Link       string                   `json:"link,omitempty" doc:"address of the page to accept it on; shown once"`
	InvitedBy  string                   `json:"invitedBy"`
	AcceptedBy string                   `json:"acceptedBy,omitempty"`
	CreatedAt  time.Time                `json:"createdAt"`
	ExpiresAt  time.Time                `json:"expiresAt"`
	AcceptedAt *time.Time               `json:"acceptedAt,omitempty"`
	RevokedAt  *time.Time               `json:"revokedAt,omitempty"`
}

func toInvitationBody(i sessions.Invitation) InvitationBody {
	return InvitationBody{ID: i.ID, SessionID: i.Scope.Session, Role: i.Role, Name: i.Name, State: i.State(), InvitedBy: i.InvitedBy, AcceptedBy: i.AcceptedBy,
		CreatedAt: i.CreatedAt, ExpiresAt: i.ExpiresAt, AcceptedAt: i.AcceptedAt, RevokedAt: i.RevokedAt}
}

type newInvitationBody struct {
	ID   string `path:"id" doc:"id of the session"`
	Body struct {
		Role    string `json:"role" enum:"owner,contributor,observer"`
		Name    string `json:"name,omitempty" maxLength:"100" pattern:"^[^\\x00]*$" doc:"of the person meant"`
		Minutes int    `json:"expiresInMinutes,omitempty" minimum:"1" maximum:"43200" doc:"how long it stands; seven days unless said"`
	}
}

type invitationPath struct {
	ID         string `path:"id" doc:"id of the session"`
	Invitation string `path:"invitation"`
}

type participantPath struct {
	ID          string `path:"id" doc:"id of the session"`
	Participant string `path:"participant" doc:"id of the participation, or me"`
}

type acceptanceBody struct {
	Body struct {
		Token string `json:"token" minLength:"1" maxLength:"200"`
	}
}

// JoinedBody says where an accepted invitation leads.
type JoinedBody struct {
	SessionID   string          `json:"sessionId"`
	Participant ParticipantBody `json:"participant"`
}

func (s *Handlers) listPeople(ctx context.Context, in *web.SessionPath) (web.Page[ParticipantBody], error) {
	session, err := s.Session(ctx, in.ID)
	if err != nil {
		return web.Page[ParticipantBody]{}, err
	}
	list, err := sessions.People(ctx, s.Pool, session.Scope())
	out := web.Page[ParticipantBody]{Items: []ParticipantBody{{UserID: session.User, Role: sessions.OwnerRole, JoinedAt: session.CreatedAt}}}
	out.Items = append(out.Items, web.Map(list, toParticipantBody)...)
	return out, err
}

func (s *Handlers) listInvitations(ctx context.Context, in *web.SessionPath) (web.Page[InvitationBody], error) {
	session, err := s.owned(ctx, in.ID)
	if err != nil {
		return web.Page[InvitationBody]{}, err
	}
	list, err := sessions.Invitations(ctx, s.Pool, session.Scope())
	return web.Page[InvitationBody]{Items: web.Map(list, toInvitationBody)}, err
}

func (s *Handlers) createInvitation(ctx context.Context, in *newInvitationBody) (InvitationBody, error) {
	made, secret, err := s.newInvitation(ctx, in.ID, sessions.Invite{Part: sessions.Role(in.Body.Role), Name: in.Body.Name, Lasts: time.Duration(in.Body.Minutes) * time.Minute})
	if err != nil {
		return InvitationBody{}, err
	}
	out := toInvitationBody(made)
	base := web.BaseFrom(ctx)
	out.Token, out.Link = secret, base+web.InvitePath+secret
	return out, nil
}

func (s *Handlers) revokeInvitation(ctx context.Context, in *invitationPath) error {
	session, err := s.owned(ctx, in.ID)
	if err != nil {
		return err
	}
	return sessions.RevokeInvitation(ctx, s.Pool, session.Scope(), in.Invitation)
}

func (s *Handlers) acceptInvitation(ctx context.Context, in *acceptanceBody) (JoinedBody, error) {
	ticket, err := auth.ReadTicket(auth.Invitation, in.Body.Token)
	if err != nil {
		return JoinedBody{}, sessions.NoInvitation()
	}
	used, who, err := s.join(ctx, web.ActorFrom(ctx), ticket)
	return JoinedBody{used.Scope.Session, toParticipantBody(who)}, err
}

// self names, in an address, whoever makes the request.
const self = "me"

func (s *Handlers) removePerson(ctx context.Context, in *participantPath) error {
	_, err := s.leave(ctx, in.ID, in.Participant)
	return err
}

// leave ends a participation: the actor's own, or somebody else's in a session of
// which the actor is an owner.
func (s *Handlers) leave(ctx context.Context, id, participant string) (sessions.Session, error) {
	session, err := s.Session(web.AsRead(ctx), id) // who only reads along may leave, too
	if err != nil {
		return session, err
	}
	mine, err := s.participation(ctx, session)
	if err != nil {
		return session, err
	}
	change := sessions.PersonLeft
	switch participant {
	case self, mine:
		participant = mine
	default:
		change = sessions.PersonRemoved
		if _, err := s.owned(ctx, id); err != nil {
			return session, err
		}
	}
	if participant == "" {
		return session, fault.New(fault.Conflict, "who began an interview stays in it").Coded("owner_stays")
	}
	events, err := sessions.Leave(ctx, s.Pool, session.Scope(), participant, change)
	if err == nil {
		s.Hub.Publish(session.Scope(), events)
	}
	return session, err
}

// participation returns the id of the actor's participation; empty when they
// began the session, or only look in.
func (s *Handlers) participation(ctx context.Context, session sessions.Session) (string, error) {
	list, err := sessions.People(ctx, s.Pool, session.Scope())
	for _, p := range list {
		if p.User == web.ActorFrom(ctx).User {
			return p.ID, err
		}
	}
	return "", err
}
