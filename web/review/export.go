package review

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/a-h/templ"
	"github.com/google/uuid"

	"quaestor/chat/brief"
	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web"
)

// Bounds of an export of many sessions.
const (
	maxExported = 1000 // sessions in one export, so that it ends within minutes
	exportChunk = 50   // sessions that are read in one round trip and sent at once
)

// exportTotal is the header with the number of sessions that the export will hold. Scripts
// show progress by it.
const exportTotal = "Quaestor-Export-Total"

// bulkExport is an export of many sessions.
type bulkExport struct {
	ids    []string // of the sessions, in the order of the export
	format sessions.Format
}

// exportMany answers with the results of the sessions that were chosen, or of those that
// the filter finds: in a ZIP with a file for each, or in one table. It is sent as it is
// made. A fault after the beginning aborts the connection, so that the client sees an
// incomplete download and not a short one.
func (s *Handlers) exportMany(w http.ResponseWriter, r *http.Request) error {
	ctx, actor := r.Context(), web.ActorFrom(r.Context())
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	wanted, err := s.readExport(r)
	if err != nil {
		return s.showExportRefusal(w, r, err)
	}
	first, err := s.exportable(ctx, actor.Tenant, wanted.ids[:min(len(wanted.ids), exportChunk)])
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set(exportTotal, strconv.Itoa(len(wanted.ids)))
	if err := s.sendExport(ctx, w, wanted, first); err != nil {
		s.Log.WarnContext(ctx, "export broken off", "tenant", actor.Tenant, "request", web.RequestID(ctx), "err", err)
		panic(http.ErrAbortHandler)
	}
	return nil
}

// sendExport writes the sessions of the first chunk, which are read already, and then the
// others. Sessions that were deleted meanwhile are left out.
func (s *Handlers) sendExport(ctx context.Context, w http.ResponseWriter, wanted bulkExport, list []sessions.Session) (err error) {
	out, client := newExportWriter(w, wanted.format), http.NewResponseController(w)
	for chunk := range slices.Chunk(wanted.ids, exportChunk) {
		if list == nil {
			if list, err = s.exportable(ctx, web.ActorFrom(ctx).Tenant, chunk); err != nil && !fault.Is(err, fault.NotFound) {
				return err
			}
		}
		for _, session := range list {
			m, err := brief.Load(ctx, s.Pool, s.Library, session, sessions.BriefOnly)
			var body []byte
			if err == nil {
				body, err = brief.Write(wanted.format, m)
			}
			if err == nil {
				err = out.add(session, body)
			}
			if err != nil {
				return fmt.Errorf("export session %s: %w", session.ID, err)
			}
		}
		if err := out.Flush(); err != nil {
			return err
		}
		if err := client.Flush(); err != nil {
			return err
		}
		list = nil
	}
	return out.Close()
}

// showExportRefusal shows the list again with why nothing was exported. It returns refusal
// when the client does not want a page, or cannot do anything about it there.
func (s *Handlers) showExportRefusal(w http.ResponseWriter, r *http.Request, refusal error) error {
	if !fault.Is(refusal, fault.Unprocessable) {
		return refusal
	}
	return web.ShowAgain(w, r, refusal, func(reason string) (templ.Component, error) {
		v, err := s.listView(r.Context(), readFilter(r.PostForm), "")
		v.Refusal, v.Format = reason, sessions.Format(r.PostFormValue("format"))
		return listPage(v), err
	})
}

// readExport reads what a form asks to export: the sessions it names, each once and by its
// canonical id, or those that its filter finds.
func (s *Handlers) readExport(r *http.Request) (bulkExport, error) {
	out := bulkExport{format: sessions.Format(r.PostFormValue("format"))}
	if !slices.ContainsFunc(exportFormats, func(f exportFormat) bool { return f.Format == out.format }) {
		return out, fault.New(fault.Unprocessable, "format is %s, not %q", sessions.Formats, web.Clip(string(out.format))).At("format")
	}
	if r.PostFormValue("which") == "found" {
		ids, err := s.exportFound(r)
		return bulkExport{ids, out.format}, err
	}
	for _, id := range r.PostForm["session"] {
		known, err := uuid.Parse(id)
		if err != nil {
			return out, sessions.NoSession()
		}
		if !slices.Contains(out.ids, known.String()) {
			out.ids = append(out.ids, known.String())
		}
	}
	switch {
	case len(out.ids) == 0:
		return out, fault.New(fault.Unprocessable, "choose at least one interview to export").At("session")
	case len(out.ids) > maxExported:
		return out, fault.New(fault.Unprocessable, "at most %d interviews are exported at once", maxExported).At("session")
	}
	return out, nil
}

