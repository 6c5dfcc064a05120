package research

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"quaestor/research/documents"
	"quaestor/research/reader"
)

// FoldersArgs is the job that reads new and changed documents in the tenants'
// folders.
type FoldersArgs struct{}

// Kind names the job.
func (FoldersArgs) Kind() string { return "documents_sync" }

// Folder is the directory of a tenant's documents.
type Folder struct{ Tenant, Dir string }

// FolderOptions configures the synchronization of folders; all fields are required.
type FolderOptions struct {
	Pool      *pgxpool.Pool
	Documents *documents.Documents
	Folders   func(context.Context) ([]Folder, error)
	Log       *slog.Logger
}

// foldersEvery is how long a new document may go unnoticed. syncTimeout bounds
// one round, which may have many documents to read.
const (
	foldersEvery = 30 * time.Second
	syncTimeout  = 30 * time.Minute
)

// SyncFolders returns the worker for [FoldersArgs], to be added to a queue. Research
// that waits for something to search continues as soon as there are documents.
func SyncFolders(o FolderOptions) AddFunc {
	return func(w *river.Workers) error { return river.AddWorkerSafely(w, &folderWorker{FolderOptions: o}) }
}

// SyncFoldersPeriodically returns the schedule of [FoldersArgs]: one job per round,
// the first one immediately.
func SyncFoldersPeriodically() *river.PeriodicJob {
	return river.NewPeriodicJob(river.PeriodicInterval(foldersEvery), func() (river.JobArgs, *river.InsertOpts) {
		return FoldersArgs{}, &river.InsertOpts{MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByPeriod: foldersEvery}} // the next round is another attempt
	}, &river.PeriodicJobOpts{RunOnStart: true})
}

// folderWorker works [FoldersArgs] jobs.
type folderWorker struct {
	river.WorkerDefaults[FoldersArgs]
	FolderOptions
}

// Timeout bounds one round.
func (*folderWorker) Timeout(*river.Job[FoldersArgs]) time.Duration { return syncTimeout }

// Work synchronizes all folders. A folder that cannot be read is logged and left
// for the next round; one that does not exist is skipped.
func (w *folderWorker) Work(ctx context.Context, _ *river.Job[FoldersArgs]) error {
	folders, err := w.Folders(ctx)
	if err != nil {
		return fmt.Errorf("list folders of documents: %w", err)
	}
	for _, f := range folders {
		if _, err := os.Stat(f.Dir); err != nil {
			continue // the tenant has no documents
		}
		if err := w.sync(ctx, f); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			w.Log.ErrorContext(ctx, "read documents", "tenant", f.Tenant, "err", err)
		}
	}
	return nil
}

// sync reads one tenant's folder and wakes the research that was waiting for it.
func (w *folderWorker) sync(ctx context.Context, f Folder) error {
	report, err := w.Documents.Sync(ctx, f.Tenant, f.Dir)
	if err != nil {
		return err
	}
	for _, p := range report.Problems {
		w.Log.DebugContext(ctx, "document", "tenant", f.Tenant, "err", p.Reason)
	}
	if _, err := Wake(ctx, w.Pool, river.ClientFromContext[pgx.Tx](ctx), f.Tenant); err != nil {
		return err
	}
	return nil
}

// FileReader reads a tenant's own documents; pass it as [ResearcherOptions.Files].
func FileReader(d *documents.Documents) func(ctx context.Context, tenant, url string) (reader.Page, bool, error) {
	return func(ctx context.Context, tenant, url string) (reader.Page, bool, error) {
		id, ok := documents.ID(url)
		if !ok {
			return reader.Page{}, false, nil
		}
		doc, err := d.Find(ctx, tenant, id)
		if err == nil && doc.State != documents.Read {
			err = &reader.Error{Kind: reader.Empty, URL: url, Detail: "the document is not there any more"}
		}
		if err != nil {
			return reader.Page{}, true, err
		}
		return pageOf(doc, url), true, nil
	}
}

// pageOf returns a document as a page. When a document was too large to be stored
// whole, its text takes the place of its bytes as evidence.
func pageOf(d documents.Document, url string) reader.Page {
	p := reader.Page{URL: url, Final: url, Title: d.Title, Type: d.Type, Text: d.Text, Published: d.Published, Bytes: d.Bytes, SHA256: d.SHA256,
		ReadAt: time.Now().UTC(), Truncated: d.Truncated}
	if p.Title == "" {
		p.Title = d.Path
	}
	if p.Bytes == nil {
		sum := sha256.Sum256([]byte(d.Text))
		p.Bytes, p.SHA256, p.Type = []byte(d.Text), hex.EncodeToString(sum[:]), "text/plain"
	}
	return p
}

// Stocked reports whether a tenant has documents to search. Pass it as
// [ResearcherOptions.Ready] to a researcher without web search engines.
func Stocked(pool *pgxpool.Pool) func(ctx context.Context, tenant string) (bool, error) {
	return func(ctx context.Context, tenant string) (bool, error) {
		for after := ""; ; {
			list, next, err := documents.List(ctx, pool, tenant, after, 0)
			if err != nil {
				return false, err
			}
			for _, d := range list {
				if d.State == documents.Read {
					return true, nil
				}
			}
			if after = next; next == "" {
				return false, nil
			}
		}
	}
}
