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

// What passes between parent and child are frames: a byte that says what it is, the
// length of the rest in four bytes, little end first, and the rest.
const (
	frameRequest byte = 'q' // to the child: a request as JSON
	frameOpened  byte = 'o' // the data is open: opened, as JSON
	frameHead    byte = 'h' // the columns of a result: []columnHead, as JSON
	frameBatch   byte = 'b' // some rows of it; see batch.go
	frameText    byte = 't' // a tree, or a statement
	frameDone    byte = 'd' // the request is carried out: done, as JSON
	frameFault   byte = 'e' // it is not: what DuckDB says
)

// maxFrame is how long a frame may be beside the bytes of a result.
const maxFrame = 16 << 20

// request is what the child is to do.
type request struct {
	Do     string  `json:"do"`               // open, build, query, parse, print or rights
	Open   opening `json:"open,omitzero"`    // of open and build
	Text   string  `json:"text,omitempty"`   // a statement, or a tree
	Rows   int     `json:"rows,omitempty"`   // of a result at most
	Bytes  int64   `json:"bytes,omitempty"`  // of a result at most
	Millis int64   `json:"millis,omitempty"` // until it is interrupted
}

// opening is what is to be opened, and with which limits.
type opening struct {
	File    string   `json:"file,omitempty"`
	Tables  []source `json:"tables,omitempty"`
	Memory  int64    `json:"memory"`  // bytes that the engine may take
	Scratch string   `json:"scratch"` // a folder for what does not fit; empty for none
}

// opened is what was opened.
type opened struct {
	Version string   `json:"version"`
	Tables  []source `json:"tables,omitempty"` // with their queries, or faults
}

// done is how a request ended.
type done struct {
	Rows  int   `json:"rows"`
	More  bool  `json:"more,omitempty"`
	Bytes int64 `json:"bytes,omitempty"`
}

// writeFrame writes one frame.
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

// writeJSON writes a frame that holds v.
func writeJSON(w io.Writer, kind byte, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write a frame: %w", err)
	}
	return writeFrame(w, kind, body)
}

// frames reads frames. The body of one is good until the next is read.
type frames struct {
	in   *bufio.Reader
	body bytes.Buffer
	most int64 // bytes of one
}

// next returns the next frame. Room for it is taken as it arrives, so a length that
// is a lie costs nothing.
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

// trim gives back the room of a body that was large.
func (f *frames) trim() {
	if f.body.Cap() > 1<<20 {
		f.body = bytes.Buffer{}
	}
}
