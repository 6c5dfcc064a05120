package duckdb

import (
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
)

// maxFiles is how many files of a folder become tables.
const maxFiles = 2000

// format is how a file is written.
type format string

// The formats, by what file names end in. Each may be packed as .gz or .zst, but
// for Parquet.
const (
	csv     format = "csv"
	parquet format = "parquet"
	lines   format = "lines" // JSON, one object a line
	records format = "json"  // JSON, an array of objects, or lines
)

// formatOf returns the format of a file by its name; empty for one that is no table.
func formatOf(name string) format {
	name = strings.ToLower(filepath.Base(name))
	bare := strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst")
	switch filepath.Ext(bare) {
	case ".csv", ".tsv":
		return csv
	case ".parquet":
		if bare == name {
			return parquet
		}
	case ".jsonl", ".ndjson":
		return lines
	case ".json":
		return records
	}
	return ""
}

// source is a file that is a table.
type source struct {
	Path   string `json:"path"`
	Name   string `json:"name"` // of the table
	Format format `json:"format"`
	// Query reads the file with the types that were found in it; empty when nobody
	// looked yet.
	Query string `json:"query,omitempty"`
	Size  int64  `json:"size,omitempty"` // and Time: of the file when it was looked at
	Time  int64  `json:"time,omitempty"`
	Fault string `json:"fault,omitempty"` // why it cannot be read
	Rows  int64  `json:"rows,omitempty"`  // approximately; -1 if nobody knows
}

// sources names the tables of the files of a folder.
func sources(folder string, files []string) []source {
	out, taken := make([]source, len(files)), make(map[string]bool, len(files))
	for i, file := range files {
		base := tableName(file)
		name := base
		for n := 2; taken[name]; n++ {
			name = base + "_" + strconv.Itoa(n)
		}
		taken[name] = true
		out[i] = source{Path: filepath.Join(folder, file), Name: name, Format: formatOf(file)}
	}
	return out
}

// tableName returns the name of the table that a file is: what it is called without
// its ending, in small letters, with _ for what is neither a letter nor a digit.
func tableName(file string) string {
	base := strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(filepath.Base(file)), ".gz"), ".zst")
	base = strings.TrimSuffix(base, filepath.Ext(base))
	gap := false
	var b strings.Builder
	for _, r := range base {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r) {
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte('_')
		}
		gap = false
		b.WriteRune(r)
	}
	switch name := b.String(); {
	case name == "":
		return "file"
	case unicode.IsDigit([]rune(name)[0]):
		return "t_" + name
	default:
		return name
	}
}

// quoteName writes a name so that it means itself.
func quoteName(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// quoteText writes a text as a literal.
func quoteText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
