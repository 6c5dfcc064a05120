-- name: TurnBegin :one
-- Counts a turn, keeps the message and the first event, if the session takes turns; no row if it does not.
WITH s AS (
    UPDATE elicitation_sessions AS es
    SET turn_count = es.turn_count + 1, updated_at = now()
    WHERE es.tenant_id = @tenant_id AND es.id = @session_id AND es.status = 'active'
        AND (@any_person::boolean OR es.user_id = @user_id OR session_part(@tenant_id, @session_id, @user_id) <> 'observer')
        AND (@context_type::text = '' OR es.context_type = @context_type)
    RETURNING es.*, CASE WHEN es.user_id = @user_id THEN 'owner' ELSE coalesce(session_part(@tenant_id, @session_id, @user_id), '') END::text AS part
), h AS (
    UPDATE session_heads AS sh
    SET last_seq = sh.last_seq + 1
    WHERE sh.tenant_id = @tenant_id AND sh.session_id = @session_id AND EXISTS (SELECT FROM s)
    RETURNING sh.last_seq
), t AS (
    INSERT INTO turns (tenant_id, session_id, number, user_id, client_message_id, body_hash, answers, first_seq, instance_id)
    SELECT s.tenant_id, s.id, s.turn_count, @user_id, sqlc.narg('client_message_id'), @body_hash, sqlc.narg('answers'), h.last_seq, @instance_id
    FROM s, h
), m AS (
    INSERT INTO messages (tenant_id, session_id, turn, role, user_id, content)
    SELECT s.tenant_id, s.id, s.turn_count, 'user', @user_id, @content::text
    FROM s
    WHERE @content::text <> ''
), e AS (
    INSERT INTO session_events (tenant_id, session_id, seq, turn, kinds, data)
    SELECT s.tenant_id, s.id, h.last_seq, s.turn_count, ARRAY['session'], ARRAY[(@event_head::text || s.turn_count || ',"contextType":"' || s.context_type || '"' || @event_tail::text)::json]
    FROM s, h
)
SELECT s.*, h.last_seq, coalesce((SELECT ts.version FROM tenant_settings AS ts WHERE ts.tenant_id = @tenant_id), 0)::integer AS settings_version
FROM s, h;

-- name: TurnSettle :exec
-- Ends a turn and moves the session on, or stops the transaction (see the function).
WITH s AS (
    UPDATE elicitation_sessions AS es
    SET version = es.version + 1, updated_at = now(), status = @session_status::text, session_phase = @session_phase, completeness_score = @completeness_score,
        progress = @progress, stop_reason = sqlc.narg('stop_reason'), question = sqlc.narg('question'), working_memory_snapshot = @working_memory_snapshot,
        completed_at = CASE WHEN @session_status::text = 'completed' THEN now() END
    WHERE es.tenant_id = @tenant_id AND es.id = @session_id AND es.version = @version AND es.status = 'active'
    RETURNING 1
), t AS (
    UPDATE turns AS tu
    SET status = @status, interviewer = sqlc.narg('interviewer'), degraded = sqlc.narg('degraded'), usage = @usage, finished_at = now()
    WHERE tu.tenant_id = @tenant_id AND tu.session_id = @session_id AND tu.number = @number AND tu.attempt = @attempt AND tu.status = 'running'
    RETURNING 1
)
SELECT settled((SELECT count(*) FROM s), (SELECT count(*) FROM t));

-- name: TurnAtOnce :exec
-- A turn from its beginning to its end, if the session stands as it was left, or stops the transaction (see the function).
WITH s AS (
    UPDATE elicitation_sessions AS es
    SET turn_count = @number::integer, version = es.version + 1, updated_at = now(), status = @session_status::text, session_phase = @session_phase,
        completeness_score = @completeness_score, progress = @progress, stop_reason = sqlc.narg('stop_reason'), question = sqlc.narg('question'),
        working_memory_snapshot = @working_memory_snapshot, completed_at = CASE WHEN @session_status::text = 'completed' THEN now() END
    WHERE es.tenant_id = @tenant_id AND es.id = @session_id AND es.version = @version AND es.turn_count + 1 = @number::integer AND es.status = 'active'
        AND (es.user_id = @user_id OR coalesce(session_part(@tenant_id, @session_id, @user_id), '') = @part::text)
        AND coalesce((SELECT ts.version FROM tenant_settings AS ts WHERE ts.tenant_id = @tenant_id), 0) = @settings_version::integer
    RETURNING 1
), h AS (
    UPDATE session_heads AS sh
    SET last_seq = @last_seq
    WHERE sh.tenant_id = @tenant_id AND sh.session_id = @session_id AND sh.last_seq + 1 = @first_seq::bigint AND EXISTS (SELECT FROM s)
    RETURNING 1
), t AS (
    INSERT INTO turns (tenant_id, session_id, number, user_id, client_message_id, body_hash, answers, first_seq, instance_id, status, interviewer, degraded, usage, started_at, finished_at)
    SELECT @tenant_id, @session_id, @number::integer, @user_id, sqlc.narg('client_message_id'), @body_hash, sqlc.narg('answers'), @first_seq::bigint, @instance_id, 'done',
        sqlc.narg('interviewer'), sqlc.narg('degraded'), @usage, now() - make_interval(secs => @took_seconds::float8), now()
    FROM h
), m AS (
    INSERT INTO messages (tenant_id, session_id, turn, role, user_id, content)
    SELECT @tenant_id, @session_id, @number::integer, 'user', @user_id, @content::text
    FROM h
    WHERE @content::text <> ''
    UNION ALL
    SELECT @tenant_id, @session_id, @number::integer, 'assistant', NULL, @reply::text
    FROM h
    WHERE @reply::text <> ''
), e AS (
    INSERT INTO session_events (tenant_id, session_id, seq, turn, kinds, data)
    SELECT @tenant_id, @session_id, @last_seq, @number::integer, @kinds::text[], (@datas::text[])::json[]
    FROM h
)
SELECT settled((SELECT count(*) FROM h), 1);

