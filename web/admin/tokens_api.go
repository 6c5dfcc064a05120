package admin

import (
	"context"
	"time"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/sessions/settings"
	"quaestor/web"
)

// tokenBody is a token in the API. Token, its secret, is present only when it was just
// made: only its hash is stored.
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

// newToken asks for a token.
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
	list, err := auth.Tokens(ctx, s.Pool, web.ActorFrom(ctx).Tenant)
	return web.Page[tokenBody]{Items: web.Map(list, toTokenBody)}, err
}

// createToken makes a token. An admin may make one of any role but owner: otherwise
// they could make themselves one.
func (s *Handlers) createToken(ctx context.Context, in *newToken) (tokenBody, error) {
	a := web.ActorFrom(ctx)
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

// rotateToken ends a token and returns its successor. The journal tells whose it was.
func (s *Handlers) rotateToken(ctx context.Context, in *tokenPath) (tokenBody, error) {
	token, g, err := auth.Rotate(ctx, s.Pool, web.ActorFrom(ctx), in.ID)
	if err != nil {
		return tokenBody{}, err
	}
	err = s.note(ctx, settings.Tokens, g.User, "rotated a token of")
	return tokenBody{Token: token, UserID: g.User, Role: g.Role, Name: g.Name}, err
}

func (s *Handlers) revokeToken(ctx context.Context, in *tokenPath) error {
	return auth.Revoke(ctx, s.Pool, web.ActorFrom(ctx).Tenant, in.ID)
}
