package web

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/research"
	"quaestor/web/ui"
)

// settingsPages registers the page of the settings below /admin, and what its
// forms are sent to.
func (s *Server) settingsPages(r chi.Router) {
	r.Get("/settings", s.handle(s.settingsPage))
	r.Post("/settings/tokens", s.handle(s.makeToken))
	r.Post("/settings/tokens/{token}/revoke", s.handle(s.settingsForm("The token has ended.", func(r *http.Request) error {
		return s.revokeToken(r.Context(), &tokenPath{r.PathValue("token")})
	})))
	r.Post("/settings/people/role", s.handle(s.settingsForm("The role is set.", func(r *http.Request) error {
		return auth.SetRole(r.Context(), s.Pool, actorFrom(r.Context()), r.PostFormValue("user"), auth.Role(r.PostFormValue("role")))
	})))
	r.Post("/settings/people/remove", s.handle(s.settingsForm("They are removed, and their tokens have ended.", func(r *http.Request) error {
		return auth.RemovePerson(r.Context(), s.Pool, actorFrom(r.Context()), r.PostFormValue("user"))
	})))
	r.Post("/settings/try/{part}", s.handle(s.tryPart))
	r.Get("/settings/export", s.handle(s.exportAll))
	r.Get("/settings/delete", s.handle(s.askToDelete))
	r.Post("/settings/delete", s.handle(s.deleteInterview))
}

// documentRows is how many documents a page shows.
const documentRows = 50

func (s *Server) settingsPage(w http.ResponseWriter, r *http.Request) error {
	v, err := s.settingsView(r)
	if err != nil {
		return err
	}
	return render(w, r, ui.Settings(v))
}

// settingsView takes four round trips.
func (s *Server) settingsView(r *http.Request) (ui.SettingsView, error) {
	ctx, a := r.Context(), actorFrom(r.Context())
	v := ui.SettingsView{Nav: navOf(a, ui.AtManage), User: a.User, Role: string(a.Role), Roles: rolesOf(a)}
	var err error
	if v.Operates, err = s.operates(ctx, a); err != nil {
		return v, err
	}
	people, err := auth.People(ctx, s.Pool, a.Tenant)
	if err != nil {
		return v, err
	}
	for _, p := range people {
		v.People = append(v.People, ui.PersonRow{User: p.User, Role: string(p.Role), Tokens: p.Tokens, TokenRole: string(p.TokenRole), Since: p.Since,
			Fixed: p.Owns() && a.Role != auth.Owner})
	}
	tokens, err := auth.Tokens(ctx, s.Pool, a.Tenant)
	if err != nil {
		return v, err
	}
	v.Tokens = items(tokens, toTokenRow)
	after := r.URL.Query().Get("documents")
	docs, next, err := research.Stock(ctx, s.Pool, a.Tenant, after, documentRows)
	if err != nil {
		return v, err
	}
	for _, d := range docs {
		v.Papers = append(v.Papers, ui.PaperRow{Path: d.Path, Title: d.Title, State: string(d.State), Reason: d.Reason, Size: d.Size, ReadAt: d.ReadAt})
	}
	v.MoreAfter, v.Papered = next, after != ""
	for _, p := range s.Setup.Parts {
		v.Parts = append(v.Parts, ui.PartRow{Name: p.Name, Title: p.Title, State: p.State, On: p.On, Tries: p.Try != nil})
	}
	if v.Operates {
		v.Settings = items(s.Setup.Settings, func(x Setting) ui.SettingRow { return ui.SettingRow(x) })
	}
	return v, nil
}

// rolesOf lists the roles an actor may give.
func rolesOf(a auth.Actor) []string {
	var out []string
	for _, role := range auth.Roles() {
		if role != auth.Owner || a.Role == auth.Owner {
			out = append(out, string(role))
		}
	}
	return out
}

func toTokenRow(t auth.Token) ui.TokenRow {
	return ui.TokenRow{ID: t.ID, User: t.User, Role: string(t.Role), Name: t.Name, Created: t.Created, Expires: t.Expires, Revoked: t.Revoked,
		Expired: t.Expires != nil && t.Expires.Before(time.Now())}
}

// settingsForm takes a form of the settings, does what it asks for, and shows the
// settings again with what came of it.
func (s *Server) settingsForm(done string, do func(*http.Request) error) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := posted(w, r); err != nil {
			return err
		}
		if err := do(r); err != nil {
			return s.settingsFailed(w, r, err)
		}
		if !wantsPage(r) {
			w.WriteHeader(http.StatusNoContent)
			return nil
		}
		return s.settingsAgain(w, r, http.StatusOK, func(v *ui.SettingsView) { v.Notice = done })
	}
}

