package talk

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"quaestor/chat"
	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/sessions"
	"quaestor/web"
)

// TurnBody is the request of POST /api/discovery-chat.
//
// Unknown fields are ignored, so that clients may send more, but a field whose name is a
// misspelling of one of these is refused.
type TurnBody struct {
	_ struct{} `additionalProperties:"true"`

	SessionID       string                     `json:"sessionId,omitempty" doc:"without one the active session of the context goes on, or a new one starts"`
	ContextType     string                     `json:"contextType,omitempty" doc:"what to talk about; needed where sessionId is left out"`
	Language        string                     `json:"language,omitempty" doc:"BCP 47 tag of the language of a session that starts, such as de; without one Accept-Language counts, then what the person writes first; a session that goes on keeps its own"`
	Message         string                     `json:"message,omitempty" doc:"at most 64 KiB; empty lets the interviewer open"`
	UserID          string                     `json:"userId,omitempty" doc:"the credential's, if any"`
	TenantID        string                     `json:"tenantId,omitempty" doc:"the credential's, if any"`
	ClientMessageID string                     `json:"clientMessageId,omitempty" doc:"makes it safe to send the message again"`
	Answers         map[string]json.RawMessage `json:"answers,omitempty" doc:"filled-in widgets, by obligation key"`
	Files           []string                   `json:"files,omitempty" doc:"ids of files of the session that come with the message"`
	Reopen          bool                       `json:"reopen,omitempty" doc:"if the session is completed, reopen it with this message as its next revision; without it, a completed session refuses messages"`
}

// postTurn starts a turn and streams its events until it ends. The turn goes on when the
// client leaves.
func (s *Handlers) postTurn(w http.ResponseWriter, r *http.Request) error {
	body, err := decodeTurn(w, r)
	if err != nil {
		return err
	}
	in, err := s.input(r.Context(), body, r.Header.Get("Idempotency-Key"))
	if err != nil {
		return withStartHint(err)
	}
	in.Language = languageRequest(r, body.Language)
	started, err := s.Engine.Start(r.Context(), in)
	if err != nil {
		return withStartHint(err)
	}
	if started.Replay {
		w.Header().Set("Idempotency-Replayed", "true")
	}
	return s.stream(w, r, started.Scope, s.follow(started), started.Turn.Number)
}

// languageRequest returns what a request says about the language of a session that begins:
// the tag asked, which may be empty, and what its client accepts.
func languageRequest(r *http.Request, asked string) sessions.LanguageRequest {
	return sessions.LanguageRequest{Asked: strings.TrimSpace(asked), Accept: r.Header.Get("Accept-Language")}
}

// withStartHint adds to the fault of a session that is not found how to start one.
func withStartHint(err error) error {
	var f *fault.Error
	if errors.As(err, &f) && f.Code == "session_not_found" {
		return fault.New(f.Kind, "%s; leave sessionId out to start one", f.Message).At(f.Field).Coded(f.Code)
	}
	return err
}

// follow subscribes to the events of a turn from its first on. Those of a turn that was
// just started come from memory; a replayed turn is read from the log.
func (s *Handlers) follow(started chat.StartedTurn) *sessions.Subscription {
	if started.Replay {
		return s.Hub.Subscribe(s.Pool, started.Scope, started.Turn.FirstSeq-1)
	}
	return s.Hub.Follow(s.Pool, started.Scope, started.Log)
}

// decodeTurn reads the body of a turn. It reads at most [web.MaxBody] bytes.
func decodeTurn(w http.ResponseWriter, r *http.Request) (TurnBody, error) {
	if web.MediaType(r) != "application/json" {
		return TurnBody{}, web.ErrNotJSON()
	}
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, web.MaxBody))
	if tooLong := (*http.MaxBytesError)(nil); errors.As(err, &tooLong) {
		return TurnBody{}, fault.New(fault.TooLarge, "a request has at most %d KiB, a message at most %d", web.MaxBody>>10, chat.MaxMessageBytes>>10).Coded("body_too_large")
	}
	if err != nil {
		return TurnBody{}, fault.New(fault.Invalid, "the request's body ended early").Because(err)
	}
	return web.ReadJSON[TurnBody](raw)
}

// inputOf returns the input of a turn of the actor a in a session, without words.
func inputOf(a auth.Actor, session string) chat.Input {
	return chat.Input{Tenant: a.Tenant, User: a.User, SessionID: session, Anyone: a.May(auth.Review)}
}

// input returns the input of the turn that b asks for, in the name of the credential's
// holder. Another user or tenant in the body is refused, except on a development server
// that is used without a credential: there the body decides.
func (s *Handlers) input(ctx context.Context, b TurnBody, idempotencyKey string) (chat.Input, error) {
	a := web.ActorFrom(ctx)
	if s.Develop != nil && a == *s.Develop {
		var err error
		if a, err = s.impersonate(ctx, a, b); err != nil {
			return chat.Input{}, err
		}
	}
	if err := web.Need(a, auth.Talk); err != nil {
		return chat.Input{}, err
	}
	if b.UserID != "" && b.UserID != a.User {
		return chat.Input{}, fault.New(fault.Forbidden, "userId is not the credential's; leave it out").At("userId").Coded("user_mismatch")
	}
	if b.TenantID != "" && b.TenantID != a.Tenant {
		id, err := s.tenantOf(ctx, b.TenantID)
		if err != nil {
			return chat.Input{}, err
		}
		if id != a.Tenant {
			return chat.Input{}, fault.New(fault.Forbidden, "tenantId is not the credential's; give the id or the name of the tenant it was made for, or leave it out").At("tenantId").Coded("tenant_mismatch")
		}
	}
	if a.Session != "" && web.CanonicalID(b.SessionID) != a.Session { // a guest of one session
		return chat.Input{}, sessions.NoSession()
	}
	in := inputOf(a, b.SessionID)
	in.ContextType, in.Message, in.Answers, in.Files, in.Reopen = b.ContextType, b.Message, b.Answers, b.Files, b.Reopen
	in.ClientMessageID = cmp.Or(b.ClientMessageID, idempotencyKey)
	return in, nil
}

// tenantOf returns the id of the tenant with that id or name; empty for none.
func (s *Handlers) tenantOf(ctx context.Context, given string) (string, error) {
	tenants, err := auth.Tenants(ctx, s.Pool)
	if err != nil {
		return "", err
	}
	for _, t := range tenants {
		if t.ID == given || t.Name == given {
			return t.ID, nil
		}
	}
	return "", nil
}

// impersonate returns the actor a with the user and the tenant of b, which must exist. It
// is for development only.
func (s *Handlers) impersonate(ctx context.Context, a auth.Actor, b TurnBody) (auth.Actor, error) {
	if b.UserID != "" {
		if len(b.UserID) > 200 || strings.ContainsRune(b.UserID, 0) {
			return a, fault.New(fault.Unprocessable, "a userId has at most 200 characters, none of them NUL").At("userId")
		}
		a.User = b.UserID
	}
	if b.TenantID == "" || b.TenantID == a.Tenant {
		return a, nil
	}
	tenant, err := s.tenantOf(ctx, b.TenantID)
	if err != nil {
		return a, err
	}
	if tenant == "" {
		return a, fault.New(fault.Forbidden, "there is no such tenant; make one with: quaestor token create --tenant NAME").At("tenantId").Coded("tenant_mismatch")
	}
	a.Tenant = tenant
	return a, nil
}
