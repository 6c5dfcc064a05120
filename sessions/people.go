package sessions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/internal/dbsqlc"
)

// Role is what a person may do in a session. The empty role is that of a person who has
// no part in it.
type Role string

// The roles. The person who begins a session owns it for good.
const (
	OwnerRole       Role = "owner"       // talks, invites others and removes them
	ContributorRole Role = "contributor" // talks
	ObserverRole    Role = "observer"    // reads, and does not talk
	NoRole          Role = ""
)

// parsePart returns the role of that name. Any other name is Unprocessable.
func parsePart(name string) (Role, error) {
	if p := Role(name); slices.Contains([]Role{OwnerRole, ContributorRole, ObserverRole}, p) {
		return p, nil
	}
	return NoRole, fault.New(fault.Unprocessable, "a role in a session is owner, contributor or observer, not %q", language.Short(name)).At("role")
}

// MayTalk reports whether a person of the role may take turns.
func (p Role) MayTalk() bool { return p == OwnerRole || p == ContributorRole }

// Participant is a person who takes part in a session that another person began.
type Participant struct {
	ID        string // of the participation
	User      string
	Role      Role
	Guest     bool // without an account: a credential for this session alone brings them back
	InvitedBy string
	JoinedAt  time.Time
}

// Invitation lets one person take part in a session. Its link holds a secret, of which
// only the hash is kept.
type Invitation struct {
	ID         string
	Scope      obligations.Scope
	Role       Role
	Name       string // of the person it is for; may be empty
	InvitedBy  string
	CreatedAt  time.Time
	ExpiresAt  time.Time
	AcceptedAt *time.Time
	AcceptedBy string
	RevokedAt  *time.Time
	Expired    bool // by the database's clock; a used or revoked invitation may have expired, too
}

// State returns where an invitation stands.
func (i Invitation) State() InvitationState {
	switch {
	case i.AcceptedAt != nil:
		return InvitationUsed
	case i.RevokedAt != nil:
		return InvitationRevoked
	case i.Expired:
		return InvitationExpired
	}
	return InvitationOpen
}

// InvitationState is where an invitation stands. Only an open one can be accepted.
type InvitationState string

// The states; all but open are final.
const (
	InvitationOpen    InvitationState = "open"
	InvitationUsed    InvitationState = "used"
	InvitationRevoked InvitationState = "revoked"
	InvitationExpired InvitationState = "expired"
)

// Refusal returns why an invitation cannot be accepted, as a Conflict; nil when it can.
func (s InvitationState) Refusal() error {
	switch s {
	case InvitationOpen:
		return nil
	case InvitationUsed:
		return fault.New(fault.Conflict, "this invitation has been used; ask for another").Coded("invitation_used")
	case InvitationRevoked:
		return fault.New(fault.Conflict, "this invitation was taken back; ask for another").Coded("invitation_revoked")
	case InvitationExpired:
		return fault.New(fault.Conflict, "this invitation has expired; ask for another").Coded("invitation_expired")
	}
	return fmt.Errorf("no invitation is %q", s)
}

// Limits of the people of a session. They are chosen, not measured.
const (
	MaxPeople     = 50                  // participants and open invitations together
	defaultInvite = 7 * 24 * time.Hour  // how long an invitation is open by default
	MaxInvite     = 30 * 24 * time.Hour // how long it is open at most
	maxPersonName = 60                  // characters
	maxForName    = 100                 // characters of the name an invitation is for
)

// Invite is what [CreateInvitation] makes an invitation of.
type Invite struct {
	Part  Role
	Name  string // of the person meant; may be empty
	By    string
	Lasts time.Duration // zero means seven days, at most thirty
	Hash  []byte        // of the secret in the link
}

