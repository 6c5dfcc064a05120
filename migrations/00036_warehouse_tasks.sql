-- +goose Up
-- Questions about an organisation's own data are research with types of their own. The release
-- before never writes them, and shows an unknown type as it is.
ALTER TABLE discovery_research_tasks DROP CONSTRAINT discovery_research_tasks_type;
ALTER TABLE discovery_research_tasks
    ADD CONSTRAINT discovery_research_tasks_type CHECK (task_type IN ('competitive_analysis', 'tech_feasibility', 'market_research', 'domain_research', 'integration_research', 'warehouse_question', 'warehouse_discovery')),
    ADD COLUMN warehouse_id uuid,
    ADD COLUMN project_id uuid,
    ADD COLUMN run_id uuid,
    ADD COLUMN asker text CONSTRAINT discovery_research_tasks_asker CHECK (asker IN ('members', 'guests'));
COMMENT ON COLUMN discovery_research_tasks.warehouse_id IS 'Which warehouse a question is for; null to choose by the question.';
COMMENT ON COLUMN discovery_research_tasks.project_id IS 'Which project a discovery explores; null for the one of its warehouse.';
COMMENT ON COLUMN discovery_research_tasks.run_id IS 'The run of a discovery; null before it has one.';
COMMENT ON COLUMN discovery_research_tasks.asker IS 'Who asks a warehouse in an interview, which decides which ones may be asked; null for somebody who may query them anyway.';

-- Who may ask single questions of a warehouse in an interview.
ALTER TABLE warehouses ADD COLUMN interviews text NOT NULL DEFAULT 'members' CONSTRAINT warehouses_interviews CHECK (interviews IN ('nobody', 'members', 'everybody'));
COMMENT ON COLUMN warehouses.interviews IS 'Who may ask single questions in an interview: nobody, members of the organisation, or guests with a link as well.';
