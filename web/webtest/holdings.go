package webtest

import (
	"crypto/sha256"
	"net/http"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"quaestor/internal/auth"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/talk"
)

// Holdings names something of every kind that an organisation has, as paths and bodies of requests
// do. Every text of it holds Name and Mark; Mark names nothing, so that no request repeats it.
type Holdings struct {
	Session, Run, Project, Warehouse, PackDraft, Price, Model, Task, Objective, Token, Draft string // ids
	Example, Comment, Conflict, File, Invitation, Share, Participant                         string // ids
	Name                                                                                     string // of its objective, its question, its pack, its metric and its person
	Version, Queue, Job, Part                                                                string
	InvitationSecret, ShareSecret                                                            string
	Mark                                                                                     string
}

// Unknown returns holdings of the same shape that nobody has.
func Unknown() Holdings {
	id := uuid.NewString
	return Holdings{Session: id(), Run: id(), Project: id(), Warehouse: id(), PackDraft: id(), Price: id(), Model: id(), Task: id(), Objective: id(), Token: id(), Draft: id(),
		Example: id(), Comment: id(), Conflict: id(), File: id(), Invitation: id(), Share: id(), Participant: id(),
		Name: "unknown", Version: "1.0.0", Queue: "unknown", Job: "999999999", Part: "unknown",
		InvitationSecret: "unknown", ShareSecret: "unknown", Mark: id()}
}

// Furnish gives an organisation something of every kind, through its owner. Name and mark are words
// in lower case.
func (w *World) Furnish(owner *World, tenant, name, mark string) Holdings {
	w.T.Helper()
	id := uuid.NewString
	h := Holdings{Run: id(), Project: id(), Warehouse: id(), PackDraft: id(), Price: id(), Model: id(), Task: id(), Draft: id(), Example: id(), File: id(), Name: name, Version: "1.0.0", Queue: "research", Part: "model", Mark: mark}
	h.Objective = Fetch[web.ObjectiveBody](owner, http.StatusCreated, Request{Path: "/api/v1/objectives", Body: strings.NewReplacer(`"tiny"`, `"`+name+`"`, `team_size`, name, `"Tiny"`, `"`+name+` `+mark+`"`).Replace(Tiny)}).ID
	h.Session = owner.Begin(name)
	owner.Say(talk.TurnBody{SessionID: h.Session, Message: "We are the " + name + " " + mark + " bakery"})
	invited := owner.Invites(h.Session, sessions.ObserverRole, name+" "+mark)
	h.Invitation, h.InvitationSecret = invited.ID, invited.Token
	shared := owner.Linked(h.Session, sessions.BriefOnly)
	h.Share, h.ShareSecret = shared.ID, shared.Token

	task := w.Enqueue(tenant)
	for _, job := range w.Jobs(tenant) {
		h.Job = strconv.FormatInt(job.ID, 10)
	}
	if h.Job == "" {
		w.T.Fatalf("the research task %s has no job", task)
	}
	envelope := ReadAll(w.T, owner.Do(Request{Path: "/api/v1/domain-packs/operations/export"}))
	envelope = strings.NewReplacer(`"slug":"operations"`, `"slug":"`+name+`"`, `"name":"Operations"`, `"name":"`+name+` `+mark+`"`).Replace(envelope)
	if resp := owner.Do(Request{Path: "/api/v1/domain-packs/import", Body: envelope}); resp.StatusCode != http.StatusCreated {
		w.T.Fatalf("a pack cannot be imported: %s", ReadAll(w.T, resp))
	}
	token, tokenID, err := auth.IssueToken(w.T.Context(), w.Pool, auth.Grant{Tenant: tenant, User: name, Role: auth.Viewer})
	if err != nil || token == "" {
		w.T.Fatal(err)
	}
	h.Token = tokenID
	sum := sha256.Sum256([]byte(mark))
	super := postgrestest.Superuser(w.T, w.Pool)
	defer super.Close()
	for _, sql := range furnishing {
		if _, err := super.Exec(w.T.Context(), h.filled(sql, tenant), pgxArgs(sql, sum[:])...); err != nil {
			w.T.Fatalf("%s: %v", h.filled(sql, tenant), err)
		}
	}
	for _, one := range []struct {
		to  *string
		sql string
	}{
		{&h.Comment, `SELECT id::text FROM review_comments WHERE tenant_id = '{tenant}' AND session_id = '{session}'`},
		{&h.Participant, `SELECT id::text FROM session_participants WHERE tenant_id = '{tenant}' AND session_id = '{session}' AND user_id = '{name}'`},
		{&h.Conflict, `SELECT id::text FROM conflicts WHERE tenant_id = '{tenant}' AND session_id = '{session}'`},
	} {
		if err := super.QueryRow(w.T.Context(), h.filled(one.sql, tenant)).Scan(one.to); err != nil {
			w.T.Fatalf("%s: %v", one.sql, err)
		}
	}
	return h
}

