package duckdb

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/guard"
)

// Conn reads one file or folder. It is safe for concurrent use. Statements wait for each other, and
// so do requests to parse or print, but the two kinds do not wait for one another.
type Conn struct {
	place  place
	limits warehouse.Limits // without zeros
	data   *worker          // has the data open
	trees  *worker          // parses and prints; has no data

	mu      sync.Mutex // guards what follows
	tables  []source   // of a folder, with what was found in the files
	version string     // of DuckDB; empty until the data was opened
}

var (
	_ warehouse.Conn = (*Conn)(nil)
	_ guard.Parser   = (*Conn)(nil)
)

// parserMemory is the memory of a child that only parses and prints.
const parserMemory = 256 << 20

// newConn returns a connection. Its children are started when they are needed.
func newConn(c *Connector, p place, s warehouse.Settings) *Conn {
	conn := &Conn{place: p, limits: s.Limits.OrDefault(), tables: p.tables}
	conn.data = &worker{command: c.Child, turn: make(chan struct{}, 1), open: conn.opening, told: conn.opened, explain: conn.explain, idle: idle}
	conn.trees = &worker{command: c.Child, turn: make(chan struct{}, 1), explain: conn.explain, idle: idle,
		open: func() openRequest { return openRequest{Memory: parserMemory} }, told: func(openReply) {}}
	return conn
}

// opening returns what a new child opens. Files that were inspected before and have not changed
// since are not inspected again. A file that could not be read before is inspected again.
func (c *Conn) opening() openRequest {
	c.mu.Lock()
	defer c.mu.Unlock()
	o := openRequest{File: c.place.file, Memory: c.limits.Memory, Tables: make([]source, len(c.tables))}
	for i, s := range c.tables {
		size, at := stamp(s.Path)
		if s.Fault != "" || size != s.Size || at != s.Time {
			s.Query, s.Fault, s.Size, s.Time = "", "", size, at
		}
		o.Tables[i] = s
	}
	return o
}

// stamp returns the size and modification time of a file, which change when it is written.
func stamp(path string) (size, at int64) {
	info, err := os.Stat(path)
	if err != nil {
		return -1, 0
	}
	return info.Size(), info.ModTime().UnixNano()
}

// opened records what a child found in the files.
func (c *Conn) opened(o openReply) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.version = o.Version
	if len(o.Tables) == len(c.tables) {
		c.tables = o.Tables
	}
}

// explain turns a message of DuckDB into an error. DuckDB reports a missing file as one that it may
// not access; that is recognized here.
func (c *Conn) explain(f engineError) error {
	err := c.place.queryError(string(f), f)
	if err.Class != warehouse.Forbidden {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.tables {
		if size, _ := stamp(s.Path); size < 0 && strings.Contains(string(f), s.Path) {
			return warehouse.NewQueryError(warehouse.Unreachable, "the file "+filepath.Base(s.Path)+" of table "+s.Name+" is gone", s.Name, f)
		}
	}
	return err
}

// reach opens the data for the first time. A folder without any readable file is an error.
func (c *Conn) reach(ctx context.Context) error {
	if _, err := c.run(ctx, "SELECT 1", c.limits); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.tables {
		if s.Fault == "" {
			return nil
		}
	}
	if len(c.tables) > 0 {
		return c.place.queryError(c.tables[0].Fault, nil)
	}
	return nil
}

// Query implements [warehouse.Conn]. Of l, Memory has no effect: the child has the memory of the
// connection.
func (c *Conn) Query(ctx context.Context, s guard.Statement, l warehouse.Limits) (*warehouse.Result, error) {
	return c.run(ctx, s.SQL, l)
}

// Sample reads at most n rows of a table.
func (c *Conn) Sample(ctx context.Context, t catalog.Table, n int) (*warehouse.Result, error) {
	schema := t.Schema
	if schema == "" {
		schema = "main"
	}
	return c.run(ctx, fmt.Sprintf("SELECT * FROM %s.%s LIMIT %d", quoteName(schema), quoteName(t.Name), n), c.limits)
}

// run runs one SELECT and collects its result. The child stops at the limits by itself; a child
// that sends more than it was allowed is killed.
func (c *Conn) run(ctx context.Context, sql string, l warehouse.Limits) (*warehouse.Result, error) {
	l = l.OrDefault()
	var got *result
	var end queryEnd
	began := time.Now()
	err := c.data.ask(ctx, request{Do: "query", Text: sql, Rows: l.Rows, Bytes: l.Bytes}, l.Time, func(kind byte, body []byte) (bool, error) {
		switch {
		case kind == frameHead && got == nil:
			var heads []columnHead
			err := json.Unmarshal(body, &heads)
			got = newResult(heads)
			return false, err
		case kind == frameBatch && got != nil:
			if err := got.add(body); err != nil || got.rows > l.Rows || got.bytes > l.Bytes {
				return false, errBatch
			}
			return false, nil
		case kind == frameDone && got != nil:
			return true, json.Unmarshal(body, &end)
		}
		return false, errBatch
	})
	if err != nil {
		return nil, err
	}
	return &warehouse.Result{Columns: got.columns, Rows: got.rows, More: end.More, Bytes: got.bytes, Took: time.Since(began)}, nil
}

// only returns a receiver for an answer that is a single frame with a JSON value.
func only(want byte, v any) answerFunc {
	return func(kind byte, body []byte) (bool, error) {
		if kind != want {
			return false, errBatch
		}
		return true, json.Unmarshal(body, v)
	}
}

// treeTime is the time limit for parsing or printing a statement.
const treeTime = 5 * time.Second

// Parse implements [guard.Parser].
func (c *Conn) Parse(sql string) ([]byte, error) {
	tree, err := c.tree("parse", sql)
	return []byte(tree), err
}

// Print implements [guard.Parser].
func (c *Conn) Print(tree []byte) (string, error) { return c.tree("print", string(tree)) }

// tree has the process that parses do one request, and returns the text of its
// answer.
func (c *Conn) tree(do, text string) (string, error) {
	var out string
	err := c.trees.ask(context.Background(), request{Do: do, Text: text}, treeTime, func(kind byte, body []byte) (bool, error) {
		if kind != frameText {
			return false, errBatch
		}
		out = string(body)
		return true, nil
	})
	return out, err
}

// Rights tries to create a table in a transaction that is rolled back. DuckDB refuses, because
// files are opened for reading whatever their permissions are.
func (c *Conn) Rights(ctx context.Context) (warehouse.Rights, error) {
	var end struct {
		Wrote bool `json:"wrote"`
	}
	if err := c.data.ask(ctx, request{Do: "rights"}, 10*time.Second, only(frameDone, &end)); err != nil {
		return warehouse.Rights{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	r := warehouse.Rights{Role: "reader of " + c.place.describe(), Server: "DuckDB " + c.version, CanWrite: end.Wrote}
	if end.Wrote {
		r.Why = []string{"create a table in " + c.place.describe()}
	}
	return r, nil
}

// Close stops the children.
func (c *Conn) Close() error {
	c.data.close()
	c.trees.close()
	return nil
}
