package models

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/internal/llm"
	"quaestor/internal/postgres"
	"quaestor/internal/secret"
	"quaestor/sessions/settings/models/internal/dbsqlc"
)

// Role is what a model is used for.
type Role string

// The roles.
const (
	Both    Role = "both"
	Talking Role = "talking" // words replies; plans and reads for research; explores warehouses
	Reading Role = "reading" // understands messages and sums up transcripts
)

// Roles lists the roles, the usual one first.
func Roles() []Role { return []Role{Both, Talking, Reading} }

// plays reports whether a model of role r is used for use, which is Talking or Reading.
func (r Role) plays(use Role) bool { return r == Both || r == use }

// Limits bound the use of a model. Zero leaves a bound to the server: 60 seconds a call, as
// many tokens as a request allows, any number of calls.
type Limits struct {
	Seconds    int // of a call with all its retries, 1 to 600
	Tokens     int // of an answer, 1 to 1,000,000
	DailyCalls int // in a day, which begins at midnight UTC; 1 to 10,000,000
}

// Model is a language model that an organisation has set.
type Model struct {
	Tenant, ID string
	Project    string // the one project that uses it; empty for the organisation
	Name       string // as its API calls it
	BaseURL    string
	HasKey     bool // whether a key is stored; it is never returned
	Role       Role
	Limits     Limits
	Version    int   // number of the latest change
	Test       *Test // the latest since the last change; nil if there was none
	CreatedBy  string
	CreatedAt  time.Time
	ChangedAt  time.Time

	sealed []byte // the key; nil for none
}

// Spec is the description of a model.
type Spec struct {
	Name    string        // 1 to 200 characters
	BaseURL string        // of an OpenAI-compatible API, such as https://api.example.org/v1
	Key     secret.Secret // unset leaves the stored one
	Role    Role          // empty means Both
	Limits  Limits
}

// Bounds of a spec.
const (
	maxName    = 200
	maxURL     = 2000
	maxKey     = 4096 // bytes
	maxSeconds = 600
	maxTokens  = 1_000_000
	maxCalls   = 10_000_000
)

// maxModels is how many models an organisation may have. A longer chain of fallbacks would
// outlast every turn.
const maxModels = 20

// check returns s normalized, or the first fault.
func (s Spec) check() (Spec, error) {
	s.Name, s.BaseURL = strings.TrimSpace(s.Name), strings.TrimSpace(s.BaseURL)
	if n := utf8.RuneCountInString(s.Name); n < 1 || n > maxName {
		return s, invalid("name", "needs 1 to %d characters, not %d", maxName, n)
	}
	if s.BaseURL == "" || utf8.RuneCountInString(s.BaseURL) > maxURL {
		return s, invalid("baseUrl", "must be an address such as https://host/v1, of at most %d characters", maxURL)
	}
	if _, err := llm.New(llm.Options{BaseURL: s.BaseURL, Model: s.Name}); err != nil {
		var f *fault.Error
		if errors.As(err, &f) {
			return s, invalid("baseUrl", "%s", f.Message)
		}
		return s, err
	}
	if err := checkKey(s.Key); err != nil {
		return s, err
	}
	switch s.Role {
	case "":
		s.Role = Both
	case Both, Talking, Reading:
	default:
		return s, invalid("role", "is both, talking or reading, not %q", language.Short(string(s.Role)))
	}
	return s, s.Limits.check()
}

// checkKey refuses what cannot be sent as a key. The fault does not repeat it.
func checkKey(key secret.Secret) error {
	text := key.Reveal()
	if len(text) > maxKey {
		return invalid("key", "is longer than %d bytes", maxKey)
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return invalid("key", "holds a space, a line break or another character that no key has; copy it again")
	}
	return nil
}

// check returns the first limit that is out of its range.
func (l Limits) check() error {
	for _, n := range []struct {
		field    string
		is, most int
	}{{"seconds", l.Seconds, maxSeconds}, {"tokens", l.Tokens, maxTokens}, {"dailyCalls", l.DailyCalls, maxCalls}} {
		if n.is < 0 || n.is > n.most {
			return invalid(n.field, "must be 0 to %d, not %d; 0 leaves it to the server", n.most, n.is)
		}
	}
	return nil
}

// invalid returns the fault of a field.
func invalid(field, format string, args ...any) error {
	return fault.New(fault.Unprocessable, format, args...).At(field)
}

// fromRow returns a model as it is stored.
func fromRow(r *dbsqlc.TenantModel) (Model, error) {
	m := Model{Tenant: r.TenantID, ID: r.ID, Project: postgres.OrEmpty(r.ProjectID), Name: r.Name, BaseURL: r.BaseUrl, HasKey: len(r.Sealed) > 0, Role: Role(r.Role), Version: int(r.Version),
		Limits:    Limits{Seconds: int(r.CallSeconds), Tokens: int(r.AnswerTokens), DailyCalls: int(r.DailyCalls)},
		CreatedBy: r.CreatedBy, CreatedAt: r.CreatedAt, ChangedAt: r.ChangedAt, sealed: r.Sealed}
	if len(r.Test) == 0 {
		return m, nil
	}
	m.Test = &Test{}
	if err := json.Unmarshal(r.Test, m.Test); err != nil {
		return m, fmt.Errorf("test of model %s: %w", r.ID, err)
	}
	return m, nil
}
