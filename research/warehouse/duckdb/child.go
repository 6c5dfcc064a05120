//go:build duckdb && cgo

package duckdb

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	b "github.com/duckdb/duckdb-go-bindings"

	"quaestor/internal/sandbox"
)

// Child is the whole of a process that reads DuckDB files: it carries out the
// requests that come from in, one after the other, and answers to out, until in
// ends. It returns the status to exit with. Nothing else may run in the process.
func Child(in io.Reader, out io.Writer) int {
	over := make(chan os.Signal, 1)
	signal.Notify(over, syscall.SIGXCPU)
	go func() {
		<-over
		os.Exit(exitProcessor)
	}()
	requests := frames{in: bufio.NewReader(in), most: maxFrame}
	answers := bufio.NewWriterSize(out, 64<<10)
	var e *engine
	for {
		kind, body, err := requests.next()
		if errors.Is(err, io.EOF) {
			return 0
		}
		var q request
		if err != nil || kind != frameRequest || json.Unmarshal(body, &q) != nil {
			return 1
		}
		if sandbox.LimitProcessor(processorFor(time.Duration(q.Millis)*time.Millisecond)) != nil {
			return 1
		}
		e, err = carryOut(e, q, sender{answers})
		var f words
		if errors.As(err, &f) {
			err = writeFrame(answers, frameFault, []byte(f))
		}
		if err != nil || answers.Flush() != nil {
			return 1
		}
	}
}

// The statements that parse and print.
const (
	parseSQL = "SELECT CAST(json_serialize_sql(CAST($1 AS VARCHAR)) AS VARCHAR)"
	printSQL = "SELECT json_deserialize_sql(CAST($1 AS JSON))"
)

// carryOut carries out one request, and returns the engine that is open then.
func carryOut(e *engine, q request, out sender) (*engine, error) {
	switch q.Do {
	case "open":
		return openFor(q.Open, out)
	case "build":
		if err := build(q); err != nil {
			return e, err
		}
		return e, writeJSON(out, frameOpened, opened{Version: b.LibraryVersion()})
	}
	if e == nil {
		return nil, errors.New("nothing is open")
	}
	switch q.Do {
	case "query":
		end, err := e.query(q, out)
		if err != nil {
			return e, err
		}
		return e, writeJSON(out, frameDone, end)
	case "parse", "print":
		sql := parseSQL
		if q.Do == "print" {
			sql = printSQL
		}
		text, err := e.text(sql, q.Text)
		if err != nil {
			return e, err
		}
		return e, writeFrame(out, frameText, []byte(text))
	case "rights":
		return e, writeJSON(out, frameDone, map[string]bool{"wrote": e.wrote()})
	default:
		return e, errors.New("an unknown request")
	}
}

// What a child may take beside the memory that DuckDB itself is given.
const (
	slack        = 512 << 20 // bytes of address space: stacks, and what allocators hold back
	childHeap    = 128 << 20 // bytes of Go memory, which holds one batch of rows
	scratchBytes = 1 << 30   // bytes on disk of what does not fit into memory
	openFiles    = 256
)

// processorFor returns how much processor time a statement may take that has d by the
// clock: all of its three threads (two of DuckDB's, one of ours) for that long, and
// some seconds to notice that the clock has run out.
func processorFor(d time.Duration) time.Duration { return 3 * (d + 3*time.Second) }

// openFor opens what a connection is to read, within the limits of the process.
func openFor(o opening, out sender) (*engine, error) {
	err := sandbox.Limit(sandbox.Limits{Memory: o.Memory + slack, Heap: childHeap, FileSize: scratchBytes, OpenFiles: openFiles})
	if err != nil {
		return nil, err
	}
	e, err := openEngine(o.File, o, "READ_ONLY")
	if err != nil {
		return nil, err
	}
	tables := e.look(o.Tables)
	if err := e.lock(tables); err != nil {
		return nil, err
	}
	return e, writeJSON(out, frameOpened, opened{Version: b.LibraryVersion(), Tables: tables})
}

// sender writes frames that are sent when the answer is whole, or much.
type sender struct{ *bufio.Writer }
