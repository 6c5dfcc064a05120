package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/go-chi/chi/v5"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/research"
	"quaestor/sessions/settings"
	"quaestor/web/ui"
)

// settingsPages registers the pages of the settings below /admin, and what their
// forms are sent to.
func (s *Server) settingsPages(r chi.Router) {
	r.Get("/settings", s.handle(s.settingsPage(ui.LimitsTab)))
	r.Get("/settings/people", s.handle(s.settingsPage(ui.PeopleTab)))
	r.Get("/settings/connections", s.handle(s.settingsPage(ui.ConnectionsTab)))
	r.Get("/settings/data", s.handle(s.settingsPage(ui.DataTab)))

	r.Post("/settings/limits", s.handle(s.saveLimits))
	r.Get("/settings/forecast", s.handle(s.forecastPart))

	r.Post("/settings/tokens", s.handle(s.makeToken))
	r.Post("/settings/tokens/{token}/rotate", s.handle(s.rotateToken))
	r.Post("/settings/tokens/{token}/revoke", s.handle(s.peopleForm("token-ended", s.revokeHere)))
	r.Post("/settings/people/role", s.handle(s.peopleForm("role-set", s.setRole)))
	r.Post("/settings/people/remove", s.handle(s.peopleForm("removed", s.dropPerson)))

	r.Post("/settings/try/{part}", s.handle(s.tryPart))

	r.Get("/settings/export", s.handle(s.exportAll))
	r.Get("/settings/delete", s.handle(s.askToDelete))
	r.Post("/settings/delete", s.handle(s.deleteInterview))
	r.Get("/settings/erase", s.handle(s.askToErase))
	r.Post("/settings/erase", s.handle(s.erasePerson))
	r.Post("/settings/holds", s.handle(s.holdHere))
	r.Post("/settings/holds/{id}/release", s.handle(s.releaseHere))
}

// doneWords say what was just done, by the name that stands in the address.
var doneWords = map[string]string{
	"saved": "The limits are saved, and hold from now on.", "unchanged": "Nothing was changed.",
	"token-ended": "The token has ended.", "role-set": "The role is set.", "removed": "They are removed, and their tokens have ended.",
	"tested": "The test is over; its result stands below.", "deleted": "The interview is deleted.", "erased": "All that was kept of them is deleted.",
	"held": "The interview is held back from deletion.", "released": "The interview may be deleted again.",
}

// Bounds of what a page of the settings shows.
const (
	documentRows = 50
	journalRows  = 30
)

func (s *Server) settingsPage(tab ui.SettingsTab) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		v, err := s.settingsView(r, tab)
		if err != nil {
			return err
		}
		v.Notice = doneWords[r.URL.Query().Get("done")]
		if tab == ui.LimitsTab && r.URL.Query().Has("preview") {
			if err := s.previewLimits(r, &v); err != nil {
				return err
			}
		}
		return render(w, r, ui.Settings(v))
	}
}

// settingsView takes three to five round trips.
func (s *Server) settingsView(r *http.Request, tab ui.SettingsTab) (ui.SettingsView, error) {
	ctx, a := r.Context(), actorFrom(r.Context())
	v := ui.SettingsView{Nav: navOf(ctx, ui.AtManage), Tab: tab, User: a.User, Role: string(a.Role), Owner: a.Role == auth.Owner, Roles: rolesOf(a)}
	var err error
	if v.Operates, err = s.operates(ctx, a); err != nil {
		return v, err
	}
	fill := map[ui.SettingsTab]func(*http.Request, *ui.SettingsView) error{ui.LimitsTab: s.fillLimits, ui.PeopleTab: s.fillPeople, ui.ConnectionsTab: s.fillConnections, ui.DataTab: s.fillData}
	return v, fill[tab](r, &v)
}

func (s *Server) fillConnections(r *http.Request, v *ui.SettingsView) error {
	ctx, a := r.Context(), actorFrom(r.Context())
	after := r.URL.Query().Get("documents")
	docs, next, err := research.Stock(ctx, s.Pool, a.Tenant, after, documentRows)
	if err != nil {
		return err
	}
	for _, d := range docs {
		v.Papers = append(v.Papers, ui.PaperRow{Path: d.Path, Title: d.Title, State: string(d.State), Reason: d.Reason, Size: d.Size, ReadAt: d.ReadAt})
	}
	v.MoreAfter, v.Papered = next, after != ""
	tests, err := settings.Tests(ctx, s.Pool, a.Tenant)
	if err != nil {
		return err
	}
	for _, p := range s.Setup.Parts {
		row := ui.PartRow{Name: p.Name, Title: p.Title, State: p.State, Use: p.Use, On: p.On, Tries: p.Try != nil, Set: items(p.Set, toSettingRow)}
		if t, ok := tests[p.Name]; ok && p.Try != nil {
			row.Result = &ui.TryResult{Well: t.Well, Words: t.Says, Remedy: t.Remedy, Took: t.Took, By: t.By, At: t.At}
		}
		v.Parts = append(v.Parts, row)
	}
	if v.Operates {
		v.Settings = items(s.Setup.Settings, toSettingRow)
	}
	return nil
}

