-- Projects over several warehouses, each with a budget, a model and a schedule of its own; and runs that know what each phase of them used and
-- why they could not go on.

-- +goose Up
ALTER TABLE warehouse_projects
    ADD COLUMN budget_usd numeric(12, 4) CONSTRAINT warehouse_projects_budget_usd CHECK (budget_usd > 0),
    ADD COLUMN budget_tokens bigint CONSTRAINT warehouse_projects_budget_tokens CHECK (budget_tokens > 0),
    ADD COLUMN budget_bytes bigint CONSTRAINT warehouse_projects_budget_bytes CHECK (budget_bytes > 0),
    ADD COLUMN budget_seconds bigint CONSTRAINT warehouse_projects_budget_seconds CHECK (budget_seconds > 0),
    ADD COLUMN model_id uuid,
    ADD COLUMN generation uuid,
    ADD COLUMN generation_error warehouse_words NOT NULL DEFAULT '',
    ADD COLUMN generated_slug pack_slug,
    ADD COLUMN generated_version pack_version,
    ADD CONSTRAINT warehouse_projects_model_fkey FOREIGN KEY (tenant_id, model_id) REFERENCES tenant_models (tenant_id, id) ON DELETE SET NULL (model_id),
    ADD CONSTRAINT warehouse_projects_generated_fkey FOREIGN KEY (tenant_id, generated_slug, generated_version) REFERENCES warehouse_packs (tenant_id, slug, version);
-- States that the work has reached, whoever writes them: a pack is being made only by somebody's work, and is made only when it is there.
-- Each tenant in its turn: row-level security holds for the owner of the tables too.
-- +goose StatementBegin
DO $$
DECLARE
    tenant uuid;
BEGIN
    FOR tenant IN SELECT id FROM tenants LOOP
        PERFORM set_config('app.tenant', tenant::text, true);
        UPDATE warehouse_projects SET state = 'pack_generation_pending' WHERE tenant_id = tenant AND state IN ('pack_generation', 'pack_generation_done');
    END LOOP;
    PERFORM set_config('app.tenant', '', true);
END
$$;
-- +goose StatementEnd
ALTER TABLE warehouse_projects
    ADD CONSTRAINT warehouse_projects_generation CHECK ((state = 'pack_generation') = (generation IS NOT NULL)),
    ADD CONSTRAINT warehouse_projects_generated CHECK ((state = 'pack_generation_done') = (generated_version IS NOT NULL) AND (generated_slug IS NULL) = (generated_version IS NULL));
COMMENT ON COLUMN warehouse_projects.budget_usd IS 'Limits of each of its runs; null for none.';
COMMENT ON COLUMN warehouse_projects.model_id IS 'The model that explores, one of the organisation or of the project; null for those that the organisation uses.';
COMMENT ON COLUMN warehouse_projects.generation IS 'The work that is making its pack; null when none is.';
COMMENT ON COLUMN warehouse_projects.generation_error IS 'Why the last work that was to make its pack did not; empty if none failed.';
COMMENT ON COLUMN warehouse_projects.generated_version IS 'The version of the pack generated_slug that was made and waits to be accepted; null when none does.';
CREATE INDEX warehouse_projects_model ON warehouse_projects (tenant_id, model_id) WHERE model_id IS NOT NULL;

CREATE TABLE warehouse_project_connections (
    tenant_id uuid NOT NULL,
    project_id uuid NOT NULL,
    warehouse_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, project_id, warehouse_id),
    CONSTRAINT warehouse_project_connections_project_fkey FOREIGN KEY (tenant_id, project_id) REFERENCES warehouse_projects (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT warehouse_project_connections_warehouse_fkey FOREIGN KEY (tenant_id, warehouse_id) REFERENCES warehouses (tenant_id, id)
);
COMMENT ON TABLE warehouse_project_connections IS 'The warehouses that a project may explore beside its default one.';
CREATE INDEX warehouse_project_connections_warehouse ON warehouse_project_connections (tenant_id, warehouse_id);
CALL own('warehouse_project_connections', 'SELECT, INSERT, DELETE');

ALTER TABLE tenant_models
    ADD COLUMN project_id uuid,
    ADD CONSTRAINT tenant_models_project_fkey FOREIGN KEY (tenant_id, project_id) REFERENCES warehouse_projects (tenant_id, id) ON DELETE CASCADE;
COMMENT ON COLUMN tenant_models.project_id IS 'The one project that uses it; null for the organisation.';
CREATE UNIQUE INDEX tenant_models_project ON tenant_models (tenant_id, project_id) WHERE project_id IS NOT NULL;

