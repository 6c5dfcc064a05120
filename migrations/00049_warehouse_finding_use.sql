-- What people do with findings: texts that they are searched by, who watches them and what they were told, what came of recommendations, and what fed the model.

-- +goose Up
CREATE TABLE warehouse_finding_texts (
    tenant_id uuid NOT NULL,
    run_id uuid NOT NULL,
    kind text NOT NULL CONSTRAINT warehouse_finding_texts_kind CHECK (kind IN ('insight', 'recommendation')),
    ref warehouse_name NOT NULL,
    project_id uuid NOT NULL,
    title text NOT NULL CONSTRAINT warehouse_finding_texts_title CHECK (length(title) BETWEEN 1 AND 2000),
    body text NOT NULL CONSTRAINT warehouse_finding_texts_body CHECK (length(body) <= 20000),
    at timestamptz NOT NULL DEFAULT now(),
    encoder text,
    embedding halfvec(1536),
    words tsvector NOT NULL GENERATED ALWAYS AS (setweight(to_tsvector('simple', title) || to_tsvector('english', title), 'A') || to_tsvector('simple', body) || to_tsvector('english', body)) STORED,
    PRIMARY KEY (tenant_id, run_id, kind, ref),
    CONSTRAINT warehouse_finding_texts_run_fkey FOREIGN KEY (tenant_id, run_id) REFERENCES warehouse_runs (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT warehouse_finding_texts_project_fkey FOREIGN KEY (tenant_id, project_id) REFERENCES warehouse_projects (tenant_id, id) ON DELETE CASCADE
);
ALTER TABLE warehouse_finding_texts ALTER COLUMN embedding SET STORAGE PLAIN;
COMMENT ON TABLE warehouse_finding_texts IS 'Insights and recommendations in words, which they are searched by. They are made from the rows of a run when it is over, or before the first search.';
COMMENT ON COLUMN warehouse_finding_texts.embedding IS 'Of title and body, among others of the same encoder; null before it was made.';
CREATE INDEX warehouse_finding_texts_project ON warehouse_finding_texts (tenant_id, project_id);
CALL own('warehouse_finding_texts', 'SELECT, INSERT, UPDATE');

CREATE TABLE warehouse_watches (
    tenant_id uuid NOT NULL,
    project_id uuid NOT NULL,
    subject_hash bytea NOT NULL CONSTRAINT warehouse_watches_hash CHECK (octet_length(subject_hash) = 32),
    user_id warehouse_name NOT NULL,
    subject text NOT NULL CONSTRAINT warehouse_watches_subject CHECK (length(subject) BETWEEN 1 AND 4000),
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, project_id, subject_hash, user_id),
    CONSTRAINT warehouse_watches_project_fkey FOREIGN KEY (tenant_id, project_id) REFERENCES warehouse_projects (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE warehouse_watches IS 'Who is told when a later run changes, resolves or reverses a finding.';
COMMENT ON COLUMN warehouse_watches.subject IS 'What the finding is about, the same in every run; see warehouse_insights.';
COMMENT ON COLUMN warehouse_watches.subject_hash IS 'SHA-256 of the subject, which is too long for an index.';
CALL own('warehouse_watches', 'SELECT, INSERT, UPDATE, DELETE');

CREATE TABLE warehouse_alerts (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    user_id warehouse_name NOT NULL,
    project_id uuid NOT NULL,
    run_id uuid NOT NULL,
    subject text NOT NULL CONSTRAINT warehouse_alerts_subject CHECK (length(subject) BETWEEN 1 AND 4000),
    subject_hash bytea NOT NULL CONSTRAINT warehouse_alerts_hash CHECK (octet_length(subject_hash) = 32),
    change text NOT NULL CONSTRAINT warehouse_alerts_change CHECK (change IN ('changed', 'resolved', 'reversed', 'returned')),
    before text NOT NULL DEFAULT '' CONSTRAINT warehouse_alerts_before CHECK (length(before) <= 2000),
    after text NOT NULL DEFAULT '' CONSTRAINT warehouse_alerts_after CHECK (length(after) <= 2000),
    insight_run uuid NOT NULL,
    insight_ref warehouse_name NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    read_at timestamptz,
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT warehouse_alerts_once UNIQUE (tenant_id, run_id, user_id, subject_hash),
    CONSTRAINT warehouse_alerts_run_fkey FOREIGN KEY (tenant_id, run_id) REFERENCES warehouse_runs (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT warehouse_alerts_project_fkey FOREIGN KEY (tenant_id, project_id) REFERENCES warehouse_projects (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE warehouse_alerts IS 'What those who watch a finding were told of it, once a run.';
COMMENT ON COLUMN warehouse_alerts.before IS 'The finding as it was; after is as it is now, empty when it is resolved.';
COMMENT ON COLUMN warehouse_alerts.insight_ref IS 'The finding to look at: of the run that the alert is about, or the last that has it.';
CREATE INDEX warehouse_alerts_user ON warehouse_alerts (tenant_id, user_id, at);
CREATE INDEX warehouse_alerts_project ON warehouse_alerts (tenant_id, project_id);
CALL own('warehouse_alerts', 'SELECT, INSERT, UPDATE, DELETE');

CREATE TABLE warehouse_outcomes (
    tenant_id uuid NOT NULL,
    run_id uuid NOT NULL,
    ref warehouse_name NOT NULL,
    measured_by uuid NOT NULL,
    query text NOT NULL,
    value double precision NOT NULL,
    measured boolean NOT NULL,
    since timestamptz,
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, run_id, ref, measured_by),
    CONSTRAINT warehouse_outcomes_recommendation_fkey FOREIGN KEY (tenant_id, run_id, ref) REFERENCES warehouse_recommendations (tenant_id, run_id, ref) ON DELETE CASCADE,
    CONSTRAINT warehouse_outcomes_measured_fkey FOREIGN KEY (tenant_id, measured_by) REFERENCES warehouse_runs (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE warehouse_outcomes IS 'The metric of recommendations that are done, as later runs measured it.';
COMMENT ON COLUMN warehouse_outcomes.value IS 'In the unit of the figure that the recommendation rests on.';
COMMENT ON COLUMN warehouse_outcomes.measured IS 'Whether there is a value: there are records since it was done.';
COMMENT ON COLUMN warehouse_outcomes.since IS 'The day from which it was measured; null when all records were.';
CREATE INDEX warehouse_outcomes_measured ON warehouse_outcomes (tenant_id, measured_by);
CALL own('warehouse_outcomes', 'SELECT, INSERT');

ALTER TABLE warehouse_runs
    ADD COLUMN analysis_search_calls integer NOT NULL DEFAULT 0,
    ADD COLUMN analysis_steps_dropped integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN warehouse_runs.analysis_search_calls IS 'Searches of the vectors of steps, one for each area that was analysed.';
COMMENT ON COLUMN warehouse_runs.analysis_steps_dropped IS 'Steps that were left out, added up over the areas.';

ALTER TABLE warehouse_run_areas
    ADD COLUMN results_chars integer NOT NULL DEFAULT 0,
    ADD COLUMN memory_chars integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN warehouse_run_areas.results_chars IS 'Characters of the results of steps that the model was given; 0 for no model.';
COMMENT ON COLUMN warehouse_run_areas.memory_chars IS 'Characters of what it was told of earlier runs.';

ALTER TABLE warehouse_run_events DROP CONSTRAINT warehouse_run_events_type;
ALTER TABLE warehouse_run_events ADD CONSTRAINT warehouse_run_events_type
    CHECK (type IN ('queued', 'started', 'phase', 'step', 'fix', 'counters', 'paused', 'resumed', 'interrupted', 'alert', 'finished'));
