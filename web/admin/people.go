package admin

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
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
	people, errPeople := auth.People(ctx, s.Pool, a.Tenant)
	tokens, errTokens := auth.Tokens(ctx, s.Pool, a.Tenant)
	v.People = web.Map(people, func(p auth.Person) PersonRow { return PersonRow{p, p.Owns() && a.Role != auth.Owner} })
	v.Tokens = tokens
	return cmp.Or(errPeople, errTokens)
}

// rolesOf lists the roles an actor may give.
func rolesOf(a auth.Actor) []string {
	roles := slices.DeleteFunc(slices.Clone(auth.Roles()), func(role auth.Role) bool { return role == auth.Owner && a.Role != auth.Owner })
	return web.Map(roles, func(role auth.Role) string { return string(role) })
}

// note writes into the journal what the actor did about a subject.
func (s *Handlers) note(ctx context.Context, kind settings.Kind, subject, says string) error {
	a := web.ActorFrom(ctx)
	return settings.Note(ctx, s.Pool, a.Tenant, settings.JournalEntry{Actor: a.User, Kind: kind, Subject: subject, Detail: settings.Detail{Says: says}})
}

// setRole gives a member another role. Their tokens keep no higher one.
func (s *Handlers) setRole(r *http.Request) error {
	user, role := r.PostFormValue("user"), r.PostFormValue("role")
	if err := auth.SetRole(r.Context(), s.Pool, web.ActorFrom(r.Context()), user, auth.Role(role)); err != nil {
		return err
	}
	return s.note(r.Context(), settings.People, user, "gave the role of "+role+" to")
}

func (s *Handlers) removePerson(r *http.Request) error {
	user := r.PostFormValue("user")
	if err := auth.RemovePerson(r.Context(), s.Pool, web.ActorFrom(r.Context()), user); err != nil {
		return err
	}
	return s.note(r.Context(), settings.People, user, "removed")
}

func (s *Handlers) revoke(r *http.Request) error {
	id := r.PathValue("token")
	if err := s.revokeToken(r.Context(), &tokenPath{id}); err != nil {
		return err
	}
	return s.note(r.Context(), settings.Tokens, id, "revoked the token")
}

// Limits of the form for a token, which the API's schema states as well.
const (
	maxTokenName = 200
	maxTokenDays = 3650
)

// submitToken makes a token and shows it, this once.
func (s *Handlers) submitToken(w http.ResponseWriter, r *http.Request) error {
	in, err := postedToken(r)
	var made tokenBody
	if err == nil {
		made, err = s.createToken(r.Context(), in)
	}
	if err != nil {
		return s.settingsFailed(w, r, PeopleTab, "token", err)
	}
	if err := s.note(r.Context(), settings.Tokens, made.UserID, "made a token in the role of "+string(made.Role)+" for"); err != nil {
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

// postedToken reads the form for a token.
func postedToken(r *http.Request) (*newToken, error) {
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
