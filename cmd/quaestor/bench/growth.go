package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"
)

// growth is what single steps cost when the table of sessions has so many rows.
type growth struct {
	rows   int
	load   sample // GET of one session
	lookup sample // a turn that first has to find the person's active session
	write  sample // a turn in a known session
	page   sample // GET of a page of the list of sessions
}

const (
	smallTable     = 1000
	growthObserved = 150
	growthWarm     = 30
	bulkTemplates  = 8 // obligations of each session that is made up
)

// measureGrowth fills the tables with made-up sessions and measures before and
// after.
func (b *bench) measureGrowth(ctx context.Context) error {
	b.model.set(pace{pieces: 1})
	err := b.with(ctx, rulesKind, func(s *server) error {
		if err := each(ctx, []*talker{b.talker(s, "template")}, 2); err != nil {
			return err
		}
		filled := 0
		for _, rows := range []int{smallTable, b.rows} {
			if err := b.fill(ctx, filled, rows); err != nil {
				return fmt.Errorf("make up %d sessions: %w", rows, err)
			}
			filled = rows
			g, err := b.observeGrowth(ctx, s, rows)
			if err != nil {
				return err
			}
			b.results.growths = append(b.results.growths, g)
		}
		return nil
	})
	if err != nil {
		return err
	}
	b.tellGrowth()
	return nil
}

// fill copies one session, its obligations and its log's head, under ids and
// names made from numbers. The columns are the database's to say, so that new ones
// are copied too.
func (b *bench) fill(ctx context.Context, from, to int) error {
	var template string
	err := b.db.QueryRow(ctx, `SELECT session_id::text FROM elicitation_obligations GROUP BY session_id ORDER BY session_id LIMIT 1`).Scan(&template)
	if err != nil {
		return err
	}
	id := `md5('bench' || n)::uuid`
	copies := []struct{ table, where, key string }{
		{"elicitation_sessions", "id", "id"},
		{"session_heads", "session_id", "session_id"},
		{"elicitation_obligations", fmt.Sprintf("position < %d AND session_id", bulkTemplates), "session_id"},
	}
	statements := []string{`SET session_replication_role = replica`} // the rows are known to fit together
	for _, c := range copies {
		into, values, err := b.columns(ctx, c.table, map[string]string{c.key: id, "user_id": `'bulk-' || n`, "created_at": `created_at - make_interval(secs => n)`})
		if err != nil {
			return err
		}
		statements = append(statements, fmt.Sprintf(`INSERT INTO %s (%s) SELECT %s FROM %s, generate_series(%d, %d) AS n WHERE %s = '%s'`,
			c.table, into, values, c.table, from+1, to, c.where, template))
	}
	statements = append(statements, `RESET session_replication_role`, `ANALYZE elicitation_sessions, session_heads, elicitation_obligations`, `CHECKPOINT`)
	conn, err := b.db.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	for _, sql := range statements {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return err
		}
	}
	return nil
}

// columns lists a table's columns, and what to fill them with: themselves, unless
// instead says otherwise.
func (b *bench) columns(ctx context.Context, table string, instead map[string]string) (into, values string, err error) {
	rows, err := b.db.Query(ctx, `SELECT attname FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`, table)
	if err != nil {
		return "", "", err
	}
	defer rows.Close()
	var names, fills []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return "", "", err
		}
		fill := name
		if other := instead[name]; other != "" {
			fill = other
		}
		names, fills = append(names, name), append(fills, fill)
	}
	return strings.Join(names, ", "), strings.Join(fills, ", "), rows.Err()
}

func (b *bench) observeGrowth(ctx context.Context, s *server, rows int) (*growth, error) {
	g := &growth{rows: rows}
	known, found := b.talker(s, "known"), b.talker(s, "found")
	found.endless = true
	for i := range growthWarm + growthObserved {
		var at growthSteps
		err := errors.Join(b.timeGet(ctx, s, b.anySession(ctx, rows), &at.load), b.timeGet(ctx, s, "/api/v1/sessions?limit=50", &at.page),
			b.timeTurn(ctx, known, &at.write))
		found.session, found.began = "", 0
		err = errors.Join(err, b.timeTurn(ctx, found, &at.lookup))
		if err != nil {
			return nil, err
		}
		if i < growthWarm {
			continue
		}
		g.load.add(at.load)
		g.page.add(at.page)
		g.write.add(at.write)
		g.lookup.add(at.lookup)
	}
	return g, nil
}

// growthSteps is one round of what is observed.
type growthSteps struct{ load, page, write, lookup time.Duration }

// anySession returns the address of a made-up session; empty when it cannot be
// asked for.
func (b *bench) anySession(ctx context.Context, rows int) string {
	var id string
	_ = b.db.QueryRow(ctx, `SELECT md5('bench' || $1::int)::uuid::text`, rand.IntN(rows)+1).Scan(&id) // an empty id is answered 404, which is an error
	return "/api/v1/sessions/" + id
}

func (b *bench) timeTurn(ctx context.Context, t *talker, took *time.Duration) error {
	e, err := t.say(ctx)
	*took = e.overhead()
	return err
}

func (b *bench) timeGet(ctx context.Context, s *server, path string, took *time.Duration) error {
	began := b.now()
	resp, err := b.talker(s, "get").send(ctx, http.MethodGet, path, nil)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, resp.Body)
	*took = b.now() - began
	if resp.StatusCode != http.StatusOK {
		err = errors.Join(err, fmt.Errorf("%s: %s", path, resp.Status))
	}
	return errors.Join(err, resp.Body.Close())
}
