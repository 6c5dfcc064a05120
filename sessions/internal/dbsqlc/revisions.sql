-- name: RevisionInsert :exec
-- Keeps a completed session as one of its revisions. The caller holds its lock.
INSERT INTO session_revisions (tenant_id, session_id, revision, objective_id, turn_count, trail_end, session_phase, completeness_score, progress, stop_reason,
    conflicts, completed_at, changed_at, reopened_by, reviewer, reason)
SELECT s.tenant_id, s.id, s.revision, s.objective_id, s.turn_count, @trail_end, s.session_phase, s.completeness_score, s.progress, s.stop_reason,
    @conflicts, coalesce(s.completed_at, s.updated_at), s.updated_at, @reopened_by, @reviewer, @reason
FROM elicitation_sessions AS s
WHERE s.tenant_id = @tenant_id AND s.id = @session_id;

-- name: SessionReopen :exec
-- Opens a completed session as its next revision. The caller holds its lock.
UPDATE elicitation_sessions
SET version = version + 1, updated_at = now(), status = 'active', stop_reason = NULL, question = NULL, completed_at = NULL,
    revision = revision + 1, revised_turns = turn_count
WHERE tenant_id = @tenant_id AND id = @session_id;

-- name: RevisionPage :many
-- The revisions of a session that were reopened, oldest first.
SELECT *
FROM session_revisions
WHERE tenant_id = @tenant_id AND session_id = @session_id
ORDER BY revision;
