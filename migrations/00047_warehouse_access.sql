-- What of a warehouse may be seen, and what its tables are found by: tables that may be read as a whole although nothing ties them to a warehouse's filter, the journal's
-- entries about it, and values of columns.

-- +goose Up
ALTER TABLE warehouses ADD COLUMN opened text[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN warehouses.opened IS 'Qualified names of tables that are read as a whole although no column and no foreign key ties them to the filter.';
COMMENT ON COLUMN warehouses.filter_column IS 'Every table that has this column, or that foreign keys tie to one that has it, is read through filter_value only; empty for no filter.';

ALTER TABLE warehouse_tables ADD COLUMN categories jsonb NOT NULL DEFAULT '{}';
COMMENT ON COLUMN warehouse_tables.categories IS 'Values of columns that have few different ones, as sampled, by column; searches find tables by them.';
-- Tables are sampled again, for their values.
ALTER TABLE warehouse_tables ALTER COLUMN sampled_at TYPE timestamptz USING NULL;

-- What is decided about warehouses stands in the journal. The release before never writes the
-- kind, and shows who and when of one that it does not know.
ALTER DOMAIN journal_kind DROP CONSTRAINT journal_kind;
ALTER DOMAIN journal_kind ADD CONSTRAINT journal_kind
    CHECK (VALUE IN ('settings', 'deleted', 'held', 'released', 'exported', 'person', 'token', 'model', 'project', 'price', 'warehouse'));
