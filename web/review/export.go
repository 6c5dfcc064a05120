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
	"strings"
	"time"

	"github.com/google/uuid"

	"quaestor/chat/brief"
	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web"
)

// Bounds of an export.
const (
	maxExported  = 1000 // sessions it holds
	exportedPart = 50   // that are read at once
)

// exportTotal is the header that says how many sessions an export will hold, for
// who shows how far it is.
const exportTotal = "Quaestor-Export-Total"

// bulkExport is what a form asks for.
type bulkExport struct {
	ids    []string // in the order of the export
	format sessions.Format
}

// reviewExport answers with what the chosen sessions found out, or those that the
// filter finds: a ZIP of a file each, or one table. It is sent part by part; what
// goes wrong after the first breaks the download off, for no ZIP is whole without
// its end.
func (s *Handlers) reviewExport(w http.ResponseWriter, r *http.Request) error {
	if err := web.Need(web.ActorFrom(r.Context()), auth.Review); err != nil {
		return err
	}
	if err := web.ReadForm(w, r); err != nil {
		return err
	}
	wanted, err := s.exportWanted(r)
	if err != nil {
		return s.exportRefused(w, r, err)
	}
	tenant := web.ActorFrom(r.Context()).Tenant
	first, err := s.exportable(r.Context(), tenant, wanted.ids[:min(len(wanted.ids), exportedPart)])
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set(exportTotal, strconv.Itoa(len(wanted.ids)))
	if err := s.sendExport(r.Context(), newExportWriter(w, wanted.format), wanted, first); err != nil {
		s.Log.WarnContext(r.Context(), "export broken off", "tenant", tenant, "request", web.RequestID(r.Context()), "err", err)
		panic(http.ErrAbortHandler)
	}
	return nil
}

// sendExport writes the sessions that are read already, and then the others. One
// that was deleted meanwhile is left out.
func (s *Handlers) sendExport(ctx context.Context, out exportWriter, wanted bulkExport, list []sessions.Session) (err error) {
	for part := range slices.Chunk(wanted.ids, exportedPart) {
		if list == nil {
			if list, err = s.exportable(ctx, web.ActorFrom(ctx).Tenant, part); err != nil && !fault.Is(err, fault.NotFound) {
				return err
			}
		}
		for _, session := range list {
			body, err := s.exportBody(ctx, session, wanted.format)
			if err == nil {
				err = out.add(session, body)
			}
			if err != nil {
				return fmt.Errorf("export session %s: %w", session.ID, err)
			}
		}
		if err := out.flush(); err != nil {
			return err
		}
		list = nil
	}
	return out.close()
}

// exportRefused shows the list again with why nothing was exported.
func (s *Handlers) exportRefused(w http.ResponseWriter, r *http.Request, err error) error {
	if !web.WantsPage(r) || !fault.Is(err, fault.Unprocessable) {
		return err
	}
	v, again := s.reviewListView(r.Context(), ReadReviewFilter(r.PostForm), "")
	if again != nil {
		return again
	}
	p := web.ProblemOf(err, web.RequestID(r.Context()))
	v.Refused, v.Format = web.Sentence(p.Detail), sessions.Format(r.PostFormValue("format"))
	return web.RenderAs(w, r, p.Status, ReviewList(v))
}

