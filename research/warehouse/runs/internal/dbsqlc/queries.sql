-- name: RunInsert :one
-- Inserts a pending run, unless the same request made one before. It is over the default warehouse of its project if none is given, and keeps to the lower of two budgets.
INSERT INTO warehouse_runs (tenant_id, project_id, warehouse_id, beside, scope, areas, mask_key, max_steps, min_steps, budget_usd, budget_tokens, budget_bytes, budget_seconds, created_by,
    request_id, request_hash)
SELECT p.tenant_id, p.id, coalesce(sqlc.narg('warehouse_id')::uuid, p.warehouse_id), coalesce(sqlc.narg('warehouse_id')::uuid, p.warehouse_id) <> p.warehouse_id, @scope, @areas, @mask_key,
    @max_steps, @min_steps, least(sqlc.narg('budget_usd')::numeric, p.budget_usd), least(sqlc.narg('budget_tokens')::bigint, p.budget_tokens), least(sqlc.narg('budget_bytes')::bigint, p.budget_bytes),
    least(sqlc.narg('budget_seconds')::bigint, p.budget_seconds), @created_by, sqlc.narg('request_id'), @request_hash
FROM warehouse_projects AS p
WHERE p.tenant_id = @tenant_id AND p.id = @project_id
    AND (sqlc.narg('warehouse_id')::uuid IS NULL OR sqlc.narg('warehouse_id')::uuid = p.warehouse_id OR EXISTS (
        SELECT c.project_id
        FROM warehouse_project_connections AS c
        WHERE c.tenant_id = p.tenant_id AND c.project_id = p.id AND c.warehouse_id = sqlc.narg('warehouse_id')::uuid))
ON CONFLICT DO NOTHING
RETURNING id;

-- name: ProjectExplores :one
-- Whether a project exists, and whether it may explore a warehouse.
SELECT (@warehouse_id::uuid = p.warehouse_id OR EXISTS (
    SELECT c.project_id
    FROM warehouse_project_connections AS c
    WHERE c.tenant_id = p.tenant_id AND c.project_id = p.id AND c.warehouse_id = @warehouse_id::uuid))::boolean AS explores
FROM warehouse_projects AS p
WHERE p.tenant_id = @tenant_id AND p.id = @project_id;

-- name: RunByRequest :one
-- The run that a request made.
SELECT id, request_hash
FROM warehouse_runs
WHERE tenant_id = @tenant_id AND created_by = @created_by AND request_id = @request_id;

-- name: RunFind :one
-- One run.
SELECT *
FROM warehouse_runs
WHERE tenant_id = @tenant_id AND id = @id;

-- name: RunPage :many
-- A page of runs before the cursor, newest first, without what they were told of earlier runs.
SELECT r.tenant_id, r.id, r.project_id, r.warehouse_id, r.status, r.wish, r.phase, r.phase_detail, r.progress, r.scope, r.areas, r.run_type, r.stop_reason, r.summary, r.error,
    r.analyst, r.pack, r.prompt_hash, NULL::json AS previous, NULL::json AS brief, r.mask_key, r.max_steps, r.min_steps, r.budget_usd, r.budget_tokens, r.budget_seconds, r.steps,
    r.queries_total, r.queries_successful, r.queries_failed, r.schema_lookup_calls, r.schema_search_calls, r.step_index_upserts, r.scanned, r.warehouse_ms, r.active_ms,
    r.attempt, r.lease_until, r.last_seq, r.created_by, r.request_id, r.request_hash, r.created_at, r.started_at, r.updated_at, r.completed_at, r.budget_bytes, r.beside, r.trouble,
    r.remedy, r.analysis_search_calls, r.analysis_steps_dropped
FROM warehouse_runs AS r
WHERE r.tenant_id = @tenant_id AND (r.created_at, r.id) < (@before_at::timestamptz, @before_id::uuid)
    AND (sqlc.narg('project_id')::uuid IS NULL OR r.project_id = sqlc.narg('project_id')::uuid) AND (cardinality(@statuses::text[]) = 0 OR r.status = ANY (@statuses::text[]))
