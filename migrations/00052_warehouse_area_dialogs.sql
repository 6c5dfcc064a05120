-- +goose Up
-- What a model was told and answered when it worded the findings of an area, so that people can see where words come
-- from. A server that does not know the columns leaves them empty.
ALTER TABLE warehouse_run_areas
    ADD COLUMN prompt text NOT NULL DEFAULT '' CONSTRAINT warehouse_run_areas_prompt CHECK (length(prompt) <= 200000),
    ADD COLUMN reply text NOT NULL DEFAULT '' CONSTRAINT warehouse_run_areas_reply CHECK (length(reply) <= 200000);
COMMENT ON COLUMN warehouse_run_areas.prompt IS 'What the model that worded the findings was told, behind the instructions that are the same for all; empty for none.';
COMMENT ON COLUMN warehouse_run_areas.reply IS 'What it answered, as it came; empty for none.';
