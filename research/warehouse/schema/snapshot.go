package schema

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/schema/internal/dbsqlc"
)

// Snapshot is what a warehouse held at one time. It must not be modified and is safe for concurrent
// use.
type Snapshot struct {
	Tables []catalog.Table // in the order of Index
	Index  *catalog.Index
	// Version changes with every table, column, type, key or comment.
	Version string

	place
	revision int64 // of the stored state when it was read

	find  sync.Once         // initializes the following on the first search
	byID  map[string]int32  // indexes of tables by their ids
	with  map[string][]spot // where a column occurs, by its id
	words vocabulary        // nil if there are too many

	mu       sync.Mutex // guards rendered
	rendered map[string]catalog.Rendering
}

// spot is a column of a table; both are indexes.
type spot struct{ table, column int32 }

// Load returns what is stored about a warehouse. It is read once and cached until something
// changes. A warehouse that was never refreshed is a Conflict. The revision is asked for every
// time, in one round trip, so that a refresh by another instance is seen at once.
func (x *Index) Load(ctx context.Context, tenant, id string) (*Snapshot, error) {
	of := place{tenant, id}
	revision, err := x.revision(ctx, of)
	if err != nil {
		return nil, err
	}
	e := x.snapshots.entry(of)
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.snapshot != nil && e.snapshot.revision >= revision {
		return e.snapshot, nil
	}
	s, err := x.read(ctx, of)
	if err != nil {
		return nil, err
	}
	e.snapshot = s
	x.snapshots.kept(of, len(s.Tables))
	return s, nil
}

// revision returns the number of the stored state of a warehouse.
func (x *Index) revision(ctx context.Context, of place) (int64, error) {
	revision := int64(-1)
	b := postgres.NewBatch(of.tenant)
	queueRevision(b, of, &revision)
	err := b.Send(ctx, x.pool)
	if err != nil && postgres.Code(err) != "22P02" { // not a valid id
		return 0, fmt.Errorf("look for warehouse %s: %w", of.warehouse, err)
	}
	if revision < 0 {
		return 0, fault.New(fault.Conflict, "nothing is known of what this warehouse holds; refresh it first")
	}
	return revision, nil
}

// queueRevision queues a read of the stored revision. into is left as it is if there
// is none.
func queueRevision(b *postgres.Batch, of place, into *int64) {
	postgres.Many(b, queries.SchemaHead, &dbsqlc.SchemaHeadParams{TenantID: of.tenant, WarehouseID: of.warehouse}, func(r *dbsqlc.SchemaHeadRow) error {
		*into = r.Revision
		return nil
	})
}

// read reads a snapshot. The revision is read first, so that anything written meanwhile is at worst
// read again.
func (x *Index) read(ctx context.Context, of place) (*Snapshot, error) {
	s := &Snapshot{place: of, rendered: map[string]catalog.Rendering{}}
	var hashes []string
	b := postgres.NewBatch(of.tenant)
	queueRevision(b, of, &s.revision)
	postgres.Many(b, queries.TableList, &dbsqlc.TableListParams{TenantID: of.tenant, WarehouseID: of.warehouse}, func(r *dbsqlc.TableListRow) error {
		t, err := tableOf(r)
		s.Tables = append(s.Tables, t)
		hashes = append(hashes, r.ID+string(r.ContentHash))
		return err
	})
	if err := b.Send(ctx, x.pool); err != nil {
		return nil, fmt.Errorf("read what warehouse %s holds: %w", of.warehouse, err)
	}
	s.Index = catalog.NewIndex(s.Tables)
	s.Version = versionOf(hashes)
	return s, nil
}

// tableOf returns the table of a row.
func tableOf(r *dbsqlc.TableListRow) (t catalog.Table, err error) {
	t = catalog.Table{Schema: r.SchemaName, Name: r.Name, Comment: r.Comment, Rows: r.ApproximateRows}
	if k := (&storedTable{state: State(r.State), why: r.Why}); k.isMute() {
		t.Unread = r.Why
	}
	if t.Columns, err = columnsOf(r.Columns); err != nil {
		return t, err
	}
	if t.Foreign, err = keysOf(r.Keys); err != nil {
		return t, err
	}
	if len(r.Samples) > 2 { // more than "[]"
		if err = json.Unmarshal(r.Samples, &t.Samples); err != nil {
			return t, err
		}
	}
	if len(r.Categories) > 2 {
		err = json.Unmarshal(r.Categories, &t.Categories)
	}
	return t, err
}

