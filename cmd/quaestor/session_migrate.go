package main

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/auth"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// sessionMigrate moves a running session to another version of its objective.
type sessionMigrate struct {
	ID     string `arg:"" help:"Id of the session."`
	To     string `help:"Version to go over to; the active one when absent." placeholder:"VERSION"`
	DryRun bool   `help:"Say what would happen; change nothing."`
	By     string `help:"Who asks for it, for the audit trail." default:"operator"`
	Format string `help:"text or json." enum:"text,json" default:"text"`
	Tenant string `help:"Tenant." default:"development"`
}

// Run prints what the move changed, or would change. Pages that a running server has
// open show it when they next read the event log, within seconds.
func (c sessionMigrate) Run(ctx context.Context, s *Settings, io *streams) error {
	return withPool(ctx, s, io, c.Tenant, func(pool *pgxpool.Pool, t auth.Tenant) error {
		l := objectives.NewLibrary(pool)
		m, _, err := sessions.Migrate(ctx, pool, l, obligations.Scope{Tenant: t.ID, Session: c.ID}, sessions.MigrationTarget{Version: c.To, By: c.By, DryRun: c.DryRun})
		if err != nil {
			return err
		}
		if c.Format == "json" {
			return printJSON(io.out, m)
		}
		_, err = fmt.Fprint(io.out, m.Text())
		return err
	})
}