// CreateInvitation stores an invitation to a session. Invalid input is Unprocessable at
// its field; with [MaxPeople] participants and open invitations it is Limited.
func CreateInvitation(ctx context.Context, db postgres.DB, s obligations.Scope, in Invite) (Invitation, error) {
	in.Lasts = cmp.Or(in.Lasts, defaultInvite)
	name := strings.Join(strings.Fields(in.Name), " ")
	switch _, err := parsePart(string(in.Part)); {
	case err != nil:
		return Invitation{}, err
	case in.Lasts < time.Minute || in.Lasts > MaxInvite:
		return Invitation{}, fault.New(fault.Unprocessable, "an invitation stands for a minute to thirty days").At("expiresInMinutes")
	case utf8.RuneCountInString(name) > maxForName:
		return Invitation{}, fault.New(fault.Unprocessable, "a name has at most %d characters", maxForName).At("name")
	}
	out, err := postgres.Find(ctx, db, s.Tenant, queries.InvitationInsert, &dbsqlc.InvitationInsertParams{
		TenantID: s.Tenant, SessionID: s.Session, Role: string(in.Part), Name: name, TokenHash: in.Hash,
		InvitedBy: in.By, LastsSeconds: in.Lasts.Seconds(), Most: int32(MaxPeople),
	}, func(r *dbsqlc.InvitationInsertRow) (Invitation, error) {
		return fromInvitationRow(dbsqlc.InvitationListRow(*r)), nil
	})
	missing := fault.New(fault.Limited, "a session has at most %d people and open invitations together; take one back first", MaxPeople).Coded("too_many_people")
	return postgres.Found(out, fault.Wrap(notID(err), "invite to session %s", s.Session), missing)
}

// Invitations lists a session's invitations, newest first.
func Invitations(ctx context.Context, db postgres.DB, s obligations.Scope) ([]Invitation, error) {
	out, err := postgres.List(ctx, db, s.Tenant, queries.InvitationList, &dbsqlc.InvitationListParams{TenantID: s.Tenant, SessionID: s.Session}, func(r *dbsqlc.InvitationListRow) (Invitation, error) {
		return fromInvitationRow(*r), nil
	})
	return out, fault.Wrap(notID(err), "list invitations to session %s", s.Session)
}

// FindInvitation returns the invitation whose secret has that hash. NotFound when the
// tenant has none.
func FindInvitation(ctx context.Context, db postgres.DB, tenant string, hash []byte) (Invitation, error) {
	out, err := postgres.Find(ctx, db, tenant, queries.InvitationByToken, &dbsqlc.InvitationByTokenParams{TenantID: tenant, TokenHash: hash}, func(r *dbsqlc.InvitationByTokenRow) (Invitation, error) {
		return fromInvitationRow(dbsqlc.InvitationListRow(*r)), nil
	})
	return postgres.Found(out, fault.Wrap(err, "find invitation"), NoInvitation())
}

// NoInvitation is the answer to a link that belongs to no invitation.
func NoInvitation() error {
	return fault.New(fault.NotFound, "there is no such invitation; check that the link is whole").Coded("invitation_not_found")
}

// RevokeInvitation ends an invitation that nobody has used. Any other is NotFound.
func RevokeInvitation(ctx context.Context, pool *pgxpool.Pool, s obligations.Scope, id string) error {
	return postgres.InTx(ctx, pool, s.Tenant, func(tx pgx.Tx) error {
		_, err := queries.InvitationRevoke(ctx, tx, &dbsqlc.InvitationRevokeParams{TenantID: s.Tenant, SessionID: s.Session, ID: id})
		if errors.Is(err, pgx.ErrNoRows) || postgres.Code(err) == "22P02" {
			return fault.New(fault.NotFound, "the session has no such invitation, or it was used or taken back").Coded("invitation_not_found")
		}
		return err
	})
}

// Acceptance is a person who follows an invitation.
type Acceptance struct {
	Tenant     string
	Hash       []byte // of the invitation's secret
	User       string
	Credential []byte // hash of a guest's credential; nil for a person with an account
}

// Accept uses an invitation up and makes its bearer a participant, and returns the
// events to publish. It changes nothing and returns a fault when the invitation is not
// open or the person takes part already.
func Accept(ctx context.Context, pool *pgxpool.Pool, a Acceptance) (Invitation, Participant, []Event, error) {
	var used Invitation
	var who Participant
	var events []Event
	err := postgres.InTx(ctx, pool, a.Tenant, func(tx pgx.Tx) error {
		r, err := queries.InvitationAccept(ctx, tx, &dbsqlc.InvitationAcceptParams{TenantID: a.Tenant, TokenHash: a.Hash, AcceptedBy: a.User})
		if errors.Is(err, pgx.ErrNoRows) {
			return whyNot(ctx, tx, a)
		}
		if err != nil {
			return fmt.Errorf("accept invitation: %w", err)
		}
		used = fromInvitationRow(dbsqlc.InvitationListRow(*r))
		if used.Role == OwnerRole && a.Credential != nil {
			return fault.New(fault.Forbidden, "an owner of a session needs an account; sign in with a token, or ask for another invitation").Coded("account_needed")
		}
		who, events, err = join(ctx, tx, used, a)
		return err
	})
	return used, who, events, err
}

