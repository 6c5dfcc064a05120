package web

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web/ui"
)

// reviewPages registers the pages of those who review: everybody's sessions, one
// of them with how its values came to be, and what their forms are sent to.
func (s *Server) reviewPages(r chi.Router) {
	const value = "/review/{id}/values/{key}"
	r.Get("/review", s.handle(s.reviewList))
	r.Post("/review/export", s.handle(s.reviewExport))
	r.Get("/review/{id}", s.handle(s.reviewSession))
	r.Get(value, s.handle(s.reviewHistoryPage))
	for name, do := range map[string]valueAct{"confirm": confirmAct, "dispute": disputeAct, "decide": decideAct, "settle": settleAct, "reopen": reopenAct, "skip": skipAct} {
		r.Post(value+"/"+name, s.handle(s.actOnValue(do)))
	}
	r.Post("/review/{id}/conflicts/{conflict}", s.handle(s.decideConflict))
}

// reviewList takes two round trips, whatever the number of sessions, and those of
// a search when there is one.
func (s *Server) reviewList(w http.ResponseWriter, r *http.Request) error {
	ctx, a := r.Context(), actorFrom(r.Context())
	if err := need(a, auth.Review); err != nil {
		return err
	}
	at, id, err := parsePlace(r.URL.Query().Get("cursor"))
	if err != nil {
		return err
	}
	v := ui.ReviewListView{Nav: navOf(actorFrom(r.Context()), ui.AtReview), Filter: ui.ReadReviewFilter(r.URL.Query()), Later: id != ""}
	if v.Contexts, err = s.contexts(ctx, a.Tenant); err != nil {
		return err
	}
	found, err := s.reviewFound(ctx, a.Tenant, &v)
	if err != nil {
		return err
	}
	b := postgres.NewBatch(a.Tenant)
	loadReviewRows(b, &v, found, at, id)
	if err := b.Send(ctx, s.Pool); err != nil {
		return fmt.Errorf("list sessions to review: %w", err)
	}
	if len(v.Rows) > reviewRows {
		v.Rows = v.Rows[:reviewRows]
		last := v.Rows[reviewRows-1]
		v.Older = formatPlace(last.CreatedAt, last.ID)
	}
	return render(w, r, ui.ReviewList(v))
}

// contexts returns the names of a tenant's objectives by their context, in the
// order of the contexts.
func (s *Server) contexts(ctx context.Context, tenant string) ([]ui.ReviewContext, error) {
	list, err := s.Library.List(ctx, tenant, sessions.OnlyActive)
	out := make([]ui.ReviewContext, len(list))
	for i, o := range list {
		out[i] = ui.ReviewContext{Type: o.ContextType, Name: o.DisplayName}
	}
	return out, err
}

// reviewFound returns the sessions in which the filter's words are found: nil when
// there are none to look for. A search that cannot be done finds nothing, and the
// page says why.
func (s *Server) reviewFound(ctx context.Context, tenant string, v *ui.ReviewListView) ([]string, error) {
	if v.Filter.Words == "" {
		return nil, nil
	}
	hits, err := s.Index.Search(ctx, sessions.Query{Tenant: tenant, Words: v.Filter.Words, Max: reviewHits})
	if fault.Is(err, fault.Unavailable) {
		v.Failure = sentence(problemOf(err, "").Detail)
		return []string{}, nil
	}
	found := []string{}
	for _, h := range hits {
		if !slices.Contains(found, h.Session) {
			found = append(found, h.Session)
		}
	}
	v.Partial = len(hits) == reviewHits
	return found, err
}

// maxExported bounds the sessions one export holds.
const maxExported = 200

// reviewExport answers with what the chosen sessions found out: a ZIP of a file
// each, or one table.
func (s *Server) reviewExport(w http.ResponseWriter, r *http.Request) error {
	ctx, a := r.Context(), actorFrom(r.Context())
	if err := need(a, auth.Review); err != nil {
		return err
	}
	if err := posted(w, r); err != nil {
		return err
	}
	ids, format, err := exportWanted(r.PostForm["session"], sessions.Format(r.PostFormValue("format")))
	if err != nil {
		return err
	}
	list, err := s.exported(ctx, a.Tenant, ids)
	if err != nil {
		return err
	}
	body, kind, name := []byte(nil), "application/zip", "interviews.zip"
	if format == sessions.CSV {
		kind, name = sessions.CSV.MediaType(), "interviews.csv"
		body, err = exportTable(list)
	} else {
		body, err = exportZip(list, format)
	}
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	w.Header().Set("Cache-Control", "no-store")
	_, err = w.Write(body)
	return err
}

