package web

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions/settings"
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

func (s *Server) settingsRoutes(a huma.API) {
	add(a, route{http.MethodGet, "/api/v1/settings", "settings-get", "Limits and retention: what the organisation has set, and what holds", 0}, s.getSettings)
	addEdit(a, route{http.MethodPut, "/api/v1/settings", "settings-put", "Set all of the limits and retention; what is absent is left to the server", 0}, s.putSettings)
	add(a, route{http.MethodGet, "/api/v1/settings/forecast", "settings-forecast", "What numbers of days would delete now", 0}, s.getForecast)
	add(a, route{http.MethodGet, "/api/v1/settings/journal", "settings-journal", "Who decided what, and what was deleted, newest first", 0}, s.getJournal)
	addEmpty(a, route{http.MethodPut, "/api/v1/sessions/{id}/hold", "session-hold", "Hold a session back from deletion", 0}, s.putHold)
	addEmpty(a, route{http.MethodDelete, "/api/v1/sessions/{id}/hold", "session-release", "Let a session be deleted again", 0}, s.deleteHold)
	addEmpty(a, route{http.MethodDelete, "/api/v1/sessions/{id}", "session-delete", "Delete a session for good, with all that hangs on it", 0}, s.deleteSession)
	add(a, route{http.MethodGet, "/api/v1/people/{user}/data", "person-data-get", "What is kept of a person, counted", 0}, s.getPersonData)
	add(a, route{http.MethodDelete, "/api/v1/people/{user}/data", "person-data-delete", "Delete the interviews a person began and the research they asked for, and end their tokens; answers what there was", 0}, s.deletePersonData)
	add(a, route{http.MethodPost, "/api/v1/tokens/{id}/rotate", "token-rotate", "End a token and make its successor; it is shown once", http.StatusCreated}, s.rotateTokenAPI)
}

// managed returns the actor, if they manage the organisation.
func managed(ctx context.Context) (auth.Actor, error) {
	a := actorFrom(ctx)
	return a, need(a, auth.Manage)
}

func (s *Server) toSettingsBody(saved settings.StoredPolicy) settingsBody {
	out := settingsBody{Version: saved.Version, Set: saved.Policy, InForce: saved.Over(s.Setup.Defaults), ChangedBy: saved.By}
	if !saved.At.IsZero() {
		at := saved.At.UTC()
		out.ChangedAt = &at
	}
	return out
}

func (s *Server) getSettings(ctx context.Context, _ *struct{}) (settingsBody, error) {
	a, err := managed(ctx)
	if err != nil {
		return settingsBody{}, err
	}
	saved, err := settings.Find(ctx, s.Pool, a.Tenant)
	return s.toSettingsBody(saved), err
}

// putSettings saves what is held against the state that was read. What it deletes
// is asked of getForecast before.
func (s *Server) putSettings(ctx context.Context, in *settingsChange) (settingsBody, error) {
	a, err := managed(ctx)
	if err != nil {
		return settingsBody{}, err
	}
	if in.IfMatch == "" {
		return settingsBody{}, unconditional("say with If-Match which state of the settings this changes")
	}
	before, err := settings.Find(ctx, s.Pool, a.Tenant)
	if err != nil {
		return settingsBody{}, err
	}
	tag, err := tagOf(s.toSettingsBody(before))
	if err != nil {
		return settingsBody{}, err
	}
	if !matches(in.IfMatch, tag) {
		return settingsBody{}, stale("the settings were changed meanwhile; read them again")
	}
	saved, err := s.setPolicy(ctx, before.Version, before, in.Body)
	if fault.Is(err, fault.Conflict) {
		return settingsBody{}, stale("the settings were changed meanwhile; read them again")
	}
	return s.toSettingsBody(saved), err
}

func (s *Server) getForecast(ctx context.Context, in *forecastQuery) (settings.Due, error) {
	a, err := managed(ctx)
	if err != nil {
		return settings.Due{}, err
	}
	return settings.Forecast(ctx, s.Pool, a.Tenant, settings.Values{KeptFinishedDays: in.Finished, KeptIdleDays: in.Idle})
}

func (s *Server) getJournal(ctx context.Context, in *journalQuery) (page[journalBody], error) {
	a, err := managed(ctx)
	if err != nil {
		return page[journalBody]{}, err
	}
	before := int64(0)
	if in.Cursor != "" {
		if before, err = strconv.ParseInt(in.Cursor, 10, 64); err != nil || before < 1 {
			return page[journalBody]{}, fault.New(fault.Invalid, "is not a cursor of this list").At("cursor")
		}
	}
	lines, err := settings.Journal(ctx, s.Pool, a.Tenant, before, journalRows+1)
	if err != nil {
		return page[journalBody]{}, err
	}
	out := page[journalBody]{}
	if len(lines) > journalRows {
		lines = lines[:journalRows]
		out.NextCursor = strconv.FormatInt(lines[journalRows-1].ID, 10)
	}
	out.Items = items(lines, func(e settings.JournalEntry) journalBody {
		return journalBody{e.At.UTC(), e.Actor, e.Kind, e.Subject, e.Detail}
	})
	return out, nil
}

func (s *Server) putHold(ctx context.Context, in *holdRequest) error {
	a := actorFrom(ctx)
	if err := need(a, auth.Review); err != nil {
		return err
	}
	return settings.Hold(ctx, s.Pool, obligations.Scope{Tenant: a.Tenant, Session: in.ID}, a.User, in.Body.Reason)
}

func (s *Server) deleteHold(ctx context.Context, in *sessionOnly) error {
	a := actorFrom(ctx)
	if err := need(a, auth.Review); err != nil {
		return err
	}
	return settings.Release(ctx, s.Pool, obligations.Scope{Tenant: a.Tenant, Session: in.ID}, a.User)
}

func (s *Server) deleteSession(ctx context.Context, in *sessionOnly) error {
	a := actorFrom(ctx)
	if err := ownersOnly(a); err != nil {
		return err
	}
	session, err := s.session(ctx, in.ID)
	if err != nil {
		return err
	}
	return settings.Erase(ctx, s.Pool, session.Scope(), a.User)
}

func (s *Server) getPersonData(ctx context.Context, in *personPath) (settings.Footprint, error) {
	a, err := managed(ctx)
	if err != nil {
		return settings.Footprint{}, err
	}
	return settings.FootprintOf(ctx, s.Pool, a.Tenant, in.User)
}

func (s *Server) deletePersonData(ctx context.Context, in *personPath) (settings.Footprint, error) {
	a := actorFrom(ctx)
	if err := ownersOnly(a); err != nil {
		return settings.Footprint{}, err
	}
	return s.erase(ctx, a, in.User)
}

func (s *Server) rotateTokenAPI(ctx context.Context, in *tokenPath) (tokenBody, error) {
	a, err := managed(ctx)
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
	put := doc.Paths["/api/v1/settings"].Put
	put.Responses["412"] = refusalOf(doc, "Precondition Failed: If-Match names another state")
	put.Responses["428"] = refusalOf(doc, "Precondition Required: If-Match is missing")
}
