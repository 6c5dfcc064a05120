package research

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"quaestor/internal/language"
	"quaestor/internal/postgres"
	"quaestor/research/internal/dbsqlc"
	"quaestor/research/reader"
)

// The limits of reading. A few verified sources are worth more than many unverified.
const (
	wantedSources = 6  // read whole
	maxTries      = 14 // asked for, of one plan
	readers       = 2  // at once: as many a crash can cost
	readPatience  = 45 * time.Second
)

// read reads the best sources until there are enough. Each page is recorded before
// it is requested, and is never requested twice: if a worker died while reading
// one, the next source takes its place.
func (w *taskRun) read(ctx context.Context) error {
	t := w.task
	err := w.commit(ctx, "", "", func(b *postgres.Batch) error {
		return queries.SourceInterrupted(ctx, b, &dbsqlc.SourceInterruptedParams{TenantID: t.Scope.Tenant, TaskID: t.ID})
	})
	if err != nil {
		return err
	}
	list, err := w.sources(ctx)
	if err != nil {
		return err
	}
	if err := w.readUntil(ctx, wantedSources-count(list, SourceRead), pick(list, SourceQueued)); err != nil {
		return err
	}
	if list, err = w.sources(ctx); err != nil {
		return err
	}
	return w.commit(ctx, Reading, "Read "+language.Count(count(list, SourceRead), "source"), nil)
}

// sources returns the sources of the current plan, best first.
func (w *taskRun) sources(ctx context.Context) ([]Source, error) {
	var all []dbsqlc.SourceHeadsRow
	b := postgres.NewBatch(w.task.Scope.Tenant)
	postgres.Many(b, queries.SourceHeads, &dbsqlc.SourceHeadsParams{TenantID: w.task.Scope.Tenant, TaskID: w.task.ID}, func(r *dbsqlc.SourceHeadsRow) error { all = append(all, *r); return nil })
	if err := b.Send(ctx, w.Editor.Pool); err != nil {
		return nil, err
	}
	var out []Source
	for _, r := range all {
		if int(r.Revision) == w.task.Revision {
			out = append(out, Source{N: int(r.N), URL: r.Url, Title: r.Title, State: SourceState(r.State)})
		}
	}
	return out, nil
}

// pick returns the sources in one state.
func pick(list []Source, state SourceState) []Source {
	var out []Source
	for _, s := range list {
		if s.State == state {
			out = append(out, s)
		}
	}
	return out
}

// count returns how many sources are in one state.
func count(list []Source, state SourceState) int { return len(pick(list, state)) }

// readUntil reads sources in order, a few at a time, until enough were read.
func (w *taskRun) readUntil(ctx context.Context, wanted int, list []Source) error {
	list = list[:min(len(list), maxTries)]
	for wanted > 0 && len(list) > 0 {
		n := min(wanted, readers, len(list))
		read := make([]bool, n)
		if err := w.reading(ctx, list[:n]); err != nil {
			return err
		}
		g, each := errgroup.WithContext(ctx)
		for i, s := range list[:n] {
			g.Go(func() (err error) { read[i], err = w.readOne(each, s); return err })
		}
		if err := g.Wait(); err != nil {
			return err
		}
		for _, ok := range read {
			if ok {
				wanted--
			}
		}
		list = list[n:]
	}
	return nil
}

// reading records that pages are about to be requested.
func (w *taskRun) reading(ctx context.Context, list []Source) error {
	names := make([]string, len(list))
	for i, s := range list {
		names[i] = s.Name()
	}
	return w.commit(ctx, "", "Reading "+strings.Join(names, ", "), func(b *postgres.Batch) error {
		for _, s := range list {
			_ = queries.SourceReading(ctx, b, &dbsqlc.SourceReadingParams{TenantID: w.task.Scope.Tenant, TaskID: w.task.ID, N: int32(s.N)})
		}
		return nil
	})
}

// Name is how people refer to the source: the host of a page, or the title of a
// document.
func (s Source) Name() string {
	if name, ok := WarehouseOf(s.URL); ok {
		return name
	}
	if u, err := url.Parse(s.URL); err == nil && u.Hostname() != "" {
		return strings.TrimPrefix(u.Hostname(), "www.")
	}
	if s.Title != "" {
		return s.Title
	}
	return s.URL
}

// readOne reads a source and stores its text, or the reason why it could not be
// read; it reports whether it was read.
func (w *taskRun) readOne(ctx context.Context, s Source) (bool, error) {
	page, err := w.fetch(ctx, s.URL)
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	if err != nil {
		return false, w.storeFailure(ctx, s, err)
	}
	return true, w.store(ctx, s, page)
}

// fetch reads a tenant's document or a web page.
func (w *taskRun) fetch(ctx context.Context, address string) (reader.Page, error) {
	ctx, cancel := context.WithTimeout(ctx, readPatience)
	defer cancel()
	if w.Files != nil {
		if page, ok, err := w.Files(ctx, w.task.Scope.Tenant, address); ok {
			return page, err
		}
	}
	if w.Pages == nil {
		return reader.Page{}, &reader.Error{Kind: reader.BadURL, URL: address, Detail: "pages of the web are not read here"}
	}
	return w.Pages(ctx, address)
}

// store records a page that was read.
func (w *taskRun) store(ctx context.Context, s Source, p reader.Page) error {
	return w.commit(ctx, "", fmt.Sprintf("Read %s", s.Name()), func(b *postgres.Batch) error {
		title := p.Title
		if title == "" {
			title = s.Title
		}
		return queries.SourceRead(ctx, b, &dbsqlc.SourceReadParams{FinalUrl: text(p.Final), HttpStatus: ptr(int32(p.Status)), MediaType: text(p.Type), Title: title,
			Bytes: p.Bytes, Sha256: &p.SHA256, Content: &p.Text, Published: text(p.Published), Truncated: p.Truncated, ReadAt: &p.ReadAt,
			TenantID: w.task.Scope.Tenant, TaskID: w.task.ID, N: int32(s.N)})
	})
}

// storeFailure records why a source could not be read.
func (w *taskRun) storeFailure(ctx context.Context, s Source, err error) error {
	kind, status := "network", 0
	var e *reader.Error
	if errors.As(err, &e) {
		kind, status = string(e.Kind), e.Status
	}
	why := sentence(err)
	return w.commit(ctx, "", fmt.Sprintf("%s could not be read", s.Name()), func(b *postgres.Batch) error {
		return queries.SourceFailed(ctx, b, &dbsqlc.SourceFailedParams{Failure: &kind, Reason: &why, HttpStatus: ptr(int32(status)),
			TenantID: w.task.Scope.Tenant, TaskID: w.task.ID, N: int32(s.N)})
	})
}
