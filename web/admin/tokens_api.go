package admin

import (
	"context"
	"time"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/web"
)

// tokenBody is a token on the wire; Token is there once, when it is made.
type tokenBody struct {
	ID        string     `json:"id,omitempty"`
	Token     string     `json:"token,omitempty" doc:"shown once"`
	UserID    string     `json:"userId"`
	Role      auth.Role  `json:"role"`
	Name      string     `json:"name,omitempty"`
	CreatedAt *time.Time `json:"createdAt,omitempty"`
	ExpiresAt *time.Time `json:"expiresAt,omitempty"`
	RevokedAt *time.Time `json:"revokedAt,omitempty"`
	UsedAt    *time.Time `json:"usedAt,omitempty" doc:"last, to ten minutes; absent for never"`
}

func toTokenBody(t auth.Token) tokenBody {
	return tokenBody{ID: t.ID, UserID: t.User, Role: t.Role, Name: t.Name, CreatedAt: &t.Created, ExpiresAt: t.Expires, RevokedAt: t.Revoked, UsedAt: t.Used}
}

type newToken struct {
	Body struct {
		UserID string `json:"userId" minLength:"1" maxLength:"200" pattern:"^[^\\x00]*$"`
		Role   string `json:"role" enum:"owner,admin,reviewer,member,viewer"`
		Name   string `json:"name,omitempty" maxLength:"200" pattern:"^[^\\x00]*$"`
		Days   int    `json:"days,omitempty" minimum:"0" maximum:"3650" doc:"how long it lasts; 0 means for good"`
	}
}

type tokenPath struct {
	ID string `path:"id"`
}

func (s *Handlers) listTokens(ctx context.Context, _ *struct{}) (web.Page[tokenBody], error) {
	a := web.ActorFrom(ctx)
	if err := web.Need(a, auth.Manage); err != nil {
		return web.Page[tokenBody]{}, err
	}
	list, err := auth.Tokens(ctx, s.Pool, a.Tenant)
	return web.Page[tokenBody]{Items: web.Map(list, toTokenBody)}, err
}

func (s *Handlers) createToken(ctx context.Context, in *newToken) (tokenBody, error) {
	a := web.ActorFrom(ctx)
	if err := web.Need(a, auth.Manage); err != nil {
		return tokenBody{}, err
	}
	role, err := auth.ParseRole(in.Body.Role)
	if err != nil {
		return tokenBody{}, err
	}
	if role == auth.Owner && a.Role != auth.Owner {
		return tokenBody{}, fault.New(fault.Forbidden, "only an owner makes owners").At("role")
	}
	token, id, err := auth.IssueToken(ctx, s.Pool, auth.Grant{Tenant: a.Tenant, User: in.Body.UserID, Role: role, Name: in.Body.Name, Lasts: time.Duration(in.Body.Days) * 24 * time.Hour})
	return tokenBody{ID: id, Token: token, UserID: in.Body.UserID, Role: role, Name: in.Body.Name}, err
}

func (s *Handlers) revokeToken(ctx context.Context, in *tokenPath) error {
	a := web.ActorFrom(ctx)
	if err := web.Need(a, auth.Manage); err != nil {
		return err
	}
	return auth.Revoke(ctx, s.Pool, a.Tenant, in.ID)
}
