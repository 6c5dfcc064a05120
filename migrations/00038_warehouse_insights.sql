-- What discovery runs found: effects by table, areas, insights, recommendations and what became of insights from run to run.

-- +goose Up
CREATE TABLE warehouse_run_scans (
    tenant_id uuid NOT NULL,
    run_id uuid NOT NULL,
    table_ref warehouse_words NOT NULL,
    findings json NOT NULL,
    error text NOT NULL DEFAULT '' CONSTRAINT warehouse_run_scans_error CHECK (length(error) <= 2000),
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, run_id, table_ref),
    CONSTRAINT warehouse_run_scans_run_fkey FOREIGN KEY (tenant_id, run_id) REFERENCES warehouse_runs (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE warehouse_run_scans IS 'The effects that a run found in each table it searched. A table is searched once.';
COMMENT ON COLUMN warehouse_run_scans.error IS 'Why the table could not be read; empty if it could.';
CALL own('warehouse_run_scans', 'SELECT, INSERT');

CREATE TABLE warehouse_run_areas (
    tenant_id uuid NOT NULL,
    run_id uuid NOT NULL,
    area_id warehouse_name NOT NULL,
    place integer NOT NULL,
    name warehouse_words NOT NULL,
    status text NOT NULL CONSTRAINT warehouse_run_areas_status CHECK (status IN ('complete', 'failed')),
    reason text NOT NULL DEFAULT '' CONSTRAINT warehouse_run_areas_reason CHECK (length(reason) <= 2000),
    selected json NOT NULL DEFAULT '[]',
    dropped json NOT NULL DEFAULT '[]',
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, run_id, area_id),
    CONSTRAINT warehouse_run_areas_run_fkey FOREIGN KEY (tenant_id, run_id) REFERENCES warehouse_runs (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE warehouse_run_areas IS 'The areas that a run analysed: from which steps, and whether that failed.';
COMMENT ON COLUMN warehouse_run_areas.selected IS 'The steps it rests on, with their scores; every other step is in dropped, with a reason.';
CALL own('warehouse_run_areas', 'SELECT, INSERT');

CREATE TABLE warehouse_insights (
    tenant_id uuid NOT NULL,
    run_id uuid NOT NULL,
    ref warehouse_name NOT NULL,
    project_id uuid NOT NULL,
    place integer NOT NULL,
    area_id warehouse_name NOT NULL,
    subject text NOT NULL CONSTRAINT warehouse_insights_subject CHECK (length(subject) BETWEEN 1 AND 4000),
    kind warehouse_name NOT NULL,
    severity text NOT NULL CONSTRAINT warehouse_insights_severity CHECK (severity IN ('critical', 'high', 'medium', 'low')),
    title text NOT NULL CONSTRAINT warehouse_insights_title CHECK (length(title) BETWEEN 1 AND 2000),
    affected bigint NOT NULL CONSTRAINT warehouse_insights_affected CHECK (affected >= 0),
    body json NOT NULL,
    status text CONSTRAINT warehouse_insights_status CHECK (status IN ('confirmed', 'adjusted', 'rejected', 'error')),
    survives boolean NOT NULL DEFAULT false CONSTRAINT warehouse_insights_survives CHECK (NOT survives OR status IN ('confirmed', 'adjusted')),
    review json,
    standing text CONSTRAINT warehouse_insights_standing CHECK (standing IN ('new', 'confirmed', 'changed')),
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, run_id, ref),
    CONSTRAINT warehouse_insights_survivor_key UNIQUE (tenant_id, run_id, ref, survives),
    CONSTRAINT warehouse_insights_run_fkey FOREIGN KEY (tenant_id, run_id) REFERENCES warehouse_runs (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT warehouse_insights_project_fkey FOREIGN KEY (tenant_id, project_id) REFERENCES warehouse_projects (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE warehouse_insights IS 'Insights of runs, the most important first by place.';
COMMENT ON COLUMN warehouse_insights.ref IS 'The area and a number, such as revenue-1.';
COMMENT ON COLUMN warehouse_insights.subject IS 'What it is about: kind, table, measure and segment. It is the same in later runs.';
COMMENT ON COLUMN warehouse_insights.body IS 'All of it, with its figures and their SQL.';
COMMENT ON COLUMN warehouse_insights.affected IS 'As it was counted first; what a check counted is in review.';
COMMENT ON COLUMN warehouse_insights.status IS 'What its check came to; null before that.';
COMMENT ON COLUMN warehouse_insights.survives IS 'Only insights that survive may have recommendations.';
COMMENT ON COLUMN warehouse_insights.standing IS 'Against the runs before; null before the run is saved, and for one that does not survive.';
CREATE INDEX warehouse_insights_project ON warehouse_insights (tenant_id, project_id, at);
CALL own('warehouse_insights', 'SELECT, INSERT, UPDATE');

CREATE TABLE warehouse_recommendations (
    tenant_id uuid NOT NULL,
    run_id uuid NOT NULL,
    ref warehouse_name NOT NULL,
    project_id uuid NOT NULL,
    place integer NOT NULL,
    title text NOT NULL CONSTRAINT warehouse_recommendations_title CHECK (length(title) BETWEEN 1 AND 2000),
    body json NOT NULL,
    status text NOT NULL DEFAULT 'open' CONSTRAINT warehouse_recommendations_status CHECK (status IN ('open', 'accepted', 'done', 'dismissed')),
    version integer NOT NULL DEFAULT 1,
    changed_by warehouse_words NOT NULL DEFAULT '',
    changed_at timestamptz NOT NULL DEFAULT now(),
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, run_id, ref),
    CONSTRAINT warehouse_recommendations_run_fkey FOREIGN KEY (tenant_id, run_id) REFERENCES warehouse_runs (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT warehouse_recommendations_project_fkey FOREIGN KEY (tenant_id, project_id) REFERENCES warehouse_projects (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE warehouse_recommendations IS 'What runs recommend to do, and what people made of it.';
COMMENT ON COLUMN warehouse_recommendations.version IS 'Counts the changes of the status, so that nobody overwrites what they have not seen.';
CREATE INDEX warehouse_recommendations_project ON warehouse_recommendations (tenant_id, project_id, at);
CALL own('warehouse_recommendations', 'SELECT, INSERT, UPDATE');

CREATE TABLE warehouse_recommendation_insights (
    tenant_id uuid NOT NULL,
    run_id uuid NOT NULL,
    recommendation_ref warehouse_name NOT NULL,
    insight_ref warehouse_name NOT NULL,
    survives boolean NOT NULL DEFAULT true CONSTRAINT warehouse_recommendation_insights_survives CHECK (survives),
    PRIMARY KEY (tenant_id, run_id, recommendation_ref, insight_ref),
    CONSTRAINT warehouse_recommendation_insights_recommendation_fkey FOREIGN KEY (tenant_id, run_id, recommendation_ref) REFERENCES warehouse_recommendations (tenant_id, run_id, ref) ON DELETE CASCADE,
    CONSTRAINT warehouse_recommendation_insights_insight_fkey FOREIGN KEY (tenant_id, run_id, insight_ref, survives) REFERENCES warehouse_insights (tenant_id, run_id, ref, survives) ON DELETE CASCADE
);
COMMENT ON TABLE warehouse_recommendation_insights IS 'The insights that recommendations rest on: of the same run, and only ones that survived their check.';
COMMENT ON COLUMN warehouse_recommendation_insights.survives IS 'Always true; it is a part of the foreign key.';
CREATE INDEX warehouse_recommendation_insights_insight ON warehouse_recommendation_insights (tenant_id, run_id, insight_ref, survives);
CALL own('warehouse_recommendation_insights', 'SELECT, INSERT');

CREATE TABLE warehouse_insight_ledger (
    tenant_id uuid NOT NULL,
    project_id uuid NOT NULL,
    subject_hash bytea NOT NULL CONSTRAINT warehouse_insight_ledger_hash CHECK (octet_length(subject_hash) = 32),
    subject text NOT NULL CONSTRAINT warehouse_insight_ledger_subject CHECK (length(subject) BETWEEN 1 AND 4000),
    title text NOT NULL CONSTRAINT warehouse_insight_ledger_title CHECK (length(title) BETWEEN 1 AND 2000),
    standing text NOT NULL CONSTRAINT warehouse_insight_ledger_standing CHECK (standing IN ('new', 'confirmed', 'changed', 'resolved')),
    effect double precision NOT NULL,
    seen integer NOT NULL,
    first_run_id uuid NOT NULL,
    last_run_id uuid NOT NULL,
    last_ref warehouse_name NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, project_id, subject_hash),
    CONSTRAINT warehouse_insight_ledger_project_fkey FOREIGN KEY (tenant_id, project_id) REFERENCES warehouse_projects (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE warehouse_insight_ledger IS 'What became of insights from run to run of a project, one row for each subject.';
COMMENT ON COLUMN warehouse_insight_ledger.subject_hash IS 'SHA-256 of the subject, which is too long for an index.';
COMMENT ON COLUMN warehouse_insight_ledger.seen IS 'Runs in which it was found.';
CALL own('warehouse_insight_ledger', 'SELECT, INSERT, UPDATE');
