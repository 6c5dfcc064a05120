-- name: QuestionsUnencoded :many
-- The obligations of a session whose question has no vector of an encoder.
SELECT obligation_key
FROM elicitation_obligations
WHERE tenant_id = @tenant_id AND session_id = @session_id AND (embedding_encoder IS NULL OR embedding_encoder <> @encoder::text)
ORDER BY position
LIMIT @max;

-- name: QuestionVectorsSave :exec
-- Stores the vectors of questions with their encoder. A question without words has null.
UPDATE elicitation_obligations AS o
SET embedding = x.embedding::vector, embedding_encoder = @encoder::text
FROM jsonb_to_recordset(@rows::jsonb) AS x (obligation_key text, embedding text)
WHERE o.tenant_id = @tenant_id AND o.session_id = @session_id AND o.obligation_key = x.obligation_key;

-- name: QuestionVectors :many
-- The vectors of an encoder for the questions of a session.
SELECT obligation_key, embedding
FROM elicitation_obligations
WHERE tenant_id = @tenant_id AND session_id = @session_id AND embedding_encoder = @encoder::text AND embedding IS NOT NULL
ORDER BY position;

-- name: ProposalList :many
-- Obligations that came up in sessions and that no reviewer has decided on, newest first, each with the event that made it.
SELECT o.session_id, o.obligation_key, o.template, o.status, o.extracted_value, o.embedding, o.embedding_encoder, s.context_type, s.user_id,
    (x.event -> 'metadata')::json AS metadata, e.turn_number, e.created_at
FROM elicitation_obligations AS o
JOIN elicitation_sessions AS s ON s.tenant_id = o.tenant_id AND s.id = o.session_id
JOIN obligation_trail AS e ON e.tenant_id = o.tenant_id AND e.session_id = o.session_id
CROSS JOIN LATERAL json_array_elements(e.events) AS x (event)
WHERE o.tenant_id = @tenant_id AND o.source = 'emergent' AND o.merged_into IS NULL
    AND x.event ->> 'obligation_key' = o.obligation_key AND x.event ->> 'event_type' = 'created'
    AND (sqlc.narg('context_type')::text IS NULL OR s.context_type = sqlc.narg('context_type'))
ORDER BY e.created_at DESC, o.session_id, o.obligation_key
LIMIT @max;
