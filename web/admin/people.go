package admin

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/sessions/settings"
	"quaestor/web"
	"quaestor/web/ui"
)

// fillPeople adds the members and the tokens of the organisation.
func (s *Handlers) fillPeople(r *http.Request, v *SettingsView) error {
	ctx, a := r.Context(), web.ActorFrom(r.Context())
	people, err := auth.People(ctx, s.Pool, a.Tenant)
	if err != nil {
		return err
	}
	v.People = web.Map(people, func(p auth.Person) PersonRow { return PersonRow{p, p.Owns() && a.Role != auth.Owner} })
	v.Tokens, err = auth.Tokens(ctx, s.Pool, a.Tenant)
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

// submitPeople returns the handler of a form about people or tokens: it does what the
// form asks, and writes the returned line into the journal.
func (s *Handlers) submitPeople(done string, do func(*http.Request) (settings.JournalEntry, error)) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := web.ReadForm(w, r); err != nil {
			return err
		}
		e, err := do(r)
		if err != nil {
			return s.settingsFailed(w, r, PeopleTab, "", err)
		}
		if err := s.note(r.Context(), e); err != nil {
			return err
		}
		return settingsDone(w, r, PeopleTab, done, "")
	}
}

// note writes into the journal what the actor did.
func (s *Handlers) note(ctx context.Context, e settings.JournalEntry) error {
	a := web.ActorFrom(ctx)
	e.Actor = a.User
	return settings.Note(ctx, s.Pool, a.Tenant, e)
}

// setRole gives a member another role. Their tokens keep no higher one.
func (s *Handlers) setRole(r *http.Request) (settings.JournalEntry, error) {
	user, role := r.PostFormValue("user"), r.PostFormValue("role")
	err := auth.SetRole(r.Context(), s.Pool, web.ActorFrom(r.Context()), user, auth.Role(role))
	return settings.JournalEntry{Kind: settings.People, Subject: user, Detail: settings.Detail{Says: "gave the role of " + role + " to"}}, err
}

func (s *Handlers) removePerson(r *http.Request) (settings.JournalEntry, error) {
	user := r.PostFormValue("user")
	err := auth.RemovePerson(r.Context(), s.Pool, web.ActorFrom(r.Context()), user)
	return settings.JournalEntry{Kind: settings.People, Subject: user, Detail: settings.Detail{Says: "removed"}}, err
}

func (s *Handlers) revoke(r *http.Request) (settings.JournalEntry, error) {
	id := r.PathValue("token")
	err := s.revokeToken(r.Context(), &tokenPath{id})
	return settings.JournalEntry{Kind: settings.Tokens, Subject: id, Detail: settings.Detail{Says: "revoked the token"}}, err
}

// Limits of the form for a token, which the API's schema states as well.
const (
	maxTokenName = 200
	maxTokenDays = 3650
)

// submitToken makes a token and shows it, this once.
func (s *Handlers) submitToken(w http.ResponseWriter, r *http.Request) error {
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
	if err := s.note(r.Context(), settings.JournalEntry{Kind: settings.Tokens, Subject: made.UserID, Detail: settings.Detail{Says: "made a token in the role of " + string(made.Role) + " for"}}); err != nil {
		return err
	}
	return s.showToken(w, r, made, false)
}

// submitRotation ends a token and shows its successor, this once.
func (s *Handlers) submitRotation(w http.ResponseWriter, r *http.Request) error {
	made, err := s.rotateToken(r.Context(), &tokenPath{r.PathValue("token")})
	if err != nil {
		return s.settingsFailed(w, r, PeopleTab, "", err)
	}
	return s.showToken(w, r, made, true)
}

// showToken shows a token that was just made. Unlike other forms this one answers with
// its page instead of a redirect: a secret must not be kept for a second request.
func (s *Handlers) showToken(w http.ResponseWriter, r *http.Request, made tokenBody, replaces bool) error {
	if !web.WantsPage(r) {
		w.Header().Set("Cache-Control", "no-store")
		web.WriteJSON(w, http.StatusCreated, made)
		return nil
	}
	return web.Render(w, r, TokenMade(TokenMadeView{Nav: web.NavOf(r.Context(), ui.AtManage), Token: made.Token, User: made.UserID, Role: string(made.Role), Replaces: replaces}))
}

// tokenWanted reads the form for a token.
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

// fieldWords returns what is wrong with a field as a sentence, without its name, which
// stands beside it.
func fieldWords(err error) string {
	var f *fault.Error
	if errors.As(err, &f) {
		return web.Sentence(f.Message)
	}
	return web.Sentence(err.Error())
}
