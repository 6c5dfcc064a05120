-- What a turn writes, written in less: rows that change stay on their page, and the log's rows are whole.

-- +goose Up
-- A row triples while it is filled in. On a page with room for that it stays where it is, and its index entry with it.
ALTER TABLE elicitation_obligations SET (fillfactor = 35);

-- The vector of its question lies beside it: a change of the row would copy its 6 KB each time.
ALTER TABLE elicitation_obligations ALTER COLUMN embedding SET STORAGE EXTERNAL;

-- The kinds are a few bytes, but of a row over 2 KB they would be moved out of line before the data is compressed: a row more each turn.
ALTER TABLE session_events ALTER COLUMN kinds SET STORAGE MAIN;

-- A log hangs on its session as everything else does. Looked up in the head's row, every write locked that row once more.
ALTER TABLE session_events ADD CONSTRAINT session_events_session_fkey
    FOREIGN KEY (tenant_id, session_id) REFERENCES elicitation_sessions (tenant_id, id) ON DELETE CASCADE NOT VALID;
ALTER TABLE session_events DROP CONSTRAINT session_events_head_fkey;
ALTER TABLE session_events VALIDATE CONSTRAINT session_events_session_fkey;
