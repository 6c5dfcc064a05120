-- name: ReviewPage :many
-- A page of the sessions of a tenant that match a filter, newest first, each with what awaits a reviewer.
SELECT s.id, s.context_type, s.user_id, s.status, s.session_phase, s.completeness_score, s.progress, s.turn_count, s.created_at, s.updated_at,
    CASE WHEN s.handover_at IS NULL THEN 0 ELSE 1 END AS handovers,
    (SELECT count(*) FROM conflicts AS c WHERE c.tenant_id = @tenant_id AND c.session_id = s.id AND c.status = 'open') AS conflicts,
    (SELECT count(*) FROM review_comments AS m WHERE m.tenant_id = @tenant_id AND m.session_id = s.id AND m.resolved_at IS NULL) AS comments,
    (SELECT count(*) FROM elicitation_obligations AS o
        WHERE o.tenant_id = @tenant_id AND o.session_id = s.id AND o.negotiation_state ->> 'status' IN ('active', 'deferred', 'escalated')) AS disputes,
    (SELECT count(*) FROM elicitation_obligations AS o
        WHERE o.tenant_id = @tenant_id AND o.session_id = s.id AND o.extracted_value IS NOT NULL AND o.status <> 'skipped' AND o.confidence <= 0.40) AS unsure,
    (SELECT count(*) FROM discovery_research_tasks AS r
        WHERE r.tenant_id = @tenant_id AND r.session_id = s.id AND (r.status IN ('pending', 'running') OR r.status = 'completed' AND EXISTS (
            SELECT FROM elicitation_obligations AS o
            WHERE o.tenant_id = @tenant_id AND o.session_id = r.session_id AND o.obligation_key = r.proposal ->> 'obligationKey'
                AND o.status NOT IN ('satisfied', 'skipped') AND o.extracted_value = r.proposal -> 'value'))) AS research
FROM elicitation_sessions AS s
WHERE s.tenant_id = @tenant_id
    AND (sqlc.narg('context_type')::text IS NULL OR s.context_type = sqlc.narg('context_type'))
    AND (sqlc.narg('status')::text IS NULL OR s.status = sqlc.narg('status'))
    AND (sqlc.narg('phase')::text IS NULL OR s.session_phase = sqlc.narg('phase'))
    AND (sqlc.narg('person')::text IS NULL OR s.user_id = sqlc.narg('person') OR EXISTS (
        SELECT FROM session_participants AS q
        WHERE q.tenant_id = @tenant_id AND q.session_id = s.id AND q.user_id = sqlc.narg('person')))
    AND (sqlc.narg('since')::timestamptz IS NULL OR s.created_at >= sqlc.narg('since'))
    AND (sqlc.narg('until')::timestamptz IS NULL OR s.created_at < sqlc.narg('until'))
    AND (sqlc.narg('among')::uuid[] IS NULL OR s.id = ANY (sqlc.narg('among')::uuid[]))
    AND (cardinality(@needs::text[]) = 0
        OR 'handover' = ANY (@needs::text[]) AND s.handover_at IS NOT NULL
        OR 'conflict' = ANY (@needs::text[]) AND EXISTS (
            SELECT FROM conflicts AS c WHERE c.tenant_id = @tenant_id AND c.session_id = s.id AND c.status = 'open')
        OR 'comment' = ANY (@needs::text[]) AND EXISTS (
            SELECT FROM review_comments AS m WHERE m.tenant_id = @tenant_id AND m.session_id = s.id AND m.resolved_at IS NULL)
        OR 'research' = ANY (@needs::text[]) AND EXISTS (
            SELECT FROM discovery_research_tasks AS r
            WHERE r.tenant_id = @tenant_id AND r.session_id = s.id AND (r.status IN ('pending', 'running') OR r.status = 'completed' AND EXISTS (
                SELECT FROM elicitation_obligations AS o
                WHERE o.tenant_id = @tenant_id AND o.session_id = r.session_id AND o.obligation_key = r.proposal ->> 'obligationKey'
                    AND o.status NOT IN ('satisfied', 'skipped') AND o.extracted_value = r.proposal -> 'value')))
        OR ('dispute' = ANY (@needs::text[]) OR 'unsure' = ANY (@needs::text[])) AND EXISTS (
            SELECT FROM elicitation_obligations AS o
            WHERE o.tenant_id = @tenant_id AND o.session_id = s.id
                AND ('dispute' = ANY (@needs::text[]) AND o.negotiation_state ->> 'status' IN ('active', 'deferred', 'escalated')
                    OR 'unsure' = ANY (@needs::text[]) AND o.extracted_value IS NOT NULL AND o.status <> 'skipped' AND o.confidence <= 0.40)))
    AND s.created_at <= @before_at::timestamptz AND (s.created_at, s.id) < (@before_at::timestamptz, @before_id::uuid)
