-- name: ObligationStates :many
-- The state of every obligation of a session. Their definitions are in the objective.
SELECT obligation_key, position, origin_layer, origin_source_id, source, template, status, confidence, extracted_value, evidence,
    attempts, last_attempt_turn, satisfied_at_turn, negotiation_state, skip_reason, dependencies_resolved, merged_into, split_into, stands, published_as
FROM elicitation_obligations
WHERE tenant_id = @tenant_id AND session_id = @session_id
ORDER BY position;

-- name: ObligationInsertAll :exec
-- Inserts the obligations of a session at its start, or one that comes up later.
INSERT INTO elicitation_obligations (
    tenant_id, session_id, obligation_key, position, field_path, collection_type, widget_type, dependencies, source, origin_layer,
    origin_source_id, pool_id, task_priority, max_attempts, category, agent_notes, follow_up_strategy, satisfied_when,
    expertise_required, template, status, dependencies_resolved)
SELECT @tenant_id, @session_id, x.obligation_key, x.position, x.field_path, x.collection_type, x.widget_type, x.dependencies, x.source, x.origin_layer,
    x.origin_source_id, x.pool_id, x.task_priority, x.max_attempts, x.category, x.agent_notes, x.follow_up_strategy, x.satisfied_when,
    x.expertise_required, x.template, x.status, x.dependencies_resolved
FROM jsonb_to_recordset(@rows::jsonb) AS x (
    obligation_key text, position integer, field_path text, collection_type text, widget_type text, dependencies jsonb, source text, origin_layer text,
    origin_source_id uuid, pool_id text, task_priority integer, max_attempts integer, category text, agent_notes text, follow_up_strategy text, satisfied_when text,
    expertise_required text, template jsonb, status text, dependencies_resolved boolean);

-- name: ObligationUpdateAll :exec
-- Stores the new state of changed obligations. The arrays are parallel, and an empty text stands for null.
UPDATE elicitation_obligations AS o
SET status = x.status, confidence = x.hundredths / 100.0, extracted_value = x.extracted_value, evidence = x.evidence,
    attempts = x.attempts, last_attempt_turn = x.last_attempt_turn, satisfied_at_turn = x.satisfied_at_turn,
    negotiation_state = x.negotiation_state, skip_reason = nullif(x.skip_reason, ''), dependencies_resolved = x.dependencies_resolved,
    merged_into = nullif(x.merged_into, ''), split_into = x.split_into, stands = x.stands, updated_at = now()
FROM (
    SELECT unnest(@keys::text[]) AS obligation_key, unnest(@statuses::text[]) AS status, unnest(@hundredths::integer[]) AS hundredths,
        unnest(@extracted_values::jsonb[]) AS extracted_value, unnest(@evidences::jsonb[]) AS evidence, unnest(@attempts::integer[]) AS attempts,
        unnest(@last_attempt_turns::integer[]) AS last_attempt_turn, unnest(@satisfied_at_turns::integer[]) AS satisfied_at_turn,
        unnest(@negotiation_states::jsonb[]) AS negotiation_state, unnest(@skip_reasons::text[]) AS skip_reason,
        unnest(@dependencies_resolved::boolean[]) AS dependencies_resolved, unnest(@merged_into::text[]) AS merged_into,
        unnest(@split_into::jsonb[]) AS split_into, unnest(@stands::jsonb[]) AS stands) AS x
WHERE o.tenant_id = @tenant_id AND o.session_id = @session_id AND o.obligation_key = x.obligation_key;

-- name: TrailAppend :exec
-- Appends events that belong together to the audit trail, in order.
INSERT INTO obligation_trail (tenant_id, session_id, turn_number, events)
VALUES (@tenant_id, @session_id, @turn_number, @events::json);

-- name: TrailPage :many
-- The audit trail of a session up to a turn, oldest first, of all keys or of the given one.
SELECT (t.id * 1000 + x.n - 1)::bigint AS id, t.turn_number, t.created_at, x.event::json AS event
FROM obligation_trail AS t, json_array_elements(t.events) WITH ORDINALITY AS x (event, n)
WHERE t.tenant_id = @tenant_id AND t.session_id = @session_id
    AND t.turn_number <= @until
    AND t.id >= @after_row AND t.id * 1000 + x.n - 1 > @after::bigint
    AND (sqlc.narg('obligation_key')::text IS NULL OR x.event ->> 'obligation_key' = sqlc.narg('obligation_key'))
ORDER BY t.id, x.n
LIMIT @max;

-- name: TrailEnd :one
-- An id that no event of the audit trail of a session exceeds by now, and all later ones do.
SELECT (coalesce(max(id), 0) * 1000 + 999)::bigint AS id
FROM obligation_trail
WHERE tenant_id = @tenant_id AND session_id = @session_id;

-- name: ConflictInsertAll :exec
-- Inserts conflicts as they are found.
INSERT INTO conflicts (tenant_id, session_id, id, kind, obligation_keys, sides, status, detected_turn, raised_turn, constraint_name, message, resolution, resolved_by)
SELECT @tenant_id, @session_id, x.id, x.kind, x.obligation_keys, x.sides, x.status, x.detected_turn, x.raised_turn, x.constraint_name, x.message, x.resolution, x.resolved_by
FROM jsonb_to_recordset(@rows::jsonb) AS x (
    id uuid, kind text, obligation_keys jsonb, sides jsonb, status text, detected_turn integer, raised_turn integer, constraint_name text, message text,
    resolution text, resolved_by text);

-- name: ConflictUpdateAll :exec
-- Stores conflicts that were raised or resolved. One that is resolved is left as it is.
UPDATE conflicts AS c
SET status = x.status, raised_turn = x.raised_turn, resolution = x.resolution, resolved_by = x.resolved_by,
    resolved_at = CASE WHEN x.status = 'resolved' THEN now() END
FROM jsonb_to_recordset(@rows::jsonb) AS x (id uuid, status text, raised_turn integer, resolution text, resolved_by text)
WHERE c.tenant_id = @tenant_id AND c.session_id = @session_id AND c.id = x.id AND c.status = 'open';

-- name: ConflictList :many
-- The conflicts of a session, oldest first: all of them, only open ones, or only those of constraints.
SELECT id, kind, obligation_keys, sides, status, detected_turn, raised_turn, constraint_name, message, resolution, resolved_by, created_at
FROM conflicts
WHERE tenant_id = @tenant_id AND session_id = @session_id AND (NOT @open_only::boolean OR status = 'open') AND (NOT @constraints_only::boolean OR kind = 'constraint')
ORDER BY created_at, id
LIMIT 200;

-- name: ReassessDue :many
-- Sessions that changed since their last reassessment and have no running turn.
SELECT s.id
FROM elicitation_sessions AS s
WHERE s.tenant_id = @tenant_id AND s.status = 'active' AND s.version > s.reassessed_version
    AND NOT EXISTS (SELECT FROM turns AS t WHERE t.tenant_id = @tenant_id AND t.session_id = s.id AND t.status = 'running')
ORDER BY s.id
LIMIT @max;

-- name: ReassessMark :exec
-- Records that a session was reassessed in its current state.
UPDATE elicitation_sessions
SET reassessed_version = version
WHERE tenant_id = @tenant_id AND id = @id;
