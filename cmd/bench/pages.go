package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/jackc/pgx/v5"
)

// How much is made up and measured. Five requests fill the caches of the database before
// the forty that count, whose 99th percentile is then the slowest.
const (
	smallTable    = 1000
	pageRounds    = 40
	pageWarm      = 5
	bulkQuestions = 8   // obligations of each session that is made up
	wordsApart    = 500 // made-up sessions share as many words, one each
)

// lookup is a request that is timed.
type lookup struct {
	name string
	path func() string
}

// lookups are timed with few and with many sessions. One of few words and one of all are
// the two ends of what a search has to rank.
var lookups = []lookup{
	{"one session", func() string { return "" }},
	{"page of the list", func() string { return "/api/v1/sessions?limit=50" }},
	{"search, a word of few", func() string { return fmt.Sprintf("/api/v1/search?q=bulkword%d", rand.IntN(wordsApart)) }},
	{"search, a word of all", func() string { return "/api/v1/search?q=supplier" }},
	{"review", func() string { return "/review" }},
	{"review, a word of few", func() string { return fmt.Sprintf("/review?q=bulkword%d", rand.IntN(wordsApart)) }},
}

// measurePages measures what pages weigh over the wire, and how long lists and
// searches take with few and with many sessions, which are made up.
func (b *bench) measurePages(ctx context.Context) error {
	return b.with(ctx, rulesKind, func(s *server) error {
		t := b.talker(s, "pages")
		if err := each(ctx, []*talker{t}, turnsASession/2); err != nil {
			return err
		}
		if err := b.awaitIndexed(ctx); err != nil {
			return err
		}
		if err := b.weigh(ctx, t); err != nil {
			return err
		}
		out := table{left: 1, head: []string{"sessions"}}
		for _, l := range lookups {
			out.head = append(out.head, l.name)
		}
		filled := 0
		for _, rows := range []int{smallTable, b.rows} {
			if err := b.fill(ctx, t.session, filled, rows); err != nil {
				return fmt.Errorf("make up %d sessions: %w", rows, err)
			}
			filled = rows
			cells, err := b.timeLookups(ctx, t, rows)
			if err != nil {
				return err
			}
			out.add(append([]string{fmt.Sprint(rows)}, cells...)...)
		}
		b.tell("Lists and searches (whole requests)", &out)
		return nil
	})
}

// timeLookups times each lookup and returns a cell of the table for each.
func (b *bench) timeLookups(ctx context.Context, t *talker, rows int) (cells []string, err error) {
	for _, l := range lookups {
		var took sample
		for i := range pageWarm + pageRounds {
			at := l.path()
			if at == "" {
				if at, err = b.anySession(ctx, rows); err != nil {
					return nil, err
				}
			}
			began := b.now()
			if _, _, err := t.get(ctx, at); err != nil {
				return nil, err
			}
			if i >= pageWarm {
				took.add(b.now() - began)
			}
		}
		cells = append(cells, took.String())
	}
	return cells, nil
}

// anySession returns the address of a made-up session.
func (b *bench) anySession(ctx context.Context, rows int) (string, error) {
	var id string
	err := b.db.QueryRow(ctx, `SELECT md5('bench' || $1::int)::uuid::text`, rand.IntN(rows)+1).Scan(&id)
	return "/api/v1/sessions/" + id, err
}

// indexLimit is how long the index may take for the sessions that were talked.
const indexLimit = 5 * time.Minute

// awaitIndexed waits until every session can be found.
func (b *bench) awaitIndexed(ctx context.Context) error {
	for end := b.now() + indexLimit; ; {
		var left int
		err := b.db.QueryRow(ctx, `SELECT count(*) FROM elicitation_sessions AS s LEFT JOIN search_heads AS h ON h.tenant_id = s.tenant_id AND h.session_id = s.id
			WHERE h.version IS NULL OR h.version < s.version`).Scan(&left)
		if err != nil || left == 0 {
			return err
		}
		if b.now() > end {
			return fmt.Errorf("%d sessions were not indexed within %s", left, indexLimit)
		}
		if err := b.pause(ctx, 100*time.Millisecond); err != nil {
			return err
		}
	}
}

