package migrations_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
)

// seeds put one row into each table that has tenants, parents first: of tenant $1,
// and with the id $2 wherever the row or its session has one.
var seeds = []struct{ table, insert string }{
	{"members", `INSERT INTO members (tenant_id, id, role) VALUES ($1, $2::uuid::text, 'owner')`},
	{"api_tokens", `INSERT INTO api_tokens (tenant_id, id, member_id, role, token_hash) VALUES ($1, $2::uuid, $2::uuid::text, 'owner', sha256($1::uuid::text::bytea))`},
	{"discovery_objectives", `INSERT INTO discovery_objectives (tenant_id, id, context_type, display_name, config) VALUES ($1, $2::uuid, 'shop', 'Shop', '{}')`},
	{"objective_drafts", `INSERT INTO objective_drafts (tenant_id, id, base_id, document, made_by, edited_by) VALUES ($1, $2::uuid, $2::uuid, '{}', 'someone', 'someone')`},
	{"objective_releases", `INSERT INTO objective_releases (tenant_id, objective_id, act, user_id) VALUES ($1, $2::uuid, 'published', 'someone')`},
	{"elicitation_sessions", `INSERT INTO elicitation_sessions (tenant_id, id, objective_id, context_type, user_id) VALUES ($1, $2::uuid, $2::uuid, 'shop', 'someone')`},
	{"turns", `INSERT INTO turns (tenant_id, session_id, number, user_id, body_hash, first_seq, instance_id) VALUES ($1, $2::uuid, 1, 'someone', '', 1, $2::uuid)`},
	{"session_files", `INSERT INTO session_files (tenant_id, session_id, id, name, media_type, size, sha256, user_id, content)
		VALUES ($1, $2::uuid, $2::uuid, 'plan.txt', 'text/plain', 5, repeat('ab', 32), 'someone', 'Hello')`},
	{"turn_files", `INSERT INTO turn_files (tenant_id, session_id, turn, n, file_id) VALUES ($1, $2::uuid, 1, 1, $2::uuid)`},
	{"messages", `INSERT INTO messages (tenant_id, session_id, turn, role, content) VALUES ($1, $2::uuid, 1, 'user', 'Hello')`},
	{"message_interruptions", `INSERT INTO message_interruptions (tenant_id, session_id, turn, heard, user_id) VALUES ($1, $2::uuid, 1, 2, 'someone')`},
	{"session_calls", `INSERT INTO session_calls (tenant_id, session_id, call, connection, expires_at) VALUES ($1, $2::uuid, 'one-call', $2::uuid, now())`},
	{"recording_consents", `INSERT INTO recording_consents (tenant_id, session_id, user_id, allowed) VALUES ($1, $2::uuid, 'someone', true)`},
	{"message_recordings", `INSERT INTO message_recordings (tenant_id, session_id, turn, user_id, milliseconds, sound) VALUES ($1, $2::uuid, 1, 'someone', 1, '\\x0000')`},
	{"session_speech", `INSERT INTO session_speech (tenant_id, session_id, changed_by) VALUES ($1, $2::uuid, 'someone')`},
	{"discovery_session_summaries", `INSERT INTO discovery_session_summaries (tenant_id, session_id, summary_text, turn_range_start, turn_range_end) VALUES ($1, $2::uuid, 'Hello', 1, 1)`},
	{"elicitation_obligations", `INSERT INTO elicitation_obligations (tenant_id, session_id, obligation_key, position, field_path, collection_type, widget_type, task_priority)
		VALUES ($1, $2::uuid, 'name', 1, 'name', 'inferred', 'text', 5)`},
	{"obligation_trail", `INSERT INTO obligation_trail (tenant_id, session_id, turn_number, events) VALUES ($1, $2::uuid, 1, '[]')`},
	{"prompt_texts", `INSERT INTO prompt_texts (tenant_id, sha256, content) VALUES ($1, sha256($2::uuid::text::bytea), 'Be brief.')`},
	{"turn_calls", `INSERT INTO turn_calls (tenant_id, session_id, turn, attempt, n, purpose, model, rules, prompt, response, cut, prompt_tokens, completion_tokens, money, tries, began_ms, total_ms, at)
		VALUES ($1, $2::uuid, 1, 1, 1, 'reply', 'small', sha256($2::uuid::text::bytea), '[]', 'Hello', false, 1, 1, 0, 1, 0, 1, now())`},
	{"prompt_rules", `INSERT INTO prompt_rules (tenant_id, sha256, used_at, content) VALUES ($1, sha256($2::uuid::text::bytea), now(), '["Be brief."]')`},
	{"turn_prompts", `INSERT INTO turn_prompts (tenant_id, session_id, at, turn, attempt, n, calls, rules, packed) VALUES ($1, $2::uuid, now(), 1, 1, 1, 1, '', '')`},
	{"review_comments", `INSERT INTO review_comments (tenant_id, session_id, author, content) VALUES ($1, $2::uuid, 'someone', 'Hello')`},
	{"conflicts", `INSERT INTO conflicts (tenant_id, session_id, kind, obligation_keys, sides, detected_turn) VALUES ($1, $2::uuid, 'changed', '[]', '[]', 1)`},
	{"session_heads", `INSERT INTO session_heads (tenant_id, session_id) VALUES ($1, $2::uuid)`},
	{"session_events", `INSERT INTO session_events (tenant_id, session_id, seq, turn, kinds, data) VALUES ($1, $2::uuid, 1, 1, '{session}', '{"{}"}')`},
	{"session_participants", `INSERT INTO session_participants (tenant_id, session_id, user_id, role, invited_by) VALUES ($1, $2::uuid, 'other', 'contributor', 'someone')`},
	{"session_invitations", `INSERT INTO session_invitations (tenant_id, session_id, role, token_hash, invited_by, expires_at) VALUES ($1, $2::uuid, 'observer', '\\x01', 'someone', now())`},
	{"call_tickets", `INSERT INTO call_tickets (tenant_id, session_id, token_hash, user_id, created_at, expires_at)
		VALUES ($1, $2::uuid, sha256($2::uuid::text::bytea), 'someone', now(), now() + interval '1 minute')`},
	{"session_shares", `INSERT INTO session_shares (tenant_id, session_id, token_hash, extent, created_by, created_at, expires_at)
		VALUES ($1, $2::uuid, sha256('one'), 'brief', 'someone', now(), now() + interval '1 day')`},
	{"session_revisions", `INSERT INTO session_revisions (tenant_id, session_id, revision, objective_id, turn_count, trail_end, session_phase, completeness_score, progress,
			conflicts, completed_at, changed_at, reopened_by, reviewer, reason)
		VALUES ($1, $2::uuid, 1, $2::uuid, 1, 999, 'closing', 1, 1, '[]', now(), now(), 'someone', false, '')`},
	{"discovery_research_tasks", `INSERT INTO discovery_research_tasks (tenant_id, id, session_id, task_type, trigger, query, turn) VALUES ($1, $2::uuid, $2::uuid, 'domain_research', 'user_request', 'Who?', 1)`},
	{"research_searches", `INSERT INTO research_searches (tenant_id, task_id, revision, n, query, engine) VALUES ($1, $2::uuid, 0, 1, 'who', 'web')`},
	{"research_sources", `INSERT INTO research_sources (tenant_id, task_id, n, revision, url, state, bytes, sha256, content, read_at)
		VALUES ($1, $2::uuid, 1, 0, 'https://example.org/', 'read', 'we', 'ab', 'It was us.', now())`},
	{"research_claims", `INSERT INTO research_claims (tenant_id, task_id, n, source, claim, quote, span_start, span_end, sha256, rank, made_by)
		VALUES ($1, $2::uuid, 1, 1, 'It was us.', 'was us', 3, 9, 'ab', 1, 'extract')`},
	{"search_texts", `INSERT INTO search_texts (tenant_id, session_id, kind, key, user_id, at, content) VALUES ($1, $2::uuid, 'session', 'session', 'someone', now(), 'Hello')`},
	{"embeddings", `INSERT INTO embeddings (tenant_id, session_id, kind, key, user_id, encoder, digest) VALUES ($1, $2::uuid, 'session', 'session', 'someone', 'one', '')`},
	{"search_heads", `INSERT INTO search_heads (tenant_id, session_id, version, turn, encoder) VALUES ($1, $2::uuid, 1, 1, '')`},
	{"research_documents", `INSERT INTO research_documents (tenant_id, id, path, state, modified, read_at, checked_at) VALUES ($1, $2::uuid, 'us.txt', 'refused', now(), now(), now())`},
	{"research_passages", `INSERT INTO research_passages (tenant_id, document_id, n, start_byte, end_byte, heading, content) VALUES ($1, $2::uuid, 0, 0, 5, '', 'Hello')`},
	{"research_vectors", `INSERT INTO research_vectors (tenant_id, document_id, n, encoder, digest) VALUES ($1, $2::uuid, 0, 'one', '')`},
	{"tenant_settings", `INSERT INTO tenant_settings (tenant_id, session_turns, changed_by) VALUES ($1, 10, $2::uuid::text)`},
	{"tenant_models", `INSERT INTO tenant_models (tenant_id, id, place, name, base_url, role) VALUES ($1, $2::uuid, 1, 'small', 'https://models.example.org/v1', 'both')`},
	{"tenant_journal", `INSERT INTO tenant_journal (tenant_id, actor, kind) VALUES ($1, $2::uuid::text, 'settings')`},
	{"session_holds", `INSERT INTO session_holds (tenant_id, session_id, reason, held_by) VALUES ($1, $2::uuid, 'A dispute', 'someone')`},
	{"warehouses", `INSERT INTO warehouses (tenant_id, id, name, kind) VALUES ($1, $2::uuid, 'Sales', 'postgresql')`},
	{"warehouse_statements", `INSERT INTO warehouse_statements (tenant_id, warehouse_id, sha256, verdict) VALUES ($1, $2::uuid, 'ab', 'passed')`},
	{"warehouse_packs", `INSERT INTO warehouse_packs (tenant_id, slug, version, document) VALUES ($1, 'p' || replace($2::uuid::text, '-', ''), '1', '{}')`},
	{"warehouse_projects", `INSERT INTO warehouse_projects (tenant_id, id, name, pack_slug, pack_version, warehouse_id) VALUES ($1, $2::uuid, 'Delays', 'operations', '1', $2::uuid)`},
	{"pack_drafts", `INSERT INTO pack_drafts (tenant_id, id, name, slug, warehouse_id) VALUES ($1, $2::uuid, 'Tea', 'tea', $2::uuid)`},
	{"pack_draft_sources", `INSERT INTO pack_draft_sources (tenant_id, draft_id, place, kind, name) VALUES ($1, $2::uuid, 0, 'notes', 'Notes')`},
	{"pack_draft_sections", `INSERT INTO pack_draft_sections (tenant_id, draft_id, key, place) VALUES ($1, $2::uuid, 'about', 0)`},
	{"warehouse_metrics", `INSERT INTO warehouse_metrics (tenant_id, warehouse_id, kind, name, definition) VALUES ($1, $2::uuid, 'metric', 'revenue', '{}')`},
	{"warehouse_examples", `INSERT INTO warehouse_examples (tenant_id, warehouse_id, question, query) VALUES ($1, $2::uuid, 'How many?', 'SELECT 1')`},
	{"warehouse_feedback", `INSERT INTO warehouse_feedback (tenant_id, project_id, run_id, target, ref, user_id, vote) VALUES ($1, $2::uuid, $2::uuid, 'exploration_step', '1', 'someone', 'like')`},
	{"warehouse_schemas", `INSERT INTO warehouse_schemas (tenant_id, warehouse_id, mask_key) VALUES ($1, $2::uuid, 'ab')`},
	{"warehouse_tables", `INSERT INTO warehouse_tables (tenant_id, warehouse_id, id, schema_name, name, content_hash, seen_at) VALUES ($1, $2::uuid, $2::uuid, 'sales', 'orders', 'ab', now())`},
	{"warehouse_texts", `INSERT INTO warehouse_texts (tenant_id, warehouse_id, kind, id, content, words) VALUES ($1, $2::uuid, 'table', $2::uuid, 'orders', 'orders')`},
	{"warehouse_vectors", `INSERT INTO warehouse_vectors (tenant_id, warehouse_id, kind, id, encoder, digest) VALUES ($1, $2::uuid, 'table', $2::uuid, 'one', '')`},
	{"warehouse_refreshes", `INSERT INTO warehouse_refreshes (tenant_id, warehouse_id, at, took_ms, tables, added, removed, changed, failed, detail) VALUES ($1, $2::uuid, now(), 1, 0, 0, 0, 0, 0, '{}')`},
	{"warehouse_project_connections", `INSERT INTO warehouse_project_connections (tenant_id, project_id, warehouse_id) VALUES ($1, $2::uuid, $2::uuid)`},
	{"warehouse_schedules", `INSERT INTO warehouse_schedules (tenant_id, project_id, cron, zone, max_steps) VALUES ($1, $2::uuid, '@daily', 'UTC', 10)`},
	{"warehouse_prices", `INSERT INTO warehouse_prices (tenant_id, id, warehouse_id, hour) VALUES ($1, $2::uuid, $2::uuid, 1)`},
	{"warehouse_runs", `INSERT INTO warehouse_runs (tenant_id, id, project_id, warehouse_id, mask_key, max_steps) VALUES ($1, $2::uuid, $2::uuid, $2::uuid, sha256('a'), 10)`},
	{"warehouse_run_steps", `INSERT INTO warehouse_run_steps (tenant_id, run_id, n, state, type, attempt) VALUES ($1, $2::uuid, 1, 'asked', 'query', 1)`},
	{"warehouse_run_spending", `INSERT INTO warehouse_run_spending (tenant_id, run_id, purpose, tokens_in, tokens_cached, tokens_out, calls, usd) VALUES ($1, $2::uuid, 'explore', 1, 0, 1, 1, 0)`},
	{"warehouse_run_events", `INSERT INTO warehouse_run_events (tenant_id, run_id, seq, type, data) VALUES ($1, $2::uuid, 1, 'queued', '{}')`},
	{"warehouse_run_scans", `INSERT INTO warehouse_run_scans (tenant_id, run_id, table_ref, findings) VALUES ($1, $2::uuid, 'sales.orders', '{}')`},
	{"warehouse_run_areas", `INSERT INTO warehouse_run_areas (tenant_id, run_id, area_id, place, name, status) VALUES ($1, $2::uuid, 'revenue', 1, 'Revenue', 'complete')`},
	{"warehouse_insights", `INSERT INTO warehouse_insights (tenant_id, run_id, ref, project_id, place, area_id, subject, kind, severity, title, affected, body, status, survives)
		VALUES ($1, $2::uuid, 'revenue-1', $2::uuid, 1, 'revenue', 'drop|sales.orders|count', 'drop', 'high', 'Orders fell', 1, '{}', 'confirmed', true)`},
	{"warehouse_recommendations", `INSERT INTO warehouse_recommendations (tenant_id, run_id, ref, project_id, place, title, body) VALUES ($1, $2::uuid, 'r-1', $2::uuid, 1, 'Look into it', '{}')`},
	{"warehouse_recommendation_insights", `INSERT INTO warehouse_recommendation_insights (tenant_id, run_id, recommendation_ref, insight_ref) VALUES ($1, $2::uuid, 'r-1', 'revenue-1')`},
	{"warehouse_insight_ledger", `INSERT INTO warehouse_insight_ledger (tenant_id, project_id, subject_hash, subject, title, standing, effect, seen, first_run_id, last_run_id, last_ref)
		VALUES ($1, $2::uuid, sha256('a'), 'drop|sales.orders|count', 'Orders fell', 'new', -0.5, 1, $2::uuid, $2::uuid, 'revenue-1')`},
	{"warehouse_finding_texts", `INSERT INTO warehouse_finding_texts (tenant_id, run_id, kind, ref, project_id, title, body) VALUES ($1, $2::uuid, 'insight', 'revenue-1', $2::uuid, 'Orders fell', '')`},
	{"warehouse_watches", `INSERT INTO warehouse_watches (tenant_id, project_id, subject_hash, user_id, subject) VALUES ($1, $2::uuid, sha256('a'), 'someone', 'drop|sales.orders|count')`},
	{"warehouse_alerts", `INSERT INTO warehouse_alerts (tenant_id, user_id, project_id, run_id, subject, subject_hash, change, insight_run, insight_ref)
		VALUES ($1, 'someone', $2::uuid, $2::uuid, 'drop|sales.orders|count', sha256('a'), 'changed', $2::uuid, 'revenue-1')`},
	{"warehouse_outcomes", `INSERT INTO warehouse_outcomes (tenant_id, run_id, ref, measured_by, query, value, measured) VALUES ($1, $2::uuid, 'r-1', $2::uuid, 'SELECT 1', 1, true)`},
	{"part_tests", `INSERT INTO part_tests (tenant_id, part, well, says, milliseconds, tried_by) VALUES ($1, $2::uuid::text, true, 'It answers', 1, 'someone')`},
}

