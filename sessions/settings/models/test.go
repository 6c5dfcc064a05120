package models

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/llm"
	"quaestor/internal/postgres"
	"quaestor/internal/secret"
	"quaestor/sessions/settings/models/internal/dbsqlc"
)

// testTime bounds a test: models that reason first take long even for short questions.
const testTime = 45 * time.Second

// Test is the outcome of asking a model, with what it can do.
type Test struct {
	At           time.Time  `json:"at"`                // in UTC
	Well         bool       `json:"well"`              // it can be used for its role
	Says         string     `json:"says"`              // one sentence for people
	Remedy       string     `json:"remedy,omitempty"`  // what mends it; empty for nothing
	Field        string     `json:"field,omitempty"`   // the setting at fault, such as key
	Format       llm.Format `json:"format,omitempty"`  // how it answers in JSON; empty when it does not, or was not asked
	Usage        bool       `json:"usage,omitempty"`   // it counts tokens
	Context      int        `json:"context,omitempty"` // tokens of a prompt and its answer; 0 when the API does not tell
	Milliseconds float64    `json:"milliseconds"`
}

// Test asks a model and stores the outcome. The error is about our own database or the key; a
// model that does not answer is an outcome.
func (s *Store) Test(ctx context.Context, tenant, id string) (Test, error) {
	m, err := s.Find(ctx, tenant, id)
	if err != nil {
		return Test{}, err
	}
	t, err := s.try(ctx, m)
	if err != nil {
		return t, err
	}
	text, err := json.Marshal(t)
	if err != nil {
		return t, err
	}
	err = postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		return queries.ModelTested(ctx, tx, &dbsqlc.ModelTestedParams{Test: text, TestedAt: &t.At, TenantID: tenant, ID: id, Version: int32(m.Version)})
	})
	if err != nil {
		return t, fmt.Errorf("keep the test of model %s: %w", id, err)
	}
	return t, nil
}

// TestSpec asks a model that is not stored, and stores nothing. If id names a model and d has
// no key, the stored one is used, unless the address differs.
func (s *Store) TestSpec(ctx context.Context, tenant, id string, d Spec) (Test, error) {
	d, err := d.check()
	if err != nil {
		return Test{}, err
	}
	m := Model{Tenant: tenant, ID: id, Name: d.Name, BaseURL: d.BaseURL, Role: d.Role, Limits: d.Limits}
	if id == "" || !d.Key.IsZero() {
		return s.tryWith(ctx, m, d.Key)
	}
	old, err := s.Find(ctx, tenant, id)
	if err != nil {
		return Test{}, err
	}
	if _, err := s.reseal(old, d); err != nil {
		return Test{}, err
	}
	m.HasKey, m.sealed = old.HasKey, old.sealed
	return s.try(ctx, m)
}

// try asks a model with its own key.
func (s *Store) try(ctx context.Context, m Model) (Test, error) {
	key, err := s.open(m)
	if err != nil {
		return Test{}, err
	}
	return s.tryWith(ctx, m, key)
}

// tryWith asks a model with a client of its own, which knows nothing of it yet. Calls of a
// test are not counted as those of a day.
func (s *Store) tryWith(ctx context.Context, m Model, key secret.Secret) (Test, error) {
	ctx, cancel := context.WithTimeout(ctx, testTime)
	defer cancel()
	total := testTime
	if m.Limits.Seconds > 0 {
		total = min(total, time.Duration(m.Limits.Seconds)*time.Second)
	}
	client, err := llm.New(llm.Options{BaseURL: m.BaseURL, Key: key, Model: m.Name, MaxTokens: m.Limits.Tokens, Total: total, FirstToken: total, Retries: -1, HTTP: &http.Client{Transport: s.Transport}})
	if err != nil {
		return Test{}, err
	}
	t := Test{At: time.Now().UTC()}
	able, err := client.Probe(ctx)
	t.Milliseconds = float64(time.Since(t.At).Microseconds()) / 1000
	t.Format, t.Usage, t.Context = able.Format, able.Usage, able.Context
	var fail *llm.Error
	switch {
	case err == nil:
		t.Well, t.Says = true, "It answers."
	case errors.As(err, &fail):
		t.blame(fail, able.Offered, m)
	default:
		return t, err
	}
	return t, nil
}