ORDER BY r.created_at DESC, r.id DESC
LIMIT @most;

-- name: SpendingList :many
-- What runs have cost, by purpose.
SELECT run_id, purpose, tokens_in, tokens_cached, tokens_out, calls, usd, unpriced, statements, result_rows, scanned, warehouse_ms, warehouse_usd, unpriced_statements
FROM warehouse_run_spending
WHERE tenant_id = @tenant_id AND run_id = ANY (@runs::uuid[])
ORDER BY run_id, purpose;

-- name: RunLock :one
-- A run, locked until the transaction of the caller ends.
SELECT status, coalesce(wish, '')::text AS wish, last_seq, warehouse_id
FROM warehouse_runs
WHERE tenant_id = @tenant_id AND id = @id
FOR UPDATE;

-- name: RunMove :exec
-- Moves a run to another status, for a person or for its worker.
UPDATE warehouse_runs
SET status = @status, phase_detail = @phase_detail, wish = CASE WHEN @keep::boolean THEN wish END, lease_until = NULL, updated_at = now(), last_seq = @last_seq, active_ms = active_ms + @active_ms::bigint,
    completed_at = CASE WHEN @over::boolean THEN now() END, error = @error, trouble = @trouble, remedy = @remedy, progress = CASE WHEN @status = 'completed' THEN 100 ELSE progress END
WHERE tenant_id = @tenant_id AND id = @id;

-- name: RunTold :exec
-- Sets the number of the last event of a run. The caller has locked it.
UPDATE warehouse_runs
SET last_seq = @last_seq
WHERE tenant_id = @tenant_id AND id = @id;

-- name: RunWish :exec
-- Sets what the worker of a run is to do after its current step.
UPDATE warehouse_runs
SET wish = sqlc.narg('wish'), updated_at = now()
WHERE tenant_id = @tenant_id AND id = @id AND status = 'running';

-- name: RunDelete :execrows
-- Deletes a run that is not running, with everything that refers to it.
DELETE FROM warehouse_runs
WHERE tenant_id = @tenant_id AND id = @id AND status <> 'running';

-- name: RunTake :one
-- Gives the caller a run that no worker holds, under the next attempt. No row means that it is held or over.
UPDATE warehouse_runs
SET status = 'running', attempt = attempt + 1, lease_until = now() + make_interval(secs => @lease_seconds), started_at = coalesce(started_at, now()), updated_at = now(),
    error = '', trouble = '', remedy = '', progress = greatest(progress, 5)
WHERE tenant_id = @tenant_id AND id = @id AND (status IN ('pending', 'interrupted') OR (status = 'running' AND (lease_until IS NULL OR lease_until < now())))
RETURNING *;

-- name: RunBeat :one
-- Extends the lease of the worker of an attempt. No row means that the run no longer belongs to it.
UPDATE warehouse_runs
SET lease_until = now() + make_interval(secs => @lease_seconds)
WHERE tenant_id = @tenant_id AND id = @id AND attempt = @attempt AND status = 'running'
RETURNING attempt;

-- name: RunFence :one
-- Locks a run for the worker of an attempt. No row means that the run no longer belongs to it.
SELECT last_seq, coalesce(wish, '')::text AS wish
FROM warehouse_runs
WHERE tenant_id = @tenant_id AND id = @id AND attempt = @attempt AND status = 'running'
FOR UPDATE;

-- name: RunUntaken :one
-- Returns a run that waits for a worker. No row means that it does not.
SELECT id
FROM warehouse_runs
WHERE tenant_id = @tenant_id AND id = @id AND status IN ('pending', 'interrupted');

-- name: RunLost :one
-- Marks a run as interrupted if the lease of its worker has expired. No row means that it has not.
UPDATE warehouse_runs
SET status = 'interrupted', lease_until = NULL, updated_at = now(), phase_detail = @phase_detail
WHERE tenant_id = @tenant_id AND id = @id AND status = 'running' AND (lease_until IS NULL OR lease_until < now())
RETURNING last_seq;