ORDER BY s.created_at DESC, s.id DESC
LIMIT @max;

-- name: ReviewPageBy :many
-- The same in another order, lowest rank first.
SELECT s.id, s.context_type, s.user_id, s.status, s.session_phase, s.completeness_score, s.progress, s.turn_count, s.created_at, s.updated_at,
    CASE WHEN s.handover_at IS NULL THEN 0 ELSE 1 END AS handovers,
    (SELECT count(*) FROM conflicts AS c WHERE c.tenant_id = @tenant_id AND c.session_id = s.id AND c.status = 'open') AS conflicts,
    (SELECT count(*) FROM review_comments AS m WHERE m.tenant_id = @tenant_id AND m.session_id = s.id AND m.resolved_at IS NULL) AS comments,
    (SELECT count(*) FROM elicitation_obligations AS o
        WHERE o.tenant_id = @tenant_id AND o.session_id = s.id AND o.negotiation_state ->> 'status' IN ('active', 'deferred', 'escalated')) AS disputes,
    (SELECT count(*) FROM elicitation_obligations AS o
        WHERE o.tenant_id = @tenant_id AND o.session_id = s.id AND o.extracted_value IS NOT NULL AND o.status <> 'skipped' AND o.confidence <= 0.40) AS unsure,
    (SELECT count(*) FROM discovery_research_tasks AS r
        WHERE r.tenant_id = @tenant_id AND r.session_id = s.id AND (r.status IN ('pending', 'running') OR r.status = 'completed' AND EXISTS (
            SELECT FROM elicitation_obligations AS o
            WHERE o.tenant_id = @tenant_id AND o.session_id = r.session_id AND o.obligation_key = r.proposal ->> 'obligationKey'
                AND o.status NOT IN ('satisfied', 'skipped') AND o.extracted_value = r.proposal -> 'value'))) AS research, s.rank
