package webtest

import (
	"context"
	"log/slog"
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/chat"
	"quaestor/chat/rules"
	"quaestor/internal/listening"
	"quaestor/internal/telemetry"
	"quaestor/migrations"
	"quaestor/research"
	"quaestor/research/warehouse/metrics"
	"quaestor/research/warehouse/question"
	"quaestor/research/warehouse/runs"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	"quaestor/web"
	"quaestor/web/admin"
	"quaestor/web/data"
	"quaestor/web/mcp"
	objectivepages "quaestor/web/objectives"
	researchpages "quaestor/web/research"
	"quaestor/web/review"
	"quaestor/web/share"
	"quaestor/web/talk"
)

// Site is a server with all of its features.
type Site struct {
	*web.Server
	Talk       *talk.Handlers
	Review     *review.Handlers
	Objectives *objectivepages.Handlers
	Research   *researchpages.Handlers
	Data       *data.Handlers
	Admin      *admin.Handlers
	Share      *share.Handlers
	MCP        *mcp.Handlers
}

// Handler returns the routes of the site.
func (s *Site) Handler() http.Handler {
	return s.Server.Handler(s.Talk, s.Review, s.Objectives, s.Research, s.Data, s.Admin, s.Share, s.MCP)
}

// With returns a site with other options and the same features.
func (s *Site) With(o web.Options) *Site {
	return features(o, s.Talk.Options, s.Objectives.Options, s.Research.Options, s.Data.Options, s.Admin.Options)
}

func features(o web.Options, t talk.Options, ob objectivepages.Options, re researchpages.Options, d data.Options, a admin.Options) *Site {
	s := &Site{Server: web.New(o)}
	s.Talk = talk.New(s.Server, t)
	s.Review = review.New(s.Server, review.Options{Engine: t.Engine, Index: s.Talk.Index})
	s.Objectives = objectivepages.New(s.Server, ob)
	s.Research = researchpages.New(s.Server, re)
	s.Data = data.New(s.Server, d)
	s.Admin = admin.New(s.Server, a)
	s.Share = share.New(s.Server)
	s.MCP = mcp.New(s.Server, mcp.Options{Engine: t.Engine, Connections: d.Connections, Index: d.Index, Projects: d.Projects, Commands: d.Commands, Warehouses: &question.Warehouses{Store: d.Connections, Metrics: &metrics.Store{Pool: o.Pool, Connections: d.Connections}}})
	return s
}

// assemble builds a site; its parts end with the test.
func assemble(t testing.TB, o Terms, pool *pgxpool.Pool, library *objectives.Library) *Site {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	queue, err := research.NewQueue(t.Context(), pool, research.QueueOptions{Schema: migrations.RiverSchema, Workers: -1, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	instance := uuid.NewString()
	hub := sessions.NewHub(pool, log, instance)
	t.Cleanup(hub.Close)
	parts := dataParts(t, pool, queue, log)
	warehouses := (&question.Warehouses{Store: parts.Connections, Metrics: &metrics.Store{Pool: pool, Connections: parts.Connections}}).ForInterviews()
	own, found := ownModels(t, pool, o.Model, log)
	engine, err := chat.New(chat.Options{Pool: pool, Hub: hub, Library: library, Queue: queue, Rules: rules.New(listening.New(nil)), Model: found(t.Context(), "").Talking, Models: found, Instance: instance,
		Log: log, Defaults: o.Limits, Warehouses: warehouses, Tenants: func(context.Context) ([]string, error) { return nil, nil }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), Patience)
		defer cancel()
		engine.Drain(ctx)
	})
	parts.Begin = func(ctx context.Context, tenant, user, contextType string) (string, error) {
		s, err := engine.Create(ctx, tenant, user, contextType)
		return s.ID, err
	}
	commands := research.Commands{Editor: sessions.Editor{Pool: pool, Hub: hub, Library: library}, Queue: queue, Data: warehouses}
	return features(web.Options{Pool: pool, Hub: hub, Library: library, Metrics: telemetry.NewMetrics("test"), Log: log, Version: "test", Interviewer: engine.Interviewer(),
		News: func(ctx context.Context, tenant, user string) (int, error) {
			return runs.UnreadAlerts(ctx, pool, tenant, user)
		}},
		talk.Options{Engine: engine, Voice: o.Voice, Read: reading(t)}, objectivepages.Options{Engine: engine}, researchpages.Options{Engine: engine, Commands: commands},
		parts, admin.Options{Engine: engine, Commands: commands, Setup: admin.Setup{Defaults: o.Limits}, Models: own})
}