-- name: RunOn :exec
-- Records the progress of a run at a write of its worker, and extends its lease.
UPDATE warehouse_runs
SET last_seq = @last_seq, lease_until = now() + make_interval(secs => @lease_seconds), active_ms = active_ms + @active_ms::bigint, updated_at = now()
WHERE tenant_id = @tenant_id AND id = @id;

-- name: RunEnter :exec
-- Records that a run enters a phase. The results of earlier phases are already stored.
UPDATE warehouse_runs
SET phase = @phase, progress = greatest(progress, @progress), phase_detail = @phase_detail
WHERE tenant_id = @tenant_id AND id = @id;

-- name: RunNamed :exec
-- Records which analyst explores.
UPDATE warehouse_runs
SET analyst = @analyst
WHERE tenant_id = @tenant_id AND id = @id;

-- name: RunRecalled :exec
-- Records what the run is told of earlier runs.
UPDATE warehouse_runs
SET previous = @previous
WHERE tenant_id = @tenant_id AND id = @id;

-- name: RunBriefed :exec
-- Records the brief, the pack and the prompt hash, which stay the same for all steps of the run.
UPDATE warehouse_runs
SET brief = @brief, pack = @pack, prompt_hash = @prompt_hash
WHERE tenant_id = @tenant_id AND id = @id;

-- name: RunCount :exec
-- Adds a finished step to the counters of its run.
UPDATE warehouse_runs
SET steps = @steps, progress = greatest(progress, @progress), queries_total = queries_total + @asked::integer, queries_successful = queries_successful + @answered::integer,
    queries_failed = queries_failed + @failed::integer, schema_lookup_calls = schema_lookup_calls + @lookups::integer,
    schema_search_calls = schema_search_calls + @searches::integer, scanned = scanned + @scanned::bigint, warehouse_ms = warehouse_ms + @warehouse_ms::double precision
WHERE tenant_id = @tenant_id AND id = @id;

-- name: RunAnalysed :exec
-- Adds an area that was analysed to the counters of its run.
UPDATE warehouse_runs
SET analysis_search_calls = analysis_search_calls + @searches::integer, analysis_steps_dropped = analysis_steps_dropped + @dropped::integer
WHERE tenant_id = @tenant_id AND id = @id;

-- name: RunStopped :exec
-- Records why the exploration ended.
UPDATE warehouse_runs
SET stop_reason = @stop_reason
WHERE tenant_id = @tenant_id AND id = @id;

-- name: RunConcluded :exec
-- Records the summary and the type of a run at its end.
UPDATE warehouse_runs
SET summary = @summary, run_type = @run_type
WHERE tenant_id = @tenant_id AND id = @id;

-- name: RunsBefore :many
-- The runs of a project that were completed before the given one, latest first, each with the purposes of its first queries.
SELECT r.id, r.completed_at, coalesce(r.run_type, '')::text AS run_type, coalesce(r.stop_reason, '')::text AS stop_reason, r.summary, r.steps, ARRAY(
    SELECT left(s.purpose, 200)
    FROM warehouse_run_steps AS s
    WHERE s.tenant_id = r.tenant_id AND s.run_id = r.id AND s.state = 'done' AND s.type = 'query' AND s.error = '' AND s.repeats = 0 AND s.purpose <> ''
    ORDER BY s.n
    LIMIT 30)::text[] AS asked, ARRAY(
    SELECT i.title
    FROM warehouse_insights AS i
    WHERE i.tenant_id = r.tenant_id AND i.run_id = r.id AND i.survives
    ORDER BY i.place
    LIMIT 20)::text[] AS found, ARRAY(
    SELECT c.status || ': ' || c.title
    FROM warehouse_recommendations AS c
    WHERE c.tenant_id = r.tenant_id AND c.run_id = r.id
    ORDER BY c.place
    LIMIT 12)::text[] AS recommended