FROM (
    SELECT e.*, (CASE @by_what::text WHEN 'progress' THEN e.progress WHEN 'score' THEN e.completeness_score ELSE - extract(epoch FROM e.updated_at) END)::float8 AS rank
    FROM elicitation_sessions AS e
    WHERE e.tenant_id = @tenant_id
) AS s
WHERE s.tenant_id = @tenant_id
    AND (sqlc.narg('context_type')::text IS NULL OR s.context_type = sqlc.narg('context_type'))
    AND (sqlc.narg('status')::text IS NULL OR s.status = sqlc.narg('status'))
    AND (sqlc.narg('phase')::text IS NULL OR s.session_phase = sqlc.narg('phase'))
    AND (sqlc.narg('person')::text IS NULL OR s.user_id = sqlc.narg('person') OR EXISTS (
        SELECT FROM session_participants AS q
        WHERE q.tenant_id = @tenant_id AND q.session_id = s.id AND q.user_id = sqlc.narg('person')))
    AND (sqlc.narg('since')::timestamptz IS NULL OR s.created_at >= sqlc.narg('since'))
    AND (sqlc.narg('until')::timestamptz IS NULL OR s.created_at < sqlc.narg('until'))
    AND (sqlc.narg('among')::uuid[] IS NULL OR s.id = ANY (sqlc.narg('among')::uuid[]))
    AND (cardinality(@needs::text[]) = 0
        OR 'handover' = ANY (@needs::text[]) AND s.handover_at IS NOT NULL
        OR 'conflict' = ANY (@needs::text[]) AND EXISTS (
            SELECT FROM conflicts AS c WHERE c.tenant_id = @tenant_id AND c.session_id = s.id AND c.status = 'open')
        OR 'comment' = ANY (@needs::text[]) AND EXISTS (
            SELECT FROM review_comments AS m WHERE m.tenant_id = @tenant_id AND m.session_id = s.id AND m.resolved_at IS NULL)
        OR 'research' = ANY (@needs::text[]) AND EXISTS (
            SELECT FROM discovery_research_tasks AS r
            WHERE r.tenant_id = @tenant_id AND r.session_id = s.id AND (r.status IN ('pending', 'running') OR r.status = 'completed' AND EXISTS (
                SELECT FROM elicitation_obligations AS o
                WHERE o.tenant_id = @tenant_id AND o.session_id = r.session_id AND o.obligation_key = r.proposal ->> 'obligationKey'
                    AND o.status NOT IN ('satisfied', 'skipped') AND o.extracted_value = r.proposal -> 'value')))
        OR ('dispute' = ANY (@needs::text[]) OR 'unsure' = ANY (@needs::text[])) AND EXISTS (
            SELECT FROM elicitation_obligations AS o
            WHERE o.tenant_id = @tenant_id AND o.session_id = s.id
                AND ('dispute' = ANY (@needs::text[]) AND o.negotiation_state ->> 'status' IN ('active', 'deferred', 'escalated')
                    OR 'unsure' = ANY (@needs::text[]) AND o.extracted_value IS NOT NULL AND o.status <> 'skipped' AND o.confidence <= 0.40)))
    AND (s.rank, s.id) > (@after_rank::float8, @after_id::uuid)
ORDER BY s.rank, s.id
LIMIT @max;

-- name: ReviewCount :one
-- The number of sessions that match a filter, counted up to a limit.
SELECT count(*)
FROM (
    SELECT s.id
    FROM elicitation_sessions AS s
    WHERE s.tenant_id = @tenant_id
    AND (sqlc.narg('context_type')::text IS NULL OR s.context_type = sqlc.narg('context_type'))
    AND (sqlc.narg('status')::text IS NULL OR s.status = sqlc.narg('status'))
    AND (sqlc.narg('phase')::text IS NULL OR s.session_phase = sqlc.narg('phase'))
    AND (sqlc.narg('person')::text IS NULL OR s.user_id = sqlc.narg('person') OR EXISTS (
        SELECT FROM session_participants AS q
        WHERE q.tenant_id = @tenant_id AND q.session_id = s.id AND q.user_id = sqlc.narg('person')))
    AND (sqlc.narg('since')::timestamptz IS NULL OR s.created_at >= sqlc.narg('since'))
    AND (sqlc.narg('until')::timestamptz IS NULL OR s.created_at < sqlc.narg('until'))
    AND (sqlc.narg('among')::uuid[] IS NULL OR s.id = ANY (sqlc.narg('among')::uuid[]))
    AND (cardinality(@needs::text[]) = 0
        OR 'handover' = ANY (@needs::text[]) AND s.handover_at IS NOT NULL
        OR 'conflict' = ANY (@needs::text[]) AND EXISTS (
            SELECT FROM conflicts AS c WHERE c.tenant_id = @tenant_id AND c.session_id = s.id AND c.status = 'open')
        OR 'comment' = ANY (@needs::text[]) AND EXISTS (
            SELECT FROM review_comments AS m WHERE m.tenant_id = @tenant_id AND m.session_id = s.id AND m.resolved_at IS NULL)
        OR 'research' = ANY (@needs::text[]) AND EXISTS (
            SELECT FROM discovery_research_tasks AS r
            WHERE r.tenant_id = @tenant_id AND r.session_id = s.id AND (r.status IN ('pending', 'running') OR r.status = 'completed' AND EXISTS (
                SELECT FROM elicitation_obligations AS o
                WHERE o.tenant_id = @tenant_id AND o.session_id = r.session_id AND o.obligation_key = r.proposal ->> 'obligationKey'
                    AND o.status NOT IN ('satisfied', 'skipped') AND o.extracted_value = r.proposal -> 'value')))
        OR ('dispute' = ANY (@needs::text[]) OR 'unsure' = ANY (@needs::text[])) AND EXISTS (
            SELECT FROM elicitation_obligations AS o
            WHERE o.tenant_id = @tenant_id AND o.session_id = s.id
                AND ('dispute' = ANY (@needs::text[]) AND o.negotiation_state ->> 'status' IN ('active', 'deferred', 'escalated')
                    OR 'unsure' = ANY (@needs::text[]) AND o.extracted_value IS NOT NULL AND o.status <> 'skipped' AND o.confidence <= 0.40)))
    LIMIT @max
) AS met;