func pgxArgs(sql string, sum []byte) []any {
	if strings.Contains(sql, "$1") {
		return []any{sum}
	}
	return nil
}

// filled returns a statement with the names of the holdings in place of {…}.
func (h Holdings) filled(sql, tenant string) string {
	return strings.NewReplacer("{tenant}", tenant, "{session}", h.Session, "{run}", h.Run, "{project}", h.Project, "{warehouse}", h.Warehouse, "{packdraft}", h.PackDraft, "{price}", h.Price,
		"{model}", h.Model, "{task}", h.Task, "{objective}", h.Objective, "{draft}", h.Draft, "{example}", h.Example, "{file}", h.File, "{name}", h.Name, "{mark}", h.Name+" "+h.Mark).Replace(sql)
}

// furnishing puts a row into the tables that need more than a request to fill, parents first.
var furnishing = []string{
	`INSERT INTO objective_drafts (tenant_id, id, base_id, document, made_by, edited_by) VALUES ('{tenant}', '{draft}', '{objective}', '{"contextType":"{name}","version":"1.0.0","displayName":"{mark}"}', '{mark}', '{mark}')`,
	`INSERT INTO session_participants (tenant_id, session_id, user_id, role, invited_by) VALUES ('{tenant}', '{session}', '{name}', 'observer', '{name}')`,
	`INSERT INTO session_files (tenant_id, session_id, id, name, media_type, size, sha256, user_id, content) VALUES ('{tenant}', '{session}', '{file}', '{name}.txt', 'text/plain', 5, repeat('ab', 32), '{mark}', '{mark}')`,
	`INSERT INTO recording_consents (tenant_id, session_id, user_id, allowed) VALUES ('{tenant}', '{session}', '{name}', true)`,
	`INSERT INTO message_recordings (tenant_id, session_id, turn, user_id, milliseconds, sound) VALUES ('{tenant}', '{session}', 1, '{name}', 1, '\x00000000')`,
	`INSERT INTO review_comments (tenant_id, session_id, author, content) VALUES ('{tenant}', '{session}', '{mark}', '{mark}')`,
	`INSERT INTO conflicts (tenant_id, session_id, kind, obligation_keys, sides, detected_turn) VALUES ('{tenant}', '{session}', 'changed', '["{name}"]', '[]', 1)`,
	`INSERT INTO session_holds (tenant_id, session_id, reason, held_by) VALUES ('{tenant}', '{session}', '{mark}', '{mark}')`,
	`INSERT INTO discovery_research_tasks (tenant_id, id, session_id, task_type, trigger, query, turn) VALUES ('{tenant}', '{task}', '{session}', 'domain_research', 'user_request', 'Who is {mark}?', 1)`,
	`INSERT INTO research_sources (tenant_id, task_id, n, revision, url, state, bytes, sha256, content, read_at) VALUES ('{tenant}', '{task}', 1, 0, 'https://{name}.example.org/', 'read', 'we', 'ab', 'It was {mark}.', now())`,
	`INSERT INTO warehouses (tenant_id, id, name, kind, options) VALUES ('{tenant}', '{warehouse}', '{mark}', 'postgresql', '{"host":"127.0.0.1","port":"1","database":"{mark}","user":"{mark}"}')`,
	`INSERT INTO warehouse_schemas (tenant_id, warehouse_id, mask_key) VALUES ('{tenant}', '{warehouse}', $1)`,
	`INSERT INTO warehouse_tables (tenant_id, warehouse_id, id, schema_name, name, content_hash, seen_at) VALUES ('{tenant}', '{warehouse}', '{warehouse}', '{name}', '{mark}', 'ab', now())`,
	`INSERT INTO warehouse_statements (tenant_id, warehouse_id, sha256, sent, verdict) VALUES ('{tenant}', '{warehouse}', $1, 'SELECT {mark}', 'passed')`,
	`INSERT INTO warehouse_projects (tenant_id, id, name, pack_slug, pack_version, warehouse_id) VALUES ('{tenant}', '{project}', '{mark}', 'operations', '1.0.0', '{warehouse}')`,
	`INSERT INTO warehouse_project_connections (tenant_id, project_id, warehouse_id) VALUES ('{tenant}', '{project}', '{warehouse}')`,
	`INSERT INTO tenant_models (tenant_id, id, place, name, base_url, role) VALUES ('{tenant}', '{model}', 1, '{mark}', 'http://127.0.0.1:1/v1', 'both')`,
	`INSERT INTO warehouse_schedules (tenant_id, project_id, cron, zone, max_steps, changed_by) VALUES ('{tenant}', '{project}', '@daily', 'UTC', 10, '{mark}')`,
	`INSERT INTO warehouse_prices (tenant_id, id, warehouse_id, hour, source) VALUES ('{tenant}', '{price}', '{warehouse}', 1, '{mark}')`,
	`INSERT INTO warehouse_metrics (tenant_id, warehouse_id, kind, name, definition) VALUES ('{tenant}', '{warehouse}', 'metric', '{name}', '{"kind":"metric","name":"{name}","label":"{mark}","table":"{name}.{name}","expression":"count(*)"}')`,
	`INSERT INTO warehouse_examples (tenant_id, id, warehouse_id, question, query) VALUES ('{tenant}', '{example}', '{warehouse}', 'How many {mark}?', 'SELECT 1')`,
	`INSERT INTO pack_drafts (tenant_id, id, name, slug, warehouse_id, state) VALUES ('{tenant}', '{packdraft}', '{mark}', '{name}', '{warehouse}', 'open')`,
	`INSERT INTO pack_draft_sources (tenant_id, draft_id, place, kind, name, state, content) VALUES ('{tenant}', '{packdraft}', 0, 'notes', '{mark}', 'read', '{mark}')`,
	`INSERT INTO pack_draft_sections (tenant_id, draft_id, key, place, state, content) VALUES ('{tenant}', '{packdraft}', 'about', 0, 'drafted', '{"text":"{mark}"}')`,
	`INSERT INTO warehouse_runs (tenant_id, id, project_id, warehouse_id, mask_key, max_steps, status, created_by, summary, last_seq) VALUES ('{tenant}', '{run}', '{project}', '{warehouse}', $1, 10, 'paused', '{mark}', '{mark}', 1)`,
	`INSERT INTO warehouse_run_steps (tenant_id, run_id, n, state, type, attempt, purpose) VALUES ('{tenant}', '{run}', 1, 'done', 'query', 1, '{mark}')`,
	`INSERT INTO warehouse_run_events (tenant_id, run_id, seq, type, data) VALUES ('{tenant}', '{run}', 1, 'queued', '{"mark":"{mark}"}')`,
	`INSERT INTO warehouse_feedback (tenant_id, project_id, run_id, target, ref, user_id, vote, comment) VALUES ('{tenant}', '{project}', '{run}', 'exploration_step', '1', '{name}', 'like', '{mark}')`,
	`INSERT INTO warehouse_run_areas (tenant_id, run_id, area_id, place, name, status) VALUES ('{tenant}', '{run}', '{name}', 1, '{mark}', 'complete')`,
	`INSERT INTO warehouse_insights (tenant_id, run_id, ref, project_id, place, area_id, subject, kind, severity, title, affected, body, status, survives)
		VALUES ('{tenant}', '{run}', 'revenue-1', '{project}', 1, 'revenue', 'drop|{mark}|count', 'drop', 'high', '{mark} fell', 1, '{"figures":[{"id":"all","name":"{mark}","sql":"SELECT 1","value":1}]}', 'confirmed', true)`,
	`INSERT INTO warehouse_recommendations (tenant_id, run_id, ref, project_id, place, title, body) VALUES ('{tenant}', '{run}', 'r-1', '{project}', 1, 'Look into {mark}', '{}')`,
	`INSERT INTO warehouse_recommendation_insights (tenant_id, run_id, recommendation_ref, insight_ref) VALUES ('{tenant}', '{run}', 'r-1', 'revenue-1')`,
	`INSERT INTO warehouse_insight_ledger (tenant_id, project_id, subject_hash, subject, title, standing, effect, seen, first_run_id, last_run_id, last_ref)
		VALUES ('{tenant}', '{project}', $1, 'drop|{mark}|count', '{mark} fell', 'new', -0.5, 1, '{run}', '{run}', 'revenue-1')`,
	`INSERT INTO warehouse_finding_texts (tenant_id, run_id, kind, ref, project_id, title, body) VALUES ('{tenant}', '{run}', 'insight', 'revenue-1', '{project}', '{mark} fell', '{mark}')`,
	`INSERT INTO warehouse_watches (tenant_id, project_id, subject_hash, user_id, subject) VALUES ('{tenant}', '{project}', $1, '{name}', 'drop|{mark}|count')`,
	`INSERT INTO warehouse_alerts (tenant_id, user_id, project_id, run_id, subject, subject_hash, change, before, insight_run, insight_ref)
		VALUES ('{tenant}', 'boss', '{project}', '{run}', 'drop|{mark}|count', $1, 'changed', '{mark}', '{run}', 'revenue-1')`,
	`INSERT INTO warehouse_outcomes (tenant_id, run_id, ref, measured_by, query, value, measured) VALUES ('{tenant}', '{run}', 'r-1', '{run}', 'SELECT 1', 1, true)`,
	`INSERT INTO part_tests (tenant_id, part, well, says, milliseconds, tried_by) VALUES ('{tenant}', 'model', true, '{mark}', 1, '{mark}') ON CONFLICT DO NOTHING`,
}

