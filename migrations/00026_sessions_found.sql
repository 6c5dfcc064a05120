-- A session is found by its key, and by nothing else. By PostgreSQL's estimate for a tenant with some hundred sessions, or for a young table,
-- other indexes that begin with the tenant are as good: the planner took one of them, also for foreign keys, and read all of the tenant's
-- entries ten times a turn. An index with a condition serves only who says what the condition says.

-- +goose Up
DROP INDEX elicitation_sessions_recent;
CREATE INDEX elicitation_sessions_recent ON elicitation_sessions (tenant_id, created_at DESC, id DESC) WHERE created_at IS NOT NULL;
COMMENT ON INDEX elicitation_sessions_recent IS 'Read by queries that compare created_at with something.';
DROP INDEX elicitation_sessions_person;
CREATE INDEX elicitation_sessions_person ON elicitation_sessions (tenant_id, user_id, context_type, created_at DESC) WHERE user_id IS NOT NULL;
COMMENT ON INDEX elicitation_sessions_person IS 'Read by queries that compare user_id with something.';
