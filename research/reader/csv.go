package reader

import (
	"encoding/csv"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"quaestor/internal/language"
)

// The bounds of a table.
const (
	maxHeader = 80        // bytes of a column's name that are repeated in each row
	maxCells  = 10_000    // of a row
	allCells  = 1_000_000 // of a table
)

// readCSV lays a table out one row a line: "header: value; header: value" if the
// first row names the columns, else "value | value". Empty cells are left out.
// What is not well quoted is read as it stands. Truncated says that there were more
// cells than are read.
func readCSV(text string) (laid string, truncated bool) {
	text, truncated = fewCells(text, separator(text))
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.FieldsPerRecord, r.LazyQuotes, r.ReuseRecord = separator(text), -1, true, true
	var b strings.Builder
	var header []string
	for first := true; b.Len() <= maxText; first = false {
		row, err := r.Read()
		if err != nil {
			break // the end; nothing else can go wrong with quotes taken lazily
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

// fewCells returns the text without the cells that are too many, in a row or in all:
// each would take a parser more memory than it has bytes. What is in quotes counts too.
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

// separator returns what stands between the cells of the first line: the most
// frequent of the usual four.
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

// names reports whether a first row names its columns: at least two, all of them
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

// label is a column's name as rows repeat it.
func label(name string) string {
	name = strings.Join(strings.Fields(name), " ")
	if !utf8.ValidString(name) {
		return ""
	}
	return language.HeadBytes(name, maxHeader)
}
