package webtest

import (
	"context"
	"log/slog"
	"net/netip"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/chat"
	"quaestor/chat/model"
	"quaestor/internal/llm"
	"quaestor/internal/llm/llmtest"
	"quaestor/internal/outbound"
	"quaestor/sessions/settings/models"
)

// ownModels returns the models of organisations, which may be on this machine, and what finds
// the interviewers of one: for no tenant, those with the model of the server. srv is that
// model; nil for none.
func ownModels(t testing.TB, pool *pgxpool.Pool, srv *llmtest.Server, log *slog.Logger) (*models.Store, func(ctx context.Context, tenant string) chat.Models) {
	t.Helper()
	var server *llm.Client
	if srv != nil {
		var err error
		if server, err = llm.New(llm.Options{BaseURL: srv.URL(), Model: "scripted"}); err != nil {
			t.Fatal(err)
		}
	}
	store := models.New(models.Options{Pool: pool, Sealer: sealer(t), Transport: outbound.NewTransport([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}), Server: server, Log: log})
	t.Cleanup(store.Close)
	return store, func(ctx context.Context, tenant string) chat.Models {
		clients := models.Clients{Reading: server, Talking: server}
		if tenant != "" {
			var err error
			if clients, err = store.Clients(ctx, tenant); err != nil {
				return chat.Models{}
			}
		}
		out := chat.Models{Reading: interviewer(clients.Reading), Talking: interviewer(clients.Talking)}
		if clients.Reading == clients.Talking {
			out.Talking = out.Reading
		}
		return out
	}
}

func interviewer(c *llm.Client) chat.Interviewer {
	if c == nil {
		return nil
	}
	return model.New(c, nil)
}
