package documents

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/embedding"
	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/research/documents/internal/dbsqlc"
)

var queries = dbsqlc.New()

// Doc is what could be read in a file.
type Doc struct {
	Title     string
	Text      string
	Type      string // media type, such as "text/csv"
	Published string // as 2006-01-02; empty when the file does not say
	Truncated bool   // Text is not all of it
}

// Options are what [New] needs.
type Options struct {
	Pool *pgxpool.Pool

	// Root is where the folders of tenants are; see [Documents.Folder]. Empty for
	// callers that know their folders.
	Root string

	// Encoder makes vectors; nil means that words are all a search has.
	Encoder embedding.Encoder

	// Extract returns what can be read in a file, of which name tells the kind. An
	// error means that the file is refused; its sentence is kept and shown.
	Extract func(ctx context.Context, name string, body []byte) (Doc, error)

	Log *slog.Logger // nil means none
}

// Documents reads folders and finds passages. Make one with [New]. It is safe for
// concurrent use.
type Documents struct {
	pool    *pgxpool.Pool
	root    string
	encoder embedding.Encoder
	extract func(ctx context.Context, name string, body []byte) (Doc, error)
	log     *slog.Logger
}

// New returns the documents in o.Pool.
func New(o Options) (*Documents, error) {
	if o.Pool == nil || o.Extract == nil {
		return nil, errors.New("documents need a pool and a way to read files")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Documents{o.Pool, o.Root, o.Encoder, o.Extract, o.Log}, nil
}

// maxFolder bounds the name of a folder in bytes; file systems take 255.
const maxFolder = 200

// Folder returns where the documents of the tenant of that name are, below the
// root of the options. Letters, digits, spaces and ._- stay as they are, all else
// is written as %XX, so that no name leads anywhere else and no two names share a
// folder. A name too long for that is Unprocessable.
func (d *Documents) Folder(tenantName string) (string, error) {
	var b strings.Builder
	for i := range len(tenantName) {
		c := tenantName[i]
		edge := i == 0 || i == len(tenantName)-1
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_' || !edge && (c == '.' || c == ' ') {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	if b.Len() == 0 || b.Len() > maxFolder {
		return "", fault.New(fault.Unprocessable, "the name of this tenant makes no folder: it must be shorter").At("tenant")
	}
	return filepath.Join(d.root, b.String()), nil
}

// State says what became of a file.
type State string

// The states.
const (
	Read    State = "read"    // it can be found
	Refused State = "refused" // it is there and is not read; Reason says why
	Gone    State = "gone"    // it was there once
)

// Document is a file of a tenant's folder. Its text was written by others.
type Document struct {
	ID        string
	Path      string // below the folder, with slashes
	State     State
	Reason    string // of a refusal, one sentence; else empty
	Title     string // may be empty
	Type      string // media type
	Published string // as 2006-01-02, or empty
	Text      string // empty unless read, and in lists
	Truncated bool   // Text is not all of it
	Bytes     []byte // as they were read; nil when over 2 MB, unless read, and in lists
	SHA256    string // of the file, hex; empty when it was not opened
	Size      int64  // bytes
	Modified  time.Time
	ReadAt    time.Time
}

// address leads the address of a document among hits.
const address = "document:"

// URL returns the address of a document among hits.
func URL(id string) string { return address + id }

// ID returns the document that an address of a hit leads to.
func ID(url string) (id string, ok bool) { return strings.CutPrefix(url, address) }

// Find returns a document of the tenant, one that is gone included. An unknown one
// is NotFound.
func (d *Documents) Find(ctx context.Context, tenant, id string) (Document, error) {
	var found *Document
	b := postgres.NewBatch(tenant)
	postgres.Many(b, queries.DocumentFind, &dbsqlc.DocumentFindParams{TenantID: tenant, ID: clean(id)}, func(r *dbsqlc.DocumentFindRow) error {
		found = &Document{ID: r.ID, Path: r.Path, State: State(r.State), Reason: r.Reason, Title: r.Title, Type: r.MediaType, Published: r.Published,
			Text: r.Content, Truncated: r.Truncated, Bytes: r.Bytes, SHA256: r.Sha256, Size: r.Size, Modified: r.Modified, ReadAt: r.ReadAt}
		return nil
	})
	err := b.Send(ctx, d.pool)
	if code := postgres.Code(err); err != nil && code != "22P02" { // which an id that is no UUID gives
		return Document{}, fmt.Errorf("find document %s: %w", id, err)
	}
	if found == nil {
		return Document{}, fault.New(fault.NotFound, "there is no such document")
	}
	return *found, nil
}

// maxList bounds a page of a list.
const maxList = 500

// List returns at most so many documents of a tenant by path, those after a path
// first, and the path to go on after, empty when there are no more. Zero means
// 100, at most 500. Documents that are gone are among them.
func List(ctx context.Context, db postgres.DB, tenant, after string, most int) (list []Document, next string, err error) {
	if most <= 0 {
		most = 100
	}
	most = min(most, maxList)
	b := postgres.NewBatch(tenant)
	postgres.Many(b, queries.DocumentList, &dbsqlc.DocumentListParams{TenantID: tenant, After: clean(after), Max: int32(most + 1)}, func(r *dbsqlc.DocumentListRow) error {
		list = append(list, Document{ID: r.ID, Path: r.Path, State: State(r.State), Reason: r.Reason, Title: r.Title, Type: r.MediaType, Published: r.Published,
			Truncated: r.Truncated, SHA256: r.Sha256, Size: r.Size, Modified: r.Modified, ReadAt: r.ReadAt})
		return nil
	})
	if err := b.Send(ctx, db); err != nil {
		return nil, "", fmt.Errorf("list documents: %w", err)
	}
	if len(list) > most {
		list = list[:most]
		next = list[most-1].Path
	}
	return list, next, nil
}

// clean makes s a text the database takes: valid, without NUL.
func clean(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "")
}
