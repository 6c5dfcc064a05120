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

// Child is the main function of a process that reads DuckDB files. It carries out the requests
// that arrive on in, one after the other, writes the answers to out, and returns the exit status
// when in ends. Nothing else may run in the process, because it limits itself.
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
		var f engineError
		if errors.As(err, &f) {
			err = writeFrame(answers, frameFault, []byte(f))
		}
		if err != nil || answers.Flush() != nil {
			return 1
		}
	}
}

// The statements that parse and print SQL.
const (
	parseSQL = "SELECT CAST(json_serialize_sql(CAST($1 AS VARCHAR)) AS VARCHAR)"
	printSQL = "SELECT json_deserialize_sql(CAST($1 AS JSON))"
)

// carryOut carries out one request, and returns the engine that is open afterwards.
func carryOut(e *engine, q request, out sender) (*engine, error) {
	switch q.Do {
	case "open":
		return openFor(q.Open, out)
	case "build":
		if err := build(q); err != nil {
			return e, err
		}
		return e, writeJSON(out, frameOpened, openReply{Version: b.LibraryVersion()})
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

// What a child may use in addition to the memory given to DuckDB.
const (
	slack        = 512 << 20 // bytes of address space, for stacks and memory that allocators hold back
	childHeap    = 128 << 20 // bytes of Go memory, which holds one batch of rows
	scratchBytes = 1 << 30   // bytes on disk for intermediate results that do not fit into memory
	openFiles    = 256
)

// processorFor returns the processor time for a statement with d of wall-clock time: that long on
// all three threads (two of DuckDB and one of ours), plus some seconds to notice that the time is
// up.
func processorFor(d time.Duration) time.Duration { return 3 * (d + 3*time.Second) }

// openFor limits the process and opens the data that a connection reads.
func openFor(o openRequest, out sender) (*engine, error) {
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
	return e, writeJSON(out, frameOpened, openReply{Version: b.LibraryVersion(), Tables: tables})
}

// sender buffers frames; they are sent when the answer is complete or the buffer is full.
type sender struct{ *bufio.Writer }
