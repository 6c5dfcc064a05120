package duckdb

import (
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
)

// maxFiles is how many files a folder may have; each becomes a table. Each is inspected when the
// folder is opened, which has to end within startTime.
const maxFiles = 2000

// format is the format of a file.
type format string

// The formats, which are recognized by file name. All except Parquet may be compressed (.gz, .zst).
const (
	csv     format = "csv"
	parquet format = "parquet"
	lines   format = "lines" // JSON, one object on each line
	records format = "json"  // JSON, an array of objects or one object on each line
)

// formatOf returns the format of a file by its name; empty if the file is not a table.
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

// source is a file that is read as a table.
type source struct {
	Path   string `json:"path"` // absolute
	Name   string `json:"name"` // of the table
	Format format `json:"format"`
	// Query reads the file with the types that were found in it; empty if it has not been
	// inspected yet.
	Query string `json:"query,omitempty"`
	Size  int64  `json:"size,omitempty"` // Size and Time are those of the file when it was inspected
	Time  int64  `json:"time,omitempty"`
	Fault string `json:"fault,omitempty"` // why it cannot be read
	Rows  int64  `json:"rows,omitempty"`  // approximate; -1 if not known
}

// sources assigns names to the tables for the files of a folder. Names that would be equal get a
// number, in the order of files, so that they stay the same as long as the files do.
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

// tableName returns the name of the table for a file: the file's name without its ending, in lower
// case, with an underscore for everything that is neither a letter nor a digit.
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

// quoteName returns s as a quoted name.
func quoteName(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// quoteText returns s as a string literal.
func quoteText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
