-- +goose Up
-- What an objective has looked up before anybody is asked is research with a reason of
-- its own. The release before never writes it, and shows an unknown reason as it is.
ALTER TABLE discovery_research_tasks DROP CONSTRAINT discovery_research_tasks_trigger;
ALTER TABLE discovery_research_tasks ADD CONSTRAINT discovery_research_tasks_trigger
    CHECK (trigger IN ('low_confidence', 'expertise_required', 'user_request', 'ambiguous', 'collection'));
