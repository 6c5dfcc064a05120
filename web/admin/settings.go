package admin

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"time"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/research"
	"quaestor/sessions/settings"
	"quaestor/web"
	"quaestor/web/ui"
)

// doneWords are what a page tells after a form, by the value of done in its address.
var doneWords = map[string]string{
	"saved": "The limits are saved, and hold from now on.", "unchanged": "Nothing was changed.",
	"token-ended": "The token has ended.", "role-set": "The role is set.", "removed": "They are removed, and their tokens have ended.",
	"tested": "The test is over; its result stands below.", "deleted": "The interview is deleted.", "erased": "All that was kept of them is deleted.",
	"model-saved": "The model is saved, and was tested; the result stands below.", "model-tested": "The test is over; its result stands below.", "model-moved": "The order is set.", "model-deleted": "The model and its key are deleted.",
	"held": "The interview is held back from deletion.", "released": "The interview may be deleted again.",
}

// Bounds of what a page of the settings shows.
const (
	documentRows = 50
	journalRows  = 30
)

// settingsPage returns the handler of a tab of the settings.
func (s *Handlers) settingsPage(tab SettingsTab) http.HandlerFunc {
	view := func(r *http.Request) (SettingsView, error) {
		v, err := s.settingsView(r, tab)
		v.Notice = doneWords[r.URL.Query().Get("done")]
		if err == nil && tab == LimitsTab && r.URL.Query().Has("preview") {
			err = s.previewLimits(r, &v)
		}
		return v, err
	}
	return web.HandlePage(s.Server, view, Settings)
}

// settingsView takes three to five round trips.
func (s *Handlers) settingsView(r *http.Request, tab SettingsTab) (SettingsView, error) {
	ctx, a := r.Context(), web.ActorFrom(r.Context())
	v := SettingsView{Nav: web.NavOf(ctx, ui.AtManage), Tab: tab, User: a.User, Role: string(a.Role), Owner: a.Role == auth.Owner, Roles: rolesOf(a)}
	var err error
	if v.Operates, err = s.operates(ctx, a); err != nil {
		return v, err
	}
	fill := map[SettingsTab]func(*http.Request, *SettingsView) error{LimitsTab: s.fillLimits, PeopleTab: s.fillPeople, ModelsTab: s.fillModels, ConnectionsTab: s.fillConnections, DataTab: s.fillData}
	return v, fill[tab](r, &v)
}

// fillConnections adds the parts of the server, a page of the documents, and the
// settings of the server for those who decide about it.
func (s *Handlers) fillConnections(r *http.Request, v *SettingsView) error {
	ctx, a := r.Context(), web.ActorFrom(r.Context())
	after := r.URL.Query().Get("documents")
	docs, next, errDocs := research.Stock(ctx, s.Pool, a.Tenant, after, documentRows)
	tests, errTests := settings.Tests(ctx, s.Pool, a.Tenant)
	if err := cmp.Or(errDocs, errTests); err != nil {
		return err
	}
	for _, d := range docs {
		v.Papers = append(v.Papers, PaperRow{Path: d.Path, Title: d.Title, State: string(d.State), Reason: d.Reason, Size: d.Size, ReadAt: d.ReadAt})
	}
	v.MoreAfter, v.Papered = next, after != ""
	for _, p := range s.Setup.Parts {
		row := PartRow{Part: p}
		if t, ok := tests[p.Name]; ok && p.Try != nil {
			row.Result = &t
		}
		v.Parts = append(v.Parts, row)
	}
	if v.Operates {
		v.Settings = s.Setup.Settings
	}
	return nil
}

// settingsDone ends a form that succeeded: a page goes on to the tab with a notice, a
// script gets an empty answer.
func settingsDone(w http.ResponseWriter, r *http.Request, tab SettingsTab, done, place string) error {
	return web.EndForm(w, r, tab.Path()+"?"+url.Values{"done": {done}}.Encode()+place)
}

// submitSettings returns the handler of a form on a tab of the settings that does what
// the form asks. done is the value of done in the address that it goes on to.
func (s *Handlers) submitSettings(tab SettingsTab, form, done string, do func(*http.Request) error) http.HandlerFunc {
	return s.HandleForm(func(w http.ResponseWriter, r *http.Request) error {
		if err := do(r); err != nil {
			return s.settingsFailed(w, r, tab, form, err)
		}
		return settingsDone(w, r, tab, done, "")
	})
}

// settingsFailed shows a page of the settings again with the reason why something could
// not be done, beside the field of the form if the fault names one. It returns err
// itself when the client wants no page or the fault is ours.
func (s *Handlers) settingsFailed(w http.ResponseWriter, r *http.Request, tab SettingsTab, form string, err error) error {
	if !web.WantsPage(r) || fault.Is(err, fault.Internal) {
		return err
	}
	p := web.ProblemOf(err, web.RequestID(r.Context()))
	view := web.FormOf(r, form, err)
	return s.settingsAgain(w, r, tab, p.Status, func(v *SettingsView) {
		v.Form = view
		v.Failure = view.FailureOr(web.Sentence(p.Detail))
	})
}

// settingsAgain shows a page of the settings with a status, changed by with.
func (s *Handlers) settingsAgain(w http.ResponseWriter, r *http.Request, tab SettingsTab, status int, with func(*SettingsView)) error {
	v, err := s.settingsView(r, tab)
	if err != nil {
		return err
	}
	with(&v)
	return web.RenderAs(w, r, status, Settings(v))
}

// testLimit bounds the test of a part.
const testLimit = 15 * time.Second

// submitTest makes one small real request of a part and keeps what came of it. Only
// one is made at a time: it may cost money.
func (s *Handlers) submitTest(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("part")
	i := slices.IndexFunc(s.Setup.Parts, func(p Part) bool { return p.Name == name && p.Try != nil })
	if i < 0 {
		return fault.New(fault.NotFound, "there is no such part to be tried").Coded("part_not_found")
	}
	if !s.testing.TryLock() {
		return s.settingsFailed(w, r, ConnectionsTab, "", fault.New(fault.Conflict, "another test is running; wait for it").Coded("test_running"))
	}
	result := s.try(r.Context(), s.Setup.Parts[i])
	s.testing.Unlock()
	if err := settings.KeepTest(r.Context(), s.Pool, web.ActorFrom(r.Context()).Tenant, result); err != nil {
		return err
	}
	if !web.WantsPage(r) {
		web.WriteJSON(w, http.StatusOK, map[string]any{"well": result.Well, "says": result.Says, "remedy": result.Remedy, "seconds": result.Took.Seconds()})
		return nil
	}
	return settingsDone(w, r, ConnectionsTab, "tested", "#part-"+name)
}

func (s *Handlers) try(ctx context.Context, p Part) settings.TestResult {
	ctx, cancel := context.WithTimeout(ctx, testLimit)
	defer cancel()
	began := time.Now()
	says, err := p.Try(ctx, web.ActorFrom(ctx).Tenant)
	out := settings.TestResult{Part: p.Name, Well: err == nil, Says: says, Took: time.Since(began), By: web.ActorFrom(ctx).User}
	if err != nil {
		s.Log.WarnContext(ctx, "test of a part", "part", p.Name, "tenant", web.ActorFrom(ctx).Tenant, "err", err)
		out.Says = web.ErrorWords(err)
		if p.Remedy != nil {
			out.Remedy = p.Remedy(err)
		}
	}
	return out
}
