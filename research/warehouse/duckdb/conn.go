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

// Conn reads one file or folder. It is safe for concurrent use: statements wait for
// each other, and so do trees, but not one for the other.
type Conn struct {
	place  place
	limits warehouse.Limits
	data   *worker // has the data open
	trees  *worker // parses and prints, and has none

	mu      sync.Mutex // guards what follows
	tables  []source   // of a folder, with what was found in them
	version string
}

var (
	_ warehouse.Conn = (*Conn)(nil)
	_ guard.Parser   = (*Conn)(nil)
)

// parserMemory is what a child may take that has no data.
const parserMemory = 256 << 20

// newConn returns a connection that starts its children when it needs them.
func newConn(c *Connector, p place, s warehouse.Settings) *Conn {
	conn := &Conn{place: p, limits: s.Limits.OrDefault(), tables: p.tables}
	conn.data = &worker{command: c.Child, turn: make(chan struct{}, 1), open: conn.opening, told: conn.opened, explain: conn.explain, idle: idle}
	conn.trees = &worker{command: c.Child, turn: make(chan struct{}, 1), explain: conn.explain, idle: idle,
		open: func() opening { return opening{Memory: parserMemory} }, told: func(opened) {}}
	return conn
}

// opening is what a child opens. A file of a folder that was looked at and did not
// change since is not looked at again.
func (c *Conn) opening() opening {
	c.mu.Lock()
	defer c.mu.Unlock()
	o := opening{File: c.place.file, Memory: c.limits.Memory, Tables: make([]source, len(c.tables))}
	for i, s := range c.tables {
		size, at := stamp(s.Path)
		if s.Fault != "" || size != s.Size || at != s.Time {
			s.Query, s.Fault, s.Size, s.Time = "", "", size, at
		}
		o.Tables[i] = s
	}
	return o
}

// stamp tells one state of a file from another.
func stamp(path string) (size, at int64) {
	info, err := os.Stat(path)
	if err != nil {
		return -1, 0
	}
	return info.Size(), info.ModTime().UnixNano()
}

// opened keeps what a child found.
func (c *Conn) opened(o opened) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.version = o.Version
	if len(o.Tables) == len(c.tables) {
		c.tables = o.Tables
	}
}

// explain turns DuckDB's words into an error. A file that is gone is to DuckDB one
// that it may not read.
func (c *Conn) explain(f words) error {
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

// reach opens the data once. A folder of which no file can be read is no warehouse.
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

// Query runs a statement. See [warehouse.Conn].
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

// run runs one SELECT and collects what it gives.
func (c *Conn) run(ctx context.Context, sql string, l warehouse.Limits) (*warehouse.Result, error) {
	l = l.OrDefault()
	var got *result
	var end done
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

// only takes the one frame of an answer that is one JSON value.
func only(want byte, v any) answers {
	return func(kind byte, body []byte) (bool, error) {
		if kind != want {
			return false, errBatch
		}
		return true, json.Unmarshal(body, v)
	}
}

// treeTime is how long parsing or printing may take.
const treeTime = 5 * time.Second

// Parse returns the tree of a statement, as [guard.Parser] asks.
func (c *Conn) Parse(sql string) ([]byte, error) {
	tree, err := c.tree("parse", sql)
	return []byte(tree), err
}

// Print returns the statement of a tree, as [guard.Parser] asks.
func (c *Conn) Print(tree []byte) (string, error) { return c.tree("print", string(tree)) }

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

// Rights tries to make a table, in a transaction that is undone. DuckDB refuses it:
// files are opened for reading, whatever their permissions say.
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

// Close ends the children.
func (c *Conn) Close() error {
	c.data.close()
	c.trees.close()
	return nil
}
