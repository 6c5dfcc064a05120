-- What is to be found out about a warehouse and for whom: projects, the packs of questions that an organisation brought along, and what people
-- thought of what came of it.

-- +goose Up
CREATE DOMAIN project_state AS text CONSTRAINT project_state CHECK (VALUE IN ('pack_generation_pending', 'pack_generation', 'pack_generation_done', 'ready'));
CREATE DOMAIN pack_slug AS text CONSTRAINT pack_slug CHECK (VALUE ~ '^[a-z0-9]+([_-][a-z0-9]+)*$' AND length(VALUE) <= 80);
CREATE DOMAIN pack_version AS text CONSTRAINT pack_version CHECK (length(VALUE) BETWEEN 1 AND 40);
CREATE DOMAIN feedback_target AS text CONSTRAINT feedback_target CHECK (VALUE IN ('exploration_step', 'insight', 'recommendation'));
CREATE DOMAIN feedback_vote AS text CONSTRAINT feedback_vote CHECK (VALUE IN ('like', 'dislike', 'none'));

CREATE TABLE warehouse_packs (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    slug pack_slug NOT NULL,
    version pack_version NOT NULL,
    document text NOT NULL CONSTRAINT warehouse_packs_document CHECK (octet_length(document) BETWEEN 2 AND 2097152),
    imported_by warehouse_words NOT NULL DEFAULT '',
    imported_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, slug, version)
);
COMMENT ON TABLE warehouse_packs IS 'Packs that an organisation imported; those that come with the server are in the program. A version is never changed.';
COMMENT ON COLUMN warehouse_packs.document IS 'The envelope as it is exported.';
CALL own('warehouse_packs', 'SELECT, INSERT, DELETE');

CREATE TABLE warehouse_projects (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    name warehouse_name NOT NULL,
    pack_slug pack_slug NOT NULL,
    pack_version pack_version NOT NULL,
    category warehouse_words NOT NULL DEFAULT '',
    language warehouse_words NOT NULL DEFAULT 'en',
    warehouse_id uuid NOT NULL,
    datasets text[] NOT NULL DEFAULT '{}',
    filter_column warehouse_words NOT NULL DEFAULT '',
    filter_value warehouse_words NOT NULL DEFAULT '',
    profile jsonb NOT NULL DEFAULT '{}' CONSTRAINT warehouse_projects_profile CHECK (jsonb_typeof(profile) = 'object'),
    prompts jsonb NOT NULL DEFAULT '{}' CONSTRAINT warehouse_projects_prompts CHECK (jsonb_typeof(prompts) = 'object'),
    state project_state NOT NULL DEFAULT 'ready',
    version integer NOT NULL DEFAULT 1,
    created_by warehouse_words NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT now(),
    changed_by warehouse_words NOT NULL DEFAULT '',
    changed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT warehouse_projects_name_key UNIQUE (tenant_id, name),
    CONSTRAINT warehouse_projects_warehouse_fkey FOREIGN KEY (tenant_id, warehouse_id) REFERENCES warehouses (tenant_id, id)
);
COMMENT ON TABLE warehouse_projects IS 'What is to be found out about a warehouse: by which pack, for whom, within which schemas.';
COMMENT ON COLUMN warehouse_projects.pack_version IS 'The version of the pack it is on; a later one is taken over by hand.';
COMMENT ON COLUMN warehouse_projects.datasets IS 'The schemas it keeps to; empty for all that the warehouse is read in.';
COMMENT ON COLUMN warehouse_projects.filter_column IS 'Every table that has this column is read through filter_value only; empty for no filter.';
COMMENT ON COLUMN warehouse_projects.prompts IS 'Texts that stand in the place of those of the pack, by their names there.';
COMMENT ON COLUMN warehouse_projects.version IS 'Counts the changes, so that nobody overwrites what they have not seen.';
CREATE INDEX warehouse_projects_page ON warehouse_projects (tenant_id, created_at, id);
CREATE INDEX warehouse_projects_warehouse ON warehouse_projects (tenant_id, warehouse_id);
CALL own('warehouse_projects', 'SELECT, INSERT, UPDATE, DELETE');

CREATE TABLE warehouse_feedback (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id bigint GENERATED ALWAYS AS IDENTITY,
    project_id uuid NOT NULL,
    run_id uuid NOT NULL,
    target feedback_target NOT NULL,
    ref warehouse_name NOT NULL,
    about warehouse_words NOT NULL DEFAULT '',
    user_id warehouse_name NOT NULL,
    vote feedback_vote NOT NULL,
    comment text NOT NULL DEFAULT '' CONSTRAINT warehouse_feedback_comment CHECK (length(comment) <= 2000),
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT warehouse_feedback_project_fkey FOREIGN KEY (tenant_id, project_id) REFERENCES warehouse_projects (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE warehouse_feedback IS 'What people thought of steps, insights and recommendations; the last row of a person on a thing is what they think now. Rows are added only, and deleted with all that is kept of the person.';
COMMENT ON COLUMN warehouse_feedback.ref IS 'Which of the run: the number of a step, the reference of an insight or a recommendation.';
COMMENT ON COLUMN warehouse_feedback.about IS 'What it said when it was judged, shortened.';
COMMENT ON COLUMN warehouse_feedback.vote IS 'none takes an earlier one back.';
CREATE INDEX warehouse_feedback_of ON warehouse_feedback (tenant_id, project_id, target, run_id, ref, user_id, id DESC);
CALL own('warehouse_feedback', 'SELECT, INSERT, DELETE');
