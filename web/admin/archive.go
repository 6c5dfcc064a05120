package admin

import (
	"archive/zip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"

	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/sessions/settings"
	"quaestor/web"
	"quaestor/web/tasks"
)

// archived is all that is kept of an interview, but for the log of its streams.
type archived struct {
	Session     web.SessionBody      `json:"session"`
	Messages    []web.MessageBody    `json:"messages"`
	Obligations []web.ObligationBody `json:"obligations"`
	History     []web.HistoryBody    `json:"history"`
	Research    []tasks.TaskBody     `json:"researchTasks"`
}

// archivePage is how many sessions are listed at a time while they are exported.
const archivePage = 100

// exportAll answers with a ZIP of everything of the tenant: a JSON file for each of
// its sessions, newest first, and the rows of every table, each as it is when its
// turn comes. A failure half way breaks the download off, and the client sees it: a ZIP
// without its directory at the end cannot be opened.
func (s *Handlers) exportAll(w http.ResponseWriter, r *http.Request) error {
	a := web.ActorFrom(r.Context())
	p := sessions.Filter{Tenant: a.Tenant, Max: archivePage}
	list, err := sessions.List(r.Context(), s.Pool, p)
	if err != nil {
		return err
	}
	if err := s.note(r.Context(), settings.Exported, "", ""); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "application/zip")
	h.Set("Content-Disposition", `attachment; filename="quaestor.zip"`)
	h.Set("Cache-Control", "no-store")
	z := zip.NewWriter(w)
	for len(list) > 0 && err == nil {
		if err = s.archivePage(r.Context(), z, list); err != nil {
			break
		}
		last := list[len(list)-1]
		p.BeforeAt, p.BeforeID = last.CreatedAt, last.ID
		list, err = sessions.List(r.Context(), s.Pool, p)
	}
	if err == nil {
		err = s.archiveTables(r.Context(), z, a.Tenant)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		s.Log.WarnContext(r.Context(), "export broken off", "tenant", a.Tenant, "request", web.RequestID(r.Context()), "err", err)
		panic(http.ErrAbortHandler)
	}
	return nil
}

// archivePage writes one file for each session of a list.
func (s *Handlers) archivePage(ctx context.Context, z *zip.Writer, list []sessions.Session) error {
	for _, session := range list {
		body, err := s.archive(ctx, session)
		if err != nil {
			return err
		}
		file, err := z.CreateHeader(&zip.FileHeader{Name: session.ContextType + "-" + session.ID + ".json", Method: zip.Deflate, Modified: session.UpdatedAt})
		if err != nil {
			return fmt.Errorf("export session %s: %w", session.ID, err)
		}
		if err := writeIndented(file, body); err != nil {
			return fmt.Errorf("export session %s: %w", session.ID, err)
		}
	}
	return nil
}

func writeIndented(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// archive reads all of a session, a page at a time.
func (s *Handlers) archive(ctx context.Context, session sessions.Session) (archived, error) {
	out := archived{Session: web.ToSessionBody(session)}
	_, known, err := s.Known(ctx, session)
	if err != nil {
		return out, err
	}
	out.Obligations = web.Map(known, web.ToObligationBody)
	if out.Messages, err = s.transcript(ctx, session.Scope()); err != nil {
		return out, err
	}
	for after := int64(0); ; {
		list, err := obligations.History(ctx, s.Pool, session.Scope(), obligations.HistoryPage{After: after})
		if err != nil {
			return out, err
		}
		if len(list) == 0 {
			break
		}
		out.History, after = append(out.History, web.Map(list, web.ToHistoryBody)...), list[len(list)-1].ID
	}
	list, err := research.List(ctx, s.Pool, session.Scope())
	out.Research = web.Map(list, tasks.ToTaskBody)
	return out, err
}

// transcript reads all that was said. A full page may end between the two
// messages of a turn: that turn is read again.
func (s *Handlers) transcript(ctx context.Context, sc obligations.Scope) ([]web.MessageBody, error) {
	const most = 1000
	out := []web.MessageBody{}
	for after := 0; ; {
		list, err := sessions.Transcript(ctx, s.Pool, sc, after, most)
		if err != nil {
			return nil, err
		}
		full := len(list) == most
		if full {
			torn := list[most-1].Turn
			list = slices.DeleteFunc(list, func(m sessions.Message) bool { return m.Turn == torn })
		}
		out = append(out, web.Map(list, web.ToMessageBody)...)
		if !full {
			return out, nil
		}
		after = list[len(list)-1].Turn
	}
}
