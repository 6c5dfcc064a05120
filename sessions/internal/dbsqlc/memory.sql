-- name: MemorySave :exec
-- Stores the memory of a session after somebody edited it. The caller holds the lock of the session. The version is raised, so that a running turn
-- settles on the new state.
UPDATE elicitation_sessions
SET version = version + 1, updated_at = now(), working_memory_snapshot = @working_memory_snapshot
WHERE tenant_id = @tenant_id AND id = @id;
