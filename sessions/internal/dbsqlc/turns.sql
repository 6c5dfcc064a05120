-- name: TurnBegin :one
-- Inserts a turn with its message and its first event, if the session accepts turns of this person and has no turn of that number yet. No row means
-- that it does not.
WITH s AS (
    UPDATE elicitation_sessions AS es
    SET turn_count = @number::integer, updated_at = now(), language = coalesce(sqlc.narg('language')::text, es.language),
        language_source = coalesce(sqlc.narg('language_source')::text, es.language_source)
    WHERE es.tenant_id = @tenant_id AND es.id = @session_id AND es.status = 'active' AND es.turn_count + 1 = @number::integer
        AND (@any_person::boolean OR es.user_id = @user_id OR session_part(@tenant_id, @session_id, @user_id) <> 'observer')
    RETURNING 1
), h AS (
    UPDATE session_heads AS sh
    SET last_seq = sh.last_seq + 1
    WHERE sh.tenant_id = @tenant_id AND sh.session_id = @session_id AND EXISTS (SELECT FROM s)
    RETURNING sh.last_seq
), t AS (
    INSERT INTO turns (tenant_id, session_id, number, user_id, client_message_id, body_hash, answers, first_seq, instance_id)
    SELECT @tenant_id, @session_id, @number::integer, @user_id, sqlc.narg('client_message_id'), @body_hash, sqlc.narg('answers'), h.last_seq, @instance_id
    FROM h
), m AS (
    INSERT INTO messages (tenant_id, session_id, turn, role, user_id, content)
    SELECT @tenant_id, @session_id, @number::integer, 'user', @user_id, @content::text
    FROM h
    WHERE @content::text <> ''
), e AS (
    INSERT INTO session_events (tenant_id, session_id, seq, turn, kinds, data)
    SELECT @tenant_id, @session_id, h.last_seq, @number::integer, ARRAY['session'], ARRAY[(@event::text)::json]
    FROM h
)
SELECT h.last_seq
FROM h;

-- name: TurnSettle :exec
-- Settles a turn and the state of its session, or aborts the transaction (see the function).
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

-- name: TurnPage :many
-- A page of turns after one, in order.
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
-- The running turn of a session, if any.
SELECT *
FROM turns
WHERE tenant_id = @tenant_id AND session_id = @session_id AND status = 'running';

-- name: TurnByClientMessage :one
-- The turn that a message of a client began.
SELECT *
FROM turns
WHERE tenant_id = @tenant_id AND session_id = @session_id AND client_message_id = @client_message_id;

-- name: TurnByPersonMessage :one
-- The turn that a message of a person began in the latest session of a context, whether or not that still accepts turns.
SELECT t.*
FROM turns AS t
JOIN elicitation_sessions AS s ON s.tenant_id = t.tenant_id AND s.id = t.session_id
WHERE s.tenant_id = @tenant_id AND s.user_id = @user_id AND s.context_type = @context_type AND t.client_message_id = @client_message_id
ORDER BY s.created_at DESC
LIMIT 1;

-- name: TurnStop :one
-- Asks the instance that works a turn to stop it. No row means that it is not running.
UPDATE turns
SET stop_requested = true
WHERE tenant_id = @tenant_id AND session_id = @session_id AND number = @number AND status = 'running'
RETURNING instance_id;

-- name: TurnFail :one
-- Marks a turn as failed and stops its session until somebody resumes it. No row means that another attempt has the turn.
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
-- Gives this instance the turns whose instance is dead or unknown, under the next attempt.
UPDATE turns AS t
SET instance_id = @instance_id, attempt = t.attempt + 1
WHERE t.tenant_id = @tenant_id AND t.status = 'running'
    AND (t.instance_id = ANY (@dead::uuid[]) OR NOT EXISTS (SELECT FROM instances AS i WHERE i.id = t.instance_id))
RETURNING t.session_id, t.number, t.attempt, t.user_id, t.answers, t.first_seq, t.stop_requested;

-- name: TurnHeld :many
-- The turns that an instance works according to the table.
SELECT *
FROM turns
WHERE tenant_id = @tenant_id AND instance_id = @instance_id AND status = 'running';