// versionOf returns a hash of all content hashes.
func versionOf(hashes []string) string {
	slices.Sort(hashes)
	h := sha256.New()
	for _, v := range hashes {
		h.Write([]byte(v))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// maxRendered is how many renderings of a snapshot are cached.
const maxRendered = 32

// Catalog returns the rendered catalog with its number of tokens. Equal options are rendered only
// once.
func (s *Snapshot) Catalog(o catalog.Options) catalog.Rendering {
	key := strconv.Itoa(o.Budget) + "\x00" + strings.Join(o.Words, "\x00")
	s.mu.Lock()
	defer s.mu.Unlock()
	if r, ok := s.rendered[key]; ok {
		return r
	}
	if len(s.rendered) >= maxRendered {
		clear(s.rendered)
	}
	r := s.Index.Render(o)
	s.rendered[key] = r
	return r
}

// With returns a snapshot that holds only some tables of s, which may lack their samples.
func (s *Snapshot) With(tables []catalog.Table) *Snapshot {
	return &Snapshot{Tables: tables, Index: catalog.NewIndex(tables), Version: s.Version, place: s.place, revision: s.revision, rendered: map[string]catalog.Rendering{}}
}

// Relations returns the tables for a guard, in the order of Index.
func (s *Snapshot) Relations() []guard.Relation {
	out := make([]guard.Relation, len(s.Tables))
	for i := range s.Tables {
		out[i] = RelationOf(&s.Tables[i])
	}
	return out
}

// RelationOf returns a table for a guard.
func RelationOf(t *catalog.Table) guard.Relation {
	r := guard.Relation{Schema: t.Schema, Name: t.Name, Columns: make([]string, len(t.Columns))}
	for i := range t.Columns {
		r.Columns[i] = t.Columns[i].Name
	}
	for _, f := range t.Foreign {
		r.Keys = append(r.Keys, guard.Key{Columns: f.Columns, Table: f.Table, To: f.To})
	}
	return r
}

// prepareSearch prepares the snapshot for searches.
func (s *Snapshot) prepareSearch() {
	s.byID = make(map[string]int32, len(s.Tables))
	s.with = map[string][]spot{}
	type alike struct{ name, typ, comment string }
	ids := map[alike]string{}
	for i := range s.Tables {
		t := &s.Tables[i]
		s.byID[tableID(t.Schema, t.Name)] = int32(i)
		for c := range t.Columns {
			col := &t.Columns[c]
			id, ok := ids[alike{col.Name, col.Type, col.Comment}]
			if !ok {
				id = columnID(col)
				ids[alike{col.Name, col.Type, col.Comment}] = id
			}
			s.with[id] = append(s.with[id], spot{int32(i), int32(c)})
		}
	}
	s.prepareVocabulary()
}

// Bounds of the cache.
const (
	maxSnapshots   = 200
	maxTablesInAll = 300_000
)

// cache caches snapshots by warehouse. Its zero value is empty.
type cache struct {
	mu      sync.Mutex // guards entries and their used and size
	entries map[place]*entry
}

// entry is the snapshot of one warehouse in the cache. The lock that is held while
// it is loaded makes concurrent callers share one load.
type entry struct {
	used time.Time // when it was last asked for
	size int       // number of tables

	mu       sync.Mutex // guards snapshot; held while it is read
	snapshot *Snapshot  // nil until it was read
}

// entry returns the cache entry of a warehouse.
func (c *cache) entry(of place) *entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries == nil {
		c.entries = map[place]*entry{}
	}
	e := c.entries[of]
	if e == nil {
		e = &entry{}
		c.entries[of] = e
	}
	e.used = time.Now()
	return e
}

// kept records the size of a snapshot and drops the least recently used ones while the cache is too
// large.
func (c *cache) kept(of place, size int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.entries[of]; e != nil {
		e.size = size
	}
	for c.tooMuch() {
		var oldest place
		for at, e := range c.entries {
			if o := c.entries[oldest]; at != of && (o == nil || e.used.Before(o.used)) {
				oldest = at
			}
		}
		delete(c.entries, oldest)
	}
}

// tooMuch reports whether the cache is too large and an entry can be dropped. It must hold mu.
func (c *cache) tooMuch() bool {
	total := 0
	for _, e := range c.entries {
		total += e.size
	}
	return len(c.entries) > 1 && (len(c.entries) > maxSnapshots || total > maxTablesInAll)
}
