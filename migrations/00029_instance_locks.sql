-- +goose Up
-- While an instance lives, a connection of its own holds a lock of the database. One
-- that holds none, of the release before or because it is connecting again, is dead
-- only when it has been silent for long.
ALTER TABLE instances ADD COLUMN locks boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN instances.locks IS 'Whether the instance held its session lock, hashtextextended of its id, when it was last seen.';
