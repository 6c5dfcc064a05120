package migrations

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/internal/postgres/connect"
)

// Roles belong to a server, not to a database: a dump restored on another server finds
// neither [postgres.AppRole] nor its privileges. Both are restored at every start. What the
// migrations grant is therefore repeated here; a test compares the two.

// tablePrivileges lists the privileges of the application's role by table.
var tablePrivileges = []struct{ may, tables string }{
	{"SELECT, INSERT", `discovery_session_summaries message_interruptions messages objective_releases obligation_events obligation_trail research_searches session_revisions tenant_journal turn_files
		warehouse_recommendation_insights warehouse_refreshes warehouse_run_areas warehouse_run_events warehouse_run_scans warehouse_statements warehouse_outcomes`},
	{"SELECT, INSERT, DELETE", `call_tickets message_recordings prompt_rules prompt_texts research_claims session_events session_files turn_calls turn_prompts warehouse_feedback warehouse_packs warehouse_project_connections`},
	{"SELECT, INSERT, UPDATE", `api_tokens conflicts discovery_objectives elicitation_obligations embeddings part_tests research_documents research_sources review_comments
		search_heads search_texts session_heads session_invitations session_speech session_participants session_shares tenant_settings tenants turns warehouse_insight_ledger warehouse_insights
		warehouse_recommendations warehouse_run_spending warehouse_run_steps warehouse_schemas warehouse_finding_texts`},
	{"SELECT, INSERT, UPDATE, DELETE", `session_calls recording_consents discovery_research_tasks elicitation_sessions instances members objective_drafts research_passages research_vectors session_holds tenant_models warehouse_examples warehouse_metrics warehouse_projects warehouse_alerts warehouse_watches pack_draft_sections pack_draft_sources pack_drafts
		warehouse_runs warehouse_tables warehouse_texts warehouse_vectors warehouses warehouse_prices warehouse_schedules`},
}

// columnPrivileges lists its privileges on single columns.
var columnPrivileges = []struct{ may, table, column string }{{"UPDATE", "prompt_rules", "used_at"}}

// ensureRole creates the application's role if needed and lets conn's role act as it.
func ensureRole(ctx context.Context, conn *pgx.Conn) error {
	return postgres.Contended(ctx, func() error {
		for _, lacks := range []struct{ ask, repair string }{
			{`SELECT NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'quaestor_app')`, `CREATE ROLE quaestor_app NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE`},
			{actsAsRole, `GRANT quaestor_app TO CURRENT_USER`},
		} {
			var missing bool
			if err := conn.QueryRow(ctx, lacks.ask).Scan(&missing); err != nil {
				return fmt.Errorf("look for the role quaestor_app: %w", err)
			}
			if !missing {
				continue
			}
			if _, err := conn.Exec(ctx, lacks.repair); err != nil {
				return fault.New(fault.Forbidden, "the role quaestor_app is missing, or this role may not act as it, and cannot change that; as an administrator of the server run: "+
					"CREATE ROLE quaestor_app NOLOGIN; GRANT quaestor_app TO %s", conn.Config().User).At("DATABASE_URL").Because(err)
			}
		}
		return nil
	})
}

// actsAsRole returns true if this role may NOT act as the application's. From PostgreSQL 16
// on, the creator of a role is a member of it but may not act as it yet.
const actsAsRole = `SELECT NOT pg_has_role(current_user, 'quaestor_app', CASE WHEN current_setting('server_version_num')::integer >= 160000 THEN 'SET' ELSE 'MEMBER' END)`

// ensurePrivileges grants the application's role the privileges it lacks.
func ensurePrivileges(ctx context.Context, conn *pgx.Conn) error {
	missing, err := lacking(ctx, conn)
	if err != nil {
		return err
	}
	for _, statement := range missing {
		err := postgres.Contended(ctx, func() error {
			_, err := conn.Exec(ctx, statement)
			return err
		})
		if err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

// lacking returns the statements that grant the privileges that the application's role
// lacks on the tables that exist.
func lacking(ctx context.Context, conn *pgx.Conn) ([]string, error) {
	var repair []string
	ask := func(statement, query string, args ...any) error {
		var lacks bool
		err := conn.QueryRow(ctx, query, args...).Scan(&lacks)
		if err == nil && lacks {
			repair = append(repair, statement)
		}
		return err
	}
	err := ask(`GRANT USAGE ON SCHEMA public TO quaestor_app`, `SELECT NOT EXISTS (SELECT FROM pg_namespace AS n, aclexplode(n.nspacl) AS a JOIN pg_roles AS r ON r.oid = a.grantee
		WHERE n.nspname = 'public' AND r.rolname = 'quaestor_app' AND a.privilege_type = 'USAGE')`)
	for _, p := range tablePrivileges {
		for table := range strings.FieldsSeq(p.tables) {
			if err == nil {
				err = ask(`GRANT `+p.may+` ON `+table+` TO quaestor_app`, `SELECT to_regclass('public.' || $1) IS NOT NULL
					AND NOT (SELECT bool_and(has_table_privilege('quaestor_app', to_regclass('public.' || $1), may)) FROM unnest($2::text[]) AS may)`, table, strings.Split(p.may, ", "))
			}
		}
	}
	for _, p := range columnPrivileges {
		if err == nil {
			err = ask(`GRANT `+p.may+` (`+p.column+`) ON `+p.table+` TO quaestor_app`,
				`SELECT to_regclass('public.' || $1) IS NOT NULL AND NOT has_column_privilege('quaestor_app', to_regclass('public.' || $1), $2, $3)`, p.table, p.column, p.may)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("read what the role quaestor_app may do: %w", err)
	}
	return repair, nil
}

// RoleTrouble describes what is wrong with the application's role in the database at url;
// empty if nothing is. [Up] repairs it.
func RoleTrouble(ctx context.Context, url string) (trouble string, err error) {
	c, err := connect.Config(url)
	if err != nil {
		return "", err
	}
	conn, err := pgx.ConnectConfig(ctx, c.ConnConfig)
	if err != nil {
		return "", fmt.Errorf("connect: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	var there, apart bool
	if err := conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = 'quaestor_app')`).Scan(&there); err != nil || !there {
		return "the role quaestor_app is missing", err
	}
	if err := conn.QueryRow(ctx, actsAsRole).Scan(&apart); err != nil || apart {
		return "this role may not act as quaestor_app", err
	}
	missing, err := lacking(ctx, conn)
	if err != nil || len(missing) == 0 {
		return "", err
	}
	slices.Sort(missing)
	return fmt.Sprintf("the role quaestor_app lacks %d privileges, such as what is given by: %s", len(missing), missing[0]), nil
}
