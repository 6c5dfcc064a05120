package admin

import (
	"context"
	"strconv"
	"time"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions/settings"
	"quaestor/web"
)

// settingsBody is what an organisation has set, and what is in force.
type settingsBody struct {
	Version   int             `json:"version" doc:"counts the changes; 0 before the first"`
	Set       settings.Policy `json:"set" doc:"what the organisation has set"`
	InForce   settings.Values `json:"inForce" doc:"what the organisation has set, else the server's defaults"`
	ChangedBy string          `json:"changedBy,omitempty"`
	ChangedAt *time.Time      `json:"changedAt,omitempty"`
}

type settingsChange struct {
	IfMatch string `header:"If-Match" doc:"the ETag that reading gave"`
	Body    settings.Policy
}

// forecastQuery names days of retention that are not saved.
type forecastQuery struct {
	Finished int `query:"keptFinishedDays" minimum:"0" maximum:"36500" doc:"days finished interviews would be kept; 0 for ever"`
	Idle     int `query:"keptIdleDays" minimum:"0" maximum:"36500" doc:"days open interviews would be kept; 0 for ever"`
}

type journalQuery struct {
	Cursor string `query:"cursor" maxLength:"30" doc:"where the page before ended"`
}

// journalBody is a line of the journal in the API.
type journalBody struct {
	At      time.Time       `json:"at"`
	Actor   string          `json:"actor,omitempty" doc:"absent for the rules of retention"`
	Kind    settings.Kind   `json:"kind"`
	Subject string          `json:"subject,omitempty"`
	Detail  settings.Detail `json:"detail"`
}

// holdRequest holds a session back from deletion.
type holdRequest struct {
	ID   string `path:"id"`
	Body struct {
		Reason string `json:"reason" minLength:"1" maxLength:"500" pattern:"^[^\\x00]*$" doc:"why it must be kept"`
	}
}

type sessionID struct {
	ID string `path:"id"`
}

type personPath struct {
	User string `path:"user" maxLength:"200"`
}

func (s *Handlers) toSettingsBody(saved settings.StoredPolicy) settingsBody {
	out := settingsBody{Version: saved.Version, Set: saved.Policy, InForce: saved.Over(s.Setup.Defaults), ChangedBy: saved.By}
	if !saved.At.IsZero() {
		at := saved.At.UTC()
		out.ChangedAt = &at
	}
	return out
}

func (s *Handlers) getSettings(ctx context.Context, _ *struct{}) (settingsBody, error) {
	saved, err := settings.Find(ctx, s.Pool, web.ActorFrom(ctx).Tenant)
	return s.toSettingsBody(saved), err
}

// putSettings saves all limits and retention if If-Match names their current state. It
// does not ask whether shorter retention may delete something; clients ask getForecast
// first.
func (s *Handlers) putSettings(ctx context.Context, in *settingsChange) (settingsBody, error) {
	before, err := settings.Find(ctx, s.Pool, web.ActorFrom(ctx).Tenant)
	if err != nil {
		return settingsBody{}, err
	}
	if err := web.CheckUnchanged(in.IfMatch, s.toSettingsBody(before), "the settings"); err != nil {
		return settingsBody{}, err
	}
	saved, err := s.setPolicy(ctx, before.Version, before, in.Body)
	if fault.Is(err, fault.Conflict) { // changed since they were compared
		return settingsBody{}, web.ErrStale("the settings were changed meanwhile; read them again")
	}
	return s.toSettingsBody(saved), err
}

func (s *Handlers) getForecast(ctx context.Context, in *forecastQuery) (settings.Due, error) {
	return settings.Forecast(ctx, s.Pool, web.ActorFrom(ctx).Tenant, settings.Values{KeptFinishedDays: in.Finished, KeptIdleDays: in.Idle})
}

func (s *Handlers) getJournal(ctx context.Context, in *journalQuery) (web.Page[journalBody], error) {
	before, err := web.ParsePage(in.Cursor)
	if err != nil {
		return web.Page[journalBody]{}, err
	}
	lines, earlier, err := s.journal(ctx, before)
	out := web.Page[journalBody]{Items: web.Map(lines, func(e settings.JournalEntry) journalBody {
		return journalBody{e.At.UTC(), e.Actor, e.Kind, e.Subject, e.Detail}
	})}
	if earlier > 0 {
		out.NextCursor = strconv.FormatInt(earlier, 10)
	}
	return out, err
}

func (s *Handlers) putHold(ctx context.Context, in *holdRequest) error {
	a := web.ActorFrom(ctx)
	return settings.Hold(ctx, s.Pool, obligations.Scope{Tenant: a.Tenant, Session: in.ID}, a.User, in.Body.Reason)
}

