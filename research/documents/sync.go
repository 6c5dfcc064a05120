package documents

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/internal/postgres"
	"quaestor/research/documents/internal/dbsqlc"
)

// Problem is a file that is not read, with the reason.
type Problem struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// Report is the result of a sync.
type Report struct {
	Files     int       `json:"files"`     // documents in the folder, judging by their names
	Read      int       `json:"read"`      // new or changed, and read
	Unchanged int       `json:"unchanged"` // as before
	Refused   int       `json:"refused"`   // of the documents in the folder, those that are not read
	Gone      int       `json:"gone"`      // removed since the last time
	Left      int       `json:"left"`      // beyond 5,000, not examined
	Encoded   int       `json:"encoded"`   // passages given a vector
	Unencoded int       `json:"unencoded"` // passages still without a vector
	Problems  []Problem `json:"problems"`  // refusals and other problems, at most 200
	More      int       `json:"more"`      // problems beyond those
}

// maxProblems bounds the problems listed in a report.
const maxProblems = 200

// add records problems, up to maxProblems.
func (r *Report) add(problems ...Problem) {
	room := min(maxProblems-len(r.Problems), len(problems))
	r.Problems = append(r.Problems, problems[:room]...)
	r.More += len(problems) - room
}

// storedFile is the stored state of a file.
type storedFile struct {
	state    State
	reason   string
	sha256   string
	size     int64
	modified time.Time
	checked  time.Time
}

// racy is the age below which a file's date proves nothing: another change may have
// happened within the resolution of the file system's clock.
const racy = 2 * time.Second

// same reports whether a file with that size and date is unchanged.
func (k storedFile) same(c content) bool {
	return k.size == c.size && k.modified.Equal(c.modified) && k.checked.Sub(k.modified) > racy
}

// syncRun is one sync.
type syncRun struct {
	*Documents
	tenant string
	folder *folder
	known  map[string]storedFile
	report Report
}

// Sync brings what is stored for a tenant in line with the folder dir, which must
// belong to that tenant alone. New and changed files are read, removed ones
// forgotten, and passages without a vector of the current encoder encoded. Unchanged
// files are not opened. A file that cannot be read is refused or listed in the
// report, without affecting the others.
//
// A missing folder is NotFound and changes nothing, so that a disk that is not
// mounted deletes nothing. When ctx ends, what is done stays done, and the report
// says what that is. Concurrent syncs of one tenant do the work twice, without harm.
func (d *Documents) Sync(ctx context.Context, tenant, dir string) (Report, error) {
	f, err := openFolder(dir)
	if err != nil {
		return Report{}, err
	}
	defer func() { _ = f.root.Close() }()
	r := &syncRun{Documents: d, tenant: tenant, folder: f}
	if err := r.run(ctx); err != nil {
		return r.report, fmt.Errorf("sync documents of tenant %s: %w", tenant, err)
	}
	return r.report, nil
}

// run loads the stored state before it walks the folder. A file that another sync
// adds meanwhile is then not among the stored ones, and cannot appear to be gone.
func (r *syncRun) run(ctx context.Context) error {
	if err := r.load(ctx); err != nil {
		return err
	}
	if err := r.folder.walk(ctx); err != nil {
		return err
	}
	r.report.Files, r.report.Left = len(r.folder.seen), r.folder.left
	if r.folder.left > 0 {
		r.folder.problem(".", "the folder has %d documents, %d of them are not read: at most %d are", len(r.folder.seen), r.folder.left, maxFiles)
	}
	slices.SortStableFunc(r.folder.problems, func(a, b Problem) int { return strings.Compare(a.Path, b.Path) })
	r.report.add(r.folder.problems...)
	for _, name := range r.folder.files {
		if err := r.file(ctx, name); err != nil {
			return err
		}
	}
	if err := r.forget(ctx); err != nil {
		return err
	}
	return r.encode(ctx)
}

// load reads the stored state of all files.
func (r *syncRun) load(ctx context.Context) error {
	r.known = map[string]storedFile{}
	b := postgres.NewBatch(r.tenant)
	postgres.Many(b, queries.DocumentKnown, r.tenant, func(row *dbsqlc.DocumentKnownRow) error {
		r.known[row.Path] = storedFile{State(row.State), row.Reason, row.Sha256, row.Size, row.Modified, row.CheckedAt}
		return nil
	})
	return b.Send(ctx, r.pool)
}

// file brings one file up to date.
func (r *syncRun) file(ctx context.Context, name string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	k, isKnown := r.known[name]
	c, err := r.folder.stat(name)
	if err == nil && isKnown && k.same(c) {
		r.unchanged(name, k)
		return nil
	}
	now := time.Now()
	if err == nil {
		c, err = r.folder.read(name)
	}
	if err != nil {
		r.report.add(Problem{name, unread(err)})
		return nil
	}
	if sum := digest(c.body); isKnown && c.body != nil && sum == k.sha256 {
		r.unchanged(name, k)
		return r.touch(ctx, name, sum, c, now)
	}
	doc, err := r.understand(ctx, name, c)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return r.save(ctx, name, c, doc, err, now)
}

// unread is the reason why a file could not be opened. It leaves out the system's
// message, which contains paths.
func unread(err error) string {
	if errors.Is(err, errMoving) {
		return errMoving.Error()
	}
	return "it cannot be opened"
}

// unchanged counts a file that is as stored.
func (r *syncRun) unchanged(name string, k storedFile) {
	r.report.Unchanged++
	if k.state == Refused {
		r.refused(name, k.reason)
	}
}

