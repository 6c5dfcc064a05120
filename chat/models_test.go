package chat_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/uuid"

	"quaestor/chat"
	"quaestor/chat/model"
	"quaestor/internal/llm"
	"quaestor/internal/llm/llmtest"
	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// named is a model of that name that understands bread, and replies with text.
func named(t *testing.T, name, text string) (chat.Interviewer, *llmtest.Server) {
	t.Helper()
	srv := llmtest.New(t)
	srv.OnUnderstand(llmtest.Reply{JSON: bread()})
	srv.OnReply(llmtest.Reply{Text: text})
	client, err := llm.New(llm.Options{BaseURL: srv.URL(), Model: name})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return model.New(client, nil), srv
}

// asked counts the calls that read and those that talk.
func asked(srv *llmtest.Server) (reads, talks int) {
	for _, r := range srv.Requests() {
		if r.Structured() {
			reads++
		} else {
			talks++
		}
	}
	return reads, talks
}

const breadReply = "Bread, always a good start. When did your shop open?"

func TestOneModelReadsAndAnotherTalks(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name                   string
		modelCalls             int
		reads, talks           bool
		interviewer, startsBy  string
		smallReads, largeTalks bool
	}{
		{"a model each", 2, true, true, "model large", "model large", true, true},
		{"a model each, in one call", 1, true, true, "model large", "model large", true, true},
		{"reading only", 2, true, false, "rules", "rules", true, false},
		{"talking only", 2, false, true, "model large", "model large", false, true},
		{"neither", 2, false, false, "rules", "rules", false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			small, smallServer := named(t, "small", "Nobody reads this.")
			large, largeServer := named(t, "large", breadReply)
			var m chat.Models
			if tt.reads {
				m.Reading = small
			}
			if tt.talks {
				m.Talking = large
			}
			d := newHarness(t, setup{modelCalls: tt.modelCalls, models: func(context.Context, string) chat.Models { return m }})
			if got := d.engine.InterviewerOf(t.Context(), d.scope.Tenant); got != tt.startsBy {
				t.Errorf("InterviewerOf = %q, want %q", got, tt.startsBy)
			}

			events := d.take(d.input("We sell bread"))

			said := payload[sessions.MessageEvent](t, events, sessions.KindMessage)
			if said.Interviewer != tt.interviewer || said.Degraded != "" || !said.Complete {
				t.Errorf("%q answered %q, degraded %q; want %q", said.Interviewer, said.Content, said.Degraded, tt.interviewer)
			}
			if o := obligations.Find(d.list(), "business"); !strings.Contains(strings.ToLower(string(o.Value)), "bread") {
				t.Errorf("the business is %s, want bread", o.Value)
			}
			if reads, talks := asked(smallServer); (reads > 0) != tt.smallReads || talks != 0 {
				t.Errorf("the small model read %d times and talked %d times", reads, talks)
			}
			if reads, talks := asked(largeServer); reads != 0 || (talks > 0) != tt.largeTalks {
				t.Errorf("the large model read %d times and talked %d times", reads, talks)
			}
		})
	}
}

func TestEachOrganisationHasItsModels(t *testing.T) {
	t.Parallel()

	byTenant := map[string]chat.Models{}
	d := newHarness(t, setup{models: func(_ context.Context, tenant string) chat.Models { return byTenant[tenant] }})
	other := *d
	other.scope = obligations.Scope{Tenant: postgrestest.Tenant(t, d.pool), Session: uuid.NewString()}
	definition, err := objectives.ParseDefinition([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	objective, err := objectives.NewLibrary(d.pool).Publish(t.Context(), other.scope.Tenant, obligations.TenantLayer, definition)
	if err != nil {
		t.Fatal(err)
	}
	b := postgres.NewBatch(other.scope.Tenant)
	if err := sessions.Create(b, sessions.New{Scope: other.scope, Objective: objective, User: "person"}); err != nil {
		t.Fatal(err)
	}
	if err := b.Send(t.Context(), d.pool); err != nil {
		t.Fatal(err)
	}
	one, oneServer := named(t, "one", breadReply)
	two, twoServer := named(t, "two", breadReply)
	byTenant[d.scope.Tenant], byTenant[other.scope.Tenant] = chat.Models{Reading: one, Talking: one}, chat.Models{Reading: two, Talking: two}

	for _, tt := range []struct {
		harness        *harness
		name           string
		server, beside *llmtest.Server
	}{{d, "model one", oneServer, twoServer}, {&other, "model two", twoServer, oneServer}} {
		before := len(tt.beside.Requests())
		said := payload[sessions.MessageEvent](t, tt.harness.take(tt.harness.input("We sell bread")), sessions.KindMessage)
		if said.Interviewer != tt.name || said.Degraded != "" {
			t.Errorf("%q answered, degraded %q; want %q", said.Interviewer, said.Degraded, tt.name)
		}
		if reads, talks := asked(tt.server); reads == 0 || talks == 0 || len(tt.beside.Requests()) != before {
			t.Errorf("%s read %d times and talked %d times, and the other organisation's model was asked %d times", tt.name, reads, talks, len(tt.beside.Requests())-before)
		}
	}
}

// The model that reads sums up, for each organisation its own.
func TestSummariesAreMadeByTheModelThatReads(t *testing.T) {
	t.Parallel()

	srv := llmtest.New(t)
	srv.OnUnderstand(llmtest.Reply{JSON: map[string]any{"summary": "They sell bread."}})
	client, err := llm.New(llm.Options{BaseURL: srv.URL(), Model: "small"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	large, largeServer := named(t, "large", breadReply)
	d := newHarness(t, setup{})
	f := d.newFolderOf(chat.FoldOptions{Pool: d.pool, Log: slog.New(slog.DiscardHandler), Models: func(_ context.Context, tenant string) chat.Models {
		if tenant != d.scope.Tenant {
			t.Errorf("the models of %q are asked for", tenant)
		}
		return chat.Models{Reading: model.New(client, nil), Talking: large}
	}})
	d.recall(20)
	d.enqueueFold(f, 10)
	d.startFolder(f)
	f.done(t, 1)

	if got := d.summaries(0)[0]; got.By != "model small" || got.Text != "They sell bread." || got.Degraded != "" {
		t.Errorf("the summary by %q says %q, degraded %q", got.By, got.Text, got.Degraded)
	}
	if n := len(largeServer.Requests()); n != 0 {
		t.Errorf("the model that talks was asked %d times", n)
	}
}
