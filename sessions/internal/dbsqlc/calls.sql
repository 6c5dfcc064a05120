-- name: PromptTextInsert :exec
-- Rules that prompts begin with, kept once.
INSERT INTO prompt_texts (tenant_id, sha256, content)
VALUES (@tenant_id, @sha256, @content)
ON CONFLICT DO NOTHING;

-- name: TurnCallInsert :exec
-- A finished call of a model. A session that is gone by now takes none, and one that is kept already stays as it is.
INSERT INTO turn_calls (tenant_id, session_id, turn, attempt, n, purpose, model, rules, prompt, response, cut, prompt_tokens, completion_tokens, money,
    tries, began_ms, first_token_ms, total_ms, failure, at)
SELECT s.tenant_id, s.id, @turn::integer, @attempt::integer, @n::integer, @purpose::text, @model::text, sqlc.narg('rules')::bytea, @prompt::json, @response::text, @cut::boolean,
    @prompt_tokens::integer, @completion_tokens::integer, @money::float8, @tries::integer, @began_ms::integer, sqlc.narg('first_token_ms')::integer, @total_ms::integer,
    sqlc.narg('failure')::text, @at::timestamptz
FROM elicitation_sessions AS s
WHERE s.tenant_id = @tenant_id AND s.id = @session_id
ON CONFLICT DO NOTHING;

-- name: TurnCallList :many
-- The calls of a turn that are still kept, in the order they began, each attempt by itself.
SELECT c.attempt, c.n, c.purpose, c.model, t.content AS rules, c.prompt, c.response, c.cut, c.prompt_tokens, c.completion_tokens, c.money,
    c.tries, c.began_ms, c.first_token_ms, c.total_ms, c.failure, c.at
FROM turn_calls AS c
LEFT JOIN prompt_texts AS t ON t.tenant_id = c.tenant_id AND t.sha256 = c.rules
WHERE c.tenant_id = @tenant_id AND c.session_id = @session_id AND c.turn = @turn
ORDER BY c.attempt, c.began_ms, c.n
LIMIT 50;

-- name: TurnCallPrune :one
-- Lets go of calls from before a time, some at once, and counts them.
WITH gone AS (
    DELETE FROM turn_calls AS c
    WHERE c.tenant_id = @tenant_id AND (c.session_id, c.turn, c.attempt, c.n) IN (
        SELECT o.session_id, o.turn, o.attempt, o.n
        FROM turn_calls AS o
        WHERE o.tenant_id = @tenant_id AND o.at < @before::timestamptz
        LIMIT @max)
    RETURNING 1
)
SELECT count(*)
FROM gone;

-- name: PromptTextPrune :exec
-- Lets go of rules that no prompt begins with any more.
DELETE FROM prompt_texts AS p
WHERE p.tenant_id = @tenant_id AND NOT EXISTS (SELECT FROM turn_calls AS c WHERE c.tenant_id = @tenant_id AND c.rules = p.sha256);
