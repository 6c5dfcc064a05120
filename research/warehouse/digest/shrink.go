package digest

import "strconv"

// What is kept of a digest that is too large for its prompt.
const (
	shrunkInline = 6 // rows up to which all are kept
	shrunkRows   = 2 // rows kept from each end
)

// Within returns d if it takes at most limit bytes in a prompt, and otherwise a smaller digest
// that does. It first keeps fewer rows, then one row and fewer figures for each column, then
// fewer columns, whose number it states. It returns false if there is no room for even one
// column. d is not changed.
func (d *CompactResult) Within(limit int) (*CompactResult, bool) {
	if d.PromptSize() <= limit {
		return d, true
	}
	s := d.withRows(shrunkRows, shrunkRows)
	if len(d.AllRows) > 0 && len(d.AllRows) <= shrunkInline {
		s = d
	}
	if s.PromptSize() <= limit {
		return s, true
	}
	s = d.withRows(1, 0)
	for i := range s.Columns {
		s.Columns[i] = s.Columns[i].brief()
	}
	if s.PromptSize() <= limit {
		return s, true
	}
	return s.withColumns(limit)
}

// withRows returns a copy of d with the given numbers of rows from both ends.
func (d *CompactResult) withRows(head, tail int) *CompactResult {
	first, last := d.HeadRows, d.TailRows
	if d.AllRows != nil {
		first, last = d.AllRows, d.AllRows
	}
	out := &CompactResult{RowCount: d.RowCount, Columns: append([]ColumnSummary(nil), d.Columns...), ColumnsLeft: d.ColumnsLeft}
	out.HeadRows = first[:min(head, len(first))]
	if tail = min(tail, len(last), d.RowCount-len(out.HeadRows)); tail > 0 {
		out.TailRows = last[len(last)-tail:]
	}
	return out
}

// brief returns c without the figures that are easiest to do without.
func (c ColumnSummary) brief() ColumnSummary {
	c.P25, c.P75, c.StdDev, c.Zeros, c.Negatives = nil, nil, nil, 0, 0
	c.MedianTime, c.Top = "", c.Top[:min(len(c.Top), 1)]
	return c
}

// withColumns returns d with as many of its first columns as fit into limit bytes; false if none
// does.
func (d *CompactResult) withColumns(limit int) (*CompactResult, bool) {
	empty := CompactResult{RowCount: d.RowCount, HeadRows: make([]Row, len(d.HeadRows)), ColumnsLeft: d.ColumnsLeft + len(d.Columns)}
	room := limit - empty.PromptSize()
	n := 0
	var b []byte
	for ; n < len(d.Columns); n++ {
		b = d.Columns[n].appendPrompt(b[:0])
		size := len(b) + 1
		for _, row := range d.HeadRows {
			size += len(row[n]) + 1
		}
		if room -= size; room < 0 {
			break
		}
	}
	if n == 0 {
		return nil, false
	}
	out := &CompactResult{RowCount: d.RowCount, Columns: d.Columns[:n], ColumnsLeft: empty.ColumnsLeft - n}
	for _, row := range d.HeadRows {
		out.HeadRows = append(out.HeadRows, row[:n])
	}
	return out, true
}

// appendLeft writes how many columns were left out.
func (d *CompactResult) appendLeft(b []byte) []byte {
	if d.ColumnsLeft == 0 {
		return b
	}
	return strconv.AppendInt(append(b, `,"columns_left_out":`...), int64(d.ColumnsLeft), 10)
}

// PromptWithin returns what AppendPrompt writes for d, or for a smaller digest, so that count of
// it is at most limit; false if nothing fits. count returns the number of tokens in a text.
func (d *CompactResult) PromptWithin(limit int, count func(string) int) (string, bool) {
	prompt := string(d.AppendPrompt(nil))
	n := count(prompt)
	if n <= limit {
		return prompt, true
	}
	// The ratio of bytes to tokens varies within a digest, so several sizes are tried.
	for room := float64(limit) * float64(len(prompt)) / float64(n); room >= 1; room *= 0.85 {
		small, ok := d.Within(int(room))
		if !ok {
			return "", false
		}
		if prompt := string(small.AppendPrompt(nil)); count(prompt) <= limit {
			return prompt, true
		}
	}
	return "", false
}
