-- +goose Up
-- The interview in which somebody tells what a project's profile says.
ALTER TABLE warehouse_projects
    ADD COLUMN interview uuid,
    ADD CONSTRAINT warehouse_projects_interview_fkey FOREIGN KEY (tenant_id, interview) REFERENCES elicitation_sessions (tenant_id, id) ON DELETE SET NULL (interview);
COMMENT ON COLUMN warehouse_projects.interview IS 'Session in which the profile is filled; null for none.';
