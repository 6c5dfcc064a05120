package reader

import (
	"encoding/csv"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The limits of a table.
const (
	maxHeader = 80        // bytes of a column's name as repeated in each row
	maxCells  = 10_000    // of a row
	allCells  = 1_000_000 // of a table
)

// readCSV lays out a table with one row per line: "header: value; header: value" if
// the first row names the columns, else "value | value". Empty cells are left out,
// and bad quoting is read literally. truncated reports that there were more cells
// than are read.
func readCSV(text string) (laid string, truncated bool) {
	text, truncated = fewCells(text, separator(text))
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.FieldsPerRecord, r.LazyQuotes, r.ReuseRecord = separator(text), -1, true, true
	var b strings.Builder
	var header []string
	for first := true; b.Len() <= maxText; first = false {
		row, err := r.Read()
		if err != nil {
			break // end of file, the only error with LazyQuotes
		}
		if first && names(row) {
			header = slices.Clone(row)
			continue
		}
		writeRow(&b, header, row)
	}
	if b.Len() == 0 {
		return strings.Join(header, " | "), truncated
	}
	return b.String(), truncated
}

// fewCells removes the cells that exceed the limit of a row or of the table, since
// each would take a parser more memory than it has bytes. Separators within quotes
// count too.
func fewCells(text string, between rune) (kept string, cut bool) {
	var b strings.Builder
	from, row, all := 0, 0, 0
	for i := range len(text) {
		switch text[i] {
		case '\n':
			if row > maxCells {
				from = i
			}
			row = 0
		case byte(between):
			row++
			all++
			if all > allCells {
				if row <= maxCells {
					b.WriteString(text[from:i])
				}
				return b.String(), true
			}
			if row == maxCells+1 {
				b.WriteString(text[from:i])
				cut = true
			}
		}
	}
	if !cut {
		return text, false
	}
	if row <= maxCells {
		b.WriteString(text[from:])
	}
	return b.String(), true
}

// separator returns the character that separates the cells: of the usual four, the
// one most frequent in the first line.
func separator(text string) rune {
	line, _, _ := strings.Cut(text[:min(len(text), 4096)], "\n")
	best, most := ',', 0
	for _, c := range []rune{',', ';', '\t', '|'} {
		if n := strings.Count(line, string(c)); n > most {
			best, most = c, n
		}
	}
	return best
}

// names reports whether a first row names its columns: at least two cells, all
// different, none empty, none a number.
func names(row []string) bool {
	seen := make(map[string]bool, len(row))
	for _, cell := range row {
		cell = strings.TrimSpace(cell)
		if _, err := strconv.ParseFloat(cell, 64); err == nil || cell == "" || seen[cell] {
			return false
		}
		seen[cell] = true
	}
	return len(row) > 1
}

// writeRow writes one row as a line.
func writeRow(b *strings.Builder, header, row []string) {
	between := " | "
	if header != nil {
		between = "; "
	}
	written := false
	for i, cell := range row {
		cell = strings.Join(strings.Fields(cell), " ")
		if cell == "" || b.Len() > maxText {
			continue
		}
		if written {
			b.WriteString(between)
		}
		if i < len(header) {
			b.WriteString(label(header[i]) + ": ")
		}
		b.WriteString(cell)
		written = true
	}
	if written {
		b.WriteByte('\n')
	}
}

// label shortens the name of a column for use in every row.
func label(name string) string {
	name = strings.Join(strings.Fields(name), " ")
	if !utf8.ValidString(name) {
		return ""
	}
	return cutAtRune(name, maxHeader)
}
