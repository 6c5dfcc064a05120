-- name: EventAppend :one
-- Adds events to a log, one row for all of them, and returns the last sequence number. The heads row lock makes commit order the order of numbers.
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
-- Adds a piece of a reply to a log while the turn is still that attempts, and returns its number; no row when it is not. The lock
-- on the turn keeps the piece from landing after the turns end.
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
-- Pieces of a reply go when the reply is whole.
DELETE FROM session_events
WHERE tenant_id = @tenant_id AND session_id = @session_id AND seq >= @first_seq AND turn = @turn AND kinds[1] = 'delta';