-- name: TurnAgain :one
-- Begins the next attempt at a turn that its instance is not working. No row means that it is over or that another attempt has it.
UPDATE turns
SET attempt = attempt + 1
WHERE tenant_id = @tenant_id AND session_id = @session_id AND number = @number AND attempt = @attempt AND status = 'running'
RETURNING attempt;

-- name: InstanceSeen :one
-- Records that this instance is alive and whether it holds its lock, and returns the number of others that were seen within a time.
WITH me AS (
    INSERT INTO instances AS i (id, locks)
    VALUES (@id, @locks)
    ON CONFLICT (id) DO UPDATE SET seen_at = now(), locks = @locks
    RETURNING i.id
)
SELECT count(*)
FROM me, instances AS o
WHERE o.id <> me.id AND o.seen_at > now() - make_interval(secs => @within_seconds::float8);

-- name: InstanceLock :one
-- Tries to take the lock of an instance for as long as the connection lasts. The result is false when another connection holds it.
SELECT pg_try_advisory_lock(hashtextextended(@id::text, 0))::boolean;

-- name: InstanceSilent :many
-- Other instances that were not seen for a while, and those that should hold their lock and do not.
SELECT i.id, (i.seen_at <= now() - make_interval(secs => @dead_seconds::float8))::boolean AS silent
FROM instances AS i
WHERE i.id <> @id
    AND (i.seen_at <= now() - make_interval(secs => @dead_seconds::float8)
        OR (i.locks AND pg_try_advisory_xact_lock_shared(hashtextextended(i.id::text, 0))));

-- name: TurnsStopping :many
-- Running turns of an instance that somebody has asked to stop.
SELECT session_id, number
FROM turns
WHERE tenant_id = @tenant_id AND instance_id = @instance_id AND status = 'running' AND stop_requested;

-- name: InstanceGone :exec
-- Deletes an instance that has ended, or whose turns have all been taken over.
DELETE FROM instances
WHERE id = @id;

-- name: InstanceLeft :exec
-- Marks this instance as dead at its end, so that others take over its turns.
UPDATE instances
SET seen_at = '-infinity'
WHERE id = @id;

-- name: MessageInsert :exec
-- Inserts a message of the transcript.
INSERT INTO messages (tenant_id, session_id, turn, role, user_id, complete, content)
VALUES (@tenant_id, @session_id, @turn, @role, @user_id, @complete, @content);

-- name: MessageWindow :many
-- The latest messages. They are found by a range of turns, so that the plan is the same for a young and an old table.
SELECT m.turn, m.role, m.user_id, m.complete, (CASE WHEN i.heard IS NULL THEN m.content ELSE left(m.content, i.heard) END)::text AS content,
    (i.heard IS NOT NULL)::boolean AS interrupted, m.created_at
FROM messages AS m
LEFT JOIN message_interruptions AS i ON i.tenant_id = m.tenant_id AND i.session_id = m.session_id AND i.turn = m.turn AND m.role = 'assistant'
WHERE m.tenant_id = @tenant_id AND m.session_id = @session_id
    AND m.turn > (SELECT s.turn_count FROM elicitation_sessions AS s WHERE s.tenant_id = @tenant_id AND s.id = @session_id) - @turns::integer
ORDER BY m.turn, m.role DESC;

-- name: MessagePage :many
-- A page of messages after a turn, in order. Of a reply that was interrupted while it was spoken, only what was heard is read.
SELECT m.turn, m.role, m.user_id, m.complete, (CASE WHEN i.heard IS NULL THEN m.content ELSE left(m.content, i.heard) END)::text AS content,
    (i.heard IS NOT NULL)::boolean AS interrupted, m.created_at
FROM messages AS m
LEFT JOIN message_interruptions AS i ON i.tenant_id = m.tenant_id AND i.session_id = m.session_id AND i.turn = m.turn AND m.role = 'assistant'
WHERE m.tenant_id = @tenant_id AND m.session_id = @session_id AND m.turn > @after
ORDER BY m.turn, m.role DESC
LIMIT @max;

-- name: MessageInterrupt :exec
-- Keeps how much was heard of a reply that was interrupted while it was spoken. The first interruption stays.
INSERT INTO message_interruptions (tenant_id, session_id, turn, heard, user_id)
VALUES (@tenant_id, @session_id, @turn, @heard, @user_id)
ON CONFLICT (tenant_id, session_id, turn) DO NOTHING;