// neighbours are two tenants of one database with a row in every table each, all
// ids the same but the tenants'.
type neighbours struct {
	pool         *pgxpool.Pool
	first, other string
	id           string
}

func newNeighbours(t *testing.T) neighbours {
	t.Helper()
	pool := postgrestest.DB(t)
	n := neighbours{pool: pool, first: postgrestest.Tenant(t, pool), other: postgrestest.Tenant(t, pool), id: uuid.NewString()}
	for _, tenant := range []string{n.first, n.other} {
		b := postgres.NewBatch(tenant)
		for _, s := range seeds {
			_, _ = b.Exec(t.Context(), s.insert, tenant, n.id)
		}
		if err := b.Send(t.Context(), pool); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

// as runs f as the tenant and undoes what it did.
func (n neighbours) as(t *testing.T, tenant string, f func(tx pgx.Tx)) {
	t.Helper()
	tx, err := n.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(background) }()
	postgrestest.Act(t, tx, tenant)
	f(tx)
}

func TestEveryTableWithATenantHasASeed(t *testing.T) {
	t.Parallel()

	seeded := map[string]bool{}
	for _, s := range seeds {
		seeded[s.table] = true
	}
	want := map[string]bool{}
	for _, table := range column[string](t, schema(t), owned) {
		want[table] = true
	}
	if diff := cmp.Diff(want, seeded); diff != "" {
		t.Errorf("tables the tests of isolation try (-there are +tried):\n%s", diff)
	}
}

func TestTenantSeesItsOwnRowsOnly(t *testing.T) {
	t.Parallel()

	n := newNeighbours(t)
	for _, s := range seeds {
		for _, tt := range []struct {
			name, tenant string
			want         []string
		}{{"first", n.first, []string{n.first}}, {"other", n.other, []string{n.other}}, {"third", uuid.NewString(), nil}, {"none", "", nil}} {
			var got []string
			b := postgres.NewBatch(tt.tenant)
			postgrestest.Rows[struct{ Tenant string }](b, func(r *struct{ Tenant string }) error {
				got = append(got, r.Tenant)
				return nil
			}, `SELECT tenant_id::text FROM `+s.table)
			if err := b.Send(t.Context(), n.pool); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%s: tenant %q sees rows of (-want +got):\n%s", s.table, tt.name, diff)
			}
		}
	}
}