// exportFound returns the first sessions that the form's filter finds, at least one.
func (s *Handlers) exportFound(r *http.Request) ([]string, error) {
	v := listView{Filter: readFilter(r.PostForm)}
	tenant := web.ActorFrom(r.Context()).Tenant
	found, err := s.search(r.Context(), tenant, &v)
	if err != nil {
		return nil, err
	}
	var rows []sessions.ReviewRow
	b := postgres.NewBatch(tenant)
	sessions.LoadReviewPage(b, v.Filter.among(found), v.Filter.Order, sessions.ReviewPlace{}, maxExported, &rows)
	if err := b.Send(r.Context(), s.Pool); err != nil {
		return nil, fmt.Errorf("find sessions to export: %w", err)
	}
	if len(rows) == 0 {
		return nil, fault.New(fault.Unprocessable, "no interview meets this filter, so there is none to export").At("session")
	}
	return web.Map(rows, func(row sessions.ReviewRow) string { return row.ID }), nil
}

// exportable reads sessions in one round trip, in the order of ids. When some do not exist,
// it returns the others together with a NotFound error.
func (s *Handlers) exportable(ctx context.Context, tenant string, ids []string) ([]sessions.Session, error) {
	found := make([]*sessions.Session, len(ids))
	b := postgres.NewBatch(tenant)
	for i, id := range ids {
		sessions.Load(b, obligations.Scope{Tenant: tenant, Session: id}, &found[i])
	}
	if err := b.Send(ctx, s.Pool); err != nil {
		return nil, fmt.Errorf("read %d sessions to export: %w", len(ids), err)
	}
	var out []sessions.Session
	var err error
	for _, session := range found {
		if session == nil {
			err = sessions.NoSession()
			continue
		}
		out = append(out, *session)
	}
	return out, err
}

// exportWriter writes the results of sessions into one file: add for each session in
// turn, Flush whenever the client should receive them, and Close at the end.
type exportWriter interface {
	add(session sessions.Session, body []byte) error
	Flush() error
	Close() error
}

// newExportWriter sets the headers of the file, and returns its writer.
func newExportWriter(w http.ResponseWriter, f sessions.Format) exportWriter {
	kind, name := "application/zip", "interviews.zip"
	if f == sessions.CSV {
		kind, name = f.MediaType(), "interviews.csv"
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	if f == sessions.CSV {
		return &exportTable{csv: csv.NewWriter(w)}
	}
	return &exportArchive{zip.NewWriter(w), f}
}

// exportArchive is a ZIP with a file for each session, named by its context and id. Its
// directory comes at its end.
type exportArchive struct {
	*zip.Writer
	format sessions.Format
}

// add writes a file of its own for the session, dated by its last change.
func (a *exportArchive) add(session sessions.Session, body []byte) error {
	name := session.ContextType + "-" + session.ID + "." + a.format.Extension()
	file, err := a.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: session.UpdatedAt})
	if err != nil {
		return err
	}
	_, err = file.Write(body)
	return err
}

// exportTable is one table of the rows of all sessions. Its first columns name the session
// of each row.
type exportTable struct {
	csv   *csv.Writer
	begun bool
}

// add writes the rows of a session behind columns that name it. The first row of body is
// the heading, the same for all sessions.
func (t *exportTable) add(session sessions.Session, body []byte) error {
	rows, err := csv.NewReader(bytes.NewReader(body)).ReadAll()
	if err != nil {
		return err
	}
	for i := range rows {
		columns := []string{session.ID, session.ContextType, sessions.PlainCell(session.User), string(session.Status), session.CreatedAt.UTC().Format(time.RFC3339)}
		if i == 0 {
			columns = []string{"session", "context", "person", "session_status", "begun"}
		}
		rows[i] = append(columns, rows[i]...)
	}
	if t.begun {
		rows = rows[1:] // the heading is written once
	}
	t.begun = true
	return t.csv.WriteAll(rows)
}

// Flush returns the first fault of writing, which the writer of rows keeps to itself.
func (t *exportTable) Flush() error {
	t.csv.Flush()
	return t.csv.Error()
}

// Close has nothing left to write.
func (t *exportTable) Close() error { return nil }
