package packdrafts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"quaestor/internal/fault"
	"quaestor/internal/llm"
	"quaestor/internal/postgres"
	"quaestor/research/reader"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/packdrafts/internal/dbsqlc"
	"quaestor/research/warehouse/packs"
	"quaestor/research/warehouse/projects"
)

var queries = dbsqlc.New()

// Store stores the drafts of all organisations. All fields but Model are required by the worker.
type Store struct {
	Pool     *pgxpool.Pool
	Projects projects.Store
	// Model returns the model of a tenant; nil, or a nil function, means that rules draft.
	Model func(ctx context.Context, tenant string) *llm.Client
	// Tenants returns the ids of all tenants, whose abandoned drafts are looked for.
	Tenants func(ctx context.Context) ([]string, error)
	// Read reads the page at an address.
	Read func(ctx context.Context, address string) (reader.Page, error)
	// ReadTime is how long the pages of a draft may take to be read, all together. Zero means 3 minutes.
	ReadTime time.Duration
	// Tables returns the tables of a warehouse as its filter lets them be seen.
	Tables func(ctx context.Context, tenant, warehouse string) ([]catalog.Table, error)
	// Metrics returns what is defined over a warehouse.
	Metrics func(ctx context.Context, tenant, warehouse string) ([]Metric, error)
}

// Queue is River's client on a pgx pool.
type Queue = river.Client[pgx.Tx]

// Create stores a draft and queues the job that drafts it. While [MaxDrafting] others are drafted it is
// Limited.
func (s *Store) Create(ctx context.Context, q *Queue, tenant, by string, d Spec) (out Draft, err error) {
	d, slug, err := d.check()
	if err != nil {
		return out, err
	}
	if d.Slice == nil {
		d.Slice = []string{}
	}
	err = postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		if err := few(ctx, tx, tenant); err != nil {
			return err
		}
		r, err := queries.DraftInsert(ctx, tx, &dbsqlc.DraftInsertParams{TenantID: tenant, Name: d.Name, Slug: slug, WarehouseID: d.Warehouse, Slice: d.Slice, By: by})
		if err != nil {
			return err
		}
		out = draftOf(r)
		for i, one := range d.Sources {
			if err := queries.SourceInsert(ctx, tx, &dbsqlc.SourceInsertParams{TenantID: tenant, DraftID: out.ID, Place: int32(i), Kind: string(one.Kind), Name: one.Name, Content: one.Text, State: one.State}); err != nil {
				return err
			}
		}
		return enqueue(ctx, tx, q, tenant, out.ID)
	})
	if code := postgres.Code(err); code == "23503" || code == "22P02" {
		return out, fault.New(fault.Unprocessable, "there is no such warehouse").At("warehouse")
	}
	return out, worded(err, "create a draft of a pack")
}

// few is Limited when an organisation may not have another draft drafted. It keeps others from making one
// until the transaction ends.
func few(ctx context.Context, tx pgx.Tx, tenant string) error {
	if err := queries.DraftsLock(ctx, tx, tenant); err != nil {
		return err
	}
	n, err := queries.DraftingCount(ctx, tx, tenant)
	if err == nil && n >= MaxDrafting {
		return fault.New(fault.Limited, "%d packs are being drafted; wait for one of them, or delete one", n).Coded("too_many_pack_drafts")
	}
	return err
}

// errGone is the fault for a draft that does not exist.
var errGone = fault.New(fault.NotFound, "there is no such draft").Coded("pack_draft_not_found")

// worded names the operation in errors that are not meant for people.
func worded(err error, what string) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, pgx.ErrNoRows), postgres.Code(err) == "22P02":
		return errGone
	case fault.KindOf(err) != fault.Internal:
		return err
	}
	return fmt.Errorf("%s: %w", what, err)
}

// Find returns a draft with its sources and sections. A malformed id is not found, either.
func (s *Store) Find(ctx context.Context, tenant, id string) (d Draft, err error) {
	err = postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		d, err = find(ctx, tx, tenant, id)
		return err
	})
	return d, worded(err, "read a draft of a pack")
}

