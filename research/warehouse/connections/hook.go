package connections

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"quaestor/internal/language"
	"quaestor/internal/secret"
	"quaestor/research/warehouse"
)

// Hook is a governance service that is asked about every statement before it is sent. It is safe
// for concurrent use.
type Hook struct {
	URL    string        // asked by POST for every statement
	Token  secret.Secret // sent as a bearer token, if set
	Client *http.Client
}

// Bounds of a request to a hook.
const (
	hookTime  = 5 * time.Second
	hookBytes = 1 << 20
)

// hookRequest is the body of the request to a hook.
type hookRequest struct {
	Tenant    string   `json:"tenant"`
	Warehouse string   `json:"warehouse"`
	Run       string   `json:"run,omitempty"`
	Step      int      `json:"step,omitempty"`
	SQL       string   `json:"sql"`    // what would be sent, printed by the guard
	Tables    []string `json:"tables"` // qualified names of those it reads
}

// hookAnswer is a hook's answer.
type hookAnswer struct {
	Allow  bool   `json:"allow"`  // false refuses the statement
	SQL    string `json:"sql"`    // replaces the statement; empty leaves it unchanged
	Reason string `json:"reason"` // why the statement is refused
}

// Middleware implements [warehouse.Middleware]. If the hook does not answer properly, the statement
// is refused.
func (h Hook) Middleware(ctx context.Context, s warehouse.Statement) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, hookTime)
	defer cancel()
	answer, err := h.ask(ctx, hookRequest{s.Tenant, s.Warehouse, s.Run, s.Step, s.Statement.SQL, s.Statement.Tables})
	switch {
	case err != nil:
		return "", fmt.Errorf("the governance service did not answer: %w", err)
	case !answer.Allow && answer.Reason == "":
		return "", errors.New("no reason was given")
	case !answer.Allow:
		return "", errors.New(language.Short(answer.Reason))
	case answer.SQL == "":
		return s.Statement.SQL, nil
	}
	return answer.SQL, nil
}

// errHook is the error for an answer that cannot be decoded.
var errHook = errors.New("its answer cannot be read")

// ask sends a request to the hook.
func (h Hook) ask(ctx context.Context, r hookRequest) (hookAnswer, error) {
	var out hookAnswer
	body, err := json.Marshal(r)
	if err != nil {
		return out, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, h.URL, bytes.NewReader(body))
	if err != nil {
		return out, err
	}
	req.Header.Set("Content-Type", "application/json")
	if !h.Token.IsZero() {
		req.Header.Set("Authorization", "Bearer "+h.Token.Reveal())
	}
	resp, err := h.Client.Do(req)
	if err != nil {
		return out, errors.New("it cannot be reached")
	}
	defer resp.Body.Close() //nolint:errcheck // it was read
	if resp.StatusCode != http.StatusOK {
		return out, fmt.Errorf("status %d", resp.StatusCode)
	}
	if json.NewDecoder(io.LimitReader(resp.Body, hookBytes)).Decode(&out) != nil {
		return out, errHook
	}
	return out, nil
}
