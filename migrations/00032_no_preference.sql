-- +goose Up
-- A person to whom any answer suits has settled the question without a value. The release
-- before never writes it, and shows an unknown reason as skipped.
ALTER DOMAIN skip_reason DROP CONSTRAINT skip_reason;
ALTER DOMAIN skip_reason ADD CONSTRAINT skip_reason
    CHECK (VALUE IN ('not_applicable', 'no_preference', 'declined'));
