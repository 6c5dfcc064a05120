-- What part somebody has in a session that another began. A function of its own, as most turns do not ask: within the statement that begins
-- a turn, two looks at the table were made ready each time, a tenth of what that statement takes.

-- +goose Up
-- +goose StatementBegin
CREATE FUNCTION session_part(tenant uuid, session uuid, person text) RETURNS text
LANGUAGE sql STABLE
AS $$
    SELECT p.role
    FROM session_participants AS p
    WHERE p.tenant_id = tenant AND p.session_id = session AND p.user_id = person AND p.left_at IS NULL
$$;
-- +goose StatementEnd
COMMENT ON FUNCTION session_part IS 'The role of a participant who has not left; null for anybody else. Row-level security holds in it for who calls it.';