// find reads a draft.
func find(ctx context.Context, tx pgx.Tx, tenant, id string) (Draft, error) {
	r, err := queries.DraftFind(ctx, tx, &dbsqlc.DraftFindParams{TenantID: tenant, ID: id})
	if err != nil {
		return Draft{}, err
	}
	d := draftOf(r)
	sources, errSources := queries.SourceList(ctx, tx, &dbsqlc.SourceListParams{TenantID: tenant, DraftID: id})
	sections, errSections := queries.SectionList(ctx, tx, &dbsqlc.SectionListParams{TenantID: tenant, DraftID: id})
	if err := errors.Join(errSources, errSections); err != nil {
		return d, err
	}
	for _, r := range sources {
		d.Sources = append(d.Sources, Source{Kind: SourceKind(r.Kind), Name: r.Name, Text: r.Content, State: r.State, Why: r.Why})
	}
	for _, r := range sections {
		one, err := sectionOf(r)
		if err != nil {
			return d, fmt.Errorf("read section %s: %w", r.Key, err)
		}
		d.Sections = append(d.Sections, one)
	}
	return d, nil
}

// List returns the latest drafts, without sources and sections.
func (s *Store) List(ctx context.Context, tenant string) (out []Draft, err error) {
	err = postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		rows, err := queries.DraftList(ctx, tx, tenant)
		for _, r := range rows {
			out = append(out, draftOf(r))
		}
		return err
	})
	return out, worded(err, "list drafts of packs")
}

// Delete deletes a draft. The versions of packs that it became stay.
func (s *Store) Delete(ctx context.Context, tenant, id string) error {
	err := postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		n, err := queries.DraftDelete(ctx, tx, &dbsqlc.DraftDeleteParams{TenantID: tenant, ID: id})
		if err == nil && n == 0 {
			return errGone
		}
		return err
	})
	return worded(err, "delete a draft of a pack")
}

// Save replaces the content of version version of a section, and accepts it if accept is set. A
// section with faults is saved and not accepted: the error is Unprocessable and lists them, each at
// its field, and nothing is written.
func (s *Store) Save(ctx context.Context, tenant, id, key string, version int, c Content, accept bool) error {
	return s.change(ctx, tenant, id, key, version, func(_ pgx.Tx, before Section) (Section, error) {
		after := before
		after.Content, after.State = c, Drafted
		if !equal(before.Content, c) {
			after.By = "person"
		}
		if faults := c.Faults(key); len(faults) > 0 && accept {
			return after, packs.Refuse(faults)
		}
		if accept {
			after.State = AcceptedSection
		}
		return after, nil
	})
}

// equal reports whether two contents are stored alike.
func equal(a, b Content) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}

// Again has a section drafted once more, with feedback on what is there.
func (s *Store) Again(ctx context.Context, q *Queue, tenant, id, key string, version int, feedback string) error {
	if n := utf8.RuneCountInString(feedback); n > maxFeedback {
		return fault.New(fault.Unprocessable, "has at most %d characters, not %d", maxFeedback, n).At("feedback")
	}
	return s.change(ctx, tenant, id, key, version, func(tx pgx.Tx, before Section) (Section, error) {
		after := before
		after.State, after.Feedback = Waiting, feedback
		if err := queries.DraftSetState(ctx, tx, &dbsqlc.DraftSetStateParams{TenantID: tenant, ID: id, State: string(Drafting)}); err != nil {
			return after, err
		}
		return after, enqueue(ctx, tx, q, tenant, id)
	})
}

// change replaces a section of a draft that is not accepted yet.
func (s *Store) change(ctx context.Context, tenant, id, key string, version int, f func(pgx.Tx, Section) (Section, error)) error {
	err := postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		d, before, err := locked(ctx, tx, tenant, id, key, version)
		if err != nil {
			return err
		}
		after, err := f(tx, before)
		if err != nil {
			return err
		}
		content, err := json.Marshal(after.Content)
		if err != nil {
			return err
		}
		_, err = queries.SectionUpdate(ctx, tx, &dbsqlc.SectionUpdateParams{TenantID: tenant, DraftID: d.ID, Key: key, Version: int32(before.Version), Content: content, State: string(after.State), MadeBy: after.By, Feedback: after.Feedback})
		return err
	})
	return worded(err, "change a section of a pack")
}

