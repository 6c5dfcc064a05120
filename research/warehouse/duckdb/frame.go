package duckdb

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Parent and child exchange frames: a byte for the kind, the length of the body in four bytes,
// little-endian, and the body.
const (
	frameRequest byte = 'q' // to the child: a request as JSON
	frameOpened  byte = 'o' // the data is open: openReply, as JSON
	frameHead    byte = 'h' // the columns of a result: []columnHead, as JSON
	frameBatch   byte = 'b' // some rows of a result; see batch.go
	frameText    byte = 't' // a tree or a statement
	frameDone    byte = 'd' // the request succeeded: queryEnd, as JSON
	frameFault   byte = 'e' // the request failed: DuckDB's message
)

// maxFrame is the most bytes a frame may have, not counting the bytes of a result.
const maxFrame = 16 << 20

// request is a task for the child.
type request struct {
	Do     string      `json:"do"`               // open, build, query, parse, print or rights
	Open   openRequest `json:"open,omitzero"`    // of open and build
	Text   string      `json:"text,omitempty"`   // a statement, or a tree
	Rows   int         `json:"rows,omitempty"`   // most rows of a result
	Bytes  int64       `json:"bytes,omitempty"`  // most bytes of a result
	Millis int64       `json:"millis,omitempty"` // time until the statement is interrupted
}

// openRequest is what a child is to open, and its limits.
type openRequest struct {
	File    string   `json:"file,omitempty"` // a DuckDB file; empty for a folder
	Tables  []source `json:"tables,omitempty"`
	Memory  int64    `json:"memory"`  // bytes the engine may use
	Scratch string   `json:"scratch"` // folder for intermediate results; empty for none
}

// openReply is what a child has opened.
type openReply struct {
	Version string   `json:"version"`          // of DuckDB
	Tables  []source `json:"tables,omitempty"` // with their queries or faults
}

// queryEnd is the outcome of a query.
type queryEnd struct {
	Rows  int   `json:"rows"`            // that were sent
	More  bool  `json:"more,omitempty"`  // a limit cut the result
	Bytes int64 `json:"bytes,omitempty"` // of the values that were sent
}

// writeFrame writes one frame. body must be shorter than 4 GiB, which the limits see to.
func writeFrame(w io.Writer, kind byte, body []byte) error {
	head := [5]byte{kind}
	binary.LittleEndian.PutUint32(head[1:], uint32(len(body)))
	if _, err := w.Write(head[:]); err != nil {
		return fmt.Errorf("write a frame: %w", err)
	}
	if _, err := w.Write(body); err != nil {
		return fmt.Errorf("write a frame: %w", err)
	}
	return nil
}

// writeJSON writes a frame with v as JSON.
func writeJSON(w io.Writer, kind byte, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write a frame: %w", err)
	}
	return writeFrame(w, kind, body)
}

// frames reads frames. A body is valid until the next frame is read.
type frames struct {
	in   *bufio.Reader
	body bytes.Buffer
	most int64 // most bytes of a body
}

// next returns the next frame. Memory is allocated as the body arrives, so a false length costs
// nothing.
func (f *frames) next() (byte, []byte, error) {
	var head [5]byte
	if _, err := io.ReadFull(f.in, head[:]); err != nil {
		return 0, nil, err
	}
	n := int64(binary.LittleEndian.Uint32(head[1:]))
	if n > f.most {
		return 0, nil, errors.New("a frame is too long")
	}
	f.body.Reset()
	if _, err := io.CopyN(&f.body, f.in, n); err != nil {
		return 0, nil, fmt.Errorf("read a frame: %w", err)
	}
	return head[0], f.body.Bytes(), nil
}

// trim releases the memory of a large body.
func (f *frames) trim() {
	if f.body.Cap() > 1<<20 {
		f.body = bytes.Buffer{}
	}
}
