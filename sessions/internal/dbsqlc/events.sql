-- name: EventAppend :one
-- Appends events to a log as one row and returns the last sequence number. The row lock of the head makes the commit order the order of the numbers.
WITH h AS (
    UPDATE session_heads AS sh
    SET last_seq = sh.last_seq + cardinality(@kinds::text[])
    WHERE sh.tenant_id = @tenant_id AND sh.session_id = @session_id
    RETURNING sh.last_seq
), e AS (
    INSERT INTO session_events (tenant_id, session_id, seq, turn, kinds, data)
    SELECT @tenant_id, @session_id, h.last_seq, @turn, @kinds::text[], (@datas::text[])::json[]
    FROM h
)
SELECT h.last_seq
FROM h;

-- name: DeltaAppend :one
-- Appends a piece of a reply to the log while the given attempt works the turn, and returns its number. No row means that it does not. The lock of
-- the turn keeps a piece from landing after the end of the turn.
WITH t AS (
    SELECT 1
    FROM turns AS tu
    WHERE tu.tenant_id = @tenant_id AND tu.session_id = @session_id AND tu.number = @turn AND tu.attempt = @attempt AND tu.status = 'running'
    FOR SHARE
), h AS (
    UPDATE session_heads AS sh
    SET last_seq = sh.last_seq + 1
    WHERE sh.tenant_id = @tenant_id AND sh.session_id = @session_id AND EXISTS (SELECT FROM t)
    RETURNING sh.last_seq
), e AS (
    INSERT INTO session_events (tenant_id, session_id, seq, turn, kinds, data)
    SELECT @tenant_id, @session_id, h.last_seq, @turn, ARRAY['delta'], ARRAY[(@data::text)::json]
    FROM h
)
SELECT h.last_seq
FROM h;

-- name: EventsAfter :many
-- Rows of a log that hold events after a sequence number, in order.
SELECT seq, turn, kinds, (data::text[])::text[] AS data, at
FROM session_events
WHERE tenant_id = @tenant_id AND session_id = @session_id AND seq > @after
ORDER BY seq
LIMIT @max;

-- name: EventHead :one
-- The last sequence number of a log.
SELECT last_seq
FROM session_heads
WHERE tenant_id = @tenant_id AND session_id = @session_id;

-- name: DeltaTrim :exec
-- Deletes the pieces of a reply once the reply is complete.
DELETE FROM session_events
WHERE tenant_id = @tenant_id AND session_id = @session_id AND seq >= @first_seq AND turn = @turn AND kinds[1] = 'delta';
