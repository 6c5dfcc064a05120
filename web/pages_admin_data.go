package web

import (
	"archive/zip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/web/ui"
)

// archived is all that is kept of an interview, but for the log of its streams.
type archived struct {
	Session     sessionBody      `json:"session"`
	Messages    []messageBody    `json:"messages"`
	Obligations []obligationBody `json:"obligations"`
	History     []historyBody    `json:"history"`
	Research    []taskBody       `json:"researchTasks"`
}

// archivePage is how many sessions are listed at a time while they are exported.
const archivePage = 100

// exportAll answers with a ZIP of a JSON file for each of the tenant's sessions,
// newest first, as they are when their turn comes. What fails half way breaks the
// download off: no ZIP is whole without its end.
func (s *Server) exportAll(w http.ResponseWriter, r *http.Request) error {
	a := actorFrom(r.Context())
	p := sessions.Page{Tenant: a.Tenant, Max: archivePage}
	list, err := sessions.List(r.Context(), s.Pool, p)
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "application/zip")
	h.Set("Content-Disposition", `attachment; filename="interviews.zip"`)
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
		err = z.Close()
	}
	if err != nil {
		s.Log.WarnContext(r.Context(), "export broken off", "tenant", a.Tenant, "request", idOf(r), "err", err)
		panic(http.ErrAbortHandler)
	}
	return nil
}

func (s *Server) archivePage(ctx context.Context, z *zip.Writer, list []sessions.Session) error {
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
func (s *Server) archive(ctx context.Context, session sessions.Session) (archived, error) {
	out := archived{Session: toSessionBody(session)}
	_, known, err := s.known(ctx, session)
	if err != nil {
		return out, err
	}
	out.Obligations = items(known, toObligationBody)
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
		out.History, after = append(out.History, items(list, toHistoryBody)...), list[len(list)-1].ID
	}
	tasks, err := research.List(ctx, s.Pool, session.Scope())
	out.Research = items(tasks, toTaskBody)
	return out, err
}

// transcript reads all that was said. A full page may end between the two
// messages of a turn: that turn is read again.
func (s *Server) transcript(ctx context.Context, sc obligations.Scope) ([]messageBody, error) {
	const most = 1000
	out := []messageBody{}
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
		out = append(out, items(list, toMessageBody)...)
		if !full {
			return out, nil
		}
		after = list[len(list)-1].Turn
	}
}

// sessionName finds the id of a session in its address, or in itself.
var sessionName = regexp.MustCompile(`[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}`)

// deletable returns the session that an owner wants to delete.
func (s *Server) deletable(r *http.Request, named string) (sessions.Session, error) {
	a := actorFrom(r.Context())
	if a.Role != auth.Owner {
		return sessions.Session{}, fault.New(fault.Forbidden, "only an owner deletes interviews").Coded("owners_only")
	}
	id := sessionName.FindString(named)
	if id == "" {
		return sessions.Session{}, sessions.NoSession()
	}
	return sessions.Find(r.Context(), s.Pool, obligations.Scope{Tenant: a.Tenant, Session: strings.ToLower(id)})
}

// askToDelete shows what would be deleted.
func (s *Server) askToDelete(w http.ResponseWriter, r *http.Request) error {
	session, err := s.deletable(r, r.URL.Query().Get("session"))
	if err != nil {
		return s.settingsFailed(w, r, err)
	}
	d, err := s.Library.Definition(r.Context(), session.Tenant, session.ObjectiveID)
	if err != nil {
		return err
	}
	return render(w, r, ui.DeleteInterview(ui.DeleteView{Nav: navOf(actorFrom(r.Context()), ui.AtManage), ID: session.ID, Title: d.DisplayName, User: session.User, Turns: session.Turns, Created: session.CreatedAt}))
}

// sessionDelete deletes a session with all that hangs on it, unless a turn of it
// runs.
const sessionDelete = `DELETE FROM elicitation_sessions
WHERE tenant_id = $1 AND id = $2 AND NOT EXISTS (SELECT FROM turns AS t WHERE t.tenant_id = $1 AND t.session_id = $2 AND t.status = 'running')`

// deleteInterview deletes a session for good.
func (s *Server) deleteInterview(w http.ResponseWriter, r *http.Request) error {
	if err := posted(w, r); err != nil {
		return err
	}
	session, err := s.deletable(r, r.PostFormValue("session"))
	if err != nil {
		return s.settingsFailed(w, r, err)
	}
	if r.PostFormValue("sure") != "yes" {
		return s.settingsFailed(w, r, fault.New(fault.Unprocessable, "say that you are sure").At("sure"))
	}
	if err := s.remove(r.Context(), session.Scope()); err != nil {
		return s.settingsFailed(w, r, err)
	}
	s.Log.InfoContext(r.Context(), "interview deleted", "tenant", session.Tenant, "session", session.ID, "by", actorFrom(r.Context()).User)
	if !wantsPage(r) {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return s.settingsAgain(w, r, http.StatusOK, func(v *ui.SettingsView) {
		v.Notice = "The interview of " + session.User + ", begun " + session.CreatedAt.UTC().Format(time.DateOnly) + ", is deleted."
	})
}

func (s *Server) remove(ctx context.Context, sc obligations.Scope) error {
	return postgres.InTx(ctx, s.Pool, sc.Tenant, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, sessionDelete, sc.Tenant, sc.Session)
		if err != nil {
			return fmt.Errorf("delete session %s: %w", sc.Session, err)
		}
		if tag.RowsAffected() == 0 {
			return fault.New(fault.Conflict, "a turn of this interview is running; wait for its end").Coded("turn_running")
		}
		return nil
	})
}
