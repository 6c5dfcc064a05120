package models_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quaestor/internal/llm"
	"quaestor/internal/llm/llmtest"
	"quaestor/internal/outbound"
	"quaestor/sessions/settings/models"
)

// able answers a test as a server does that heeds one format; the prompt makes it answer in
// JSON where words is set.
func able(format string, words bool) func(llmtest.Request) llmtest.Reply {
	return func(r llmtest.Request) llmtest.Reply {
		switch {
		case r.ResponseFormat != "" && r.ResponseFormat != format:
			return llmtest.Reply{Status: 400, ErrorText: "response_format " + r.ResponseFormat + " is not supported"}
		case r.ResponseFormat != "", words && r.Structured():
			return llmtest.Reply{Text: `{"colour":"blue"}`}
		}
		return llmtest.Reply{Text: "Blue."}
	}
}

func TestTestsSayWhatAModelCanDo(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	for _, tt := range []struct {
		name   string
		answer func(llmtest.Request) llmtest.Reply
		role   models.Role
		want   models.Test
		able   string
	}{
		{"a schema", able("json_schema", false), "", models.Test{Well: true, Says: "It answers.", Format: llm.SchemaFormat, Usage: true}, "It takes a JSON schema"},
		{"JSON only", able("json_object", false), "", models.Test{Well: true, Says: "It answers.", Format: llm.ObjectFormat, Usage: true}, "It answers in JSON, without a schema"},
		{"neither", able("", true), models.Reading, models.Test{Well: true, Says: "It answers.", Format: llm.TextFormat, Usage: true}, "neither a schema nor JSON"},
		{"no JSON, for reading", able("", false), models.Reading, models.Test{Says: "It talks, but does not answer in JSON as it is asked.", Remedy: "Use it for talking only, and another model for reading."}, ""},
		{"no JSON, for talking", able("", false), models.Talking, models.Test{Well: true, Says: "It talks, but does not answer in JSON as it is asked.", Remedy: "Replies need none; research and exploring data do, and go on by rules without it."}, "It does not answer in JSON"},
		{"another key", func(llmtest.Request) llmtest.Reply { return llmtest.Status(401, 0) }, "", models.Test{Says: "Its server refuses the key (status 401).", Remedy: "Give a key of that provider which may use this model.", Field: "key"}, ""},
		{"another name", func(llmtest.Request) llmtest.Reply { return llmtest.Status(404, 0) }, "", models.Test{Says: "Its server does not know the model (status 404).", Remedy: "Check the name. The server lists: llmtest.", Field: "name"}, ""},
		{"busy", func(llmtest.Request) llmtest.Reply { return llmtest.Status(429, 0) }, "", models.Test{Says: "It takes no more requests for now.", Remedy: "Wait a little, or raise the limit at the provider."}, ""},
		{"a page", func(llmtest.Request) llmtest.Reply { return llmtest.Reply{Fault: llmtest.HTML200} }, "", models.Test{Says: "What answers at this address is no OpenAI-compatible API.", Remedy: "Check the address: it usually ends in /v1, without /chat/completions.", Field: "baseUrl"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			srv := llmtest.New(t)
			srv.Handle(tt.answer)
			d := spec("m", srv)
			d.Role = tt.role
			m := l.create(d)
			got, err := l.store.Test(t.Context(), l.tenant, m.ID)
			if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreFields(models.Test{}, "At", "Milliseconds")); err != nil || diff != "" {
				t.Fatalf("%v (-want +got):\n%s", err, diff)
			}
			if words := strings.Join(got.Able(), " "); !strings.Contains(words, tt.able) || (words == "") != !tt.want.Well {
				t.Errorf("it is said to be able to: %q", words)
			}
			kept, err := l.store.Find(t.Context(), l.tenant, m.ID)
			if err != nil || kept.Test == nil || cmp.Diff(got, *kept.Test) != "" {
				t.Errorf("%+v is kept, %v", kept.Test, err)
			}
			drafted, err := l.store.TestSpec(t.Context(), l.tenant, "", d)
			if err != nil || drafted.Says != got.Says {
				t.Errorf("before it is stored the test says %+v, %v", drafted, err)
			}
			changed, err := l.store.Update(t.Context(), l.tenant, "someone", m.ID, 1, d)
			if err != nil || changed.Test != nil {
				t.Errorf("a changed model is shown with the test of the one before: %+v, %v", changed.Test, err)
			}
		})
	}
}

// What a test found out is not found out again by each server.
func TestTestsAreRememberedByClients(t *testing.T) {
	t.Parallel()

	l, srv := newLab(t), llmtest.New(t)
	srv.Handle(able("", true))
	m := l.create(spec("m", srv))
	if _, err := l.store.Test(t.Context(), l.tenant, m.ID); err != nil {
		t.Fatal(err)
	}
	before := len(srv.Requests())
	s, err := llm.NewSchema("colour", []byte(`{"type":"object","properties":{"colour":{"type":"string"}},"required":["colour"]}`))
	if err != nil {
		t.Fatal(err)
	}
	var out struct{ Colour string }
	_, err = l.clients().Reading.JSON(t.Context(), llm.Request{Messages: []llm.Message{{Role: "user", Content: "Which?"}}}, s, &out)
	if err != nil || out.Colour != "blue" || len(srv.Requests()) != before+1 {
		t.Errorf("%v with %+v after %d requests, want one", err, out, len(srv.Requests())-before)
	}
}

func TestPrivateAddressesAreNotReached(t *testing.T) {
	t.Parallel()

	l, srv := newLab(t), llmtest.New(t)
	closed := l.with(func(o *models.Options) { o.Transport = outbound.NewTransport(nil) })
	m := l.create(spec("m", srv))
	got, err := closed.Test(t.Context(), l.tenant, m.ID)
	if err != nil || got.Well || got.Field != "baseUrl" || !strings.Contains(got.Remedy, "QUAESTOR_MODEL_PRIVATE") {
		t.Errorf("%+v, %v", got, err)
	}
	c, err := closed.Clients(t.Context(), l.tenant)
	if err != nil {
		t.Fatal(err)
	}
	if says := l.says(c.Talking); says != string(llm.Broken) || len(srv.Requests()) != 0 {
		t.Errorf("%s answers, after %d requests", says, len(srv.Requests()))
	}
}
