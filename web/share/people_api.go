package share

import (
	"context"
	"time"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/sessions"
	"quaestor/web"
)

// ParticipantBody is a person who takes part in a session on the wire. The person who began
// the session has no id, because they cannot be removed.
type ParticipantBody struct {
	ID        string        `json:"id,omitempty"`
	UserID    string        `json:"userId"`
	Role      sessions.Role `json:"role"`
	Guest     bool          `json:"guest" doc:"the person has no account"`
	InvitedBy string        `json:"invitedBy,omitempty"`
	JoinedAt  time.Time     `json:"joinedAt"`
}

// toParticipantBody is for participants who were invited; see listPeople for the first one.
func toParticipantBody(p sessions.Participant) ParticipantBody {
	return ParticipantBody{p.ID, p.User, p.Role, p.Guest, p.InvitedBy, p.JoinedAt}
}

// InvitationBody is an invitation on the wire. Token and Link are present only in the answer
// to its creation, because the secret is not stored.
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

// toInvitationBody leaves Token and Link empty.
func toInvitationBody(i sessions.Invitation) InvitationBody {
	return InvitationBody{ID: i.ID, SessionID: i.Scope.Session, Role: i.Role, Name: i.Name, State: i.State(), InvitedBy: i.InvitedBy, AcceptedBy: i.AcceptedBy,
		CreatedAt: i.CreatedAt, ExpiresAt: i.ExpiresAt, AcceptedAt: i.AcceptedAt, RevokedAt: i.RevokedAt}
}

// newInvitationBody creates an invitation.
type newInvitationBody struct {
	web.SessionPath
	Body struct {
		Role    string `json:"role" enum:"owner,contributor,observer"`
		Name    string `json:"name,omitempty" maxLength:"100" pattern:"^[^\\x00]*$" doc:"of the person invited"`
		Minutes int    `json:"expiresInMinutes,omitempty" minimum:"1" maximum:"43200" doc:"how long it is valid; seven days when left out"`
	}
}

// invitationPath is the address of an invitation.
type invitationPath struct {
	web.SessionPath
	Invitation string `path:"invitation"`
}

// participantPath is the address of a participation.
type participantPath struct {
	web.SessionPath
	Participant string `path:"participant" doc:"id of the participation, or me"`
}

// acceptanceBody accepts an invitation by the secret in its link.
type acceptanceBody struct {
	Body struct {
		Token string `json:"token" minLength:"1" maxLength:"200"`
	}
}

// JoinedBody is the participation that an accepted invitation led to.
type JoinedBody struct {
	SessionID   string          `json:"sessionId"`
	Participant ParticipantBody `json:"participant"`
}

// listPeople returns the participants of a session, the person who began it first.
func (s *Handlers) listPeople(ctx context.Context, session sessions.Session, _ *web.SessionPath) (web.Page[ParticipantBody], error) {
	list, err := sessions.People(ctx, s.Pool, session.Scope())
	out := web.Page[ParticipantBody]{Items: []ParticipantBody{{UserID: session.User, Role: sessions.OwnerRole, JoinedAt: session.CreatedAt}}}
	out.Items = append(out.Items, web.Map(list, toParticipantBody)...)
	return out, err
}

// listInvitations returns the invitations to a session to those who decide about them.
func (s *Handlers) listInvitations(ctx context.Context, session sessions.Session, _ *web.SessionPath) (web.Page[InvitationBody], error) {
	list, err := sessions.Invitations(ctx, s.Pool, session.Scope())
	return web.Page[InvitationBody]{Items: web.Map(list, toInvitationBody)}, err
}

// createInvitation creates an invitation, and answers with its secret and its link.
func (s *Handlers) createInvitation(ctx context.Context, session sessions.Session, in *newInvitationBody) (InvitationBody, error) {
	made, secret, err := s.newInvitation(ctx, session, sessions.Invite{Part: sessions.Role(in.Body.Role), Name: in.Body.Name, Lasts: time.Duration(in.Body.Minutes) * time.Minute})
	if err != nil {
		return InvitationBody{}, err
	}
	out := toInvitationBody(made)
	out.Token, out.Link = secret, web.BaseFrom(ctx)+web.InvitePath+secret
	return out, nil
}

// revokeInvitation revokes an open invitation.
func (s *Handlers) revokeInvitation(ctx context.Context, in *invitationPath) error {
	session, err := s.owned(ctx, in.ID)
	if err != nil {
		return err
	}
	return sessions.RevokeInvitation(ctx, s.Pool, session.Scope(), in.Invitation)
}

// acceptInvitation makes the actor a participant. Guests accept on the page instead, where
// they get the cookie that they come back with.
func (s *Handlers) acceptInvitation(ctx context.Context, in *acceptanceBody) (JoinedBody, error) {
	ticket, err := auth.ReadTicket(auth.Invitation, in.Body.Token)
	if err != nil {
		return JoinedBody{}, sessions.NoInvitation()
	}
	used, person, err := s.join(ctx, web.ActorFrom(ctx), ticket)
	return JoinedBody{used.Scope.Session, toParticipantBody(person)}, err
}

// self stands for the participation of the actor in an address.
const self = "me"

// removePerson ends a participation; see [Handlers.leave].
func (s *Handlers) removePerson(ctx context.Context, in *participantPath) error {
	_, err := s.leave(ctx, in.ID, in.Participant)
	return err
}

// leave ends a participation: the actor's own, or another person's in a session that the
// actor decides about. The person who began the session cannot leave it.
func (s *Handlers) leave(ctx context.Context, id, participant string) (sessions.Session, error) {
	session, err := s.Session(web.AsRead(ctx), id) // an observer may leave, too
	if err != nil {
		return session, err
	}
	mine, err := s.participation(ctx, session)
	if err != nil {
		return session, err
	}
	change := sessions.PersonLeft
	// Removing oneself by id is leaving, which needs no permission.
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
		return session, fault.New(fault.Conflict, "the person who began an interview cannot leave it").Coded("owner_stays")
	}
	events, err := sessions.Leave(ctx, s.Pool, session.Scope(), participant, change)
	if err == nil {
		s.Hub.Publish(session.Scope(), events)
	}
	return session, err
}

// participation returns the id of the actor's participation; empty when they began the
// session, or see it as a reviewer.
func (s *Handlers) participation(ctx context.Context, session sessions.Session) (string, error) {
	list, err := sessions.People(ctx, s.Pool, session.Scope())
	for _, p := range list {
		if p.User == web.ActorFrom(ctx).User {
			return p.ID, err
		}
	}
	return "", err
}
