-- name: SummarySoFar :one
-- What a prompt is told of the turns before its window, as one row however long the session is.
SELECT turn_range_end, so_far
FROM discovery_session_summaries
WHERE tenant_id = @tenant_id AND session_id = @session_id AND level = 0
ORDER BY turn_range_start DESC
LIMIT 1;

-- name: SummaryLast :one
-- The latest stretch of turns that was summarised.
SELECT *
FROM discovery_session_summaries
WHERE tenant_id = @tenant_id AND session_id = @session_id AND level = 0
ORDER BY turn_range_start DESC
LIMIT 1;

-- name: SummaryAt :many
-- Summaries of given levels and starts, which are parallel arrays, in the order of turns.
SELECT *
FROM discovery_session_summaries
WHERE tenant_id = @tenant_id AND session_id = @session_id
    AND (level, turn_range_start) IN (SELECT unnest(@levels::smallint[]), unnest(@starts::integer[]))
ORDER BY turn_range_start;

-- name: SummaryPage :many
-- Summaries of a level after a turn, oldest first.
SELECT *
FROM discovery_session_summaries
WHERE tenant_id = @tenant_id AND session_id = @session_id AND level = @level AND turn_range_start > @after
ORDER BY turn_range_start
LIMIT @max;

-- name: SummaryInsert :exec
-- Inserts the summary of a stretch of turns. When two are made at once, the first stays.
INSERT INTO discovery_session_summaries (tenant_id, session_id, level, turn_range_start, turn_range_end, summary_text, so_far, obligation_snapshot, research_summary,
    made_by, degraded, usage)
VALUES (@tenant_id, @session_id, @level, @turn_range_start, @turn_range_end, @summary_text, @so_far, @obligation_snapshot, @research_summary,
    @made_by, @degraded, @usage)
ON CONFLICT (tenant_id, session_id, level, turn_range_start) DO NOTHING;

-- name: MessageRange :many
-- The messages of a stretch of turns, in order. Of a reply that was interrupted while it was spoken, only what was heard is read.
SELECT m.turn, m.role, m.user_id, m.complete, (CASE WHEN i.heard IS NULL THEN m.content ELSE left(m.content, i.heard) END)::text AS content,
    (i.heard IS NOT NULL)::boolean AS interrupted, m.created_at
FROM messages AS m
LEFT JOIN message_interruptions AS i ON i.tenant_id = m.tenant_id AND i.session_id = m.session_id AND i.turn = m.turn AND m.role = 'assistant'
WHERE m.tenant_id = @tenant_id AND m.session_id = @session_id AND m.turn BETWEEN @from_turn AND @to_turn
ORDER BY m.turn, m.role DESC;

-- name: EventRange :many
-- The events of a stretch of turns that tell what was learnt, disputed and requested. They are found by number, because numbers rise with the turns.
SELECT seq, turn, kinds, (data::text[])::text[] AS data, at
FROM session_events AS e
WHERE e.tenant_id = @tenant_id AND e.session_id = @session_id
    AND e.seq >= (SELECT t.first_seq FROM turns AS t WHERE t.tenant_id = @tenant_id AND t.session_id = @session_id AND t.number = @from_turn)
    AND e.seq < coalesce((SELECT t.first_seq FROM turns AS t WHERE t.tenant_id = @tenant_id AND t.session_id = @session_id AND t.number = @to_turn + 1), 9223372036854775807)
    AND e.kinds && ARRAY['obligation', 'negotiation', 'conflict', 'research']
ORDER BY seq;