func toSettingRow(x Setting) ui.SettingRow { return ui.SettingRow(x) }

// settingsDone ends a form that did what it was for: a page goes on to where that
// shows, a script needs no answer.
func settingsDone(w http.ResponseWriter, r *http.Request, tab ui.SettingsTab, done, place string) error {
	return heard(w, r, tab.Path()+"?"+url.Values{"done": {done}}.Encode()+place)
}

// settingsFailed shows a page of the settings again with why something could not be
// done, beside the field of the form when the fault names one. What is our own
// fault, and what no page asked for, is left to the caller.
func (s *Server) settingsFailed(w http.ResponseWriter, r *http.Request, tab ui.SettingsTab, form string, err error) error {
	if !wantsPage(r) || fault.Is(err, fault.Internal) {
		return err
	}
	p := problemOf(err, idOf(r))
	view := formOf(r, form, err)
	return s.settingsAgain(w, r, tab, p.Status, func(v *ui.SettingsView) {
		v.Form = view
		if len(view.Faults) == 0 {
			v.Failure = sentence(p.Detail)
		} else {
			v.Failure = "That could not be done; see the field that is marked."
		}
	})
}

// formOf is what was typed into a form, with what an error says of one of its
// fields.
func formOf(r *http.Request, form string, err error) ui.FormView {
	view := ui.FormView{Name: form, Values: r.Form, Faults: map[string]string{}}
	var f *fault.Error
	if errors.As(err, &f) && f.Field != "" && form != "" {
		view.Faults[f.Field] = sentence(f.Message)
	}
	return view
}

func (s *Server) settingsAgain(w http.ResponseWriter, r *http.Request, tab ui.SettingsTab, status int, with func(*ui.SettingsView)) error {
	v, err := s.settingsView(r, tab)
	if err != nil {
		return err
	}
	with(&v)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	return ui.Settings(v).Render(r.Context(), w)
}

// testLimit bounds the test of a part.
const testLimit = 15 * time.Second

// tryPart makes one small real request of a part and keeps what came of it. Only
// one is made at a time: it may cost money.
func (s *Server) tryPart(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("part")
	i := slices.IndexFunc(s.Setup.Parts, func(p Part) bool { return p.Name == name && p.Try != nil })
	if i < 0 {
		return fault.New(fault.NotFound, "there is no such part to be tried").Coded("part_not_found")
	}
	if !s.trying.TryLock() {
		return s.settingsFailed(w, r, ui.ConnectionsTab, "", fault.New(fault.Conflict, "another test is running; wait for it").Coded("test_running"))
	}
	result := s.try(r.Context(), s.Setup.Parts[i])
	s.trying.Unlock()
	if err := settings.KeepTest(r.Context(), s.Pool, actorFrom(r.Context()).Tenant, result); err != nil {
		return err
	}
	if !wantsPage(r) {
		writeJSON(w, http.StatusOK, map[string]any{"well": result.Well, "says": result.Says, "remedy": result.Remedy, "seconds": result.Took.Seconds()})
		return nil
	}
	return settingsDone(w, r, ui.ConnectionsTab, "tested", "#part-"+name)
}

func (s *Server) try(ctx context.Context, p Part) settings.TestResult {
	ctx, cancel := context.WithTimeout(ctx, testLimit)
	defer cancel()
	began := time.Now()
	says, err := p.Try(ctx, actorFrom(ctx).Tenant)
	out := settings.TestResult{Part: p.Name, Well: err == nil, Says: says, Took: time.Since(began), By: actorFrom(ctx).User}
	if err != nil {
		s.Log.WarnContext(ctx, "test of a part", "part", p.Name, "tenant", actorFrom(ctx).Tenant, "err", err)
		out.Says = wordsOf(err)
		if p.Remedy != nil {
			out.Remedy = p.Remedy(err)
		}
	}
	return out
}
