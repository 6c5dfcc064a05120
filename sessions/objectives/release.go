package objectives

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/objectives/internal/dbsqlc"
)

// Release records that a version became the active one of its context.
type Release struct {
	ObjectiveID string
	Act         ReleaseAct
	By          string
	Note        string // why, in their words; may be empty
	At          time.Time
}

// ReleaseAct is how a version became active.
type ReleaseAct string

// The acts.
const (
	Published ReleaseAct = "published" // for the first time
	Activated ReleaseAct = "activated" // again, to return to it
)

// Signature is who releases a version, and why.
type Signature struct {
	By   string // user; empty when there is none, and nothing is recorded
	Note string // at most 1000 characters
}

// maxNote bounds a note, in characters.
const maxNote = 1000

// check refuses a note that is too long.
func (g Signature) check() error {
	if n := utf8.RuneCountInString(g.Note); n > maxNote {
		return fault.New(fault.Unprocessable, "a note has at most %d characters, not %d", maxNote, n).At("note")
	}
	return nil
}

// note records the release of a version.
func (g Signature) note(ctx context.Context, tx pgx.Tx, o Objective, act ReleaseAct) error {
	if g.By == "" {
		return nil
	}
	err := queries.ReleaseInsert(ctx, tx, &dbsqlc.ReleaseInsertParams{TenantID: o.Tenant, ObjectiveID: o.ID, Act: string(act), UserID: g.By, Note: strings.TrimSpace(g.Note)})
	return fault.Wrap(err, "note the release of objective %s", o.ID)
}

// Release publishes a document of the tenant and records who did. See
// [Library.Publish].
func (l *Library) Release(ctx context.Context, tenant string, doc Document, g Signature) (Objective, error) {
	if err := g.check(); err != nil {
		return Objective{}, err
	}
	var out Objective
	err := postgres.InTx(ctx, l.pool, tenant, func(tx pgx.Tx) (err error) {
		if out, err = l.publish(ctx, tx, tenant, obligations.TenantLayer, doc); err != nil {
			return err
		}
		return g.note(ctx, tx, out, Published)
	})
	return out, err
}

// Activate makes a published version the active one again, so that new sessions use it.
// Running sessions keep theirs. A version that is active stays so; a session's own
// version is Unprocessable.
func (l *Library) Activate(ctx context.Context, tenant, id string, g Signature) (Objective, error) {
	if err := g.check(); err != nil {
		return Objective{}, err
	}
	out, err := l.Find(ctx, tenant, id)
	if err != nil {
		return out, err
	}
	if out.Layer == obligations.SessionOnly {
		return out, fault.New(fault.Unprocessable, "version %s belongs to single sessions and cannot be made active", out.Version).Coded("session_version")
	}
	err = postgres.InTx(ctx, l.pool, tenant, func(tx pgx.Tx) error {
		if err := lockContext(ctx, tx, tenant, out.ContextType); err != nil {
			return err
		}
		if err := retire(ctx, tx, tenant, out.ContextType); err != nil {
			return err
		}
		r, err := queries.ObjectiveActivate(ctx, tx, &dbsqlc.ObjectiveActivateParams{TenantID: tenant, ID: id})
		if err != nil {
			return fmt.Errorf("activate objective %s: %w", id, err)
		}
		if out, err = l.cacheObjective(r); err != nil {
			return err
		}
		return g.note(ctx, tx, out, Activated)
	})
	return out, err
}

// Publication is a draft to publish, as the publisher has seen it.
type Publication struct {
	Draft     string // id
	Revision  int    // of the draft that was seen
	Replaces  string // id of the active version that was seen; empty for none
	Version   string // number to publish it under
	Signature Signature
}