// settingsFailed shows the settings again with why something could not be done.
// What is our own fault, and what no page asked for, is left to the caller.
func (s *Server) settingsFailed(w http.ResponseWriter, r *http.Request, err error) error {
	if !wantsPage(r) || fault.Is(err, fault.Internal) {
		return err
	}
	p := problemOf(err, idOf(r))
	return s.settingsAgain(w, r, p.Status, func(v *ui.SettingsView) { v.Failure = sentence(p.Detail) })
}

func (s *Server) settingsAgain(w http.ResponseWriter, r *http.Request, status int, with func(*ui.SettingsView)) error {
	v, err := s.settingsView(r)
	if err != nil {
		return err
	}
	with(&v)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	return ui.Settings(v).Render(r.Context(), w)
}

// Bounds of a token's form.
const (
	maxTokenName = 200
	maxTokenDays = 3650
)

// makeToken makes a token and shows it, this once.
func (s *Server) makeToken(w http.ResponseWriter, r *http.Request) error {
	if err := posted(w, r); err != nil {
		return err
	}
	in, err := tokenWanted(r)
	if err != nil {
		return s.settingsFailed(w, r, err)
	}
	made, err := s.createToken(r.Context(), in)
	if err != nil {
		return s.settingsFailed(w, r, err)
	}
	if !wantsPage(r) {
		w.Header().Set("Cache-Control", "no-store")
		writeJSON(w, http.StatusCreated, made)
		return nil
	}
	return render(w, r, ui.TokenMade(ui.TokenMadeView{Nav: navOf(actorFrom(r.Context()), ui.AtManage), Token: made.Token, User: made.UserID, Role: string(made.Role), Name: made.Name}))
}

func tokenWanted(r *http.Request) (*newToken, error) {
	var in newToken
	in.Body.UserID, in.Body.Role, in.Body.Name = strings.TrimSpace(r.PostFormValue("user")), r.PostFormValue("role"), strings.TrimSpace(r.PostFormValue("name"))
	if len([]rune(in.Body.Name)) > maxTokenName {
		return nil, fault.New(fault.Unprocessable, "what a token is for has at most %d characters", maxTokenName).At("name")
	}
	if days := r.PostFormValue("days"); days != "" {
		n, err := strconv.Atoi(days)
		if err != nil || n < 0 || n > maxTokenDays {
			return nil, fault.New(fault.Unprocessable, "a token lasts 0 to %d days; 0 is for good", maxTokenDays).At("days")
		}
		in.Body.Days = n
	}
	return &in, nil
}

// tryLimit bounds the test of a part.
const tryLimit = 15 * time.Second

// tryPart makes one small real request of a part and shows what came of it. Only
// one is made at a time: it may cost money.
func (s *Server) tryPart(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("part")
	i := slices.IndexFunc(s.Setup.Parts, func(p Part) bool { return p.Name == name && p.Try != nil })
	if i < 0 {
		return fault.New(fault.NotFound, "there is no such part to be tried").Coded("part_not_found")
	}
	if !s.trying.TryLock() {
		return s.settingsFailed(w, r, fault.New(fault.Conflict, "another test is running; wait for it").Coded("test_running"))
	}
	result := s.try(r.Context(), s.Setup.Parts[i])
	s.trying.Unlock()
	if !wantsPage(r) {
		writeJSON(w, http.StatusOK, map[string]any{"well": result.Well, "says": result.Words, "seconds": result.Took.Seconds()})
		return nil
	}
	return s.settingsAgain(w, r, http.StatusOK, func(v *ui.SettingsView) { v.Parts[i].Result = &result })
}

func (s *Server) try(ctx context.Context, p Part) ui.TryResult {
	ctx, cancel := context.WithTimeout(ctx, tryLimit)
	defer cancel()
	began := time.Now()
	says, err := p.Try(ctx, actorFrom(ctx).Tenant)
	out := ui.TryResult{Well: err == nil, Words: says, Took: time.Since(began)}
	if err != nil {
		s.Log.WarnContext(ctx, "test of a part", "part", p.Name, "tenant", actorFrom(ctx).Tenant, "err", err)
		out.Words = wordsOf(err)
	}
	return out
}