// IDs are the ids of all that is named.
func (h Holdings) IDs() []string {
	return []string{h.Session, h.Run, h.Project, h.Warehouse, h.PackDraft, h.Price, h.Model, h.Task, h.Objective, h.Token, h.Draft, h.Example, h.File, h.Invitation, h.Share}
}

// TextOf is the text of all rows of a tenant, by table.
func (w *World) TextOf(tenant string) map[string]string {
	w.T.Helper()
	super := postgrestest.Superuser(w.T, w.Pool)
	defer super.Close()
	rows, err := super.Query(w.T.Context(), `SELECT c.table_name FROM information_schema.columns AS c JOIN information_schema.tables AS t USING (table_schema, table_name)
		WHERE c.table_schema = 'public' AND c.column_name = 'tenant_id' AND t.table_type = 'BASE TABLE'`)
	if err != nil {
		w.T.Fatal(err)
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		w.T.Fatal(err)
	}
	var parts []string
	for _, name := range tables {
		row := `to_jsonb(x)`
		if name == "api_tokens" { // when it was used last is no change
			row = `to_jsonb(x) - 'last_used_at'`
		}
		parts = append(parts, `SELECT '`+name+`', coalesce(string_agg((`+row+`)::text, E'\n' ORDER BY (`+row+`)::text), '') FROM `+name+` AS x WHERE tenant_id = $1`)
	}
	out := map[string]string{}
	rows, err = super.Query(w.T.Context(), strings.Join(parts, " UNION ALL "), tenant)
	if err != nil {
		w.T.Fatal(err)
	}
	var name, text string
	if _, err := pgx.ForEachRow(rows, []any{&name, &text}, func() error { out[name] = text; return nil }); err != nil {
		w.T.Fatal(err)
	}
	return out
}