// exportWanted returns the ids in their own form, each once, and the format.
func exportWanted(ids []string, f sessions.Format) ([]string, sessions.Format, error) {
	var out []string
	for _, id := range ids {
		known, err := uuid.Parse(id)
		if err != nil {
			return nil, f, sessions.NoSession()
		}
		if !slices.Contains(out, known.String()) {
			out = append(out, known.String())
		}
	}
	switch {
	case len(out) == 0:
		return nil, f, fault.New(fault.Unprocessable, "choose at least one interview to export").At("session")
	case len(out) > maxExported:
		return nil, f, fault.New(fault.Unprocessable, "at most %d interviews are exported at once", maxExported).At("session")
	case f != sessions.JSON && f != sessions.Markdown && f != sessions.CSV:
		return nil, f, fault.New(fault.Unprocessable, "format is json, md or csv, not %q", clip(string(f))).At("format")
	}
	return out, f, nil
}

// exportedSession is a session with all that its export needs.
type exportedSession struct {
	session    *sessions.Session
	definition *sessions.Definition
	known      []obligations.Obligation
}

// exported reads sessions in two round trips, and one for each of their objectives
// this server has not read yet. One that is not there is NotFound.
func (s *Server) exported(ctx context.Context, tenant string, ids []string) ([]exportedSession, error) {
	out := make([]exportedSession, len(ids))
	b := postgres.NewBatch(tenant)
	for i, id := range ids {
		sessions.Load(b, obligations.Scope{Tenant: tenant, Session: id}, &out[i].session)
	}
	if err := b.Send(ctx, s.Pool); err != nil {
		return nil, fmt.Errorf("read %d sessions to export: %w", len(ids), err)
	}
	b = postgres.NewBatch(tenant)
	for i := range out {
		if out[i].session == nil {
			return nil, sessions.NoSession()
		}
		var err error
		if out[i].definition, err = s.Library.Definition(ctx, tenant, out[i].session.ObjectiveID); err != nil {
			return nil, err
		}
		obligations.Load(b, out[i].session.Scope(), s.Library.Templates(ctx, tenant), &out[i].known)
	}
	if err := b.Send(ctx, s.Pool); err != nil {
		return nil, fmt.Errorf("read what %d sessions know: %w", len(ids), err)
	}
	return out, nil
}

// exportZip writes a file for each session, named by its context and id.
func exportZip(list []exportedSession, f sessions.Format) ([]byte, error) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, e := range list {
		body, err := sessions.Export(f, *e.session, e.definition, e.known)
		if err != nil {
			return nil, err
		}
		file, err := z.CreateHeader(&zip.FileHeader{Name: e.session.ContextType + "-" + e.session.ID + "." + f.Extension(), Method: zip.Deflate, Modified: e.session.UpdatedAt})
		if err != nil {
			return nil, fmt.Errorf("export session %s: %w", e.session.ID, err)
		}
		if _, err := file.Write(body); err != nil {
			return nil, fmt.Errorf("export session %s: %w", e.session.ID, err)
		}
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("export sessions: %w", err)
	}
	return out.Bytes(), nil
}

// exportTable writes one table: the lines of each session's own, with whose they
// are in front.
func exportTable(list []exportedSession) ([]byte, error) {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	for i, e := range list {
		rows, err := exportRows(e)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			rows = rows[1:] // one heading is enough
		}
		if err := w.WriteAll(rows); err != nil {
			return nil, fmt.Errorf("export sessions: %w", err)
		}
	}
	return out.Bytes(), w.Error()
}

func exportRows(e exportedSession) ([][]string, error) {
	body, err := sessions.Export(sessions.CSV, *e.session, e.definition, e.known)
	if err != nil {
		return nil, err
	}
	rows, err := csv.NewReader(bytes.NewReader(body)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("export session %s: %w", e.session.ID, err)
	}
	for i := range rows {
		whose := []string{e.session.ID, e.session.ContextType, textCell(e.session.User), string(e.session.Status), e.session.CreatedAt.UTC().Format(time.RFC3339)}
		if i == 0 {
			whose = []string{"session", "context", "person", "session_status", "begun"}
		}
		rows[i] = append(whose, rows[i]...)
	}
	return rows, nil
}

// textCell keeps a spreadsheet from taking a cell for a formula.
func textCell(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}