// PublishDraft makes a draft the active version of its context and deletes the draft. It
// is a Conflict when the draft was edited since it was seen ("draft_edited"), when
// another version became active since ("active_changed"), or when the version does not
// rise. A draft with faults returns [Faults].
func (l *Library) PublishDraft(ctx context.Context, tenant string, p Publication) (Objective, error) {
	if err := p.Signature.check(); err != nil {
		return Objective{}, err
	}
	var out Objective
	err := postgres.InTx(ctx, l.pool, tenant, func(tx pgx.Tx) error {
		draft, err := lockDraft(ctx, tx, tenant, p.Draft)
		if err != nil {
			return err
		}
		if draft.Revision != p.Revision {
			return fault.New(fault.Conflict, "%s edited this draft after you opened the page; look at what is to be published once more", draft.EditedBy).Coded("draft_edited")
		}
		draft.Definition.Version = p.Version
		if err := l.replaces(ctx, tx, tenant, draft.Definition.ContextType, p.Replaces); err != nil {
			return err
		}
		if out, err = l.publish(ctx, tx, tenant, obligations.TenantLayer, Document{Definition: *draft.Definition}); err != nil {
			return err
		}
		if _, err := queries.DraftDelete(ctx, tx, &dbsqlc.DraftDeleteParams{TenantID: tenant, ID: p.Draft}); err != nil {
			return fmt.Errorf("delete draft %s: %w", p.Draft, err)
		}
		return p.Signature.note(ctx, tx, out, Published)
	})
	return out, err
}

// replaces refuses to replace another active version than the one that was seen.
func (l *Library) replaces(ctx context.Context, tx pgx.Tx, tenant, contextType, seen string) error {
	if err := lockContext(ctx, tx, tenant, contextType); err != nil {
		return err
	}
	active := ""
	b := postgres.NewBatch(tenant)
	postgres.One(b, queries.ObjectiveActive, &dbsqlc.ObjectiveActiveParams{TenantID: tenant, ContextType: contextType}, func(r *dbsqlc.DiscoveryObjective) error {
		active = r.ID
		return nil
	})
	if err := b.Send(ctx, tx); err != nil {
		return fmt.Errorf("active version of %s: %w", contextType, err)
	}
	if active != seen {
		return fault.New(fault.Conflict, "another version of %s became active after you opened the page; look at what changes once more", contextType).Coded("active_changed")
	}
	return nil
}

// Inventory is all versions and drafts of a tenant.
type Inventory struct {
	Versions []Objective // by context type, the active one first, then the newest
	Drafts   []Draft     // the one edited last first
}

// Inventory reads a tenant's versions and drafts in one round trip.
func (l *Library) Inventory(ctx context.Context, tenant string) (Inventory, error) {
	var out Inventory
	b := postgres.NewBatch(tenant)
	l.list(b, AllVersions, &out.Versions)
	postgres.Many(b, queries.DraftList, tenant, func(r *dbsqlc.ObjectiveDraft) error {
		d, err := draftOf(r)
		out.Drafts = append(out.Drafts, d)
		return err
	})
	err := b.Send(ctx, l.pool)
	return out, fault.Wrap(err, "list objectives and drafts")
}

// Releases returns the releases of a context, newest first.
func (l *Library) Releases(ctx context.Context, tenant, contextType string) ([]Release, error) {
	out, err := postgres.List(ctx, l.pool, tenant, queries.ReleaseList, &dbsqlc.ReleaseListParams{TenantID: tenant, ContextType: contextType}, func(r *dbsqlc.ReleaseListRow) (Release, error) {
		return Release{ObjectiveID: r.ObjectiveID, Act: ReleaseAct(r.Act), By: r.UserID, Note: r.Note, At: r.At}, nil
	})
	return out, fault.Wrap(err, "list releases of %s", contextType)
}

// VersionsOf returns the version numbers of a context in list.
func VersionsOf(list []Objective, contextType string) []string {
	var out []string
	for _, o := range list {
		if o.ContextType == contextType {
			out = append(out, o.Version)
		}
	}
	slices.SortFunc(out, compareVersions)
	return out
}
