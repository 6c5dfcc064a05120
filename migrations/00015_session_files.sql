-- Files that people give to an interview, as the text that was read in them, and the turns they were given with.

-- +goose Up
CREATE TABLE session_files (
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    name text NOT NULL CONSTRAINT session_files_name CHECK (length(name) BETWEEN 1 AND 200),
    media_type text NOT NULL,
    size bigint NOT NULL CONSTRAINT session_files_size CHECK (size > 0),
    sha256 text NOT NULL CONSTRAINT session_files_sha256 CHECK (sha256 ~ '^[0-9a-f]{64}$'),
    parts integer NOT NULL DEFAULT 0,
    truncated boolean NOT NULL DEFAULT false,
    user_id text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    content text NOT NULL CONSTRAINT session_files_content CHECK (octet_length(content) BETWEEN 1 AND 400000),
    PRIMARY KEY (tenant_id, session_id, id),
    CONSTRAINT session_files_content_key UNIQUE (tenant_id, session_id, sha256),
    CONSTRAINT session_files_session_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES elicitation_sessions (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE session_files IS 'Files of a session: what could be read in each. The files themselves are not kept; one that cannot be read has no row.';
COMMENT ON COLUMN session_files.sha256 IS 'Of the file as it was sent: the same content twice in a session is one file.';
COMMENT ON COLUMN session_files.parts IS 'Pages of a PDF, rows of a table, else 0.';
COMMENT ON COLUMN session_files.truncated IS 'The file says more than content.';
CALL own('session_files', 'SELECT, INSERT, DELETE');

CREATE TABLE turn_files (
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    turn turn_number NOT NULL,
    n integer NOT NULL,
    file_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, session_id, turn, file_id),
    CONSTRAINT turn_files_turn_fkey FOREIGN KEY (tenant_id, session_id, turn) REFERENCES turns (tenant_id, session_id, number) ON DELETE CASCADE,
    CONSTRAINT turn_files_file_fkey FOREIGN KEY (tenant_id, session_id, file_id) REFERENCES session_files (tenant_id, session_id, id)
);
COMMENT ON TABLE turn_files IS 'Which files the person gave with a turn, in the order n. A file that was given stays: values may rest on it.';
CALL own('turn_files', 'SELECT, INSERT');