func (s *Handlers) deleteHold(ctx context.Context, in *sessionID) error {
	a := web.ActorFrom(ctx)
	return settings.Release(ctx, s.Pool, obligations.Scope{Tenant: a.Tenant, Session: in.ID}, a.User)
}

func (s *Handlers) deleteSession(ctx context.Context, in *sessionID) error {
	if err := ownersOnly(ctx); err != nil {
		return err
	}
	session, err := s.Session(ctx, in.ID)
	if err != nil {
		return err
	}
	return settings.Erase(ctx, s.Pool, session.Scope(), web.ActorFrom(ctx).User)
}

func (s *Handlers) getPersonData(ctx context.Context, in *personPath) (settings.Footprint, error) {
	return settings.FootprintOf(ctx, s.Pool, web.ActorFrom(ctx).Tenant, in.User)
}

func (s *Handlers) deletePersonData(ctx context.Context, in *personPath) (settings.Footprint, error) {
	if err := ownersOnly(ctx); err != nil {
		return settings.Footprint{}, err
	}
	return s.erase(ctx, in.User)
}

// tokenBody is a token in the API. Token, its secret, is present only when it was just
// made: only its hash is stored.
type tokenBody struct {
	ID        string     `json:"id,omitempty"`
	Token     string     `json:"token,omitempty" doc:"shown once"`
	UserID    string     `json:"userId"`
	Role      auth.Role  `json:"role"`
	Name      string     `json:"name,omitempty"`
	CreatedAt *time.Time `json:"createdAt,omitempty"`
	ExpiresAt *time.Time `json:"expiresAt,omitempty"`
	RevokedAt *time.Time `json:"revokedAt,omitempty"`
	UsedAt    *time.Time `json:"usedAt,omitempty" doc:"last, to ten minutes; absent for never"`
}

func toTokenBody(t auth.Token) tokenBody {
	return tokenBody{ID: t.ID, UserID: t.User, Role: t.Role, Name: t.Name, CreatedAt: &t.Created, ExpiresAt: t.Expires, RevokedAt: t.Revoked, UsedAt: t.Used}
}

// newToken asks for a token.
type newToken struct {
	Body struct {
		UserID string `json:"userId" minLength:"1" maxLength:"200" pattern:"^[^\\x00]*$"`
		Role   string `json:"role" enum:"owner,admin,reviewer,member,viewer"`
		Name   string `json:"name,omitempty" maxLength:"200" pattern:"^[^\\x00]*$"`
		Days   int    `json:"days,omitempty" minimum:"0" maximum:"3650" doc:"how long it lasts; 0 means for good"`
	}
}

type tokenPath struct {
	ID string `path:"id"`
}

func (s *Handlers) listTokens(ctx context.Context, _ *struct{}) (web.Page[tokenBody], error) {
	list, err := auth.Tokens(ctx, s.Pool, web.ActorFrom(ctx).Tenant)
	return web.Page[tokenBody]{Items: web.Map(list, toTokenBody)}, err
}

// createToken makes a token. An admin may make one of any role but owner: otherwise
// they could make themselves one.
func (s *Handlers) createToken(ctx context.Context, in *newToken) (tokenBody, error) {
	a := web.ActorFrom(ctx)
	role, err := auth.ParseRole(in.Body.Role)
	if err != nil {
		return tokenBody{}, err
	}
	if role == auth.Owner && a.Role != auth.Owner {
		return tokenBody{}, fault.New(fault.Forbidden, "only an owner makes owners").At("role")
	}
	token, id, err := auth.IssueToken(ctx, s.Pool, auth.Grant{Tenant: a.Tenant, User: in.Body.UserID, Role: role, Name: in.Body.Name, Lasts: time.Duration(in.Body.Days) * 24 * time.Hour})
	return tokenBody{ID: id, Token: token, UserID: in.Body.UserID, Role: role, Name: in.Body.Name}, err
}

// rotateToken ends a token and returns its successor. The journal tells whose it was.
func (s *Handlers) rotateToken(ctx context.Context, in *tokenPath) (tokenBody, error) {
	token, g, err := auth.Rotate(ctx, s.Pool, web.ActorFrom(ctx), in.ID)
	if err != nil {
		return tokenBody{}, err
	}
	err = s.note(ctx, settings.Tokens, g.User, "rotated a token of")
	return tokenBody{Token: token, UserID: g.User, Role: g.Role, Name: g.Name}, err
}

func (s *Handlers) revokeToken(ctx context.Context, in *tokenPath) error {
	return auth.Revoke(ctx, s.Pool, web.ActorFrom(ctx).Tenant, in.ID)
}
