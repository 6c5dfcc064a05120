package main

import (
	"encoding/json"
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/google/uuid"

	"quaestor/chat"
	"quaestor/internal/fault"
	"quaestor/internal/llm/llmtest"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/internal/secret"
	"quaestor/research/warehouse/analyst"
	"quaestor/research/warehouse/builtin"
	"quaestor/research/warehouse/projects"
	"quaestor/research/warehouse/runs"
	"quaestor/sessions/settings/models"
)

// newModelsOf returns the models of organisations as a server has them.
func newModelsOf(t *testing.T, s Settings) (*tenantModels, *Settings, string) {
	t.Helper()
	s.Auth, s.DataDir = "development", t.TempDir()
	pool := postgrestest.DB(t)
	m, err := newTenantModels(&s, pool, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.store.Close)
	return m, &s, postgrestest.Tenant(t, pool)
}

func TestInterviewersAreThoseOfTheOrganisation(t *testing.T) {
	t.Parallel()

	m, _, tenant := newModelsOf(t, Settings{Model: "servers", ModelURL: "http://127.0.0.1:1/v1"})
	if got := m.interviewers(t.Context(), tenant); got.Reading != m.server || got.Talking != m.server || m.server.Name() != "model servers" {
		t.Errorf("nothing is set: %+v, want the server's", got)
	}
	small, err := m.store.Create(t.Context(), tenant, "someone", models.Spec{Name: "small", BaseURL: "http://127.0.0.1:1/v1", Role: models.Both})
	if err != nil {
		t.Fatal(err)
	}
	first := m.interviewers(t.Context(), tenant)
	if first.Reading != first.Talking || first.Talking.Name() != "model small" || m.interviewers(t.Context(), tenant) != first {
		t.Errorf("one model is set: %+v", first)
	}
	if _, ok := first.Reading.(chat.Summarizer); !ok {
		t.Error("who reads does not sum up")
	}
	if _, err := m.store.Create(t.Context(), tenant, "someone", models.Spec{Name: "large", BaseURL: "http://127.0.0.1:1/v1", Role: models.Talking}); err != nil {
		t.Fatal(err)
	}
	if err := m.store.Delete(t.Context(), tenant, "someone", small.ID); err != nil {
		t.Fatal(err)
	}
	if got := m.interviewers(t.Context(), tenant); got.Reading != m.server || got.Talking.Name() != "model large" {
		t.Errorf("one talks and none reads: %+v", got)
	}
}

func TestWithoutModelsTheRulesInterview(t *testing.T) {
	t.Parallel()

	m, _, tenant := newModelsOf(t, Settings{})
	if got := m.interviewers(t.Context(), tenant); got != (chat.Models{}) || m.talking(t.Context(), tenant) != nil {
		t.Errorf("%+v, want nobody", got)
	}
}

// The analyst of a run is the organisation's model that talks, within the window that it is
// known to have.
func TestAnalystsAreThoseOfTheOrganisation(t *testing.T) {
	t.Parallel()

	m, s, tenant := newModelsOf(t, Settings{ModelWindow: 32_000})
	o, run := exploring(t, m, s, tenant)
	if got, err := o.analyst(t.Context(), run); err != nil || got != (builtin.Analyst{}) {
		t.Errorf("nothing is set: %T, %v", got, err)
	}
	row, err := m.store.Create(t.Context(), tenant, "someone", models.Spec{Name: "large", BaseURL: "http://127.0.0.1:1/v1", Role: models.Talking})
	if err != nil {
		t.Fatal(err)
	}
	super := postgrestest.Superuser(t, m.store.Pool)
	for _, tt := range []struct {
		context int
		window  int // 0 for the built-in analyst
	}{{0, 32_000}, {128_000, 32_000}, {16_000, 16_000}, {4_000, 0}} {
		test, err := json.Marshal(models.Test{Well: true, Format: "json_schema", Context: tt.context, Milliseconds: 1, At: row.CreatedAt.AddDate(0, 0, tt.context)})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := super.Exec(t.Context(), "UPDATE tenant_models SET test = $1 WHERE id = $2", test, row.ID); err != nil {
			t.Fatal(err)
		}
		got, err := o.analyst(t.Context(), run)
		if err != nil {
			t.Fatal(err)
		}
		window := 0
		if a, ok := got.(*analyst.Model); ok && a.Name() == "model large" {
			window = a.Window
		}
		if window != tt.window {
			t.Errorf("a model of %d tokens explores within %d, want %d", tt.context, window, tt.window)
		}
	}
}

// exploring returns what explores for a tenant, with a run of a new project.
func exploring(t *testing.T, m *tenantModels, s *Settings, tenant string) (*explorer, runs.Run) {
	t.Helper()
	pool, house := m.store.Pool, uuid.NewString()
	if _, err := postgrestest.Superuser(t, pool).Exec(t.Context(), `INSERT INTO warehouses (tenant_id, id, name, kind) VALUES ($1, $2, 'Shop', 'postgresql')`, tenant, house); err != nil {
		t.Fatal(err)
	}
	o := &explorer{model: m.talking, models: m.store, window: s.ModelWindow, projects: projects.Store{Pool: pool}}
	p, err := o.projects.Create(t.Context(), tenant, "someone", projects.Spec{Name: "Shop", Warehouse: house}, "")
	if err != nil {
		t.Fatal(err)
	}
	return o, runs.Run{Tenant: tenant, Project: p.ID}
}

