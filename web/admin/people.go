package admin

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/sessions/settings"
	"quaestor/web"
	"quaestor/web/ui"
)

func (s *Handlers) fillPeople(r *http.Request, v *SettingsView) error {
	ctx, a := r.Context(), web.ActorFrom(r.Context())
	people, err := auth.People(ctx, s.Pool, a.Tenant)
	if err != nil {
		return err
	}
	for _, p := range people {
		v.People = append(v.People, PersonRow{User: p.User, Role: string(p.Role), Tokens: p.Tokens, TokenRole: string(p.TokenRole), Since: p.Since,
			Fixed: p.Owns() && a.Role != auth.Owner})
	}
	tokens, err := auth.Tokens(ctx, s.Pool, a.Tenant)
	v.Tokens = web.Map(tokens, toTokenRow)
	return err
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

func toTokenRow(t auth.Token) TokenRow {
	return TokenRow{ID: t.ID, User: t.User, Role: string(t.Role), Name: t.Name, Created: t.Created, Expires: t.Expires, Revoked: t.Revoked, Used: t.Used,
		Expired: t.Expires != nil && t.Expires.Before(time.Now())}
}

// peopleForm takes a form about people or tokens, does what it asks for and writes
// it down.
func (s *Handlers) peopleForm(done string, do func(*http.Request) (settings.JournalEntry, error)) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := web.ReadForm(w, r); err != nil {
			return err
		}
		e, err := do(r)
		if err != nil {
			return s.settingsFailed(w, r, PeopleTab, "", err)
		}
		if err := s.note(r, e); err != nil {
			return err
		}
		return settingsDone(w, r, PeopleTab, done, "")
	}
}

// note writes into the journal what the actor did.
func (s *Handlers) note(r *http.Request, e settings.JournalEntry) error {
	a := web.ActorFrom(r.Context())
	e.Actor = a.User
	return settings.Note(r.Context(), s.Pool, a.Tenant, e)
}

func (s *Handlers) setRole(r *http.Request) (settings.JournalEntry, error) {
	user, role := r.PostFormValue("user"), r.PostFormValue("role")
	err := auth.SetRole(r.Context(), s.Pool, web.ActorFrom(r.Context()), user, auth.Role(role))
	return settings.JournalEntry{Kind: settings.People, Subject: user, Detail: settings.Detail{Says: "gave the role of " + role + " to"}}, err
}

func (s *Handlers) dropPerson(r *http.Request) (settings.JournalEntry, error) {
	user := r.PostFormValue("user")
	err := auth.RemovePerson(r.Context(), s.Pool, web.ActorFrom(r.Context()), user)
	return settings.JournalEntry{Kind: settings.People, Subject: user, Detail: settings.Detail{Says: "removed"}}, err
}

func (s *Handlers) revokeHere(r *http.Request) (settings.JournalEntry, error) {
	id := r.PathValue("token")
	err := s.revokeToken(r.Context(), &tokenPath{id})
	return settings.JournalEntry{Kind: settings.Tokens, Subject: id, Detail: settings.Detail{Says: "revoked the token"}}, err
}

// Bounds of a token's form.
const (
	maxTokenName = 200
	maxTokenDays = 3650
)

// makeToken makes a token and shows it, this once.
func (s *Handlers) makeToken(w http.ResponseWriter, r *http.Request) error {
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	in, err := tokenWanted(r)
	if err != nil {
		return s.settingsFailed(w, r, PeopleTab, "token", err)
	}
	made, err := s.createToken(r.Context(), in)
	if err != nil {
		return s.settingsFailed(w, r, PeopleTab, "token", err)
	}
	if err := s.note(r, settings.JournalEntry{Kind: settings.Tokens, Subject: made.UserID, Detail: settings.Detail{Says: "made a token in the role of " + string(made.Role) + " for"}}); err != nil {
		return err
	}
	return s.showToken(w, r, made, false)
}

// rotateToken ends a token and shows its successor, this once.
func (s *Handlers) rotateToken(w http.ResponseWriter, r *http.Request) error {
	token, g, err := auth.Rotate(r.Context(), s.Pool, web.ActorFrom(r.Context()), r.PathValue("token"))
	if err != nil {
		return s.settingsFailed(w, r, PeopleTab, "", err)
	}
	if err := s.note(r, settings.JournalEntry{Kind: settings.Tokens, Subject: g.User, Detail: settings.Detail{Says: "rotated a token of"}}); err != nil {
		return err
	}
	return s.showToken(w, r, tokenBody{Token: token, UserID: g.User, Role: g.Role, Name: g.Name}, true)
}

// showToken shows a token that was just made. It is the answer of the form itself:
// what is shown once cannot be gone on to.
func (s *Handlers) showToken(w http.ResponseWriter, r *http.Request, made tokenBody, replaces bool) error {
	if !web.WantsPage(r) {
		w.Header().Set("Cache-Control", "no-store")
		web.WriteJSON(w, http.StatusCreated, made)
		return nil
	}
	return web.Render(w, r, TokenMade(TokenMadeView{Nav: web.NavOf(r.Context(), ui.AtManage), Token: made.Token, User: made.UserID, Role: string(made.Role), Name: made.Name, Replaces: replaces}))
}

func tokenWanted(r *http.Request) (*newToken, error) {
	var in newToken
	in.Body.UserID, in.Body.Role, in.Body.Name = strings.TrimSpace(r.PostFormValue("user")), r.PostFormValue("role"), strings.TrimSpace(r.PostFormValue("name"))
	if len([]rune(in.Body.Name)) > maxTokenName {
		return nil, fault.New(fault.Unprocessable, "what a token is for has at most %d characters", maxTokenName).At("name")
	}
	if days := strings.TrimSpace(r.PostFormValue("days")); days != "" {
		n, err := strconv.Atoi(days)
		if err != nil || n < 0 || n > maxTokenDays {
			return nil, fault.New(fault.Unprocessable, "a token lasts 0 to %d days; 0 is for good", maxTokenDays).At("days")
		}
		in.Body.Days = n
	}
	return &in, nil
}

// fieldWords says what is wrong about a field, without its name.
func fieldWords(err error) string {
	var f *fault.Error
	if errors.As(err, &f) {
		return web.Sentence(f.Message)
	}
	return web.Sentence(err.Error())
}