-- name: ReviewTallies :one
-- The numbers of sessions of a tenant by what is to be done with them.
SELECT
    (SELECT count(*) FROM elicitation_sessions AS s WHERE s.tenant_id = @tenant_id AND s.status = 'active') AS active,
    (SELECT count(*) FROM elicitation_sessions AS s WHERE s.tenant_id = @tenant_id AND s.status = 'completed') AS completed,
    (SELECT count(*) FROM elicitation_sessions AS s WHERE s.tenant_id = @tenant_id AND s.handover_at IS NOT NULL) AS handovers,
    (SELECT count(DISTINCT c.session_id) FROM conflicts AS c WHERE c.tenant_id = @tenant_id AND c.status = 'open') AS conflicts,
    (SELECT count(DISTINCT m.session_id) FROM review_comments AS m WHERE m.tenant_id = @tenant_id AND m.resolved_at IS NULL) AS comments,
    (SELECT count(DISTINCT r.session_id) FROM discovery_research_tasks AS r WHERE r.tenant_id = @tenant_id AND (r.status IN ('pending', 'running') OR r.status = 'completed' AND EXISTS (
        SELECT FROM elicitation_obligations AS o
        WHERE o.tenant_id = @tenant_id AND o.session_id = r.session_id AND o.obligation_key = r.proposal ->> 'obligationKey'
            AND o.status NOT IN ('satisfied', 'skipped') AND o.extracted_value = r.proposal -> 'value'))) AS research;

-- name: ReviewPoints :many
-- The progress of a session after every so many of its turns, and after the last.
WITH scored AS (
    SELECT DISTINCT ON (e.turn) e.turn, e.data[x.place] AS data
    FROM session_events AS e, generate_subscripts(e.kinds, 1) AS x (place)
    WHERE e.tenant_id = @tenant_id AND e.session_id = @session_id AND e.kinds @> ARRAY['completeness'] AND e.kinds[x.place] = 'completeness'
    ORDER BY e.turn, e.seq DESC, x.place DESC
)
SELECT turn, (data ->> 'score')::float8 AS score, (data ->> 'progress')::float8 AS progress
FROM scored
WHERE turn % @step::integer = 0 OR turn = 1 OR turn = (SELECT max(l.turn) FROM scored AS l)
ORDER BY turn;

-- name: ReviewPhases :many
-- The turns in which a session entered a phase, the latest 100, latest first.
SELECT e.turn, (e.data[x.place] ->> 'phase')::text AS phase
FROM session_events AS e, generate_subscripts(e.kinds, 1) AS x (place)
WHERE e.tenant_id = @tenant_id AND e.session_id = @session_id AND e.kinds @> ARRAY['phase'] AND e.kinds[x.place] = 'phase'
ORDER BY e.seq DESC, x.place DESC
LIMIT 100;

-- name: ReviewEvents :many
-- The log entries of one turn, in order.
SELECT seq, turn, kinds, (data::text[])::text[] AS data, at
FROM session_events
WHERE tenant_id = @tenant_id AND session_id = @session_id AND turn = @turn
ORDER BY seq
LIMIT @max;