// A project is explored by the model that it has chosen among the organisation's, or by one of its
// own. Its own serves nothing else, and goes with the project.
func TestProjectsChooseTheirModels(t *testing.T) {
	t.Parallel()

	m, s, tenant := newModelsOf(t, Settings{ModelWindow: 32_000, SecretsFile: filepath.Join(t.TempDir(), "keys.json")})
	o, run := exploring(t, m, s, tenant)
	ctx := t.Context()
	var ids []string
	for _, name := range []string{"first", "second"} {
		row, err := m.store.Create(ctx, tenant, "someone", models.Spec{Name: name, BaseURL: "http://127.0.0.1:1/v1"})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, row.ID)
	}
	own, err := m.store.PutOfProject(ctx, tenant, "someone", run.Project, models.Spec{Name: "own", BaseURL: "http://127.0.0.1:1/v1", Key: secret.New("sesame")})
	if err != nil || !own.HasKey || own.Project != run.Project {
		t.Fatalf("PutOfProject = %+v, %v", own, err)
	}
	for _, tt := range []struct{ choice, want string }{{"", "model first"}, {ids[1], "model second"}, {own.ID, "model own"}} {
		if _, err := o.projects.SetModel(ctx, tenant, run.Project, "someone", tt.choice); err != nil {
			t.Fatal(err)
		}
		a, err := o.analyst(ctx, run)
		if err != nil || a.Name() != tt.want {
			t.Errorf("with %q the analyst is %v, %v; want %s", tt.choice, a, err, tt.want)
		}
	}
	if list, err := m.store.List(ctx, tenant); err != nil || len(list) != 2 {
		t.Errorf("the organisation has %d models, %v", len(list), err)
	}
	if again, err := m.store.PutOfProject(ctx, tenant, "someone", run.Project, models.Spec{Name: "own2", BaseURL: "http://127.0.0.1:1/v1"}); err != nil || again.ID != own.ID || !again.HasKey {
		t.Errorf("changed, it is %+v, %v", again, err)
	}
	if _, err := m.store.PutOfProject(ctx, tenant, "someone", run.Project, models.Spec{Name: "own2", BaseURL: "http://127.0.0.1:2/v1"}); !fault.Is(err, fault.Unprocessable) {
		t.Errorf("another address without the key: %v", err)
	}
	if n, err := m.store.Reseal(ctx, tenant); n != 1 || err != nil {
		t.Errorf("Reseal = %d, %v", n, err)
	}
	if err := m.store.Delete(ctx, tenant, "someone", own.ID); err != nil {
		t.Fatal(err)
	}
	if a, err := o.analyst(ctx, run); err != nil || a.Name() != "model first" {
		t.Errorf("after its own is deleted the analyst is %v, %v", a, err)
	}
	if _, err := o.projects.SetModel(ctx, tenant, run.Project, "someone", uuid.NewString()); !fault.Is(err, fault.Unprocessable) {
		t.Errorf("a model of nobody: %v", err)
	}
}

// A program whose server has no model interviews with that of the organisation, which an
// owner sets while it runs; when it fails the next steps in, and the turn tells which.
func TestProgramUsesTheModelsOfItsOrganisation(t *testing.T) {
	t.Parallel()

	broken, working := llmtest.New(t), llmtest.New(t)
	broken.Handle(func(llmtest.Request) llmtest.Reply { return llmtest.Status(401, 0) })
	working.OnUnderstand(llmtest.Reply{JSON: map[string]any{"intent": "answer", "about": nil, "findings": []any{}, "research": []any{}, "proposals": []any{}, "topic": nil,
		"follow_ups": []any{}, "relationships": []any{}, "preferences": []any{}, "style": nil}})
	working.OnReply(llmtest.Reply{Text: "I see."})
	p := launch(t, "--database-url", postgrestest.URL(t), "--secrets-file", filepath.Join(t.TempDir(), "keys.json"), "--keep-prompts", "1")
	one := map[string]any{"contextType": "business_profile", "message": "We bake bread for cafés"}
	if m := first(p.turn(one), "message"); m.Data["interviewer"] != "rules" {
		t.Errorf("before a model is set, %v answers", m.Data)
	}
	for _, name := range []string{"broken", "working"} {
		post[struct{ ID string }](p, "/api/v1/models", map[string]any{"name": name, "baseUrl": map[string]string{"broken": broken.URL(), "working": working.URL()}[name], "key": "sesame"})
	}

	m := first(p.turn(one), "message")

	if m.Data["interviewer"] != "model working" || m.Data["degraded"] != nil {
		t.Errorf("with two models, %v answers", m.Data)
	}
	for name, srv := range map[string]*llmtest.Server{"broken": broken, "working": working} {
		if n := len(srv.Requests()); n < 2 || !srv.Requests()[0].HasKey {
			t.Errorf("the %s model was asked %d times, or without its key", name, n)
		}
	}
}