func TestTenantCannotWriteForAnother(t *testing.T) {
	t.Parallel()

	n := newNeighbours(t)
	for _, s := range seeds {
		for _, tt := range []struct{ name, tenant, in string }{
			{"inserts", n.other, s.insert},
			{"inserts without a tenant", "", s.insert},
			{"gives away", n.other, `UPDATE ` + s.table + ` SET tenant_id = $1 WHERE $2::uuid IS NOT NULL`},
		} {
			n.as(t, tt.tenant, func(tx pgx.Tx) {
				if _, err := tx.Exec(t.Context(), tt.in, n.first, n.id); postgres.Code(err) != "42501" {
					t.Errorf("%s: the other tenant %s: %v, want 42501", s.table, tt.name, err)
				}
			})
		}
	}
}

func TestTenantCannotChangeOrDeleteAnothersRows(t *testing.T) {
	t.Parallel()

	n := newNeighbours(t)
	for _, s := range seeds {
		for _, statement := range []string{
			`UPDATE ` + s.table + ` SET tenant_id = tenant_id WHERE tenant_id = $1`,
			`DELETE FROM ` + s.table + ` WHERE tenant_id = $1`,
			`SELECT tenant_id FROM ` + s.table + ` WHERE tenant_id = $1 FOR UPDATE`,
		} {
			n.as(t, n.other, func(tx pgx.Tx) {
				tag, err := tx.Exec(t.Context(), statement, n.first)
				if code := postgres.Code(err); tag.RowsAffected() != 0 || (err != nil && code != "42501") {
					t.Errorf("%s as another tenant: %d rows, %v; want none", statement, tag.RowsAffected(), err)
				}
			})
		}
	}
}

// A row may not hang on a row of another tenant either, even for one who may act
// as both.
func TestRowsDoNotHangOnAnotherTenants(t *testing.T) {
	t.Parallel()

	n := newNeighbours(t)
	alone := uuid.NewString()
	super := postgrestest.Superuser(t, n.pool)
	for _, s := range seeds[1:] {
		if s.table == "discovery_objectives" || s.table == "research_documents" || s.table == "prompt_texts" || s.table == "prompt_rules" || slices.Contains([]string{"warehouses", "warehouse_statements", "warehouse_packs", "tenant_settings", "tenant_models", "tenant_journal", "part_tests"}, s.table) {
			continue // hang on the tenant alone
		}
		_, err := super.Exec(t.Context(), s.insert, postgrestest.Tenant(t, super), alone)
		if code := postgres.Code(err); code != "23503" {
			t.Errorf("%s without its parent in the tenant: %v, want 23503", s.table, err)
		}
	}
}
