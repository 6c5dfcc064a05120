-- Objectives that are being written, and who released which version when. Nothing that runs reads a draft.

-- +goose Up
CREATE TABLE objective_drafts (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    base_id uuid,
    document text NOT NULL CONSTRAINT objective_drafts_document CHECK (octet_length(document) BETWEEN 2 AND 1048576),
    revision integer NOT NULL DEFAULT 1,
    made_by text NOT NULL,
    made_at timestamptz NOT NULL DEFAULT now(),
    edited_by text NOT NULL,
    edited_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT objective_drafts_base_fkey FOREIGN KEY (tenant_id, base_id) REFERENCES discovery_objectives (tenant_id, id)
);
COMMENT ON TABLE objective_drafts IS 'Objectives that are being written. A draft may be full of faults; it goes when it is published or thrown away.';
COMMENT ON COLUMN objective_drafts.base_id IS 'The version it was begun from; null for one begun from nothing or from a file.';
COMMENT ON COLUMN objective_drafts.document IS 'The definition as JSON: text, so that faults keep their line and column.';
COMMENT ON COLUMN objective_drafts.revision IS 'Rises with every edit.';
CREATE INDEX objective_drafts_recent ON objective_drafts (tenant_id, edited_at DESC);
CALL own('objective_drafts', 'SELECT, INSERT, UPDATE, DELETE');

CREATE TABLE objective_releases (
    tenant_id uuid NOT NULL,
    objective_id uuid NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    act text NOT NULL CONSTRAINT objective_releases_act CHECK (act IN ('published', 'activated')),
    user_id text NOT NULL,
    note text NOT NULL DEFAULT '' CONSTRAINT objective_releases_note CHECK (length(note) <= 1000),
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, objective_id, id),
    CONSTRAINT objective_releases_objective_fkey FOREIGN KEY (tenant_id, objective_id) REFERENCES discovery_objectives (tenant_id, id)
);
COMMENT ON TABLE objective_releases IS 'Who made which version the active one, when and why; append only.';
CALL own('objective_releases', 'SELECT, INSERT');
