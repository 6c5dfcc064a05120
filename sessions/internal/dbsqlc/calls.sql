-- name: PromptRulesSave :exec
-- Stores the rules that prompts begin with, each text once, and when they were last used.
INSERT INTO prompt_rules AS r (tenant_id, sha256, used_at, content)
VALUES (@tenant_id, @sha256, @used_at, @content::json)
ON CONFLICT (tenant_id, sha256) DO UPDATE SET used_at = excluded.used_at
WHERE r.used_at < excluded.used_at;

-- name: CallPackInsert :exec
-- Stores finished calls of a model. A session that was deleted takes none, calls that are stored already are left as they are, and calls whose rules
-- are missing are refused.
INSERT INTO turn_prompts (tenant_id, session_id, at, turn, attempt, n, calls, rules, packed)
SELECT s.tenant_id, s.id, @at::timestamptz, @turn::integer, @attempt::integer, @n::integer, @calls::integer,
    (SELECT r.sha256 FROM prompt_rules AS r WHERE r.tenant_id = @tenant_id AND r.sha256 = @rules::bytea), @packed::bytea
FROM elicitation_sessions AS s
WHERE s.tenant_id = @tenant_id AND s.id = @session_id AND NOT EXISTS (
    SELECT FROM turn_prompts AS p
    WHERE p.tenant_id = @tenant_id AND p.session_id = @session_id AND p.turn = @turn::integer AND p.attempt = @attempt::integer AND p.n = @n::integer);

-- name: CallPackWords :many
-- The messages of a session after one turn and until the end of another. They never change, but the last reply may still be missing.
SELECT content, (turn = @turn AND role = 'assistant')::boolean AS reply
FROM messages
WHERE tenant_id = @tenant_id AND session_id = @session_id AND turn > @after::integer AND turn <= @turn
ORDER BY turn, role DESC;

-- name: CallPackList :many
-- The packed calls of a turn that are still stored.
SELECT p.attempt, p.n, r.content AS rules, p.packed
FROM turn_prompts AS p
LEFT JOIN prompt_rules AS r ON r.tenant_id = p.tenant_id AND r.sha256 = p.rules
WHERE p.tenant_id = @tenant_id AND p.session_id = @session_id AND p.turn = @turn
ORDER BY p.attempt, p.n
LIMIT 50;

-- name: CallPackPrune :one
-- Deletes packed calls from before a time, a limited number of rows at once, and returns the numbers of rows and calls.
WITH gone AS (
    DELETE FROM turn_prompts AS p
    WHERE p.tenant_id = @tenant_id AND (p.session_id, p.turn, p.attempt, p.n) IN (
        SELECT o.session_id, o.turn, o.attempt, o.n
        FROM turn_prompts AS o
        WHERE o.tenant_id = @tenant_id AND o.at < @before::timestamptz
        LIMIT @max)
    RETURNING p.calls
)
SELECT coalesce(sum(gone.calls), 0)::bigint AS calls, count(*) AS packs
FROM gone;

-- name: PromptRulesPrune :exec
-- Deletes rules that no prompt begins with any more.
DELETE FROM prompt_rules AS r
WHERE r.tenant_id = @tenant_id
    AND (r.used_at < @before::timestamptz OR NOT EXISTS (SELECT FROM turn_prompts AS p WHERE p.tenant_id = @tenant_id));

-- name: TurnCallList :many
-- The calls of a turn that were stored before packing existed, in the order in which they began, by attempt.
SELECT c.attempt, c.n, c.purpose, c.model, t.content AS rules, c.prompt, c.response, c.cut, c.prompt_tokens, c.completion_tokens, c.money,
    c.tries, c.began_ms, c.first_token_ms, c.total_ms, c.failure, c.at
FROM turn_calls AS c
LEFT JOIN prompt_texts AS t ON t.tenant_id = c.tenant_id AND t.sha256 = c.rules
WHERE c.tenant_id = @tenant_id AND c.session_id = @session_id AND c.turn = @turn
ORDER BY c.attempt, c.began_ms, c.n
LIMIT 50;

-- name: TurnCallPrune :one
-- Deletes calls from before a time, a limited number at once, and returns their number.
WITH gone AS (
    DELETE FROM turn_calls AS c
    WHERE c.tenant_id = @tenant_id AND (c.session_id, c.turn, c.attempt, c.n) IN (
        SELECT o.session_id, o.turn, o.attempt, o.n
        FROM turn_calls AS o
        WHERE o.tenant_id = @tenant_id AND o.at < @before::timestamptz
        LIMIT @max)
    RETURNING 1
)
SELECT count(*) AS calls, count(*) AS packs
FROM gone;

-- name: PromptTextPrune :exec
-- Deletes rules that no prompt begins with any more.
DELETE FROM prompt_texts AS p
WHERE p.tenant_id = @tenant_id AND NOT EXISTS (SELECT FROM turn_calls AS c WHERE c.tenant_id = @tenant_id AND c.rules = p.sha256);
