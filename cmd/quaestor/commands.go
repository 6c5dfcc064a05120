package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/chat/brief"
	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/internal/postgres/connect"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// versionCommand prints the version.
type versionCommand struct{}

// Run prints the program's name and version on one line.
func (versionCommand) Run(io *streams) error {
	_, err := fmt.Fprintln(io.out, "quaestor", version())
	return err
}

// release is the version that the Makefile stamps with -ldflags; empty in other
// builds.
var release string

// version returns the release that was stamped, else the module's version or the
// revision that the Go tool recorded, else "development".
func version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return s.Value[:12]
		}
	}
	return "development"
}

// withPool is [withDatabase] for commands that act in one tenant: f gets a pool of
// four connections, which no command exceeds, and the tenant of that name. It is NotFound when
// there is none, but for those that commands act in when none is named: they are made.
func withPool(ctx context.Context, s *Settings, io *streams, tenant string, f func(*pgxpool.Pool, auth.Tenant) error) error {
	find := findTenant
	if tenant == developmentTenant || tenant == evaluationTenant {
		find = auth.EnsureTenant
	}
	return withTenant(ctx, s, io, tenant, find, f)
}

// findTenant returns the tenant of that name.
func findTenant(ctx context.Context, db postgres.DB, name string) (auth.Tenant, error) {
	list, err := auth.Tenants(ctx, db)
	if err != nil {
		return auth.Tenant{}, err
	}
	for _, t := range list {
		if t.Name == name {
			return t, nil
		}
	}
	return auth.Tenant{}, fault.New(fault.NotFound, "there is no tenant %q; one is made with its first token: quaestor token create --tenant %q --user NAME --role owner", name, name).At("tenant")
}

// withTenant is [withPool] with the tenant that find returns.
func withTenant(ctx context.Context, s *Settings, io *streams, tenant string, find func(context.Context, postgres.DB, string) (auth.Tenant, error), f func(*pgxpool.Pool, auth.Tenant) error) error {
	return withDatabase(ctx, s, io, func(d *database, _ *slog.Logger) error {
		pool, err := connect.Open(ctx, d.url, connect.Options{MaxConns: 4})
		if err != nil {
			return err
		}
		defer pool.Close()
		t, err := find(ctx, pool, tenant)
		if err != nil {
			return err
		}
		return f(pool, t)
	})
}

// tokenCommand manages the access tokens of a tenant.
type tokenCommand struct {
	Create tokenCreate `cmd:"" help:"Make a token and print it; it cannot be shown again."`
	List   tokenList   `cmd:"" help:"List a tenant's tokens, without their secrets."`
	Revoke tokenRevoke `cmd:"" help:"End a token at once."`
}

// tokenCreate makes a token.
type tokenCreate struct {
	Tenant string        `help:"Tenant, made if it is new." default:"development"`
	User   string        `help:"Who the token is for." required:""`
	Role   string        `help:"owner, admin, reviewer, member or viewer." default:"member"`
	Name   string        `help:"What it is for, for the list."`
	Lasts  time.Duration `help:"How long it lasts, such as 720h; 0 means for good."`
}

// Run prints the new token as the only line on stdout, so that scripts can take it.
// The tenant may be new, so it gets the shipped objectives first.
func (c tokenCreate) Run(ctx context.Context, s *Settings, io *streams) error {
	role, err := auth.ParseRole(c.Role)
	if err != nil {
		return err
	}
	return withTenant(ctx, s, io, c.Tenant, auth.EnsureTenant, func(pool *pgxpool.Pool, t auth.Tenant) error {
		if err := objectives.NewLibrary(pool).Ship(ctx, t.ID); err != nil {
			return err
		}
		token, err := auth.CreateToken(ctx, pool, auth.Grant{Tenant: t.ID, User: c.User, Role: role, Name: c.Name, Lasts: c.Lasts})
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(io.out, token)
		return err
	})
}

// tokenList lists the tokens of a tenant.
type tokenList struct {
	Tenant string `help:"Tenant." default:"development"`
}

