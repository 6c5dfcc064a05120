package admin

import (
	"cmp"
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

// fillData adds what is held back from deletion, and a page of the journal.
func (s *Handlers) fillData(r *http.Request, v *SettingsView) error {
	ctx := r.Context()
	holds, errHolds := settings.Holds(ctx, s.Pool, web.ActorFrom(ctx).Tenant)
	before, _ := strconv.ParseInt(r.URL.Query().Get("before"), 10, 64) // 0 begins with the newest
	lines, earlier, errJournal := s.journal(ctx, max(before, 0))
	v.Holds, v.Journal, v.Earlier = holds, web.Map(lines, toJournalRow), earlier
	return cmp.Or(errHolds, errJournal)
}

// journal returns the lines of the journal before a line, newest first, from the newest
// if before is 0. earlier is the line that the next page is before; 0 on the last page.
func (s *Handlers) journal(ctx context.Context, before int64) (lines []settings.JournalEntry, earlier int64, err error) {
	lines, err = settings.Journal(ctx, s.Pool, web.ActorFrom(ctx).Tenant, before, journalRows+1)
	if len(lines) > journalRows {
		lines = lines[:journalRows]
		earlier = lines[journalRows-1].ID
	}
	return lines, earlier, err
}

// sessionName finds the id of a session in an address of it, or in an id alone.
var sessionName = regexp.MustCompile(`[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}`)

// namedSession returns the session of the actor's organisation that a person named by
// its id or an address.
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

// ownersOnly refuses all actors but owners.
func ownersOnly(ctx context.Context) error {
	if web.ActorFrom(ctx).Role != auth.Owner {
		return fault.New(fault.Forbidden, "only an owner deletes interviews and what is kept of a person").Coded("owners_only")
	}
	return nil
}

// deletable returns the session that a person named, if they may delete it.
func (s *Handlers) deletable(r *http.Request, named string) (sessions.Session, error) {
	if err := ownersOnly(r.Context()); err != nil {
		return sessions.Session{}, err
	}
	return s.namedSession(r, named)
}

// deletePage shows the interview that would be deleted, and asks for its person's name.
func (s *Handlers) deletePage(w http.ResponseWriter, r *http.Request) error {
	session, err := s.deletable(r, r.URL.Query().Get("session"))
	if err != nil {
		_ = r.ParseForm() // what was typed is shown again
		return s.settingsFailed(w, r, DataTab, "delete", err)
	}
	return s.askToDelete(w, r, session, http.StatusOK, ui.FormView{})
}

// askToDelete answers with the page that asks once more before a session is deleted.
func (s *Handlers) askToDelete(w http.ResponseWriter, r *http.Request, session sessions.Session, status int, form ui.FormView) error {
	d, errObjective := s.Library.Definition(r.Context(), session.Tenant, session.ObjectiveID)
	hold, errHold := settings.FindHold(r.Context(), s.Pool, session.Scope())
	if err := cmp.Or(errObjective, errHold); err != nil {
		return err
	}
	v := DeleteView{Nav: web.NavOf(r.Context(), ui.AtManage), Session: session, Title: d.DisplayName, Form: form}
	if hold != nil {
		v.Held = hold.Reason
	}
	return web.RenderAs(w, r, status, DeleteInterview(v))
}

// confirmed refuses a deletion unless the name of the person it is about was typed.
func confirmed(r *http.Request, name string) error {
	if strings.TrimSpace(r.PostFormValue("confirm")) != strings.TrimSpace(name) {
		return fault.New(fault.Unprocessable, "type the name exactly as it stands here: %s", name).At("confirm")
	}
	return nil
}

// submitDeletion deletes a session for good.
func (s *Handlers) submitDeletion(w http.ResponseWriter, r *http.Request) error {
	session, err := s.deletable(r, r.PostFormValue("session"))
	if err != nil {
		return s.settingsFailed(w, r, DataTab, "delete", err)
	}
	if err := confirmed(r, session.User); err != nil {
		if !web.WantsPage(r) {
			return err
		}
		return s.askToDelete(w, r, session, http.StatusUnprocessableEntity, web.FormOf(r, "delete", err))
	}
	if err := settings.Erase(r.Context(), s.Pool, session.Scope(), web.ActorFrom(r.Context()).User); err != nil {
		return s.settingsFailed(w, r, DataTab, "", err)
	}
	s.Log.InfoContext(r.Context(), "interview deleted", "tenant", session.Tenant, "session", session.ID)
	return settingsDone(w, r, DataTab, "deleted", "")
}

// erasePage shows what would be deleted of a person, and asks for their name.
func (s *Handlers) erasePage(w http.ResponseWriter, r *http.Request) error {
	if err := ownersOnly(r.Context()); err != nil {
		return s.settingsFailed(w, r, DataTab, "", err)
	}
	return s.askToErase(w, r, r.URL.Query().Get("user"), http.StatusOK, ui.FormView{})
}

// askToErase answers with the page that asks once more before a person is erased.
func (s *Handlers) askToErase(w http.ResponseWriter, r *http.Request, user string, status int, form ui.FormView) error {
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
	return web.RenderAs(w, r, status, ErasePerson(v))
}

// submitErasure deletes all that is kept of a person, and ends their tokens.
func (s *Handlers) submitErasure(w http.ResponseWriter, r *http.Request) error {
	user := strings.TrimSpace(r.PostFormValue("user"))
	if err := ownersOnly(r.Context()); err != nil {
		return s.settingsFailed(w, r, DataTab, "", err)
	}
	if err := confirmed(r, user); err != nil {
		if !web.WantsPage(r) {
			return err
		}
		return s.askToErase(w, r, user, http.StatusUnprocessableEntity, web.FormOf(r, "erase", err))
	}
	if _, err := s.erase(r.Context(), user); err != nil {
		return s.settingsFailed(w, r, DataTab, "", err)
	}
	return settingsDone(w, r, DataTab, "erased", "")
}

// erase deletes all that is kept of a person of the actor's organisation, and returns
// how much there was. A member is removed first, which refuses the last owner before
// anything is deleted.
func (s *Handlers) erase(ctx context.Context, user string) (settings.Footprint, error) {
	a := web.ActorFrom(ctx)
	has, err := settings.FootprintOf(ctx, s.Pool, a.Tenant, user)
	if err != nil {
		return has, err
	}
	if has.None() {
		return has, fault.New(fault.NotFound, "nothing is kept of anybody of that name").Coded("person_not_found")
	}
	if has.Member && has.Held == 0 && has.Running == 0 { // else ErasePerson refuses
		if err := auth.RemovePerson(ctx, s.Pool, a, user); err != nil {
			return has, err
		}
	}
	return settings.ErasePerson(ctx, s.Pool, a.Tenant, user, a.User)
}

// hold holds a session back from deletion.
func (s *Handlers) hold(r *http.Request) error {
	session, err := s.namedSession(r, r.PostFormValue("session"))
	if err != nil {
		return err
	}
	return settings.Hold(r.Context(), s.Pool, session.Scope(), web.ActorFrom(r.Context()).User, r.PostFormValue("reason"))
}

// release allows a session to be deleted again.
func (s *Handlers) release(r *http.Request) error {
	return s.deleteHold(r.Context(), &sessionID{r.PathValue("id")})
}
