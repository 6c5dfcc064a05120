-- name: FileInsert :one
-- Inserts a file of a session with the text that was read in it.
INSERT INTO session_files (tenant_id, session_id, name, media_type, size, sha256, parts, truncated, user_id, content)
VALUES (@tenant_id, @session_id, @name, @media_type, @size, @sha256, @parts, @truncated, @user_id, @content)
RETURNING id, created_at;

-- name: FileByDigest :one
-- The file of a session with the given content, without its text.
SELECT id, name, media_type, size, sha256, parts, truncated, user_id, created_at
FROM session_files
WHERE tenant_id = @tenant_id AND session_id = @session_id AND sha256 = @sha256;

-- name: FileCount :one
-- The number of files of a session.
SELECT count(*)::integer AS files
FROM session_files
WHERE tenant_id = @tenant_id AND session_id = @session_id;

-- name: FileList :many
-- The files of a session in the order of their arrival, without their texts, with the turns they were attached to.
SELECT f.id, f.name, f.media_type, f.size, f.sha256, f.parts, f.truncated, f.user_id, f.created_at, ARRAY(
    SELECT t.turn::integer
    FROM turn_files AS t
    WHERE t.tenant_id = @tenant_id AND t.session_id = @session_id AND t.file_id = f.id
    ORDER BY t.turn)::integer[] AS turns
FROM session_files AS f
WHERE f.tenant_id = @tenant_id AND f.session_id = @session_id
ORDER BY f.created_at, f.id;

-- name: FilePick :many
-- Some files of a session with their texts.
SELECT f.id, f.name, f.media_type, f.size, f.sha256, f.parts, f.truncated, f.user_id, f.created_at, ARRAY(
    SELECT t.turn::integer
    FROM turn_files AS t
    WHERE t.tenant_id = @tenant_id AND t.session_id = @session_id AND t.file_id = f.id
    ORDER BY t.turn)::integer[] AS turns, f.content
FROM session_files AS f
WHERE f.tenant_id = @tenant_id AND f.session_id = @session_id AND f.id = ANY(@ids::uuid[])
ORDER BY f.created_at, f.id;

-- name: FileDelete :one
-- Deletes a file that is attached to no turn. No row means that there is none.
DELETE FROM session_files AS f
WHERE f.tenant_id = @tenant_id AND f.session_id = @session_id AND f.id = @id AND NOT EXISTS (
    SELECT FROM turn_files AS t
    WHERE t.tenant_id = @tenant_id AND t.session_id = @session_id AND t.file_id = f.id)
RETURNING f.id;

-- name: FileGive :exec
-- Attaches files to the turn that this transaction began, if it began one. No other turn runs in the session.
INSERT INTO turn_files (tenant_id, session_id, turn, n, file_id)
SELECT t.tenant_id, t.session_id, t.number, array_position(@ids::uuid[], f.id), f.id
FROM turns AS t
JOIN session_files AS f ON f.tenant_id = t.tenant_id AND f.session_id = t.session_id AND f.id = ANY(@ids::uuid[])
WHERE t.tenant_id = @tenant_id AND t.session_id = @session_id AND t.status = 'running' AND t.user_id = @user_id AND t.body_hash = @body_hash
    AND t.started_at = now();

-- name: FileGiven :many
-- The files that are attached to turns of a session, in order.
SELECT t.turn::integer AS turn, f.id, f.name, f.media_type, f.size, u.user_id, u.started_at
FROM turn_files AS t
JOIN session_files AS f ON f.tenant_id = t.tenant_id AND f.session_id = t.session_id AND f.id = t.file_id
JOIN turns AS u ON u.tenant_id = t.tenant_id AND u.session_id = t.session_id AND u.number = t.turn
WHERE t.tenant_id = @tenant_id AND t.session_id = @session_id
ORDER BY t.turn, t.n;
