package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// floorOptions say what a floor is.
type floorOptions struct {
	kind     string // proxy or readtx
	model    string // base URL of the model
	database string // of readtx
}

// floor is the least that a chat server has to do: it passes what a person says
// to the model and the model's pieces back, and, when it has a database, reads
// the session before and writes the turn after.
type floor struct {
	model string
	http  *http.Client
	pool  *pgxpool.Pool // nil without a database
}

// floorTables are what a floor with a database needs.
const floorTables = `
CREATE SCHEMA IF NOT EXISTS bench_floor;
CREATE TABLE IF NOT EXISTS bench_floor.sessions (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(), user_id text NOT NULL, turns integer NOT NULL DEFAULT 0, updated_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 70);
CREATE TABLE IF NOT EXISTS bench_floor.messages (
    session_id uuid NOT NULL, turn integer NOT NULL, role text NOT NULL, content text NOT NULL, created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (session_id, turn, role)
);`

// A floor has as many connections as the program, and opens most of them before
// it answers.
const (
	floorConns     = 16
	floorConnsOpen = 10
)

// serveFloor is the process of a floor: it answers until ctx ends.
func serveFloor(ctx context.Context, o floorOptions, out io.Writer) error {
	f := &floor{model: o.model, http: newHTTP()}
	if o.kind == "readtx" {
		c, err := pgxpool.ParseConfig(o.database)
		if err != nil {
			return err
		}
		c.MaxConns = floorConns
		if f.pool, err = pgxpool.NewWithConfig(ctx, c); err != nil {
			return err
		}
		defer f.pool.Close()
		if err := warmUp(ctx, f.pool); err != nil {
			return err
		}
		if _, err := f.pool.Exec(ctx, floorTables); err != nil {
			return fmt.Errorf("make the floor's tables: %w", err)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	h := &http.Server{Handler: f, ReadHeaderTimeout: 5 * time.Second}
	context.AfterFunc(ctx, func() { _ = h.Close() })
	fmt.Fprintf(out, "The floor is ready: http://%s\n", l.Addr())
	if err := h.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// warmUp opens connections.
func warmUp(ctx context.Context, pool *pgxpool.Pool) error {
	var open []*pgxpool.Conn
	defer func() {
		for _, c := range open {
			c.Release()
		}
	}()
	for range floorConnsOpen {
		c, err := pool.Acquire(ctx)
		if err != nil {
			return err
		}
		open = append(open, c)
	}
	return nil
}

// heardTurn is what a floor takes of a request.
type heardTurn struct {
	SessionID string `json:"sessionId"`
	UserID    string `json:"userId"`
	Message   string `json:"message"`
	turn      int
	history   []line
}

type line struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// ServeHTTP answers one turn.
func (f *floor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var t heardTurn
	if err := json.NewDecoder(r.Body).Decode(&t); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if err := f.load(r.Context(), &t); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	o := &floorOutput{w: w, rc: http.NewResponseController(w)}
	if o.send(fmt.Appendf(nil, `{"type":"session","sessionId":%q}`, t.SessionID)) != nil {
		return
	}
	text, err := f.ask(r.Context(), t, o)
	if err == nil {
		err = f.save(r.Context(), t, text)
	}
	if err != nil {
		_ = o.send(fmt.Appendf(nil, `{"type":"error","code":%q}`, err.Error()))
		return
	}
	_ = o.send([]byte(`{"type":"done"}`))
}

// load reads the session and its last messages in one round trip.
func (f *floor) load(ctx context.Context, t *heardTurn) error {
	if f.pool == nil {
		t.SessionID = "none"
		return nil
	}
	if t.SessionID == "" {
		if err := f.pool.QueryRow(ctx, `INSERT INTO bench_floor.sessions (user_id) VALUES ($1) RETURNING id::text`, t.UserID).Scan(&t.SessionID); err != nil {
			return err
		}
	}
	b := &pgx.Batch{}
	b.Queue(`SELECT turns FROM bench_floor.sessions WHERE id = $1`, t.SessionID).QueryRow(func(row pgx.Row) error { return row.Scan(&t.turn) })
	b.Queue(`SELECT role, content FROM bench_floor.messages WHERE session_id = $1 AND turn > (SELECT turns FROM bench_floor.sessions WHERE id = $1) - 10 ORDER BY turn, role DESC LIMIT 20`, t.SessionID).
		Query(func(rows pgx.Rows) (err error) {
			t.history, err = pgx.CollectRows(rows, pgx.RowToStructByPos[line])
			return err
		})
	return f.pool.SendBatch(ctx, b).Close()
}

// save writes the turn in one round trip and one commit.
func (f *floor) save(ctx context.Context, t heardTurn, text string) error {
	if f.pool == nil {
		return nil
	}
	b := &pgx.Batch{}
	b.Queue(`INSERT INTO bench_floor.messages (session_id, turn, role, content) VALUES ($1, $2, 'user', $3), ($1, $2, 'assistant', $4)`, t.SessionID, t.turn+1, t.Message, text)
	b.Queue(`UPDATE bench_floor.sessions SET turns = $2, updated_at = now() WHERE id = $1`, t.SessionID, t.turn+1)
	return f.pool.SendBatch(ctx, b).Close()
}

// ask streams the model's reply through and returns its text.
func (f *floor) ask(ctx context.Context, t heardTurn, o *floorOutput) (string, error) {
	body, err := json.Marshal(map[string]any{"model": "bench", "stream": true, "messages": append(t.history, line{"user", t.Message})})
	if err != nil {
		return "", err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, f.model+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	r.Header.Set("Content-Type", "application/json")
	resp, err := f.http.Do(r)
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	var text []byte
	for in := bufio.NewReader(resp.Body); ; {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return "", err
		}
		if bytes.HasPrefix(line, []byte("data: [DONE]")) {
			_, err := io.Copy(io.Discard, in)
			return string(text), err
		}
		piece := field(line, `"content":"`)
		if len(piece) == 0 {
			continue
		}
		if err := o.piece(piece, len(text)); err != nil {
			return "", err
		}
		text = append(text, piece...)
	}
}

// floorOutput writes events.
type floorOutput struct {
	w   http.ResponseWriter
	rc  *http.ResponseController
	buf []byte
}

func (o *floorOutput) send(data []byte) error {
	o.buf = append(append(append(o.buf[:0], "data: "...), data...), "\n\n"...)
	if _, err := o.w.Write(o.buf); err != nil {
		return err
	}
	return o.rc.Flush()
}

func (o *floorOutput) piece(text []byte, offset int) error {
	data := append([]byte(nil), `{"type":"delta","offset":`...)
	data = strconv.AppendInt(data, int64(offset), 10)
	data = append(append(append(data, `,"content":"`...), text...), `"}`...)
	return o.send(data)
}
