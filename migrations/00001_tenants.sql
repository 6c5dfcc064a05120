-- Tenants, their people and their credentials, and the guard every owned table
-- stands behind: the application role owns nothing, bypasses nothing, and sees
-- the rows of the tenant its transaction has named, no others.

-- +goose Up
-- +goose StatementBegin
DO $$
BEGIN
    CREATE ROLE quaestor_app NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
EXCEPTION
    WHEN duplicate_object OR unique_violation THEN NULL; -- roles are shared by the whole server
END
$$;
-- +goose StatementEnd

-- From 16 on, who creates a role is its member but may not act as it yet.
-- +goose StatementBegin
DO $$
BEGIN
    IF NOT pg_has_role(current_user, 'quaestor_app', CASE WHEN current_setting('server_version_num')::integer >= 160000 THEN 'SET' ELSE 'MEMBER' END) THEN
        EXECUTE format('GRANT quaestor_app TO %I', current_user);
    END IF;
END
$$;
-- +goose StatementEnd

GRANT USAGE ON SCHEMA public TO quaestor_app;

-- current_tenant is the tenant of the running transaction, NULL when none is
-- set; comparing with NULL hides every row.
-- +goose StatementBegin
CREATE FUNCTION current_tenant() RETURNS uuid
LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT nullif(current_setting('app.tenant', true), '')::uuid $$;
-- +goose StatementEnd

-- own puts a table behind row-level security for the tenant in tenant_id, its
-- owner included, and grants the application role the verbs named.
-- +goose StatementBegin
CREATE PROCEDURE own(tbl regclass, verbs text)
LANGUAGE plpgsql
AS $$
BEGIN
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', tbl);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', tbl);
    EXECUTE format('CREATE POLICY tenant ON %s USING (tenant_id = current_tenant()) WITH CHECK (tenant_id = current_tenant())', tbl);
    EXECUTE format('GRANT %s ON %s TO quaestor_app', verbs, tbl);
END
$$;
-- +goose StatementEnd

CREATE TABLE tenants (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    name text NOT NULL CONSTRAINT tenants_name_length CHECK (length(name) BETWEEN 1 AND 200),
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT tenants_name_key UNIQUE (name)
);
COMMENT ON TABLE tenants IS 'The organisations; the one table all of them share.';
GRANT SELECT, INSERT, UPDATE ON tenants TO quaestor_app;

CREATE TABLE members (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id text NOT NULL CONSTRAINT members_id_length CHECK (length(id) BETWEEN 1 AND 200),
    role text NOT NULL CONSTRAINT members_role CHECK (role IN ('owner', 'admin', 'reviewer', 'member', 'viewer')),
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id)
);
COMMENT ON TABLE members IS 'People of a tenant and what they may do.';
CALL own('members', 'SELECT, INSERT, UPDATE, DELETE');

CREATE TABLE api_tokens (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    member_id text NOT NULL,
    role text NOT NULL CONSTRAINT api_tokens_role CHECK (role IN ('owner', 'admin', 'reviewer', 'member', 'viewer')),
    name text NOT NULL DEFAULT '',
    token_hash bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    revoked_at timestamptz,
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT api_tokens_hash_key UNIQUE (token_hash),
    CONSTRAINT api_tokens_member_fkey FOREIGN KEY (tenant_id, member_id) REFERENCES members (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE api_tokens IS 'Bearer tokens, as SHA-256 only.';
CALL own('api_tokens', 'SELECT, INSERT, UPDATE');

-- Before a token is known its tenant is not: whoever holds a token may see the
-- one row whose hash it has.
CREATE POLICY bearer ON api_tokens FOR SELECT
    USING (token_hash = decode(nullif(current_setting('app.token_hash', true), ''), 'hex'));

CREATE TABLE instances (
    id uuid PRIMARY KEY,
    started_at timestamptz NOT NULL DEFAULT now(),
    seen_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE instances IS 'Running servers. A turn belongs to the instance that works it; one that has not been seen for a while has lost its turns.';
GRANT SELECT, INSERT, UPDATE, DELETE ON instances TO quaestor_app;
