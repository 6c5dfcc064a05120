-- name: MemorySave :exec
-- What is remembered after somebody edited it; the caller holds the sessions lock. The version moves, so that a turn that runs works its record out anew.
UPDATE elicitation_sessions
SET version = version + 1, updated_at = now(), working_memory_snapshot = @working_memory_snapshot
WHERE tenant_id = @tenant_id AND id = @id;