// exportWanted reads what a form asks for: ids in their own form, each once.
func (s *Handlers) exportWanted(r *http.Request) (bulkExport, error) {
	out := bulkExport{format: sessions.Format(r.PostFormValue("format"))}
	if !slices.Contains(ReviewFormats(), out.format) {
		return out, fault.New(fault.Unprocessable, "format is %s, not %q", sessions.Formats, web.Clip(string(out.format))).At("format")
	}
	if r.PostFormValue("which") == "found" {
		return s.exportFound(r, out)
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

// exportFound adds the first sessions that the form's filter finds.
func (s *Handlers) exportFound(r *http.Request, out bulkExport) (bulkExport, error) {
	v := ReviewListView{Filter: ReadReviewFilter(r.PostForm)}
	tenant := web.ActorFrom(r.Context()).Tenant
	found, err := s.reviewFound(r.Context(), tenant, &v)
	if err != nil {
		return out, err
	}
	var rows []sessions.ReviewRow
	b := postgres.NewBatch(tenant)
	sessions.LoadReviewPage(b, v.Filter.Wanted(found), v.Filter.Order, sessions.ReviewPlace{}, maxExported, &rows)
	if err := b.Send(r.Context(), s.Pool); err != nil {
		return out, fmt.Errorf("find sessions to export: %w", err)
	}
	for _, row := range rows {
		out.ids = append(out.ids, row.ID)
	}
	if len(out.ids) == 0 {
		return out, fault.New(fault.Unprocessable, "no interview meets this filter, so there is none to export").At("session")
	}
	return out, nil
}

// exportable reads sessions in one round trip, in the order of their ids. One that
// is not there is NotFound, and left out of what is returned.
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

// exportWriter puts what sessions found out into one file.
type exportWriter interface {
	add(session sessions.Session, body []byte) error
	flush() error
	close() error
}

// newExportWriter says what kind of file is coming and returns what writes it.
func newExportWriter(w http.ResponseWriter, f sessions.Format) exportWriter {
	kind, name := "application/zip", "interviews.zip"
	if f == sessions.CSV {
		kind, name = f.MediaType(), "interviews.csv"
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	out := http.NewResponseController(w)
	if f == sessions.CSV {
		return &exportTable{out: out, csv: csv.NewWriter(w)}
	}
	return &exportArchive{out: out, zip: zip.NewWriter(w), format: f}
}

// exportArchive is a ZIP of a file for each session, named by its context and id.
type exportArchive struct {
	out    *http.ResponseController
	zip    *zip.Writer
	format sessions.Format
}

func (a *exportArchive) add(session sessions.Session, body []byte) error {
	name := session.ContextType + "-" + session.ID + "." + a.format.Extension()
	file, err := a.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: session.UpdatedAt})
	if err != nil {
		return err
	}
	_, err = file.Write(body)
	return err
}

func (a *exportArchive) flush() error {
	if err := a.zip.Flush(); err != nil {
		return err
	}
	return a.out.Flush()
}

func (a *exportArchive) close() error { return a.zip.Close() }

// exportTable is one table: the lines of each session's own, with whose they are
// in front.
type exportTable struct {
	out   *http.ResponseController
	csv   *csv.Writer
	begun bool
}

func (t *exportTable) add(session sessions.Session, body []byte) error {
	rows, err := csv.NewReader(bytes.NewReader(body)).ReadAll()
	if err != nil {
		return err
	}
	for i := range rows {
		whose := []string{session.ID, session.ContextType, textCell(session.User), string(session.Status), session.CreatedAt.UTC().Format(time.RFC3339)}
		if i == 0 {
			whose = []string{"session", "context", "person", "session_status", "begun"}
		}
		rows[i] = append(whose, rows[i]...)
	}
	if t.begun {
		rows = rows[1:] // one heading is enough
	}
	t.begun = true
	return t.csv.WriteAll(rows)
}

func (t *exportTable) flush() error {
	t.csv.Flush()
	if err := t.csv.Error(); err != nil {
		return err
	}
	return t.out.Flush()
}

func (t *exportTable) close() error { return nil }

// textCell keeps a spreadsheet from taking a cell for a formula.
func textCell(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}

// exportBody is a session's file in a bulk export.
func (s *Handlers) exportBody(ctx context.Context, session sessions.Session, f sessions.Format) ([]byte, error) {
	m, err := brief.Load(ctx, s.Pool, s.Library, session, sessions.BriefOnly)
	if err != nil {
		return nil, err
	}
	return brief.Write(f, m)
}
