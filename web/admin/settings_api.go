package admin

import (
	"context"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions/settings"
	"quaestor/web"
)

// settingsBody is what an organisation has set, and what holds.
type settingsBody struct {
	Version   int             `json:"version" doc:"counts the changes; 0 before the first"`
	Set       settings.Policy `json:"set" doc:"what the organisation has set"`
	InForce   settings.Values `json:"inForce" doc:"what holds: the organisation's word, else the server's"`
	ChangedBy string          `json:"changedBy,omitempty"`
	ChangedAt *time.Time      `json:"changedAt,omitempty"`
}

type settingsChange struct {
	IfMatch string `header:"If-Match" doc:"the ETag that reading gave"`
	Body    settings.Policy
}

type forecastQuery struct {
	Finished int `query:"keptFinishedDays" minimum:"0" maximum:"36500" doc:"days finished interviews would be kept; 0 for ever"`
	Idle     int `query:"keptIdleDays" minimum:"0" maximum:"36500" doc:"days open interviews would be kept; 0 for ever"`
}

type journalQuery struct {
	Cursor string `query:"cursor" maxLength:"30" doc:"where the page before ended"`
}

// journalBody is a line of the journal.
type journalBody struct {
	At      time.Time       `json:"at"`
	Actor   string          `json:"actor,omitempty" doc:"absent for the rules of retention"`
	Kind    settings.Kind   `json:"kind"`
	Subject string          `json:"subject,omitempty"`
	Detail  settings.Detail `json:"detail"`
}

type holdRequest struct {
	ID   string `path:"id"`
	Body struct {
		Reason string `json:"reason" minLength:"1" maxLength:"500" pattern:"^[^\\x00]*$" doc:"why it must be kept"`
	}
}

type sessionOnly struct {
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
	a, err := web.NeedManager(ctx)
	if err != nil {
		return settingsBody{}, err
	}
	saved, err := settings.Find(ctx, s.Pool, a.Tenant)
	return s.toSettingsBody(saved), err
}

// putSettings saves what is held against the state that was read. What it deletes
// is asked of getForecast before.
func (s *Handlers) putSettings(ctx context.Context, in *settingsChange) (settingsBody, error) {
	a, err := web.NeedManager(ctx)
	if err != nil {
		return settingsBody{}, err
	}
	if in.IfMatch == "" {
		return settingsBody{}, web.ErrUnconditional("say with If-Match which state of the settings this changes")
	}
	before, err := settings.Find(ctx, s.Pool, a.Tenant)
	if err != nil {
		return settingsBody{}, err
	}
	tag, err := web.TagOf(s.toSettingsBody(before))
	if err != nil {
		return settingsBody{}, err
	}
	if !web.TagMatches(in.IfMatch, tag) {
		return settingsBody{}, web.ErrStale("the settings were changed meanwhile; read them again")
	}
	saved, err := s.setPolicy(ctx, before.Version, before, in.Body)
	if fault.Is(err, fault.Conflict) {
		return settingsBody{}, web.ErrStale("the settings were changed meanwhile; read them again")
	}
	return s.toSettingsBody(saved), err
}

func (s *Handlers) getForecast(ctx context.Context, in *forecastQuery) (settings.Due, error) {
	a, err := web.NeedManager(ctx)
	if err != nil {
		return settings.Due{}, err
	}
	return settings.Forecast(ctx, s.Pool, a.Tenant, settings.Values{KeptFinishedDays: in.Finished, KeptIdleDays: in.Idle})
}

func (s *Handlers) getJournal(ctx context.Context, in *journalQuery) (web.Page[journalBody], error) {
	a, err := web.NeedManager(ctx)
	if err != nil {
		return web.Page[journalBody]{}, err
	}
	before := int64(0)
	if in.Cursor != "" {
		if before, err = strconv.ParseInt(in.Cursor, 10, 64); err != nil || before < 1 {
			return web.Page[journalBody]{}, fault.New(fault.Invalid, "is not a cursor of this list").At("cursor")
		}
	}
	lines, err := settings.Journal(ctx, s.Pool, a.Tenant, before, journalRows+1)
	if err != nil {
		return web.Page[journalBody]{}, err
	}
	out := web.Page[journalBody]{}
	if len(lines) > journalRows {
		lines = lines[:journalRows]
		out.NextCursor = strconv.FormatInt(lines[journalRows-1].ID, 10)
	}
	out.Items = web.Map(lines, func(e settings.JournalEntry) journalBody {
		return journalBody{e.At.UTC(), e.Actor, e.Kind, e.Subject, e.Detail}
	})
	return out, nil
}

func (s *Handlers) putHold(ctx context.Context, in *holdRequest) error {
	a := web.ActorFrom(ctx)
	if err := web.Need(a, auth.Review); err != nil {
		return err
	}
	return settings.Hold(ctx, s.Pool, obligations.Scope{Tenant: a.Tenant, Session: in.ID}, a.User, in.Body.Reason)
}

func (s *Handlers) deleteHold(ctx context.Context, in *sessionOnly) error {
	a := web.ActorFrom(ctx)
	if err := web.Need(a, auth.Review); err != nil {
		return err
	}
	return settings.Release(ctx, s.Pool, obligations.Scope{Tenant: a.Tenant, Session: in.ID}, a.User)
}

func (s *Handlers) deleteSession(ctx context.Context, in *sessionOnly) error {
	a := web.ActorFrom(ctx)
	if err := ownersOnly(a); err != nil {
		return err
	}
	session, err := s.Session(ctx, in.ID)
	if err != nil {
		return err
	}
	return settings.Erase(ctx, s.Pool, session.Scope(), a.User)
}

func (s *Handlers) getPersonData(ctx context.Context, in *personPath) (settings.Footprint, error) {
	a, err := web.NeedManager(ctx)
	if err != nil {
		return settings.Footprint{}, err
	}
	return settings.FootprintOf(ctx, s.Pool, a.Tenant, in.User)
}

func (s *Handlers) deletePersonData(ctx context.Context, in *personPath) (settings.Footprint, error) {
	a := web.ActorFrom(ctx)
	if err := ownersOnly(a); err != nil {
		return settings.Footprint{}, err
	}
	return s.erase(ctx, a, in.User)
}

func (s *Handlers) rotateTokenAPI(ctx context.Context, in *tokenPath) (tokenBody, error) {
	a, err := web.NeedManager(ctx)
	if err != nil {
		return tokenBody{}, err
	}
	token, g, err := auth.Rotate(ctx, s.Pool, a, in.ID)
	if err != nil {
		return tokenBody{}, err
	}
	err = settings.Note(ctx, s.Pool, a.Tenant, settings.JournalEntry{Actor: a.User, Kind: settings.Tokens, Subject: g.User, Detail: settings.Detail{Says: "rotated a token of"}})
	return tokenBody{Token: token, UserID: g.User, Role: g.Role, Name: g.Name}, err
}

// describeSettings adds to the description what If-Match may come to.
func describeSettings(doc *huma.OpenAPI) {
	web.DescribeEdit(doc, doc.Paths["/api/v1/settings"].Put)
}
