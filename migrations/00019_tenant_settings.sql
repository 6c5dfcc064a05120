-- What an organisation has set for itself: bounds of its interviews and its research, how long things are kept, what is held back from deletion,
-- and the journal of who decided what. Also when a token was used last, and what the last test of a connection came to.

-- +goose Up
CREATE DOMAIN bound_count AS integer CONSTRAINT bound_count CHECK (VALUE BETWEEN 0 AND 1000000);
CREATE DOMAIN bound_amount AS numeric(12, 4) CONSTRAINT bound_amount CHECK (VALUE BETWEEN 0 AND 1000000);
CREATE DOMAIN kept_days AS integer CONSTRAINT kept_days CHECK (VALUE BETWEEN 0 AND 36500);
CREATE DOMAIN journal_kind AS text CONSTRAINT journal_kind CHECK (VALUE IN ('settings', 'deleted', 'held', 'released', 'exported', 'person', 'token'));
CREATE DOMAIN journal_name AS text CONSTRAINT journal_name CHECK (length(VALUE) <= 400);
CREATE DOMAIN hold_reason AS text CONSTRAINT hold_reason CHECK (length(VALUE) BETWEEN 1 AND 500);
CREATE DOMAIN test_words AS text CONSTRAINT test_words CHECK (length(VALUE) <= 1000);

CREATE TABLE tenant_settings (
    tenant_id uuid PRIMARY KEY REFERENCES tenants (id) ON DELETE CASCADE,
    version integer NOT NULL DEFAULT 1,
    session_turns bound_count,
    session_minutes bound_amount,
    session_money bound_amount,
    research_daily bound_count,
    kept_finished_days kept_days,
    kept_idle_days kept_days,
    kept_prompts_days kept_days,
    kept_jobs_days kept_days,
    changed_by journal_name NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE tenant_settings IS 'What an organisation set for itself. Null leaves it to the server; 0 is no bound, and for days kept: for ever.';
COMMENT ON COLUMN tenant_settings.version IS 'Counts the changes, so that nobody overwrites what they have not seen.';
CALL own('tenant_settings', 'SELECT, INSERT, UPDATE');

CREATE TABLE tenant_journal (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    id bigint GENERATED ALWAYS AS IDENTITY,
    at timestamptz NOT NULL DEFAULT now(),
    actor journal_name NOT NULL DEFAULT '',
    kind journal_kind NOT NULL,
    subject journal_name NOT NULL DEFAULT '',
    detail jsonb NOT NULL DEFAULT '{}',
    PRIMARY KEY (tenant_id, id)
);
COMMENT ON TABLE tenant_journal IS 'Who decided what about an organisation, and what was deleted; append only. actor is empty for what the rules of retention did.';
CALL own('tenant_journal', 'SELECT, INSERT');

CREATE TABLE session_holds (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    session_id uuid NOT NULL,
    reason hold_reason NOT NULL,
    held_by journal_name NOT NULL,
    held_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, session_id),
    CONSTRAINT session_holds_session_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES elicitation_sessions (tenant_id, id)
);
COMMENT ON TABLE session_holds IS 'Sessions that must not be deleted, by rule or by hand; the key to the session does not cascade, so that nothing can.';
CALL own('session_holds', 'SELECT, INSERT, UPDATE, DELETE');

CREATE TABLE part_tests (
    tenant_id uuid NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
    part journal_name NOT NULL,
    well boolean NOT NULL,
    says test_words NOT NULL,
    remedy test_words NOT NULL DEFAULT '',
    milliseconds integer NOT NULL,
    tried_by journal_name NOT NULL,
    tried_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, part)
);
COMMENT ON TABLE part_tests IS 'What the last test of each thing the server is connected to came to, for the organisation that made it.';
CALL own('part_tests', 'SELECT, INSERT, UPDATE');

ALTER TABLE api_tokens ADD COLUMN last_used_at timestamptz;
COMMENT ON COLUMN api_tokens.last_used_at IS 'To ten minutes, so that a request writes only now and then; null for one that was never used.';

-- Research that nobody asked for in an interview goes by itself.
GRANT DELETE ON discovery_research_tasks TO quaestor_app;

-- retention_rule names the rule by which a session is over its time: finished, idle, or null for none. 0 days keep for ever.
-- +goose StatementBegin
CREATE FUNCTION retention_rule(status text, reason text, changed_at timestamptz, finished_days integer, idle_days integer) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT CASE
        WHEN o.finished AND finished_days > 0 AND changed_at < now() - make_interval(days => finished_days) THEN 'finished'
        WHEN NOT o.finished AND idle_days > 0 AND changed_at < now() - make_interval(days => idle_days) THEN 'idle'
    END
    FROM (SELECT coalesce(status = 'completed' OR reason IN ('completed', 'budget', 'refused', 'handed_over'), false) AS finished) AS o
$$;
-- +goose StatementEnd