-- name: TurnPage :many
-- Turns in order, after one.
SELECT *
FROM turns
WHERE tenant_id = @tenant_id AND session_id = @session_id AND number > @after
ORDER BY number
LIMIT @max;

-- name: TurnFind :one
-- One turn.
SELECT *
FROM turns
WHERE tenant_id = @tenant_id AND session_id = @session_id AND number = @number;

-- name: TurnRunning :one
-- The turn that runs now, if any.
SELECT *
FROM turns
WHERE tenant_id = @tenant_id AND session_id = @session_id AND status = 'running';

-- name: TurnByClientMessage :one
-- The turn a clients message began.
SELECT *
FROM turns
WHERE tenant_id = @tenant_id AND session_id = @session_id AND client_message_id = @client_message_id;

-- name: TurnByPersonMessage :one
-- The turn a persons message began in the latest session of a context, whether that still takes turns or not.
SELECT t.*
FROM turns AS t
JOIN elicitation_sessions AS s ON s.tenant_id = t.tenant_id AND s.id = t.session_id
WHERE s.tenant_id = @tenant_id AND s.user_id = @user_id AND s.context_type = @context_type AND t.client_message_id = @client_message_id
ORDER BY s.created_at DESC
LIMIT 1;

-- name: TurnStop :one
-- Asks the instance that works a turn to stop it; no row when it does not run.
UPDATE turns
SET stop_requested = true
WHERE tenant_id = @tenant_id AND session_id = @session_id AND number = @number AND status = 'running'
RETURNING instance_id;

-- name: TurnFail :one
-- Ends a turn that could not be answered, and with it the conversation until somebody goes on; no row when another attempt has it.
WITH t AS (
    UPDATE turns AS tu
    SET status = 'failed', degraded = @degraded, finished_at = now()
    WHERE tu.tenant_id = @tenant_id AND tu.session_id = @session_id AND tu.number = @number AND tu.attempt = @attempt AND tu.status = 'running'
    RETURNING tu.number
), s AS (
    UPDATE elicitation_sessions AS es
    SET stop_reason = 'error', version = es.version + 1, updated_at = now()
    WHERE es.tenant_id = @tenant_id AND es.id = @session_id AND es.status = 'active' AND EXISTS (SELECT FROM t)
)
SELECT t.number::integer AS number
FROM t;

-- name: TurnTakeOver :many
-- Turns whose instance is gone, now this instances, under the next attempt.
UPDATE turns AS t
SET instance_id = @instance_id, attempt = t.attempt + 1
WHERE t.tenant_id = @tenant_id AND t.status = 'running'
    AND NOT EXISTS (SELECT FROM instances AS i WHERE i.id = t.instance_id AND i.seen_at > now() - make_interval(secs => @dead_seconds::float8))
RETURNING t.session_id, t.number, t.attempt, t.user_id, t.answers, t.first_seq, t.stop_requested;

-- name: TurnHeld :many
-- Turns that run on an instance for at least that long, as far as the table knows.
SELECT *
FROM turns
WHERE tenant_id = @tenant_id AND instance_id = @instance_id AND status = 'running' AND started_at <= now() - make_interval(secs => @older_seconds::float8);

-- name: InstanceSeen :one
-- This instance lives; how many others were seen within that time.
WITH me AS (
    INSERT INTO instances AS i (id)
    VALUES (@id)
    ON CONFLICT (id) DO UPDATE SET seen_at = now()
    RETURNING i.id
)
SELECT count(*)
FROM me, instances AS o
WHERE o.id <> me.id AND o.seen_at > now() - make_interval(secs => @within_seconds::float8);

-- name: TurnsStopping :many
-- Turns that run on an instance and that somebody wants stopped.
SELECT session_id, number
FROM turns
WHERE tenant_id = @tenant_id AND instance_id = @instance_id AND status = 'running' AND stop_requested;

-- name: InstanceGone :exec
-- This instance ends, or its turns have all been taken over.
DELETE FROM instances
WHERE id = @id;

-- name: InstanceLeft :exec
-- This instance ends and leaves turns: from now on it has been silent for long enough.
UPDATE instances
SET seen_at = '-infinity'
WHERE id = @id;

-- name: InstanceDead :many
-- Instances that have not been seen for a while.
SELECT id
FROM instances
WHERE seen_at <= now() - make_interval(secs => @dead_seconds::float8);

-- name: MessageInsert :exec
-- One message of the transcript.
INSERT INTO messages (tenant_id, session_id, turn, role, user_id, complete, content)
VALUES (@tenant_id, @session_id, @turn, @role, @user_id, @complete, @content);

-- name: MessageWindow :many
-- The latest messages: by range of turns, so that the plan is the same for a young and an old table.
SELECT turn, role, user_id, complete, content, created_at
FROM messages AS m
WHERE m.tenant_id = @tenant_id AND m.session_id = @session_id
    AND m.turn > (SELECT s.turn_count FROM elicitation_sessions AS s WHERE s.tenant_id = @tenant_id AND s.id = @session_id) - @turns::integer
ORDER BY turn, role DESC;

-- name: MessagePage :many
-- Messages in order, after a turn.
SELECT turn, role, user_id, complete, content, created_at
FROM messages
WHERE tenant_id = @tenant_id AND session_id = @session_id AND turn > @after
ORDER BY turn, role DESC
LIMIT @max;
