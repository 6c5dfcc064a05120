package admin

import (
	"archive/zip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/postgres"
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

// tenantTables lists every table that has tenants, with the columns that are
// exported: all but what is made anew from the others (vectors, words to be searched
// for) and bytes that are neither the content of a file nor sound (hashes, what is sealed). The
// audit trail is told event by event, by its view.
const tenantTables = `SELECT c.table_name, string_agg(quote_ident(c.column_name), ', ' ORDER BY c.ordinal_position)
FROM information_schema.columns AS c
WHERE c.table_schema = 'public' AND c.table_name <> 'obligation_trail' AND c.udt_name NOT IN ('tsvector', 'vector', 'halfvec') AND (c.udt_name <> 'bytea' OR c.column_name IN ('bytes', 'sound'))
    AND EXISTS (SELECT FROM information_schema.columns AS t WHERE t.table_schema = 'public' AND t.table_name = c.table_name AND t.column_name = 'tenant_id')
GROUP BY c.table_name
ORDER BY c.table_name`

// archiveNote says what the archive holds.
const archiveNote = `What Quaestor keeps of an organisation.

NAME-ID.json      one interview: session, messages, obligations, history, researchTasks
tables/NAME.jsonl the rows of a table, one a line, as they were when its turn came

Left out: passwords, tokens and other secrets; search indexes and vectors, which are made from the rest.
Bytes of files, and sound (PCM16, little-endian, 16,000 samples a second), are written in hexadecimal after \x.
`

// archiveTables writes the rows of every table, as they are when its turn comes,
// without holding them in memory.
func (s *Handlers) archiveTables(ctx context.Context, z *zip.Writer, tenant string) error {
	file, err := z.CreateHeader(&zip.FileHeader{Name: "README.txt", Method: zip.Deflate, Modified: time.Now()})
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	if _, err := io.WriteString(file, archiveNote); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return postgres.InTx(ctx, s.Pool, tenant, func(tx pgx.Tx) error {
		rows, _ := tx.Query(ctx, tenantTables) // CollectRows returns its error
		tables, err := pgx.CollectRows(rows, pgx.RowToStructByPos[struct{ Name, Columns string }])
		if err != nil {
			return fmt.Errorf("list tables: %w", err)
		}
		for _, t := range tables {
			if err := archiveTable(ctx, tx, z, tenant, t.Name, t.Columns); err != nil {
				return fmt.Errorf("export table %s: %w", t.Name, err)
			}
		}
		return nil
	})
}

// oneLine takes line ends out of JSON, where they stand between its parts only.
var oneLine = strings.NewReplacer("\n", " ", "\r", " ")

// archiveTable writes the rows of a table, one a line.
func archiveTable(ctx context.Context, tx pgx.Tx, z *zip.Writer, tenant, name, columns string) error {
	file, err := z.CreateHeader(&zip.FileHeader{Name: "tables/" + name + ".jsonl", Method: zip.Deflate, Modified: time.Now()})
	if err != nil {
		return err
	}
	rows, _ := tx.Query(ctx, `SELECT row_to_json(r)::text FROM (SELECT `+columns+` FROM `+pgx.Identifier{name}.Sanitize()+` WHERE tenant_id = $1) AS r`, tenant)
	var line string
	_, err = pgx.ForEachRow(rows, []any{&line}, func() error { // it returns the error of the query as well
		_, err := io.WriteString(file, oneLine.Replace(line)+"\n")
		return err
	})
	return err
}
