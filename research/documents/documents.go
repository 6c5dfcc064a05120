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

// queries are the generated queries of this package.
var queries = dbsqlc.New()

// Doc is the text extracted from a file.
type Doc struct {
	Title     string
	Text      string
	Type      string // media type, such as "text/csv"
	Published string // as 2006-01-02; empty if the file does not say
	Truncated bool   // Text is not all of it
}

// Options configures [New].
type Options struct {
	Pool *pgxpool.Pool

	// Root is the directory of the tenants' folders, see [Documents.Folder]. It may be
	// empty if the caller knows the folders.
	Root string

	// Encoder makes vectors; if nil, search is by words only.
	Encoder embedding.Encoder

	// Extract returns the text of a file, whose name tells its format. On an error the
	// file is refused, and the error's sentence is stored and shown.
	Extract func(ctx context.Context, name string, body []byte) (Doc, error)

	Log *slog.Logger // nil means none
}

// Documents reads folders and finds passages; use [New] to make one. It is safe for
// concurrent use.
type Documents struct {
	pool    *pgxpool.Pool
	root    string
	encoder embedding.Encoder
	extract func(ctx context.Context, name string, body []byte) (Doc, error)
	log     *slog.Logger
}

// New returns the documents stored in o.Pool.
func New(o Options) (*Documents, error) {
	if o.Pool == nil || o.Extract == nil {
		return nil, errors.New("documents need a pool and a way to read files")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Documents{o.Pool, o.Root, o.Encoder, o.Extract, o.Log}, nil
}

// maxFolder is the longest name of a folder in bytes; file systems allow 255.
const maxFolder = 200

// Folder is [FolderOf] below the root in the options.
func (d *Documents) Folder(tenantName string) (string, error) { return FolderOf(d.root, tenantName) }

// FolderOf returns the directory of the documents of the tenant with that name, below
// a root. Letters, digits, spaces and ._- are kept, and all else
// is written as %XX, so that no name leads outside and no two names share a folder.
// A name that becomes too long is Unprocessable.
func FolderOf(root, tenantName string) (string, error) {
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
	return filepath.Join(root, b.String()), nil
}

// State is the state of a file.
type State string

// The states of a file.
const (
	Read    State = "read"    // search can find it
	Refused State = "refused" // it exists and is not read; Reason says why
	Gone    State = "gone"    // it no longer exists
)

// Document is a file of a tenant's folder. Its text is untrusted.
type Document struct {
	ID        string
	Path      string // relative to the folder, with slashes
	State     State
	Reason    string // for a refusal, in one sentence; else empty
	Title     string // may be empty
	Type      string // media type
	Published string // as 2006-01-02, or empty
	Text      string // empty in lists, and unless read
	Truncated bool   // Text is not all of it
	Bytes     []byte // of the file; nil if over 2 MB, in lists, and unless read
	SHA256    string // of the file, in hex; empty if it was not opened
	Size      int64  // bytes
	Modified  time.Time
	ReadAt    time.Time
}

// address is the prefix of a document's address in hits.
const address = "document:"

// URL returns the address of a document in hits.
func URL(id string) string { return address + id }

// ID returns the id of the document with that address.
func ID(url string) (id string, ok bool) { return strings.CutPrefix(url, address) }

// Find returns a document of the tenant, even one that is gone. An unknown one is
// NotFound.
func (d *Documents) Find(ctx context.Context, tenant, id string) (Document, error) {
	var found *Document
	b := postgres.NewBatch(tenant)
	postgres.Many(b, queries.DocumentFind, &dbsqlc.DocumentFindParams{TenantID: tenant, ID: clean(id)}, func(r *dbsqlc.DocumentFindRow) error {
		found = &Document{ID: r.ID, Path: r.Path, State: State(r.State), Reason: r.Reason, Title: r.Title, Type: r.MediaType, Published: r.Published,
			Text: r.Content, Truncated: r.Truncated, Bytes: r.Bytes, SHA256: r.Sha256, Size: r.Size, Modified: r.Modified, ReadAt: r.ReadAt}
		return nil
	})
	err := b.Send(ctx, d.pool)
	if code := postgres.Code(err); err != nil && code != "22P02" { // the id is not a UUID
		return Document{}, fmt.Errorf("find document %s: %w", id, err)
	}
	if found == nil {
		return Document{}, fault.New(fault.NotFound, "there is no such document")
	}
	return *found, nil
}

// maxList bounds a page of a list.
const maxList = 500

// List returns a page of the tenant's documents in order of path, including those
// that are gone: at most so many after the given path, and the path to continue
// after, which is empty on the last page. Zero means 100; the maximum is 500.
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

// clean makes s acceptable to the database: valid UTF-8 without NUL.
func clean(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "")
}
