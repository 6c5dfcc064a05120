package digest

import "strconv"

// AppendPrompt writes d as one line of JSON for a prompt. If all rows were kept, it writes them
// as an array of objects or as columns with rows, whichever is shorter. Otherwise it writes the
// column summaries with the rows of both ends. The result is never longer than all rows as an
// array of objects.
func (d *CompactResult) AppendPrompt(b []byte) []byte {
	if d.AllRows == nil && d.RowCount > 0 {
		return d.appendDigest(b)
	}
	if d.tableSize() < d.objectsSize() {
		return d.appendTable(b)
	}
	return d.appendObjects(b)
}

// PromptSize returns the number of bytes that AppendPrompt writes.
func (d *CompactResult) PromptSize() int {
	if d.AllRows == nil && d.RowCount > 0 {
		s := scratches.Get().(*scratch)
		defer scratches.Put(s)
		s.prompt = d.appendDigest(s.prompt[:0])
		return len(s.prompt)
	}
	return min(d.tableSize(), d.objectsSize())
}

const (
	columnsHead = `{"columns":[`
	rowsHead    = `],"rows":[`
	rowsEnd     = `]}`
)

// cellsSize returns the bytes of all cells, and of all names, each with a comma.
func (d *CompactResult) cellsSize() (cells, names int) {
	var room [256]byte
	for i := range d.Columns {
		names += len(appendString(room[:0], d.Columns[i].Name)) + 1
	}
	for _, row := range d.AllRows {
		for _, c := range row {
			cells += len(c) + 1
		}
	}
	return cells, names
}

// tableSize returns the number of bytes that appendTable writes.
func (d *CompactResult) tableSize() int {
	cells, names := d.cellsSize()
	rows := len(d.AllRows)
	size := len(columnsHead) + len(rowsHead) + len(rowsEnd) + names + cells + 2*rows
	if len(d.Columns) > 0 {
		size -= 1 + rows // the last of a list has no comma
	}
	return size + max(rows-1, 0)
}

// objectsSize returns the number of bytes that appendObjects writes.
func (d *CompactResult) objectsSize() int {
	cells, names := d.cellsSize()
	rows := len(d.AllRows)
	size := 2 + cells + rows*(names+2)
	if len(d.Columns) > 0 {
		size -= rows
	}
	return size + max(rows-1, 0)
}

// appendTable writes the names of the columns and then all rows as arrays.
func (d *CompactResult) appendTable(b []byte) []byte {
	b = append(b, columnsHead...)
	for i := range d.Columns {
		b = appendString(comma(b, i), d.Columns[i].Name)
	}
	b = append(b, rowsHead...)
	b = appendRows(b, d.AllRows)
	return append(b, rowsEnd...)
}

// appendObjects writes all rows as objects.
func (d *CompactResult) appendObjects(b []byte) []byte {
	b = append(b, '[')
	for r, row := range d.AllRows {
		b = append(comma(b, r), '{')
		for i, cell := range row {
			b = append(append(appendString(comma(b, i), d.Columns[i].Name), ':'), cell...)
		}
		b = append(b, '}')
	}
	return append(b, ']')
}

// appendRows writes rows as arrays.
func appendRows(b []byte, rows []Row) []byte {
	for r, row := range rows {
		b = append(comma(b, r), '[')
		for i, cell := range row {
			b = append(comma(b, i), cell...)
		}
		b = append(b, ']')
	}
	return b
}

// appendDigest writes the column summaries and the rows of both ends.
func (d *CompactResult) appendDigest(b []byte) []byte {
	b = append(b, `{"row_count":`...)
	b = strconv.AppendInt(b, int64(d.RowCount), 10)
	b = append(b, `,"columns":[`...)
	for i := range d.Columns {
		b = d.Columns[i].appendPrompt(comma(b, i))
	}
	b = d.appendLeft(append(b, ']'))
	b = append(b, `,"head_rows":[`...)
	b = appendRows(b, d.HeadRows)
	if d.TailRows != nil {
		b = append(b, `],"tail_rows":[`...)
		b = appendRows(b, d.TailRows)
	}
	return append(b, `]}`...)
}

// appendPrompt writes the summary of a column. Zero counts are left out.
func (c *ColumnSummary) appendPrompt(b []byte) []byte {
	b = appendString(append(b, `{"name":`...), c.Name)
	b = append(append(append(b, `,"kind":"`...), c.Kind...), '"')
	b = appendCount(b, "nulls", c.NullCount)
	if c.DistinctMore {
		b = append(strconv.AppendInt(append(b, `,"distinct":">`...), int64(c.Distinct), 10), '"')
	} else {
		b = appendCount(b, "distinct", c.Distinct)
	}
	b = appendFigure(b, "min", c.Min)
	b = appendFigure(b, "p25", c.P25)
	b = appendFigure(b, "median", c.Median)
	b = appendFigure(b, "p75", c.P75)
	b = appendFigure(b, "max", c.Max)
	b = appendFigure(b, "mean", c.Mean)
	b = appendFigure(b, "stddev", c.StdDev)
	b = appendFigure(b, "sum", c.Sum)
	b = appendCount(b, "zeros", c.Zeros)
	b = appendCount(b, "negatives", c.Negatives)
	b = appendTime(b, "from", c.MinTime)
	b = appendTime(b, "median", c.MedianTime)
	b = appendTime(b, "to", c.MaxTime)
	return append(c.appendTop(b), '}')
}

// appendTop writes the most frequent values with their counts.
func (c *ColumnSummary) appendTop(b []byte) []byte {
	if len(c.Top) == 0 {
		return b
	}
	b = append(b, `,"top":{`...)
	for i, v := range c.Top {
		b = append(appendString(comma(b, i), v.Value), ':')
		b = strconv.AppendInt(b, int64(v.Count), 10)
	}
	return append(b, '}')
}

// appendCount writes a count unless it is zero.
func appendCount(b []byte, name string, n int) []byte {
	if n == 0 {
		return b
	}
	return strconv.AppendInt(appendName(b, name), int64(n), 10)
}

// appendFigure writes v with seven significant digits; whole numbers keep all of theirs.
func appendFigure(b []byte, name string, v *float64) []byte {
	if v == nil {
		return b
	}
	return appendShort(appendName(b, name), *v)
}

// appendShort appends an integer exactly, and any other number with seven
// significant digits, which are enough for a summary.
func appendShort(b []byte, v float64) []byte {
	if i := int64(v); float64(i) == v && max(i, -i) < 1<<53 {
		return strconv.AppendInt(b, i, 10)
	}
	return strconv.AppendFloat(b, v, 'g', 7, 64)
}

// appendTime appends a member with a time, unless it is empty.
func appendTime(b []byte, name, v string) []byte {
	if v == "" {
		return b
	}
	return appendString(appendName(b, name), v)
}

// appendName appends a comma and the name of a member, which needs no escaping.
func appendName(b []byte, name string) []byte {
	return append(append(append(b, ',', '"'), name...), '"', ':')
}

// comma writes a comma unless i is 0.
func comma(b []byte, i int) []byte {
	if i == 0 {
		return b
	}
	return append(b, ',')
}