// refused counts a file that is not read.
func (r *syncRun) refused(name, reason string) {
	r.report.Refused++
	r.report.add(Problem{name, reason})
}

// digest returns the SHA-256 of a file in hex.
func digest(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}

// patience bounds the extraction of one file.
const patience = 60 * time.Second

// understand extracts the text of a file; an error is the reason to refuse it.
func (r *syncRun) understand(ctx context.Context, name string, c content) (doc Doc, err error) {
	if c.body == nil {
		return Doc{}, fault.New(fault.TooLarge, "it has %d MB; at most %d MB are read", c.size>>20, maxFile>>20)
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	// Files are untrusted, and some parsers panic on malformed ones.
	defer func() {
		if p := recover(); p != nil {
			r.log.ErrorContext(ctx, "reading a document panicked", "tenant", r.tenant, "err", fmt.Sprint(p))
			err = fault.New(fault.Unprocessable, "it cannot be read")
		}
	}()
	doc, err = r.extract(ctx, name, c.body)
	if err != nil {
		return Doc{}, err
	}
	doc.Text = clean(doc.Text)
	if strings.TrimSpace(doc.Text) == "" {
		return Doc{}, fault.New(fault.Unprocessable, "it has no readable words")
	}
	return doc, nil
}

// sentence is the reason for refusing a file, in at most 300 characters.
func sentence(err error) string {
	text := err.Error()
	if errors.Is(err, context.DeadlineExceeded) {
		text = "reading it took longer than " + patience.String()
	}
	return language.Head(language.OneLine(shown(text)), 300)
}

// save stores a file and its passages in one transaction.
func (r *syncRun) save(ctx context.Context, name string, c content, doc Doc, refusal error, now time.Time) error {
	row := &dbsqlc.DocumentSaveParams{TenantID: r.tenant, Path: name, Size: c.size, Modified: c.modified, ReadAt: now, State: string(Read)}
	if c.body != nil {
		row.Sha256 = digest(c.body)
	}
	var pieces []passageRow
	if refusal != nil {
		row.State, row.Reason = string(Refused), sentence(refusal)
	} else {
		row.MediaType, row.Title, row.Published, row.Content, row.Truncated = clean(doc.Type), clean(doc.Title), clean(doc.Published), doc.Text, doc.Truncated
		if len(c.body) <= keptBytes {
			row.Bytes = c.body
		}
		pieces = passages(doc)
	}
	body, err := json.Marshal(pieces)
	if err != nil {
		return fmt.Errorf("encode passages of %s: %w", name, err)
	}
	b := postgres.NewBatch(r.tenant)
	_ = queries.DocumentSave(ctx, b, row)
	_ = queries.PassageClear(ctx, b, &dbsqlc.PassageClearParams{TenantID: r.tenant, Path: name})
	if len(pieces) > 0 {
		_ = queries.PassageSave(ctx, b, &dbsqlc.PassageSaveParams{TenantID: r.tenant, Path: name, Rows: body})
	}
	if err := b.Send(ctx, r.pool); err != nil {
		return fmt.Errorf("save %s: %w", name, err)
	}
	if refusal != nil {
		r.refused(name, row.Reason)
		return nil
	}
	r.report.Read++
	return nil
}

// passageRow is a passage as it is stored.
type passageRow struct {
	N       int    `json:"n"`
	Start   int    `json:"start_byte"`
	End     int    `json:"end_byte"`
	Heading string `json:"heading"`
	Content string `json:"content"`
}

// passages returns the pieces of a document, each under the document's title.
func passages(doc Doc) []passageRow {
	pieces := Pieces(doc.Text, doc.Type)
	out := make([]passageRow, len(pieces))
	for i, p := range pieces {
		out[i] = passageRow{i, p.Start, p.End, titled(clean(doc.Title), p.Heading), doc.Text[p.Start:p.End]}
	}
	return out
}

// titled prefixes headings with the document's title unless they begin with it.
func titled(title, heading string) string {
	if title = strings.TrimSpace(title); heading == title || strings.HasPrefix(heading, title+" > ") {
		return heading
	}
	return join(title, heading)
}

// touch records a new date of a file whose content is as stored.
func (r *syncRun) touch(ctx context.Context, name, sum string, c content, now time.Time) error {
	b := postgres.NewBatch(r.tenant)
	_ = queries.DocumentTouch(ctx, b, &dbsqlc.DocumentTouchParams{TenantID: r.tenant, Path: name, Sha256: sum, Size: c.size, Modified: c.modified, CheckedAt: now})
	if err := b.Send(ctx, r.pool); err != nil {
		return fmt.Errorf("note %s: %w", name, err)
	}
	return nil
}

// forget marks the files that are no longer in the folder as gone. If part of the
// folder could not be seen, it does nothing, since the files may be there.
func (r *syncRun) forget(ctx context.Context) error {
	if !r.folder.complete {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(r.known)) {
		if r.folder.seen[name] {
			continue
		}
		b := postgres.NewBatch(r.tenant)
		_ = queries.DocumentGone(ctx, b, &dbsqlc.DocumentGoneParams{TenantID: r.tenant, Path: name, CheckedAt: time.Now()})
		_ = queries.PassageClear(ctx, b, &dbsqlc.PassageClearParams{TenantID: r.tenant, Path: name})
		if err := b.Send(ctx, r.pool); err != nil {
			return fmt.Errorf("forget %s: %w", name, err)
		}
		r.report.Gone++
	}
	return nil
}
