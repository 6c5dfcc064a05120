//go:build duckdb && cgo

package duckdb

import (
	"encoding/binary"

	b "github.com/duckdb/duckdb-go-bindings"
)

// scan sends a result in batches.
type scan struct {
	result  *b.Result
	columns []scanColumn
	rows    int   // rows that may still be sent
	bytes   int64 // most bytes that may be sent
	end     queryEnd
	batch   []byte
}

// newScan returns the scan of a result.
func newScan(r *b.Result, q request) *scan {
	s := &scan{result: r, rows: q.Rows, bytes: q.Bytes, columns: make([]scanColumn, b.ColumnCount(r))}
	for i := range s.columns {
		s.columns[i] = newColumn(r, b.IdxT(i))
	}
	return s
}

// run sends the columns and then as many rows as the limits allow.
func (s *scan) run(out sender) (queryEnd, error) {
	heads := make([]columnHead, len(s.columns))
	for i := range s.columns {
		heads[i] = s.columns[i].head
	}
	sent := false
	for !s.end.More {
		chunk := b.FetchChunk(*s.result)
		if chunk.Ptr == nil {
			break
		}
		s.chunk(chunk)
		b.DestroyDataChunk(&chunk)
		if s.end.More && s.end.Rows == 0 && s.rows > 0 {
			return s.end, engineError("Out of Memory Error: the first row is larger than a result may be")
		}
		if !sent {
			if err := writeJSON(out, frameHead, heads); err != nil {
				return s.end, err
			}
			sent = true
		}
		if len(s.batch) > 0 {
			if err := writeFrame(out, frameBatch, s.batch); err != nil {
				return s.end, err
			}
		}
	}
	if message := b.ResultError(s.result); message != "" {
		return s.end, engineError(message)
	}
	if sent {
		return s.end, nil
	}
	return s.end, writeJSON(out, frameHead, heads)
}

// chunk encodes a chunk of rows as a batch, or as many of them as may still be sent. s.batch is
// empty if none may be sent.
func (s *scan) chunk(chunk b.DataChunk) {
	n := int(b.DataChunkGetSize(chunk))
	for i := range s.columns {
		c := &s.columns[i]
		v := b.DataChunkGetVector(chunk, b.IdxT(i))
		c.data, c.valid = b.VectorGetData(v), b.VectorGetValidity(v)
	}
	rows := s.fit(n)
	s.end.More = rows < n
	s.batch = s.batch[:0]
	if rows == 0 {
		return
	}
	s.batch = binary.LittleEndian.AppendUint32(s.batch, uint32(rows))
	for i := range s.columns {
		s.batch = s.columns[i].append(s.batch, rows)
	}
	s.rows -= rows
	s.end.Rows += rows
}

// fit returns how many of n rows may still be sent, and counts their bytes. Rows are sent whole
// or not at all.
func (s *scan) fit(n int) int {
	if n > s.rows {
		n = s.rows
	}
	for r := range n {
		size := int64(0)
		for i := range s.columns {
			size += s.columns[i].size(r)
		}
		if s.end.Bytes+size > s.bytes {
			return r
		}
		s.end.Bytes += size
	}
	return n
}
