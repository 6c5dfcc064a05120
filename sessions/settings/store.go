package settings

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/sessions/settings/internal/dbsqlc"
)

var queries = dbsqlc.New()

// StoredPolicy is a policy as it is stored. The zero value is that of an organisation that has
// set nothing.
type StoredPolicy struct {
	Policy
	Version int       // counts the changes; 0 before the first
	By      string    // who changed it last
	At      time.Time // when
}

// Load queues a read of what the batch's tenant has set into out, which stays the
// zero value when that is nothing.
func Load(b *postgres.Batch, out *StoredPolicy) {
	postgres.One(b, queries.SettingsFind, b.Tenant(), func(r *dbsqlc.TenantSetting) error {
		*out = fromRow(r)
		return nil
	})
}

// Find returns what a tenant has set.
func Find(ctx context.Context, db postgres.DB, tenant string) (StoredPolicy, error) {
	var out StoredPolicy
	b := postgres.NewBatch(tenant)
	Load(b, &out)
	err := b.Send(ctx, db)
	return out, fault.Wrap(err, "read settings of tenant %s", tenant)
}

// Save replaces a tenant's policy if version is still the stored one, and writes the
// changes into the journal. It writes nothing when nothing changes. An invalid setting
// is Unprocessable; a version that is out of date is a Conflict coded settings_changed.
func Save(ctx context.Context, pool *pgxpool.Pool, tenant, by string, version int, p Policy) (StoredPolicy, error) {
	if err := p.Check(); err != nil {
		return StoredPolicy{}, err
	}
	p = p.tidy()
	var out StoredPolicy
	err := postgres.InTx(ctx, pool, tenant, func(tx pgx.Tx) error {
		if err := queries.SettingsLock(ctx, tx, tenant); err != nil {
			return fmt.Errorf("lock settings: %w", err)
		}
		before, err := Find(ctx, tx, tenant)
		if err != nil {
			return err
		}
		if before.Version != version {
			return fault.New(fault.Conflict, "these settings were changed by %s meanwhile; look at them again", before.By).Coded("settings_changed")
		}
		changes := before.Changes(p)
		if out = before; len(changes) == 0 {
			return nil
		}
		row, err := queries.SettingsSave(ctx, tx, toParams(tenant, by, p))
		if err != nil {
			return fmt.Errorf("save settings: %w", err)
		}
		out = fromRow(row)
		return NoteIn(ctx, tx, tenant, JournalEntry{Actor: by, Kind: Changed, Detail: Detail{Changes: changes}})
	})
	return out, err
}

// fromRow returns a policy as it is stored.
func fromRow(r *dbsqlc.TenantSetting) StoredPolicy {
	return StoredPolicy{Version: int(r.Version), By: r.ChangedBy, At: r.ChangedAt, Policy: Policy{
		SessionTurns: as[int](r.SessionTurns), SessionMinutes: r.SessionMinutes, SessionMoney: r.SessionMoney, ResearchDaily: as[int](r.ResearchDaily),
		KeptFinishedDays: as[int](r.KeptFinishedDays), KeptIdleDays: as[int](r.KeptIdleDays), KeptPromptsDays: as[int](r.KeptPromptsDays), KeptJobsDays: as[int](r.KeptJobsDays),
		KeptAlertsDays: as[int](r.KeptAlertsDays), KeptRecordingsDays: as[int](r.KeptRecordingsDays), SpeechVoice: r.SpeechVoice, SpeechSpeed: r.SpeechSpeed, SpeechLanguage: r.SpeechLanguage, Contact: r.Contact}}
}

// toParams returns a policy as parameters. Its numbers were checked.
func toParams(tenant, by string, p Policy) *dbsqlc.SettingsSaveParams {
	return &dbsqlc.SettingsSaveParams{TenantID: tenant, ChangedBy: by,
		SessionTurns: as[int32](p.SessionTurns), SessionMinutes: p.SessionMinutes, SessionMoney: p.SessionMoney, ResearchDaily: as[int32](p.ResearchDaily),
		KeptFinishedDays: as[int32](p.KeptFinishedDays), KeptIdleDays: as[int32](p.KeptIdleDays), KeptPromptsDays: as[int32](p.KeptPromptsDays), KeptJobsDays: as[int32](p.KeptJobsDays),
		KeptAlertsDays: as[int32](p.KeptAlertsDays), KeptRecordingsDays: as[int32](p.KeptRecordingsDays), SpeechVoice: p.SpeechVoice, SpeechSpeed: p.SpeechSpeed, SpeechLanguage: p.SpeechLanguage, Contact: p.Contact}
}

// as returns n as another type of number; nil for nil.
func as[To, From int | int32](n *From) *To {
	if n == nil {
		return nil
	}
	out := To(*n)
	return &out
}

// none reports whether err means that there is no such row: none was found, or the id is
// malformed.
func none(err error) bool {
	return errors.Is(err, pgx.ErrNoRows) || postgres.Code(err) == "22P02"
}