CREATE TABLE warehouse_schedules (
    tenant_id uuid NOT NULL,
    project_id uuid NOT NULL,
    warehouse_id uuid,
    cron text NOT NULL CONSTRAINT warehouse_schedules_cron CHECK (length(cron) BETWEEN 1 AND 200),
    zone text NOT NULL CONSTRAINT warehouse_schedules_zone CHECK (length(zone) BETWEEN 1 AND 100),
    max_steps integer NOT NULL CONSTRAINT warehouse_schedules_max_steps CHECK (max_steps BETWEEN 1 AND 1000),
    min_steps integer NOT NULL DEFAULT 0 CONSTRAINT warehouse_schedules_min_steps CHECK (min_steps BETWEEN 0 AND max_steps),
    next_at timestamptz,
    last_due timestamptz,
    last_run uuid,
    last_note warehouse_words NOT NULL DEFAULT '',
    version integer NOT NULL DEFAULT 1,
    changed_by warehouse_words NOT NULL DEFAULT '',
    changed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, project_id),
    CONSTRAINT warehouse_schedules_project_fkey FOREIGN KEY (tenant_id, project_id) REFERENCES warehouse_projects (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT warehouse_schedules_warehouse_fkey FOREIGN KEY (tenant_id, warehouse_id) REFERENCES warehouses (tenant_id, id) ON DELETE SET NULL (warehouse_id)
);
COMMENT ON TABLE warehouse_schedules IS 'When projects are explored by themselves.';
COMMENT ON COLUMN warehouse_schedules.warehouse_id IS 'Null for the default warehouse of the project.';
COMMENT ON COLUMN warehouse_schedules.next_at IS 'When the next run is due; null while it is paused.';
COMMENT ON COLUMN warehouse_schedules.last_due IS 'The latest time that was due and has been dealt with; last_note tells why it made no run, if it made none.';
CREATE INDEX warehouse_schedules_due ON warehouse_schedules (tenant_id, next_at) WHERE next_at IS NOT NULL;
CREATE INDEX warehouse_schedules_warehouse ON warehouse_schedules (tenant_id, warehouse_id);
CALL own('warehouse_schedules', 'SELECT, INSERT, UPDATE, DELETE');

ALTER TABLE warehouse_runs
    ADD COLUMN budget_bytes bigint CONSTRAINT warehouse_runs_budget_bytes CHECK (budget_bytes >= 0),
    ADD COLUMN beside boolean NOT NULL DEFAULT false,
    ADD COLUMN trouble text NOT NULL DEFAULT '' CONSTRAINT warehouse_runs_trouble CHECK (length(trouble) <= 60),
    ADD COLUMN remedy text NOT NULL DEFAULT '' CONSTRAINT warehouse_runs_remedy CHECK (length(remedy) <= 2000),
    DROP CONSTRAINT warehouse_runs_stop_reason,
    ADD CONSTRAINT warehouse_runs_stop_reason CHECK (stop_reason IN ('complete', 'max_steps', 'repeating', 'budget_usd', 'budget_tokens', 'budget_bytes', 'budget_time', 'unparseable_output',
        'model_unavailable', 'warehouse_unavailable'));
COMMENT ON COLUMN warehouse_runs.beside IS 'Whether it explores another warehouse of its project than the default one, as of its order.';
COMMENT ON COLUMN warehouse_runs.trouble IS 'What kind of trouble error tells of; empty for none.';
COMMENT ON COLUMN warehouse_runs.remedy IS 'What helps against it, for people.';

ALTER TABLE warehouse_run_spending
    ADD COLUMN statements integer NOT NULL DEFAULT 0,
    ADD COLUMN result_rows bigint NOT NULL DEFAULT 0,
    ADD COLUMN scanned bigint NOT NULL DEFAULT 0,
    ADD COLUMN warehouse_ms double precision NOT NULL DEFAULT 0,
    ADD COLUMN warehouse_usd double precision NOT NULL DEFAULT 0,
    ADD COLUMN unpriced_statements integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN warehouse_run_spending.statements IS 'That the warehouse was sent, those that failed included; rows, bytes, time and money are of these.';

-- Changes of projects, schedules and prices stand in the journal.
ALTER DOMAIN journal_kind DROP CONSTRAINT journal_kind;
ALTER DOMAIN journal_kind ADD CONSTRAINT journal_kind
    CHECK (VALUE IN ('settings', 'deleted', 'held', 'released', 'exported', 'person', 'token', 'model', 'project', 'price'));