FROM warehouse_runs AS r
WHERE r.tenant_id = @tenant_id AND r.project_id = @project_id AND r.status = 'completed' AND r.id <> @id AND r.warehouse_id IS NOT DISTINCT FROM sqlc.narg('warehouse_id')::uuid
ORDER BY r.completed_at DESC, r.id DESC
LIMIT @most;

-- name: SpendingAdd :exec
-- Adds the cost of calls and statements to what a run has spent for a purpose.
INSERT INTO warehouse_run_spending AS s (tenant_id, run_id, purpose, tokens_in, tokens_cached, tokens_out, calls, usd, unpriced, statements, result_rows, scanned, warehouse_ms,
    warehouse_usd, unpriced_statements)
VALUES (@tenant_id, @run_id, @purpose, @tokens_in, @tokens_cached, @tokens_out, @calls, @usd, @unpriced, @statements, @result_rows, @scanned, @warehouse_ms, @warehouse_usd,
    @unpriced_statements)
ON CONFLICT (tenant_id, run_id, purpose) DO UPDATE
SET tokens_in = s.tokens_in + excluded.tokens_in, tokens_cached = s.tokens_cached + excluded.tokens_cached, tokens_out = s.tokens_out + excluded.tokens_out,
    calls = s.calls + excluded.calls, usd = s.usd + excluded.usd, unpriced = s.unpriced + excluded.unpriced, statements = s.statements + excluded.statements,
    result_rows = s.result_rows + excluded.result_rows, scanned = s.scanned + excluded.scanned, warehouse_ms = s.warehouse_ms + excluded.warehouse_ms,
    warehouse_usd = s.warehouse_usd + excluded.warehouse_usd, unpriced_statements = s.unpriced_statements + excluded.unpriced_statements;

-- name: SpendingByMonth :many
-- What the runs of a project, or of all projects when none is given, have cost in each month in UTC, the latest first.
SELECT date_trunc('month', r.created_at, 'UTC')::timestamptz AS month, r.project_id, count(DISTINCT r.id) AS runs, coalesce(sum(s.tokens_in), 0)::bigint AS tokens_in,
    coalesce(sum(s.tokens_out), 0)::bigint AS tokens_out, coalesce(sum(s.usd), 0)::double precision AS usd, coalesce(sum(s.unpriced) FILTER (WHERE s.purpose <> 'embed'), 0)::bigint AS unpriced,
    coalesce(sum(s.statements), 0)::bigint AS statements, coalesce(sum(s.scanned), 0)::bigint AS scanned, coalesce(sum(s.warehouse_ms), 0)::double precision AS warehouse_ms,
    coalesce(sum(s.warehouse_usd), 0)::double precision AS warehouse_usd, coalesce(sum(s.unpriced_statements), 0)::bigint AS unpriced_statements
FROM warehouse_runs AS r
LEFT JOIN warehouse_run_spending AS s ON s.tenant_id = r.tenant_id AND s.run_id = r.id
WHERE r.tenant_id = @tenant_id AND (sqlc.narg('project_id')::uuid IS NULL OR r.project_id = sqlc.narg('project_id')::uuid)
GROUP BY 1, 2
ORDER BY 1 DESC, 2
LIMIT @most;

-- name: StepSave :exec
-- Inserts or replaces a step. A step that is done is left as it is.
INSERT INTO warehouse_run_steps AS s (tenant_id, run_id, n, state, type, thinking, purpose, query, statement, tables, search, top_k, row_count, more, scanned, took_ns, digest, answer,
    repeats, error, class, fixes, reply, nudges, tokens_in, tokens_cached, tokens_out, calls, attempt, at)
VALUES (@tenant_id, @run_id, @n, @state, @type, @thinking, @purpose, @query, @statement, @tables, @search, @top_k, @row_count, @more, @scanned, @took_ns, @digest, @answer,
    @repeats, @error, @class, @fixes, @reply, @nudges, @tokens_in, @tokens_cached, @tokens_out, @calls, @attempt, @at)