// whyNot returns why an invitation cannot be accepted.
func whyNot(ctx context.Context, tx pgx.Tx, a Acceptance) error {
	i, err := FindInvitation(ctx, tx, a.Tenant, a.Hash)
	if err != nil {
		return err
	}
	return i.State().Refusal()
}

// join makes the bearer of an invitation that was just used up a participant. The person
// who began the session cannot become one.
func join(ctx context.Context, tx pgx.Tx, i Invitation, a Acceptance) (Participant, []Event, error) {
	session, err := findLocked(ctx, tx, i.Scope)
	if err != nil {
		return Participant{}, nil, err
	}
	if session.User == a.User {
		return Participant{}, nil, errTakesPart()
	}
	r, err := queries.ParticipantJoin(ctx, tx, &dbsqlc.ParticipantJoinParams{TenantID: a.Tenant, SessionID: i.Scope.Session, UserID: a.User, Role: string(i.Role),
		InvitedBy: i.InvitedBy, CredentialHash: a.Credential})
	if errors.Is(err, pgx.ErrNoRows) {
		return Participant{}, nil, errTakesPart()
	}
	if err != nil {
		return Participant{}, nil, fmt.Errorf("join session %s: %w", i.Scope.Session, err)
	}
	who := fromParticipantRow(r)
	events, err := tellOf(ctx, tx, session, who, PersonJoined)
	return who, events, err
}

// errTakesPart is the answer to a person who takes part already.
func errTakesPart() error {
	return fault.New(fault.Conflict, "you take part in this interview already").Coded("takes_part_already")
}

// tellOf appends what changed about a participant to the session's log.
func tellOf(ctx context.Context, tx pgx.Tx, session Session, p Participant, change PersonChange) ([]Event, error) {
	return logBetweenTurns(ctx, tx, session, ParticipantEvent{Turn: session.lastTurn(), User: p.User, Role: p.Role, Change: change})
}

// Leave ends a participation by its id, whether the person leaves or an owner removes
// them, and returns the events to publish. What they said remains. A participation that
// does not exist is NotFound.
func Leave(ctx context.Context, pool *pgxpool.Pool, s obligations.Scope, id string, change PersonChange) ([]Event, error) {
	var events []Event
	err := postgres.InTx(ctx, pool, s.Tenant, func(tx pgx.Tx) error {
		session, err := findLocked(ctx, tx, s)
		if err != nil {
			return err
		}
		r, err := queries.ParticipantLeave(ctx, tx, &dbsqlc.ParticipantLeaveParams{TenantID: s.Tenant, SessionID: s.Session, ID: id})
		if errors.Is(err, pgx.ErrNoRows) || postgres.Code(err) == "22P02" {
			return noParticipant()
		}
		if err != nil {
			return fmt.Errorf("leave session %s: %w", s.Session, err)
		}
		events, err = tellOf(ctx, tx, session, fromParticipantRow(r), change)
		return err
	})
	return events, err
}

// noParticipant is the answer to an id under which nobody takes part.
func noParticipant() error {
	return fault.New(fault.NotFound, "nobody takes part in this session under that id").Coded("participant_not_found")
}

// LoadPeople queues a read of a session's participants into list, in the order of
// [People].
func LoadPeople(b *postgres.Batch, s obligations.Scope, list *[]Participant) {
	postgres.Many(b, queries.ParticipantList, &dbsqlc.ParticipantListParams{TenantID: s.Tenant, SessionID: s.Session}, func(r *dbsqlc.SessionParticipant) error {
		*list = append(*list, fromParticipantRow(r))
		return nil
	})
}

// People lists the participants of a session in the order they joined. The person who
// began it is not among them.
func People(ctx context.Context, db postgres.DB, s obligations.Scope) ([]Participant, error) {
	var out []Participant
	b := postgres.NewBatch(s.Tenant)
	LoadPeople(b, s, &out)
	err := b.Send(ctx, db)
	return out, fault.Wrap(notID(err), "list people of session %s", s.Session)
}