// blame says what is wrong with a model, and what mends it.
func (t *Test) blame(e *llm.Error, offered []string, m Model) {
	switch e.Class {
	case llm.Refused:
		t.blameRefusal(e, offered)
	case llm.Limited:
		t.Says, t.Remedy = "It takes no more requests for now.", "Wait a little, or raise the limit at the provider."
	case llm.Timeout:
		t.Says, t.Remedy, t.Field = "It did not answer in time.", "See whether it is up; if it is only slow, allow more seconds a call or choose a smaller model.", "seconds"
	case llm.Upstream:
		t.Says, t.Remedy = fmt.Sprintf("Its server is in trouble (status %d).", e.Status), "See whether the provider reports an outage, and test it again."
	case llm.Broken:
		t.blameConnection(e)
	case llm.NotJSON:
		t.Says, t.Remedy, t.Field = "What answers at this address is no OpenAI-compatible API.", "Check the address: it usually ends in /v1, without /chat/completions.", "baseUrl"
	case llm.Empty, llm.Truncated, llm.TooLarge:
		t.Says, t.Remedy, t.Field = "Its answer holds no words, or does not end.", "Check that it is a model for chat; if it reasons first, allow more tokens an answer.", "name"
	case llm.BadJSON:
		t.Well = m.Role == Talking
		t.Says, t.Remedy = "It talks, but does not answer in JSON as it is asked.", "Use it for talking only, and another model for reading."
		if t.Well {
			t.Remedy = "Replies need none; research and exploring data do, and go on by rules without it."
		}
	case llm.Canceled:
		t.Says, t.Remedy = "The test was broken off.", "Test it again."
	}
}

// blameRefusal says why a server may refuse.
func (t *Test) blameRefusal(e *llm.Error, offered []string) {
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden:
		t.Says, t.Remedy, t.Field = fmt.Sprintf("Its server refuses the key (status %d).", e.Status), "Give a key of that provider which may use this model.", "key"
	case http.StatusPaymentRequired:
		t.Says, t.Remedy, t.Field = "Its server wants to be paid first (status 402).", "Add credit to the account of the key.", "key"
	case http.StatusNotFound:
		t.Says, t.Remedy, t.Field = "Its server does not know the model (status 404).", "Check the name, and that the address ends as the provider says, usually in /v1.", "name"
		if len(offered) > 0 {
			t.Remedy = "Check the name. The server lists: " + strings.Join(offered, ", ") + "."
		}
	case 0:
		t.Says, t.Remedy, t.Field = "The model declines to answer a harmless question.", "Choose another model.", "name"
	default:
		t.Says, t.Remedy, t.Field = fmt.Sprintf("Its server refuses the request (status %d).", e.Status), "Check the name of the model, and that it is one for chat.", "name"
		if len(offered) > 0 {
			t.Remedy += " The server lists: " + strings.Join(offered, ", ") + "."
		}
	}
}

// blameConnection says why a server may not be reached.
func (t *Test) blameConnection(e *llm.Error) {
	t.Field = "baseUrl"
	switch e.Reason {
	case llm.ReasonAddress:
		t.Says, t.Remedy = "It is at a private address, which this server does not reach for organisations.", "Give a public address, or have the operator allow the network with QUAESTOR_MODEL_PRIVATE."
	case "name not found":
		t.Says, t.Remedy = "There is no server of that name.", "Check the address."
	default:
		t.Says, t.Remedy = "It cannot be reached ("+e.Reason+").", "Check the address and its port, and whether the server is up."
	}
}

// Able returns what the model can do in sentences, once a test was well.
func (t Test) Able() []string {
	if !t.Well {
		return nil
	}
	out := []string{map[llm.Format]string{
		llm.SchemaFormat: "It takes a JSON schema: what it reads always has the right shape.",
		llm.ObjectFormat: "It answers in JSON, without a schema: what it reads is checked, and asked for again where it does not fit.",
		llm.TextFormat:   "It takes neither a schema nor JSON: it is asked for JSON in words, which small models get wrong now and then.",
		"":               "It does not answer in JSON.",
	}[t.Format]}
	if t.Usage {
		out = append(out, "It counts tokens.")
	} else {
		out = append(out, "It does not count tokens: they are estimated.")
	}
	if t.Context > 0 {
		return append(out, fmt.Sprintf("It takes %s tokens, prompt and answer together.", grouped(t.Context)))
	}
	return append(out, "Its API does not tell how many tokens it takes.")
}

// grouped writes a number with commas between thousands.
func grouped(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
