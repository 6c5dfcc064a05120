-- A completed session is reopened as its next revision. The revision before stays readable: its values are replayed from the audit trail up to its end,
-- and what the trail does not hold is kept here.

-- +goose Up
ALTER TABLE elicitation_sessions
    ADD COLUMN revision integer NOT NULL DEFAULT 1,
    ADD COLUMN revised_turns integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN elicitation_sessions.revision IS 'Which time the session is worked towards completion, from 1; raised when it is reopened.';
COMMENT ON COLUMN elicitation_sessions.revised_turns IS 'Turns of the revisions before the present one, for which its budget does not count.';

CREATE TABLE session_revisions (
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    revision integer NOT NULL CONSTRAINT session_revisions_from_one CHECK (revision > 0),
    objective_id uuid NOT NULL,
    turn_count integer NOT NULL,
    trail_end bigint NOT NULL,
    session_phase session_phase NOT NULL,
    completeness_score share NOT NULL,
    progress share NOT NULL,
    stop_reason stop_reason,
    conflicts jsonb NOT NULL,
    completed_at timestamptz NOT NULL,
    changed_at timestamptz NOT NULL,
    reopened_at timestamptz NOT NULL DEFAULT now(),
    reopened_by text NOT NULL,
    reviewer boolean NOT NULL,
    reason text NOT NULL,
    PRIMARY KEY (tenant_id, session_id, revision),
    CONSTRAINT session_revisions_objective_fkey FOREIGN KEY (tenant_id, objective_id) REFERENCES discovery_objectives (tenant_id, id),
    CONSTRAINT session_revisions_session_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES elicitation_sessions (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE session_revisions IS 'The completed revisions of sessions that were reopened, each as it stood when the next began.';
COMMENT ON COLUMN session_revisions.trail_end IS 'Id of the last event of the audit trail that belongs to it.';
COMMENT ON COLUMN session_revisions.conflicts IS 'The conflicts that were open, as a list.';
COMMENT ON COLUMN session_revisions.changed_at IS 'When it was changed last, which a reviewer may have done after it was completed.';
CALL own('session_revisions', 'SELECT, INSERT');
