-- name: ScanInsert :exec
-- Stores what was found in a table. A table that was searched is left as it is.
INSERT INTO warehouse_run_scans (tenant_id, run_id, table_ref, findings, error)
VALUES (@tenant_id, @run_id, @table_ref, @findings, @error)
ON CONFLICT DO NOTHING;

-- name: ScanList :many
-- What was found in the tables of a run, by table.
SELECT table_ref, findings, error
FROM warehouse_run_scans
WHERE tenant_id = @tenant_id AND run_id = @run_id
ORDER BY table_ref;

-- name: AreaInsert :exec
-- Stores an area that was analysed.
INSERT INTO warehouse_run_areas (tenant_id, run_id, area_id, place, name, status, reason, selected, dropped, results_chars, memory_chars, prompt, reply)
VALUES (@tenant_id, @run_id, @area_id, @place, @name, @status, @reason, @selected, @dropped, @results_chars, @memory_chars, @prompt, @reply)
ON CONFLICT DO NOTHING;

-- name: AreaList :many
-- The areas that a run analysed, in order.
SELECT area_id, place, name, status, reason, selected, dropped, results_chars, memory_chars
FROM warehouse_run_areas
WHERE tenant_id = @tenant_id AND run_id = @run_id
ORDER BY place, area_id;

-- name: AreaDialog :one
-- What a model was told and answered when it worded the findings of an area.
SELECT prompt, reply
FROM warehouse_run_areas
WHERE tenant_id = @tenant_id AND run_id = @run_id AND area_id = @area_id;

-- name: InsightInsert :exec
-- Stores an insight that is not checked yet.
INSERT INTO warehouse_insights (tenant_id, run_id, ref, project_id, place, area_id, subject, kind, severity, title, affected, body)
VALUES (@tenant_id, @run_id, @ref, @project_id, @place, @area_id, @subject, @kind, @severity, @title, @affected, @body)
ON CONFLICT DO NOTHING;

-- name: InsightReview :exec
-- Stores what the check of an insight came to. One that was checked is left as it is.
UPDATE warehouse_insights
SET status = @status, survives = @survives, review = @review
WHERE tenant_id = @tenant_id AND run_id = @run_id AND ref = @ref AND status IS NULL;

-- name: InsightStanding :exec
-- Stores how an insight stands against earlier runs.
UPDATE warehouse_insights
SET standing = @standing
WHERE tenant_id = @tenant_id AND run_id = @run_id AND ref = @ref;

-- name: InsightList :many
-- The insights of a run or a project, those of the latest run first, then by place.
SELECT i.run_id, i.ref, i.project_id, i.subject, i.place, i.area_id, i.title, i.affected, i.body, coalesce(i.status, '')::text AS status, i.survives, i.review, coalesce(i.standing, '')::text AS standing, i.at, ARRAY(
    SELECT l.recommendation_ref::text
    FROM warehouse_recommendation_insights AS l
    WHERE l.tenant_id = i.tenant_id AND l.run_id = i.run_id AND l.insight_ref = i.ref
    ORDER BY l.recommendation_ref)::text[] AS recommendations
FROM warehouse_insights AS i
JOIN warehouse_runs AS r ON r.tenant_id = i.tenant_id AND r.id = i.run_id
WHERE i.tenant_id = @tenant_id AND (sqlc.narg('run_id')::uuid IS NULL OR i.run_id = sqlc.narg('run_id')::uuid) AND (sqlc.narg('project_id')::uuid IS NULL OR i.project_id = sqlc.narg('project_id')::uuid)
    AND (sqlc.narg('ref')::text IS NULL OR i.ref = sqlc.narg('ref')::text)
ORDER BY r.created_at DESC, i.run_id, i.place
LIMIT @most;

-- name: RecommendationInsert :exec
-- Stores a recommendation.
INSERT INTO warehouse_recommendations (tenant_id, run_id, ref, project_id, place, title, body)
VALUES (@tenant_id, @run_id, @ref, @project_id, @place, @title, @body)
ON CONFLICT DO NOTHING;

-- name: RecommendationLink :exec
-- Links a recommendation to an insight that survived.
INSERT INTO warehouse_recommendation_insights (tenant_id, run_id, recommendation_ref, insight_ref)
VALUES (@tenant_id, @run_id, @recommendation_ref, @insight_ref)
ON CONFLICT DO NOTHING;

-- name: RecommendationList :many
-- The recommendations of a run or a project, those of the latest run first, then by place, with the insight that each mainly rests on.
SELECT c.run_id, c.ref, c.project_id, c.place, c.title, c.body, c.status, c.version, c.changed_by, c.changed_at, c.at, coalesce(m.subject, '')::text AS subject, m.body AS main, ARRAY(
    SELECT l.insight_ref::text
    FROM warehouse_recommendation_insights AS l
    WHERE l.tenant_id = c.tenant_id AND l.run_id = c.run_id AND l.recommendation_ref = c.ref
    ORDER BY l.insight_ref)::text[] AS insights
FROM warehouse_recommendations AS c
JOIN warehouse_runs AS r ON r.tenant_id = c.tenant_id AND r.id = c.run_id
LEFT JOIN warehouse_insights AS m ON m.tenant_id = c.tenant_id AND m.run_id = c.run_id AND m.ref = c.body -> 'relatedInsightIds' ->> 0
WHERE c.tenant_id = @tenant_id AND (sqlc.narg('run_id')::uuid IS NULL OR c.run_id = sqlc.narg('run_id')::uuid) AND (sqlc.narg('project_id')::uuid IS NULL OR c.project_id = sqlc.narg('project_id')::uuid)
    AND (sqlc.narg('ref')::text IS NULL OR c.ref = sqlc.narg('ref')::text) AND (sqlc.narg('status')::text IS NULL OR c.status = sqlc.narg('status')::text)
ORDER BY r.created_at DESC, c.run_id, c.place
LIMIT @most;

-- name: RecommendationStatus :one
-- Changes the status of a recommendation, if it is at the version that the caller has seen; version 0 is any. No row means that it is not.
UPDATE warehouse_recommendations
SET status = @status, version = version + 1, changed_by = @changed_by, changed_at = now()
WHERE tenant_id = @tenant_id AND run_id = @run_id AND ref = @ref AND (@version::integer = 0 OR version = @version::integer)
RETURNING version;

-- name: LedgerList :many
-- What became of the insights of a project, those that changed last first.
SELECT subject, title, standing, effect, seen, first_run_id, last_run_id, last_ref, changed_at
FROM warehouse_insight_ledger
WHERE tenant_id = @tenant_id AND project_id = @project_id
ORDER BY changed_at DESC, subject
LIMIT @most;

-- name: LedgerSave :exec
-- Stores how a subject stands. A run that was counted is not counted again.
INSERT INTO warehouse_insight_ledger AS l (tenant_id, project_id, subject_hash, subject, title, standing, effect, seen, first_run_id, last_run_id, last_ref)
VALUES (@tenant_id, @project_id, sha256(convert_to(@subject::text, 'UTF8')), @subject::text, @title, @standing, @effect, 1, @run_id::uuid, @run_id::uuid, @last_ref)
ON CONFLICT (tenant_id, project_id, subject_hash) DO UPDATE
SET title = excluded.title, standing = excluded.standing, effect = excluded.effect, last_ref = excluded.last_ref, changed_at = now(),
    seen = l.seen + CASE WHEN l.last_run_id = excluded.last_run_id OR excluded.standing = 'resolved' THEN 0 ELSE 1 END,
    last_run_id = CASE WHEN excluded.standing = 'resolved' THEN l.last_run_id ELSE excluded.last_run_id END;