// locked returns a section of a draft that may be changed, with the draft locked.
func locked(ctx context.Context, tx pgx.Tx, tenant, id, key string, version int) (Draft, Section, error) {
	if _, err := queries.DraftLock(ctx, tx, &dbsqlc.DraftLockParams{TenantID: tenant, ID: id}); err != nil {
		return Draft{}, Section{}, err
	}
	d, err := find(ctx, tx, tenant, id)
	if err != nil {
		return d, Section{}, err
	}
	if d.State == Accepted {
		return d, Section{}, fault.New(fault.Conflict, "the draft is accepted as %s; make another for a new version", packs.Version{Slug: d.Slug, Version: d.Version}).Coded("pack_draft_accepted")
	}
	for _, one := range d.Sections {
		switch {
		case one.Key != key:
		case one.Version != version:
			return d, one, fault.New(fault.Conflict, "the section was changed meanwhile; load it again").Coded("version_mismatch")
		default:
			return d, one, nil
		}
	}
	return d, Section{}, fault.New(fault.NotFound, "the draft has no section %q", clipped(key)).Coded("pack_section_not_found")
}

// leastAreas is how many areas a pack needs.
const leastAreas = 3

// Drop deletes the section of an area.
func (s *Store) Drop(ctx context.Context, tenant, id, key string, version int) error {
	err := postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		d, _, err := locked(ctx, tx, tenant, id, key, version)
		if err != nil {
			return err
		}
		areas := 0
		for _, one := range d.Sections {
			if _, ok := areaID(one.Key); ok {
				areas++
			}
		}
		if _, ok := areaID(key); !ok || areas <= leastAreas {
			return fault.New(fault.Conflict, "only areas can be left out, and a pack needs %d", leastAreas).Coded("pack_section_needed")
		}
		_, err = queries.SectionDelete(ctx, tx, &dbsqlc.SectionDeleteParams{TenantID: tenant, DraftID: id, Key: key, Version: int32(version)})
		return err
	})
	return worded(err, "delete a section of a pack")
}

// Accept makes a draft whose sections are all accepted the next version of its pack. The draft is
// locked meanwhile: accepted twice, or changed at the same time, it is one version all the same.
func (s *Store) Accept(ctx context.Context, tenant, by, id string) (v packs.Version, err error) {
	err = postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		if _, err := queries.DraftLock(ctx, tx, &dbsqlc.DraftLockParams{TenantID: tenant, ID: id}); err != nil {
			return err
		}
		d, err := find(ctx, tx, tenant, id)
		if err != nil {
			return err
		}
		v = packs.Version{Slug: d.Slug, Version: d.Version}
		if d.State == Accepted {
			return nil
		}
		if err := acceptable(d); err != nil {
			return err
		}
		if v.Version, err = s.next(ctx, tx, tenant, d.Slug); err != nil {
			return err
		}
		document, err := Compose(d, v.Version).Export()
		if err != nil {
			return err
		}
		if v, err = s.Projects.ImportIn(ctx, tx, tenant, by, document); err != nil {
			return err
		}
		return queries.DraftSetState(ctx, tx, &dbsqlc.DraftSetStateParams{TenantID: tenant, ID: id, State: string(Accepted), AcceptedVersion: v.Version})
	})
	return v, worded(err, "accept a draft of a pack")
}

// acceptable returns a Conflict unless all sections of a draft are accepted.
func acceptable(d Draft) error {
	for _, one := range d.Sections {
		if one.State != AcceptedSection {
			return fault.New(fault.Conflict, "the section “%s” is not accepted yet", one.Title()).At("section." + one.Key).Coded("pack_section_open")
		}
	}
	if len(d.Sections) == 0 {
		return fault.New(fault.Conflict, "the draft has no sections yet").Coded("pack_section_open")
	}
	return nil
}

// next returns the version that follows those of a pack.
func (s *Store) next(ctx context.Context, tx pgx.Tx, tenant, slug string) (string, error) {
	list, err := s.Projects.PacksIn(ctx, tx, tenant)
	n := 0
	for _, p := range list {
		if p.Slug == slug {
			major := 0
			_, _ = fmt.Sscanf(p.Version.Version, "%d", &major) // versions that are no numbers count as 0
			n = max(n, major, 1)
		}
	}
	return strconv.Itoa(n+1) + ".0.0", err
}