// Run prints a table of the tokens, newest first.
func (c tokenList) Run(ctx context.Context, s *Settings, io *streams) error {
	return withPool(ctx, s, io, c.Tenant, func(pool *pgxpool.Pool, t auth.Tenant) error {
		list, err := auth.Tokens(ctx, pool, t.ID)
		if err != nil {
			return err
		}
		return printTable(io.out, "ID\tUSER\tROLE\tNAME\tCREATED\tSTATE", list, func(k auth.Token) string {
			state := "valid"
			if k.Revoked != nil {
				state = "revoked"
			} else if k.Expires != nil && k.Expires.Before(time.Now()) {
				state = "expired"
			}
			return fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s", k.ID, k.User, k.Role, k.Name, k.Created.Format(time.DateTime), state)
		})
	})
}

// printTable writes a header and a row for each of list in aligned columns. Cells are
// separated by tabs.
func printTable[T any](out io.Writer, header string, list []T, row func(T) string) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, header) // a tabwriter keeps its first error for Flush
	for _, v := range list {
		_, _ = fmt.Fprintln(w, row(v))
	}
	return w.Flush()
}

// tokenRevoke ends a token.
type tokenRevoke struct {
	Tenant string `help:"Tenant." default:"development"`
	ID     string `arg:"" help:"Id of the token, from the list."`
}

// Run revokes the token; requests with it are refused from then on.
func (c tokenRevoke) Run(ctx context.Context, s *Settings, io *streams) error {
	return withPool(ctx, s, io, c.Tenant, func(pool *pgxpool.Pool, t auth.Tenant) error {
		return auth.Revoke(ctx, pool, t.ID, c.ID)
	})
}

// sessionCommand reads the sessions of a tenant, and migrates them.
type sessionCommand struct {
	List    sessionList    `cmd:"" help:"List sessions, newest first."`
	Export  sessionExport  `cmd:"" help:"Print what a session found out."`
	Migrate sessionMigrate `cmd:"" help:"Take a running session over to another version of its objective."`
	Replay  sessionReplay  `cmd:"" help:"Rebuild a session from its log, or try its messages on another objective or interviewer."`
}

// sessionList lists the sessions of a tenant.
type sessionList struct {
	Tenant string `help:"Tenant." default:"development"`
	Max    int    `help:"How many." default:"50"`
}

// Run prints a table of the sessions, newest first.
func (c sessionList) Run(ctx context.Context, s *Settings, io *streams) error {
	return withPool(ctx, s, io, c.Tenant, func(pool *pgxpool.Pool, t auth.Tenant) error {
		list, err := sessions.List(ctx, pool, sessions.Filter{Tenant: t.ID, Max: c.Max})
		if err != nil {
			return err
		}
		return printTable(io.out, "ID\tCONTEXT\tUSER\tSTATUS\tPHASE\tPROGRESS\tTURNS", list, func(v sessions.Session) string {
			return fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%.2f\t%d", v.ID, v.ContextType, v.User, v.Status, v.Phase, v.Progress, v.Turns)
		})
	})
}

// sessionExport prints what a session found out, as data or as a brief to read.
type sessionExport struct {
	ID     string `arg:"" help:"Id of the session."`
	Format string `help:"json or csv for data; md, docx or pdf for a brief to read; json-schema-instance fits the JSON Schema the objective was made from." enum:"json,csv,md,docx,pdf,json-schema-instance" default:"json"`
	Extent string `help:"What a brief tells: the result alone, or the conversation too." enum:"brief,transcript" default:"brief"`
	Tenant string `help:"Tenant." default:"development"`
}

// Run writes the export to stdout and nothing else, since pdf and docx are bytes.
func (c sessionExport) Run(ctx context.Context, s *Settings, io *streams) error {
	return withPool(ctx, s, io, c.Tenant, func(pool *pgxpool.Pool, t auth.Tenant) error {
		l := objectives.NewLibrary(pool)
		scope := obligations.Scope{Tenant: t.ID, Session: c.ID}
		found, err := sessions.Find(ctx, pool, scope)
		if err != nil {
			return err
		}
		m, err := brief.Load(ctx, pool, l, found, sessions.Extent(c.Extent))
		if err != nil {
			return err
		}
		body, err := brief.Write(sessions.Format(c.Format), m)
		if err != nil {
			return err
		}
		_, err = io.out.Write(body)
		return err
	})
}

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
