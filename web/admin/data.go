package admin

import (
	"context"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/settings"
	"quaestor/web"
	"quaestor/web/ui"
)

func (s *Handlers) fillData(r *http.Request, v *SettingsView) error {
	ctx, tenant := r.Context(), web.ActorFrom(r.Context()).Tenant
	holds, err := settings.Holds(ctx, s.Pool, tenant)
	if err != nil {
		return err
	}
	for _, h := range holds {
		v.Holds = append(v.Holds, HoldRow{Session: h.Session, Person: h.Person, About: h.Context, Reason: h.Reason, By: h.By, At: h.At})
	}
	before, _ := strconv.ParseInt(r.URL.Query().Get("before"), 10, 64) // what is none begins with the newest
	lines, err := settings.Journal(ctx, s.Pool, tenant, max(before, 0), journalRows+1)
	if err != nil {
		return err
	}
	if len(lines) > journalRows {
		lines = lines[:journalRows]
		v.Earlier = lines[journalRows-1].ID
	}
	v.Journal = web.Map(lines, ToJournalRow)
	return nil
}

// sessionName finds the id of a session in its address, or in itself.
var sessionName = regexp.MustCompile(`[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}`)

// namedSession returns the actor's tenant's session that an address or an id names.
func (s *Handlers) namedSession(r *http.Request, named string) (sessions.Session, error) {
	id := sessionName.FindString(named)
	if id == "" {
		return sessions.Session{}, fault.New(fault.NotFound, "that names no interview; its address or id does").At("session").Coded("session_not_found")
	}
	session, err := sessions.Find(r.Context(), s.Pool, obligations.Scope{Tenant: web.ActorFrom(r.Context()).Tenant, Session: strings.ToLower(id)})
	if fault.Is(err, fault.NotFound) {
		err = fault.New(fault.NotFound, "there is no such interview in your organisation").At("session").Coded("session_not_found")
	}
	return session, err
}

// ownersOnly refuses everybody else.
func ownersOnly(a auth.Actor) error {
	if a.Role != auth.Owner {
		return fault.New(fault.Forbidden, "only an owner deletes interviews and what is kept of a person").Coded("owners_only")
	}
	return nil
}

// deletable returns the session that an owner wants to delete.
func (s *Handlers) deletable(r *http.Request, named string) (sessions.Session, error) {
	if err := ownersOnly(web.ActorFrom(r.Context())); err != nil {
		return sessions.Session{}, err
	}
	return s.namedSession(r, named)
}

// askToDelete shows what would be deleted.
func (s *Handlers) askToDelete(w http.ResponseWriter, r *http.Request) error {
	session, err := s.deletable(r, r.URL.Query().Get("session"))
	if err != nil {
		_ = r.ParseForm() // what was typed is shown again
		return s.settingsFailed(w, r, DataTab, "delete", err)
	}
	return s.deletePage(w, r, session, http.StatusOK, ui.FormView{})
}