ON CONFLICT (tenant_id, run_id, n) DO UPDATE
SET state = excluded.state, type = excluded.type, thinking = excluded.thinking, purpose = excluded.purpose, query = excluded.query, statement = excluded.statement,
    tables = excluded.tables, search = excluded.search, top_k = excluded.top_k, row_count = excluded.row_count, more = excluded.more, scanned = excluded.scanned,
    took_ns = excluded.took_ns, digest = excluded.digest, answer = excluded.answer, repeats = excluded.repeats, error = excluded.error, class = excluded.class,
    fixes = excluded.fixes, reply = excluded.reply, nudges = excluded.nudges, tokens_in = excluded.tokens_in, tokens_cached = excluded.tokens_cached,
    tokens_out = excluded.tokens_out, calls = excluded.calls, attempt = excluded.attempt, at = excluded.at
WHERE s.state <> 'done';

-- name: StepList :many
-- The steps of a run after a number, in order.
SELECT n, state, type, thinking, purpose, query, statement, tables, search, top_k, row_count, more, scanned, took_ns, digest, answer, repeats, error, class, fixes, reply, nudges,
    tokens_in, tokens_cached, tokens_out, calls, at
FROM warehouse_run_steps
WHERE tenant_id = @tenant_id AND run_id = @run_id AND n > @since
ORDER BY n
LIMIT @most;

-- name: StepUnencoded :many
-- The queries of a run that have no vector of an encoder, in order.
SELECT n, purpose, query, statement
FROM warehouse_run_steps
WHERE tenant_id = @tenant_id AND run_id = @run_id AND state = 'done' AND type = 'query' AND repeats = 0 AND encoder IS DISTINCT FROM @encoder::text
ORDER BY n
LIMIT @most;

-- name: StepEncode :exec
-- Stores the vectors of steps and adds them to the count of the run. An empty text stands for a step without words, which has no vector.
WITH given AS (
    SELECT unnest(@steps::integer[]) AS n, unnest(@vectors::text[]) AS vector
), saved AS (
    UPDATE warehouse_run_steps AS s
    SET encoder = @encoder::text, embedding = nullif(g.vector, '')::halfvec(1536)
    FROM given AS g
    WHERE s.tenant_id = @tenant_id AND s.run_id = @run_id AND s.n = g.n AND s.encoder IS DISTINCT FROM @encoder::text
    RETURNING s.n
)
UPDATE warehouse_runs AS r
SET step_index_upserts = r.step_index_upserts + (SELECT count(*) FROM saved)
WHERE r.tenant_id = @tenant_id AND r.id = @run_id;

-- name: StepScores :many
-- The similarity of the queries of a run to a vector of the same encoder, and how well their words match.
SELECT n, coalesce(CASE WHEN encoder = @encoder::text THEN 1 - (embedding <=> nullif(@vector::text, '')::halfvec(1536)) END, 0)::double precision AS near,
    ts_rank_cd(words, websearch_to_tsquery('english', @words::text), 32)::double precision AS fits
FROM warehouse_run_steps
WHERE tenant_id = @tenant_id AND run_id = @run_id AND state = 'done' AND type = 'query' AND repeats = 0
ORDER BY 2 DESC, 3 DESC, 1;

-- name: EventInsert :exec
-- Inserts numbered events of a run. The caller holds the lock of the run.
INSERT INTO warehouse_run_events (tenant_id, run_id, seq, type, data)
SELECT @tenant_id::uuid, @run_id::uuid, x.seq, x.type, x.data
FROM json_to_recordset(@rows::json) AS x (seq bigint, type text, data json);

-- name: EventPhases :many
-- When a run began, entered each phase, and ended, in order.
SELECT type, coalesce(data->>'phase', '')::text AS phase, at
FROM warehouse_run_events
WHERE tenant_id = @tenant_id AND run_id = @run_id AND type IN ('started', 'phase', 'finished')
ORDER BY seq;

-- name: EventsAfter :many
-- Events of a run after a number, in order.
SELECT seq, type, data, at
FROM warehouse_run_events
WHERE tenant_id = @tenant_id AND run_id = @run_id AND seq > @after
ORDER BY seq
LIMIT @most;
