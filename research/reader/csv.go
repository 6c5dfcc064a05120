package reader

import (
	"encoding/csv"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxHeader is how much of a column's name is repeated in each row, in bytes.
const maxHeader = 80

// readCSV lays a table out one row a line: "header: value; header: value" if the
// first row names the columns, else "value | value". Empty cells are left out.
// What is not well quoted is read as it stands.
func readCSV(text string) string {
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
		return strings.Join(header, " | ")
	}
	return b.String()
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
	return cutAtRune(name, maxHeader)
}