// fill copies one session with its obligations, its log's head and its searchable
// texts, without vectors, under ids and names made from numbers. The columns are
// read from the database, so that new ones are copied too.
func (b *bench) fill(ctx context.Context, template string, from, to int) error {
	copies := []struct{ table, where, key string }{
		{"elicitation_sessions", "id", "id"},
		{"session_heads", "session_id", "session_id"},
		{"elicitation_obligations", fmt.Sprintf("position < %d AND session_id", bulkQuestions), "session_id"},
		{"search_texts", "session_id", "session_id"},
		{"search_heads", "session_id", "session_id"},
	}
	statements := []string{`SET LOCAL session_replication_role = replica`} // the rows are known to fit together
	for _, c := range copies {
		into, values, err := b.columns(ctx, c.table, map[string]string{c.key: `md5('bench' || n)::uuid`, "user_id": `'bulk-' || n`,
			"created_at": `created_at - make_interval(secs => n)`, "content": fmt.Sprintf(`content || ' bulkword' || n %% %d`, wordsApart)})
		if err != nil {
			return err
		}
		statements = append(statements, fmt.Sprintf(`INSERT INTO %s (%s) SELECT %s FROM %s, generate_series(%d, %d) AS n WHERE %s = '%s'`,
			c.table, into, values, c.table, from+1, to, c.where, template))
	}
	statements = append(statements, `ANALYZE elicitation_sessions, session_heads, elicitation_obligations, search_texts, search_heads`)
	// In one transaction, so that the index never finds a session that has no texts yet.
	err := pgx.BeginFunc(ctx, b.db, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, strings.Join(statements, ";\n"))
		return err
	})
	if err != nil {
		return err
	}
	_, err = b.db.Exec(ctx, `CHECKPOINT`)
	return err
}

// columns lists a table's columns, and what to fill them with: the value in instead, or
// else the column itself.
func (b *bench) columns(ctx context.Context, table string, instead map[string]string) (into, values string, err error) {
	rows, _ := b.db.Query(ctx, `SELECT attname FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`, table) // CollectRows returns its error
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	fills := slices.Clone(names)
	for i, name := range names {
		fills[i] = cmp.Or(instead[name], name)
	}
	return strings.Join(names, ", "), strings.Join(fills, ", "), err
}

// weigh reports the size of pages over the wire, with an empty browser cache.
func (b *bench) weigh(ctx context.Context, t *talker) error {
	out := table{left: 1, head: []string{"page", "requests", "KB over the wire"}}
	for _, p := range []struct{ name, at string }{{"home", "/"}, {"chat", "/s/" + t.session}, {"review of a session", "/review/" + t.session}} {
		requests, size, err := t.weigh(ctx, p.at)
		if err != nil {
			return err
		}
		out.add(p.name, fmt.Sprint(requests), figure(float64(size)/1024))
	}
	b.tell("Pages, as a browser first loads them", &out, "bodies, compressed as the server does for a browser; without headers")
	return nil
}

// weigh fetches a page and everything it refers to, and what that refers to.
func (t *talker) weigh(ctx context.Context, page string) (requests, size int, err error) {
	seen, queue := map[string]bool{page: true}, []string{page}
	for ; len(queue) > 0; queue = queue[1:] {
		body, wire, err := t.get(ctx, queue[0])
		if err != nil {
			return 0, 0, err
		}
		requests, size = requests+1, size+wire
		for _, at := range assets(queue[0], body) {
			if !seen[at] {
				seen[at], queue = true, append(queue, at)
			}
		}
	}
	return requests, size, nil
}

// reference matches what a page or a module loads of ours.
var reference = regexp.MustCompile(`(?:src|href)="(/static/[^"]+)"|(?:from|import) ?"(\./[^"]+)"`)

// assets returns the addresses that the text at an address refers to.
func assets(at string, text []byte) (out []string) {
	for _, m := range reference.FindAllSubmatch(text, -1) {
		if len(m[1]) > 0 {
			out = append(out, string(m[1]))
			continue
		}
		out = append(out, path.Join(path.Dir(at), string(m[2])))
	}
	return out
}

// get fetches a page as a browser does, and returns it with its size over the wire.
func (t *talker) get(ctx context.Context, at string) (text []byte, wire int, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, t.base+at, nil)
	if err != nil {
		return nil, 0, err
	}
	r.Header.Set("Accept", "text/html,*/*;q=0.8")
	r.Header.Set("Accept-Encoding", "br, gzip")
	resp, err := t.http.Do(r)
	if err != nil {
		return nil, 0, err
	}
	raw, err := io.ReadAll(resp.Body)
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return nil, 0, err
	}
	if resp.StatusCode != http.StatusOK {
		return nil, 0, fmt.Errorf("%s: %s", at, resp.Status)
	}
	text, err = decoded(resp.Header.Get("Content-Encoding"), raw)
	return text, len(raw), err
}

// decoded undoes the compression that a server announced.
func decoded(encoding string, raw []byte) ([]byte, error) {
	switch encoding {
	case "":
		return raw, nil
	case "br":
		return io.ReadAll(brotli.NewReader(bytes.NewReader(raw)))
	case "gzip":
		in, err := gzip.NewReader(bytes.NewReader(raw))
		if err != nil {
			return nil, err
		}
		return io.ReadAll(in)
	}
	return nil, fmt.Errorf("unknown content encoding %q", encoding)
}
