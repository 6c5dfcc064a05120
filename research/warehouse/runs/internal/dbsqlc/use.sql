-- name: TextMissing :many
-- The insights and recommendations of a project's completed runs that have no text to be searched by.
SELECT i.run_id, 'insight'::text AS kind, i.ref
FROM warehouse_insights AS i
JOIN warehouse_runs AS r ON r.tenant_id = i.tenant_id AND r.id = i.run_id AND r.status = 'completed'
WHERE i.tenant_id = @tenant_id AND i.project_id = @project_id AND i.survives
    AND NOT EXISTS (SELECT FROM warehouse_finding_texts AS t WHERE t.tenant_id = i.tenant_id AND t.run_id = i.run_id AND t.kind = 'insight' AND t.ref = i.ref)
UNION ALL
SELECT c.run_id, 'recommendation'::text, c.ref
FROM warehouse_recommendations AS c
JOIN warehouse_runs AS r ON r.tenant_id = c.tenant_id AND r.id = c.run_id AND r.status = 'completed'
WHERE c.tenant_id = @tenant_id AND c.project_id = @project_id
    AND NOT EXISTS (SELECT FROM warehouse_finding_texts AS t WHERE t.tenant_id = c.tenant_id AND t.run_id = c.run_id AND t.kind = 'recommendation' AND t.ref = c.ref)
LIMIT @most;

-- name: TextInsert :exec
-- Stores the words of an insight or a recommendation.
INSERT INTO warehouse_finding_texts (tenant_id, run_id, kind, ref, project_id, title, body, at)
VALUES (@tenant_id, @run_id, @kind, @ref, @project_id, @title, @body, @at)
ON CONFLICT DO NOTHING;

-- name: TextUnencoded :many
-- The texts of a project that have no vector of an encoder.
SELECT run_id, kind, ref, title, body
FROM warehouse_finding_texts
WHERE tenant_id = @tenant_id AND project_id = @project_id AND encoder IS DISTINCT FROM @encoder::text
ORDER BY at DESC, run_id, kind, ref
LIMIT @most;

-- name: TextEncode :exec
-- Stores the vector of a text; an empty one stands for a text without words.
UPDATE warehouse_finding_texts
SET encoder = @encoder::text, embedding = nullif(@vector::text, '')::halfvec(1536)
WHERE tenant_id = @tenant_id AND run_id = @run_id AND kind = @kind AND ref = @ref;

-- name: TextSearch :many
-- The texts of a project that have one of the words of a search or are near to a vector of the same encoder, the latest first.
-- Words such as "to" and "die" count only if there are no others.
WITH said AS (
    SELECT coalesce(string_agg(w, ' ') FILTER (WHERE numnode(plainto_tsquery('english', w)) > 0 AND numnode(plainto_tsquery('german', w)) > 0), @words::text) AS words
    FROM regexp_split_to_table(@words::text, '\s+') AS w
), asked AS (
    SELECT replace((plainto_tsquery('english', s.words) || plainto_tsquery('simple', s.words))::text, '&', '|')::tsquery AS q
    FROM said AS s
), scored AS (
    SELECT t.run_id, t.kind, t.ref, t.title, t.body, t.at, ts_rank_cd(t.words, a.q, 32)::double precision AS fits,
        coalesce(CASE WHEN t.encoder = @encoder::text THEN 1 - (t.embedding <=> nullif(@vector::text, '')::halfvec(1536)) END, 0)::double precision AS near
    FROM warehouse_finding_texts AS t
    CROSS JOIN asked AS a
    WHERE t.tenant_id = @tenant_id AND t.project_id = @project_id
)
SELECT run_id, kind, ref, title, body, at, fits, near
FROM scored
WHERE fits > 0 OR near >= @least::double precision
ORDER BY at DESC, run_id, kind, ref
LIMIT @most;

-- name: WatchSet :exec
-- Watches a finding.
INSERT INTO warehouse_watches (tenant_id, project_id, subject_hash, user_id, subject)
VALUES (@tenant_id, @project_id, sha256(convert_to(@subject::text, 'UTF8')), @user_id, @subject::text)
ON CONFLICT DO NOTHING;

-- name: WatchUnset :exec
-- Stops watching a finding.
DELETE FROM warehouse_watches
WHERE tenant_id = @tenant_id AND project_id = @project_id AND subject_hash = sha256(convert_to(@subject::text, 'UTF8')) AND user_id = @user_id;

