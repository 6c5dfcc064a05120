-- Summaries of summaries. A row of level 0 folds turns, one of level n folds rows one level below; the ranges of a level lie end to end, for each
-- begins at a multiple of its own length and no two begin alike. so_far is what a prompt is told of all turns up to a row of level 0, so that
-- a turn reads one row, however long the session is.

-- +goose Up
ALTER TABLE discovery_session_summaries
    ADD COLUMN level smallint NOT NULL DEFAULT 0 CONSTRAINT discovery_session_summaries_level CHECK (level BETWEEN 0 AND 20),
    ADD COLUMN so_far text NOT NULL DEFAULT '',
    ADD COLUMN made_by text NOT NULL DEFAULT 'built-in',
    ADD COLUMN degraded text,
    ADD COLUMN usage jsonb,
    ADD CONSTRAINT discovery_session_summaries_aligned CHECK ((turn_range_start - 1) % (turn_range_end - turn_range_start + 1) = 0);
CREATE UNIQUE INDEX discovery_session_summaries_place ON discovery_session_summaries (tenant_id, session_id, level, turn_range_start);
DROP INDEX discovery_session_summaries_session;