func (s *Handlers) deletePage(w http.ResponseWriter, r *http.Request, session sessions.Session, status int, form ui.FormView) error {
	d, err := s.Library.Definition(r.Context(), session.Tenant, session.ObjectiveID)
	if err != nil {
		return err
	}
	v := DeleteView{Nav: web.NavOf(r.Context(), ui.AtManage), ID: session.ID, Title: d.DisplayName, User: session.User, Turns: session.Turns, Created: session.CreatedAt, Form: form}
	hold, err := settings.FindHold(r.Context(), s.Pool, session.Scope())
	if err != nil {
		return err
	}
	if hold != nil {
		v.Held = hold.Reason
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	return DeleteInterview(v).Render(r.Context(), w)
}

// confirmed returns why a deletion is not confirmed: the name that was typed is not
// the one of who it is about.
func confirmed(r *http.Request, name string) error {
	if strings.TrimSpace(r.PostFormValue("confirm")) != strings.TrimSpace(name) {
		return fault.New(fault.Unprocessable, "type the name exactly as it stands here: %s", name).At("confirm")
	}
	return nil
}

// deleteInterview deletes a session for good.
func (s *Handlers) deleteInterview(w http.ResponseWriter, r *http.Request) error {
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	session, err := s.deletable(r, r.PostFormValue("session"))
	if err != nil {
		return s.settingsFailed(w, r, DataTab, "delete", err)
	}
	if err := confirmed(r, session.User); err != nil {
		if !web.WantsPage(r) {
			return err
		}
		return s.deletePage(w, r, session, http.StatusUnprocessableEntity, web.FormOf(r, "delete", err))
	}
	if err := settings.Erase(r.Context(), s.Pool, session.Scope(), web.ActorFrom(r.Context()).User); err != nil {
		return s.settingsFailed(w, r, DataTab, "", err)
	}
	s.Log.InfoContext(r.Context(), "interview deleted", "tenant", session.Tenant, "session", session.ID)
	return settingsDone(w, r, DataTab, "deleted", "")
}

// askToErase shows what would be deleted of a person.
func (s *Handlers) askToErase(w http.ResponseWriter, r *http.Request) error {
	if err := ownersOnly(web.ActorFrom(r.Context())); err != nil {
		return s.settingsFailed(w, r, DataTab, "", err)
	}
	return s.erasePage(w, r, r.URL.Query().Get("user"), http.StatusOK, ui.FormView{})
}

func (s *Handlers) erasePage(w http.ResponseWriter, r *http.Request, user string, status int, form ui.FormView) error {
	ctx, tenant := r.Context(), web.ActorFrom(r.Context()).Tenant
	user = strings.TrimSpace(user)
	has, err := settings.FootprintOf(ctx, s.Pool, tenant, user)
	if err != nil {
		return err
	}
	if has.None() {
		_ = r.ParseForm() // what was typed is shown again
		return s.settingsFailed(w, r, DataTab, "erase", fault.New(fault.NotFound, "nothing is kept of anybody of that name").At("user").Coded("person_not_found"))
	}
	v := EraseView{Nav: web.NavOf(ctx, ui.AtManage), User: user, Has: has, Form: form}
	if v.Elsewhere, err = settings.Elsewhere(ctx, s.Pool, tenant, user); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	return ErasePerson(v).Render(ctx, w)
}

// erasePerson deletes all that is kept of a person, and ends their tokens.
func (s *Handlers) erasePerson(w http.ResponseWriter, r *http.Request) error {
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	a, user := web.ActorFrom(r.Context()), strings.TrimSpace(r.PostFormValue("user"))
	if err := ownersOnly(a); err != nil {
		return s.settingsFailed(w, r, DataTab, "", err)
	}
	if err := confirmed(r, user); err != nil {
		if !web.WantsPage(r) {
			return err
		}
		return s.erasePage(w, r, user, http.StatusUnprocessableEntity, web.FormOf(r, "erase", err))
	}
	if _, err := s.erase(r.Context(), a, user); err != nil {
		return s.settingsFailed(w, r, DataTab, "", err)
	}
	return settingsDone(w, r, DataTab, "erased", "")
}

// erase deletes all that is kept of a person of the actor's tenant. Who is a member
// is removed first: the last owner can be neither.
func (s *Handlers) erase(ctx context.Context, a auth.Actor, user string) (settings.Footprint, error) {
	has, err := settings.FootprintOf(ctx, s.Pool, a.Tenant, user)
	if err != nil {
		return has, err
	}
	if has.None() {
		return has, fault.New(fault.NotFound, "nothing is kept of anybody of that name").Coded("person_not_found")
	}
	if has.Held > 0 || has.Running > 0 {
		return settings.ErasePerson(ctx, s.Pool, a.Tenant, user, a.User) // which refuses, and says why
	}
	if has.Member {
		if err := auth.RemovePerson(ctx, s.Pool, a, user); err != nil {
			return has, err
		}
	}
	return settings.ErasePerson(ctx, s.Pool, a.Tenant, user, a.User)
}

// holdHere holds a session back from deletion.
func (s *Handlers) holdHere(w http.ResponseWriter, r *http.Request) error {
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	session, err := s.namedSession(r, r.PostFormValue("session"))
	if err == nil {
		err = settings.Hold(r.Context(), s.Pool, session.Scope(), web.ActorFrom(r.Context()).User, r.PostFormValue("reason"))
	}
	if err != nil {
		return s.settingsFailed(w, r, DataTab, "hold", err)
	}
	return settingsDone(w, r, DataTab, "held", "")
}

// releaseHere lets a session be deleted again.
func (s *Handlers) releaseHere(w http.ResponseWriter, r *http.Request) error {
	a := web.ActorFrom(r.Context())
	if err := settings.Release(r.Context(), s.Pool, obligations.Scope{Tenant: a.Tenant, Session: r.PathValue("id")}, a.User); err != nil {
		return s.settingsFailed(w, r, DataTab, "", err)
	}
	return settingsDone(w, r, DataTab, "released", "")
}
