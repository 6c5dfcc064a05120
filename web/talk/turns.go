package talk

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"quaestor/chat"
	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web"
)

// TurnBody is the request of POST /api/discovery-chat.
//
// A field it does not have is left alone, unless it is one of these misspelt.
type TurnBody struct {
	_ struct{} `additionalProperties:"true"`

	SessionID       string                     `json:"sessionId,omitempty" doc:"without one the active session of the context goes on, or a new one starts"`
	ContextType     string                     `json:"contextType,omitempty" doc:"what to talk about; needed where sessionId is left out"`
	Message         string                     `json:"message,omitempty" doc:"at most 64 KiB; empty lets the interviewer open"`
	UserID          string                     `json:"userId,omitempty" doc:"the credential's, if any"`
	TenantID        string                     `json:"tenantId,omitempty" doc:"the credential's, if any"`
	ClientMessageID string                     `json:"clientMessageId,omitempty" doc:"makes it safe to send the message again"`
	Answers         map[string]json.RawMessage `json:"answers,omitempty" doc:"filled-in widgets, by obligation key"`
	Files           []string                   `json:"files,omitempty" doc:"ids of files of the session that come with the message"`
}

// postTurn begins a turn and streams its events until it ends. Whoever leaves
// early stops nothing.
func (s *Handlers) postTurn(w http.ResponseWriter, r *http.Request) error {
	scope, sub, ends, err := s.begin(w, r)
	if err != nil {
		return orStart(err)
	}
	return s.stream(w, r, scope, sub, ends, interrupted)
}

// interrupted is the last event of a turn's stream that ends before the turn does.
var interrupted = []web.ServerEvent{{Data: []byte(`{"type":"interrupted","detail":"This stream ends before the turn, which goes on. ` +
	`Read on in the events of the session after the last one, or send the message again with the same clientMessageId."}`)}}

// orStart adds to the refusal of a session that is not there how to begin one.
func orStart(err error) error {
	var f *fault.Error
	if errors.As(err, &f) && f.Code == "session_not_found" {
		return fault.New(f.Kind, "%s; leave sessionId out to start one", f.Message).At(f.Field).Coded(f.Code)
	}
	return err
}

// begin begins the turn and returns its session and events, and which of them is the
// last. It is apart from postTurn, whose frame stays for as long as the reply flows.
func (s *Handlers) begin(w http.ResponseWriter, r *http.Request) (scope obligations.Scope, sub *sessions.Subscription, ends ending, err error) {
	body, err := decodeTurn(w, r)
	if err != nil {
		return scope, nil, nil, err
	}
	in, err := s.input(r.Context(), body, r.Header.Get("Idempotency-Key"))
	if err != nil {
		return scope, nil, nil, err
	}
	started, err := s.Engine.Start(r.Context(), in)
	if err != nil {
		return scope, nil, nil, err
	}
	if started.Replay {
		w.Header().Set("Idempotency-Replayed", "true")
	}
	turn, scope := started.Turn.Number, started.Scope
	ends = func(ctx context.Context, e sessions.Event) bool {
		return endsTurn(e, turn) || s.dismissed(ctx, scope, e)
	}
	return scope, s.follow(started), ends, nil
}

func (s *Handlers) follow(started chat.StartedTurn) *sessions.Subscription {
	if started.Replay {
		return s.Hub.Subscribe(s.Pool, started.Scope, started.Turn.FirstSeq-1)
	}
	return s.Hub.Follow(s.Pool, started.Scope, started.Log)
}

func decodeTurn(w http.ResponseWriter, r *http.Request) (TurnBody, error) {
	var body TurnBody
	if web.MediaType(r) != "application/json" {
		return body, web.ErrNotJSON()
	}
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, web.MaxBody))
	if tooLong := (*http.MaxBytesError)(nil); errors.As(err, &tooLong) {
		return body, fault.New(fault.TooLarge, "a request has at most %d KiB, a message at most %d", web.MaxBody>>10, chat.MaxMessageBytes>>10).Coded("body_too_large")
	}
	if err != nil {
		return body, fault.New(fault.Invalid, "the request's body ended early").Because(err)
	}
	return web.ReadJSON[TurnBody](raw)
}

// input says who talks: the credential's holder. Another user or tenant in the
// body is refused, unless this is the loopback of a development server, which
// believes the body.
func (s *Handlers) input(ctx context.Context, b TurnBody, idempotencyKey string) (chat.Input, error) {
	a := web.ActorFrom(ctx)
	if s.Develop != nil && a == *s.Develop {
		var err error
		if a, err = s.believe(ctx, a, b); err != nil {
			return chat.Input{}, err
		}
	}
	if err := web.Need(a, auth.Talk); err != nil {
		return chat.Input{}, err
	}
	if b.UserID != "" && b.UserID != a.User {
		return chat.Input{}, fault.New(fault.Forbidden, "userId is not the credential's; leave it out").At("userId").Coded("user_mismatch")
	}
	if err := s.ownTenant(ctx, a, b.TenantID); err != nil {
		return chat.Input{}, err
	}
	if a.Session != "" && web.CanonicalID(b.SessionID) != a.Session {
		return chat.Input{}, sessions.NoSession()
	}
	if b.ClientMessageID == "" {
		b.ClientMessageID = idempotencyKey
	}
	return chat.Input{Tenant: a.Tenant, User: a.User, SessionID: b.SessionID, ContextType: b.ContextType, Message: b.Message,
		ClientMessageID: b.ClientMessageID, Answers: b.Answers, Files: b.Files, Anyone: a.May(auth.Review)}, nil
}

// ownTenant refuses what is neither the id nor the name of the actor's tenant, nor left
// out.
func (s *Handlers) ownTenant(ctx context.Context, a auth.Actor, given string) error {
	if given == "" || given == a.Tenant {
		return nil
	}
	id, err := s.tenantOf(ctx, given)
	if err == nil && id != a.Tenant {
		err = fault.New(fault.Forbidden, "tenantId is not the credential's; give the id or the name of the tenant it was made for, or leave it out").At("tenantId").Coded("tenant_mismatch")
	}
	return err
}

// tenantOf returns the id of the tenant of that id or name; empty for none.
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

// believe takes user and tenant from the body, in development only. A tenant has
// to exist.
func (s *Handlers) believe(ctx context.Context, a auth.Actor, b TurnBody) (auth.Actor, error) {
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
	if tenant != "" {
		a.Tenant = tenant
		return a, nil
	}
	return a, fault.New(fault.Forbidden, "there is no such tenant; make one with: quaestor token create --tenant NAME").At("tenantId").Coded("tenant_mismatch")
}