// FindGuest returns the guest of a session whose credential has that hash; nil when
// there is none.
func FindGuest(ctx context.Context, db postgres.DB, s obligations.Scope, credential []byte) (*Participant, error) {
	out, err := postgres.Find(ctx, db, s.Tenant, queries.ParticipantByCredential, &dbsqlc.ParticipantByCredentialParams{TenantID: s.Tenant, SessionID: s.Session, CredentialHash: credential}, func(r *dbsqlc.SessionParticipant) (Participant, error) {
		return fromParticipantRow(r), nil
	})
	return out, fault.Wrap(notID(err), "find who takes part in session %s", s.Session)
}

// FindAs returns a session and the user's role in it: NoRole for a user who neither
// began it nor takes part. A session that does not exist, or belongs to another tenant,
// is NotFound.
func FindAs(ctx context.Context, db postgres.DB, s obligations.Scope, user string) (Session, Role, error) {
	var out *Session
	var part Role
	b := postgres.NewBatch(s.Tenant)
	LoadAs(b, s, user, &out, &part)
	if err := b.Send(ctx, db); err != nil {
		return Session{}, NoRole, fmt.Errorf("find session %s: %w", s.Session, notID(err))
	}
	if out == nil {
		return Session{}, NoRole, NoSession()
	}
	return *out, part, nil
}

// LoadAs queues what [FindAs] reads. out stays nil when there is no such session.
func LoadAs(b *postgres.Batch, s obligations.Scope, user string, out **Session, part *Role) {
	postgres.One(b, queries.SessionFindAs, &dbsqlc.SessionFindAsParams{UserID: user, TenantID: s.Tenant, SessionID: s.Session}, func(r *dbsqlc.SessionFindAsRow) error {
		*part = Role(r.Part)
		return into(out)(&dbsqlc.ElicitationSession{TenantID: r.TenantID, ID: r.ID, ObjectiveID: r.ObjectiveID, ContextType: r.ContextType, UserID: r.UserID,
			CreatedAt: r.CreatedAt, Status: r.Status, SessionPhase: r.SessionPhase, CompletenessScore: r.CompletenessScore, Progress: r.Progress,
			TurnCount: r.TurnCount, Version: r.Version, UpdatedAt: r.UpdatedAt, StopReason: r.StopReason, Question: r.Question,
			WorkingMemorySnapshot: r.WorkingMemorySnapshot, CompletedAt: r.CompletedAt, Language: r.Language, LanguageSource: r.LanguageSource,
			Revision: r.Revision, RevisedTurns: r.RevisedTurns, HandoverTurn: r.HandoverTurn, HandoverAt: r.HandoverAt})
	})
}

// NoTalking is the answer to an observer who wants to talk.
func NoTalking() error {
	return fault.New(fault.Forbidden, "you read along in this interview; ask its owner for a part in it").Coded("observer")
}

// GuestName returns the name a guest is shown by: the given one without control
// characters and parentheses, and a mark that tells the guest from accounts and from
// other guests of the same name.
func GuestName(given, mark string) string {
	var b strings.Builder
	for _, r := range strings.Join(strings.Fields(given), " ") {
		if b.Len() < maxPersonName && r != '(' && r != ')' && r > ' '-1 && r != utf8.RuneError {
			b.WriteRune(r)
		}
	}
	if b.Len() == 0 {
		return "Guest " + mark
	}
	return strings.TrimSpace(b.String()) + " (guest " + mark + ")"
}

func fromParticipantRow(r *dbsqlc.SessionParticipant) Participant {
	return Participant{ID: r.ID, User: r.UserID, Role: Role(r.Role), Guest: r.CredentialHash != nil, InvitedBy: r.InvitedBy, JoinedAt: r.JoinedAt}
}

func fromInvitationRow(r dbsqlc.InvitationListRow) Invitation {
	return Invitation{ID: r.ID, Scope: obligations.Scope{Tenant: r.TenantID, Session: r.SessionID}, Role: Role(r.Role), Name: r.Name, InvitedBy: r.InvitedBy,
		CreatedAt: r.CreatedAt, ExpiresAt: r.ExpiresAt, AcceptedAt: r.AcceptedAt, AcceptedBy: postgres.OrEmpty(r.AcceptedBy), RevokedAt: r.RevokedAt, Expired: r.Expired}
}
