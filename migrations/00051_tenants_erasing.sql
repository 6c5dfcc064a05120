-- An organisation that is being erased is closed first, so that nobody and no job acts in it meanwhile.

-- +goose Up
ALTER TABLE tenants ADD COLUMN erasing_at timestamptz;
COMMENT ON COLUMN tenants.erasing_at IS 'When its erasure began, which goes on when it is asked for again; null for an organisation that is in use.';
