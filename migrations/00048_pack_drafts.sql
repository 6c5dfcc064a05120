-- Packs that are being made of documents and a slice of a warehouse: what they are made of, and each of their sections until somebody accepts it.

-- +goose Up
CREATE TABLE pack_drafts (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    name warehouse_name NOT NULL,
    slug pack_slug NOT NULL,
    warehouse_id uuid NOT NULL,
    slice text[] NOT NULL DEFAULT '{}',
    state text NOT NULL DEFAULT 'drafting' CONSTRAINT pack_drafts_state CHECK (state IN ('drafting', 'open', 'failed', 'accepted')),
    failure text NOT NULL DEFAULT '' CONSTRAINT pack_drafts_failure CHECK (length(failure) <= 1000),
    accepted_version text NOT NULL DEFAULT '' CONSTRAINT pack_drafts_version CHECK (length(accepted_version) <= 40),
    created_by warehouse_words NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT now(),
    changed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT pack_drafts_warehouse_fkey FOREIGN KEY (tenant_id, warehouse_id) REFERENCES warehouses (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE pack_drafts IS 'Packs that are being made, and those that were accepted as a version.';
COMMENT ON COLUMN pack_drafts.slice IS 'Schemas and qualified tables of the warehouse that it is made for; empty for all.';
CALL own('pack_drafts', 'SELECT, INSERT, UPDATE, DELETE');

CREATE TABLE pack_draft_sources (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    draft_id uuid NOT NULL,
    place integer NOT NULL,
    kind text NOT NULL CONSTRAINT pack_draft_sources_kind CHECK (kind IN ('url', 'file', 'notes')),
    name text NOT NULL CONSTRAINT pack_draft_sources_name CHECK (length(name) BETWEEN 1 AND 2000),
    content text NOT NULL DEFAULT '' CONSTRAINT pack_draft_sources_content CHECK (octet_length(content) <= 524288),
    state text NOT NULL DEFAULT 'waiting' CONSTRAINT pack_draft_sources_state CHECK (state IN ('waiting', 'read', 'failed')),
    why text NOT NULL DEFAULT '' CONSTRAINT pack_draft_sources_why CHECK (length(why) <= 1000),
    PRIMARY KEY (tenant_id, draft_id, place),
    CONSTRAINT pack_draft_sources_draft_fkey FOREIGN KEY (tenant_id, draft_id) REFERENCES pack_drafts (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE pack_draft_sources IS 'What a pack is made of: pages, files and notes, as text.';
CALL own('pack_draft_sources', 'SELECT, INSERT, UPDATE, DELETE');

CREATE TABLE pack_draft_sections (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    draft_id uuid NOT NULL,
    key text NOT NULL CONSTRAINT pack_draft_sections_key CHECK (length(key) BETWEEN 1 AND 100),
    place integer NOT NULL,
    content jsonb NOT NULL DEFAULT '{}' CONSTRAINT pack_draft_sections_content CHECK (jsonb_typeof(content) = 'object'),
    state text NOT NULL DEFAULT 'waiting' CONSTRAINT pack_draft_sections_state CHECK (state IN ('waiting', 'drafted', 'accepted')),
    made_by text NOT NULL DEFAULT '' CONSTRAINT pack_draft_sections_made_by CHECK (length(made_by) <= 300),
    feedback text NOT NULL DEFAULT '' CONSTRAINT pack_draft_sections_feedback CHECK (length(feedback) <= 2000),
    version integer NOT NULL DEFAULT 1,
    changed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, draft_id, key),
    CONSTRAINT pack_draft_sections_draft_fkey FOREIGN KEY (tenant_id, draft_id) REFERENCES pack_drafts (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE pack_draft_sections IS 'Parts of a pack that is being made, each of which is accepted by itself.';
COMMENT ON COLUMN pack_draft_sections.made_by IS 'Who wrote it: the name of a model, rules, or a person.';
COMMENT ON COLUMN pack_draft_sections.version IS 'Counts the changes, so that nobody overwrites what they have not seen.';
CALL own('pack_draft_sections', 'SELECT, INSERT, UPDATE, DELETE');
