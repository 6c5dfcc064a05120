-- What an objective was made from, when it was not written whole: the layer
-- below, what the layer says, and which obligation came from where. json, not
-- jsonb: an author reads back what they wrote, in their order. A binary that
-- does not know the column leaves it empty, which means written whole.

-- +goose Up
ALTER TABLE discovery_objectives ADD COLUMN layering json;
COMMENT ON COLUMN discovery_objectives.layering IS 'base (context and version extended), overlay (as it was written), layers (key to layer, where it is not the row''s own); NULL for an objective that was written whole.';