-- name: WatchMove :exec
-- Makes those who watch a finding watch the one that took its place, too.
INSERT INTO warehouse_watches (tenant_id, project_id, subject_hash, user_id, subject)
SELECT w.tenant_id, w.project_id, sha256(convert_to(@subject::text, 'UTF8')), w.user_id, @subject::text
FROM warehouse_watches AS w
WHERE w.tenant_id = @tenant_id AND w.project_id = @project_id AND w.subject_hash = sha256(convert_to(@was::text, 'UTF8'))
ON CONFLICT DO NOTHING;

-- name: WatchList :many
-- Who watches which findings of a project.
SELECT subject, user_id
FROM warehouse_watches
WHERE tenant_id = @tenant_id AND project_id = @project_id
ORDER BY subject_hash, user_id;

-- name: AlertInsert :exec
-- Tells those who watch a finding what a run made of it.
INSERT INTO warehouse_alerts (tenant_id, user_id, project_id, run_id, subject, subject_hash, change, before, after, insight_run, insight_ref)
SELECT w.tenant_id, w.user_id, w.project_id, @run_id, w.subject, w.subject_hash, @change, @before, @after, @insight_run, @insight_ref
FROM warehouse_watches AS w
WHERE w.tenant_id = @tenant_id AND w.project_id = @project_id AND w.subject_hash = sha256(convert_to(@subject::text, 'UTF8'))
ON CONFLICT DO NOTHING;

-- name: AlertPage :many
-- A page of what somebody was told before the cursor, the latest first.
SELECT a.id, a.project_id, p.name AS project, a.run_id, a.change, a.before, a.after, a.insight_run, a.insight_ref, a.at, a.read_at
FROM warehouse_alerts AS a
JOIN warehouse_projects AS p ON p.tenant_id = a.tenant_id AND p.id = a.project_id
WHERE a.tenant_id = @tenant_id AND a.user_id = @user_id AND (a.at, a.id) < (@before_at::timestamptz, @before_id::uuid)
ORDER BY a.at DESC, a.id DESC
LIMIT @most;

-- name: AlertUnreadPage :many
-- A page of what somebody has not read before the cursor, the latest first. It is a query of its own so that its plan can rest on the index of those.
SELECT a.id, a.project_id, p.name AS project, a.run_id, a.change, a.before, a.after, a.insight_run, a.insight_ref, a.at, a.read_at
FROM warehouse_alerts AS a
JOIN warehouse_projects AS p ON p.tenant_id = a.tenant_id AND p.id = a.project_id
WHERE a.tenant_id = @tenant_id AND a.user_id = @user_id AND a.read_at IS NULL AND (a.at, a.id) < (@before_at::timestamptz, @before_id::uuid)
ORDER BY a.at DESC, a.id DESC
LIMIT @most;

-- name: AlertCount :one
-- How much of what somebody was told they have not read.
SELECT count(*)
FROM warehouse_alerts
WHERE tenant_id = @tenant_id AND user_id = @user_id AND read_at IS NULL;

-- name: AlertRead :execrows
-- Marks what somebody was told as read: one, or all of it.
UPDATE warehouse_alerts
SET read_at = now()
WHERE tenant_id = @tenant_id AND user_id = @user_id AND read_at IS NULL AND (sqlc.narg('id')::uuid IS NULL OR id = sqlc.narg('id')::uuid);

-- name: OutcomeInsert :exec
-- Stores the metric of a recommendation as a run measured it.
INSERT INTO warehouse_outcomes (tenant_id, run_id, ref, measured_by, query, value, measured, since)
VALUES (@tenant_id, @run_id, @ref, @measured_by, @query, @value, @measured, sqlc.narg('since'))
ON CONFLICT DO NOTHING;

-- name: OutcomeList :many
-- What later runs measured of the recommendations of a project, the latest first.
SELECT o.run_id, o.ref, o.measured_by, o.query, o.value, o.measured, o.since, o.at
FROM warehouse_outcomes AS o
JOIN warehouse_recommendations AS c ON c.tenant_id = o.tenant_id AND c.run_id = o.run_id AND c.ref = o.ref
WHERE o.tenant_id = @tenant_id AND c.project_id = @project_id
ORDER BY o.at DESC, o.run_id, o.ref, o.measured_by;
