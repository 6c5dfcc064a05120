-- name: ObligationRedefine :exec
-- Replaces the definitions of obligations by those of another version of the objective.
UPDATE elicitation_obligations AS o
SET position = x.position, field_path = x.field_path, collection_type = x.collection_type, widget_type = x.widget_type, dependencies = x.dependencies,
    source = x.source, origin_layer = x.origin_layer, origin_source_id = x.origin_source_id, published_as = x.published_as, pool_id = x.pool_id, task_priority = x.task_priority,
    max_attempts = x.max_attempts, category = x.category, agent_notes = x.agent_notes, follow_up_strategy = x.follow_up_strategy,
    satisfied_when = x.satisfied_when, expertise_required = x.expertise_required, template = x.template, updated_at = now()
FROM jsonb_to_recordset(@rows::jsonb) AS x (
    obligation_key text, position integer, field_path text, collection_type text, widget_type text, dependencies jsonb, source text, origin_layer text,
    origin_source_id uuid, published_as text, pool_id text, task_priority integer, max_attempts integer, category text, agent_notes text, follow_up_strategy text, satisfied_when text,
    expertise_required text, template jsonb)
WHERE o.tenant_id = @tenant_id AND o.session_id = @session_id AND o.obligation_key = x.obligation_key;
