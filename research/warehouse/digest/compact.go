package digest

import (
	"bytes"
	"sync"
)

// Compact returns the digest of a result with the given columns. It panics if they differ in
// length. m masks what identifies people; the zero Mask does so without a secret.
//
// Compact is pure. It reads each column once, and its memory does not grow with the number of
// rows, apart from scratch space that is reused.
func Compact(columns []Column, m Mask) *CompactResult {
	out := &CompactResult{Columns: make([]ColumnSummary, len(columns))}
	if len(columns) > 0 {
		out.RowCount = columns[0].Len()
	}
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	return out.from(columns, m, s)
}

// CompactMaps returns the digest of the named columns of rows that are maps. A missing name
// is a null.
func CompactMaps(names []string, rows []map[string]any, m Mask) *CompactResult {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	defer s.forget(len(names))
	out := &CompactResult{Columns: make([]ColumnSummary, len(names)), RowCount: len(rows)}
	return out.from(s.fromMaps(names, rows), m, s)
}

// from fills d with the digest of columns.
func (d *CompactResult) from(columns []Column, m Mask, s *scratch) *CompactResult {
	names, writers := uniqueNames(columns), make([]writer, len(columns))
	for i := range columns {
		if n := columns[i].Len(); n != d.RowCount {
			panic("digest: column " + columns[i].Name + " is of another length")
		}
		summary := &d.Columns[i]
		s.read(&columns[i], summary, m)
		summary.Name = names[i]
		writers[i] = writer{column: &columns[i], kind: summary.Kind, mask: m, hide: hides(&columns[i], summary)}
	}
	d.keepRows(writers, s)
	return d
}

// keepRows keeps the rows that are shown: all of a short result, otherwise the first and last
// few. All rows are also kept if they are shorter than the digest itself.
func (d *CompactResult) keepRows(w []writer, s *scratch) {
	if d.RowCount <= CompactInlineThreshold {
		d.AllRows = s.rows(w, 0, d.RowCount)
		return
	}
	d.HeadRows = s.rows(w, 0, HeadTailRowCount)
	if d.RowCount > 2*HeadTailRowCount {
		d.TailRows = s.rows(w, d.RowCount-HeadTailRowCount, d.RowCount)
	}
	s.prompt = d.appendDigest(s.prompt[:0])
	if all, ok := s.rowsWithin(w, d.RowCount, len(s.prompt), d.objectOverhead()); ok {
		d.AllRows, d.HeadRows, d.TailRows = all, nil, nil
	}
}

// objectOverhead returns the bytes of a row as a JSON object apart from its cells.
func (d *CompactResult) objectOverhead() int {
	n := 2 // braces, plus commas between columns and one after the row
	var room [256]byte
	for i := range d.Columns {
		n += len(appendString(room[:0], d.Columns[i].Name)) + 2
	}
	return n
}

// rows returns rows [from, to) in one allocation for all cells.
func (s *scratch) rows(w []writer, from, to int) []Row {
	out, cells := make([]Row, to-from), make(Row, len(w)*(to-from))
	b, ends := s.text[:0], s.ends[:0]
	for r := from; r < to; r++ {
		for i := range w {
			b = w[i].appendCell(b, r)
			ends = append(ends, len(b))
		}
	}
	s.text, s.ends = b, ends
	kept, start := bytes.Clone(b), 0
	for i, end := range ends {
		cells[i], start = kept[start:end:end], end
	}
	for i := range out {
		out[i] = cells[i*len(w) : (i+1)*len(w) : (i+1)*len(w)]
	}
	return out
}

// rowsWithin returns all rows if they take at most limit bytes as an array of objects.
func (s *scratch) rowsWithin(w []writer, n, limit, overhead int) ([]Row, bool) {
	if n*(overhead+len(w)) > limit {
		return nil, false
	}
	size, b := 1, []byte(nil)
	for r := range n {
		b = b[:0]
		for i := range w {
			b = w[i].appendCell(b, r)
		}
		if size += len(b) + overhead; size > limit {
			return nil, false
		}
	}
	return s.rows(w, 0, n), true
}

// scratches are reused, so that a digest allocates only what it returns.
var scratches = sync.Pool{New: func() any { return &scratch{} }}
