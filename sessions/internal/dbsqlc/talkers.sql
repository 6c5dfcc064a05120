-- name: CallTake :execrows
-- Lets a call speak in a session until a time, unless another one does. The same call may come back over another connection.
INSERT INTO session_calls AS c (tenant_id, session_id, call, connection, expires_at)
VALUES (@tenant_id, @session_id, @call, @connection, now() + make_interval(secs => @seconds::double precision))
ON CONFLICT (tenant_id, session_id) DO UPDATE
SET call = excluded.call, connection = excluded.connection, expires_at = excluded.expires_at
WHERE c.call = excluded.call OR c.expires_at <= now();

-- name: CallKeep :execrows
-- Lets a call speak on. No row means that another connection does.
UPDATE session_calls
SET expires_at = now() + make_interval(secs => @seconds::double precision)
WHERE tenant_id = @tenant_id AND session_id = @session_id AND connection = @connection;

-- name: CallLeave :exec
-- Ends what CallTake began.
DELETE FROM session_calls
WHERE tenant_id = @tenant_id AND session_id = @session_id AND connection = @connection;
