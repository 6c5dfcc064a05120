package web

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
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

func (s *Server) tokenRoutes(a huma.API) {
	add(a, onGet("/api/v1/tokens", "token-list", "The tenant's tokens, without their secrets"), s.listTokens)
	add(a, onPost("/api/v1/tokens", "token-create", "Make a token; it is shown once").answering(http.StatusCreated), s.createToken)
	addEmpty(a, onDelete("/api/v1/tokens/{id}", "token-revoke", "End a token at once"), s.revokeToken)
}

func (s *Server) listTokens(ctx context.Context, _ *struct{}) (page[tokenBody], error) {
	a := actorFrom(ctx)
	if err := need(a, auth.Manage); err != nil {
		return page[tokenBody]{}, err
	}
	list, err := auth.Tokens(ctx, s.Pool, a.Tenant)
	return page[tokenBody]{Items: items(list, toTokenBody)}, err
}

func (s *Server) createToken(ctx context.Context, in *newToken) (tokenBody, error) {
	a := actorFrom(ctx)
	if err := need(a, auth.Manage); err != nil {
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

func (s *Server) revokeToken(ctx context.Context, in *tokenPath) error {
	a := actorFrom(ctx)
	if err := need(a, auth.Manage); err != nil {
		return err
	}
	return auth.Revoke(ctx, s.Pool, a.Tenant, in.ID)
}
