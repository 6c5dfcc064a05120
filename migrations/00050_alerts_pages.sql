-- Alerts are listed by page and kept for a time.

-- +goose Up
DROP INDEX warehouse_alerts_user;
CREATE INDEX warehouse_alerts_user ON warehouse_alerts (tenant_id, user_id, at DESC, id DESC);
CREATE INDEX warehouse_alerts_unread ON warehouse_alerts (tenant_id, user_id, at DESC, id DESC) WHERE read_at IS NULL;
CREATE INDEX warehouse_alerts_read ON warehouse_alerts (tenant_id, read_at) WHERE read_at IS NOT NULL;
ALTER TABLE tenant_settings ADD COLUMN kept_alerts_days kept_days;
COMMENT ON COLUMN tenant_settings.kept_alerts_days IS 'Days that alerts are kept once they are read; 0 for ever.';
