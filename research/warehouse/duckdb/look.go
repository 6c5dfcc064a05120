//go:build duckdb && cgo

package duckdb

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// look creates a view for every readable file, with the types found in it, so that they need not
// be detected again for every statement. files is changed and returned. A file with a fault has
// no view.
func (e *engine) look(files []source) []source {
	for i := range files {
		f := &files[i]
		if f.Query == "" {
			f.Query, f.Rows, f.Fault = e.queryOf(f)
		}
		if f.Fault != "" {
			continue
		}
		if err := e.exec("CREATE VIEW main." + quoteName(f.Name) + " AS " + f.Query); err != nil {
			f.Query, f.Fault = "", err.Error()
		}
	}
	return files
}

// queryOf returns the query that reads a file and the number of its rows, or why it cannot be
// read.
func (e *engine) queryOf(f *source) (query string, rows int64, why string) {
	if strings.ContainsAny(f.Path, "*?[") {
		return "", -1, "its path holds one of * ? [, which DuckDB takes for a pattern; give it another name"
	}
	path := quoteText(f.Path)
	var err error
	switch f.Format {
	case csv:
		query, err = e.csvQuery(path)
		rows = countLines(f.Path, 1)
	case parquet:
		query = "FROM read_parquet(" + path + ")"
		rows, err = e.number("SELECT CAST(CAST(sum(num_rows) AS BIGINT) AS VARCHAR) FROM parquet_file_metadata(" + path + ")")
	case lines, records:
		query, err = e.jsonQuery(path, f.Format)
		rows = countLines(f.Path, 0)
		if f.Format == records {
			rows = -1
		}
	}
	if err != nil {
		return "", -1, err.Error()
	}
	return query, rows, ""
}

// literal returns an SQL expression that quotes the text of an expression.
func literal(expression string) string {
	return "('''' || replace(" + expression + ", '''', '''''') || '''')"
}

// csvQuery returns the query for a CSV file in the format that DuckDB detects. sniff_csv returns
// such a query too, but does not escape quotes in names. Fields may be quoted even if the first
// ones are not.
func (e *engine) csvQuery(path string) (string, error) {
	given := func(name, column string) string {
		return "CASE WHEN " + column + " IS NULL OR " + column + " = '(empty)' THEN '' ELSE ', " + name + " = ' || " + literal(column) + " END"
	}
	quoted := "CASE WHEN Quote = '(empty)' THEN '\"' ELSE Quote END"
	escape := "CASE WHEN Escape = '(empty)' THEN '\"' ELSE Escape END"
	rest, err := e.text("SELECT " + strings.Join([]string{
		"', auto_detect = false, delim = '", literal("Delimiter"), "', quote = '", literal(quoted), "', escape = '", literal(escape),
		given("new_line", "NewLineDelimiter"), given("comment", "Comment"), given("dateformat", "DateFormat"), given("timestampformat", "TimestampFormat"),
		"', skip = ' || SkipRows || ', header = ' || HasHeader",
		"', columns = {' || array_to_string(list_transform(Columns, lambda c: " + literal("c.name") + " || ': ' || " + literal("c.type") + "), ', ') || '})'",
	}, " || ") + " FROM sniff_csv(" + path + ")")
	return "FROM read_csv(" + path + rest, err
}

// jsonQuery returns the query for a JSON file with its columns, so that they need not be detected
// again.
func (e *engine) jsonQuery(path string, f format) (string, error) {
	how := "'newline_delimited'"
	if f == records {
		how = "'auto'"
	}
	columns, err := e.text("SELECT string_agg(" + literal("column_name") + " || ': ' || " + literal("column_type") + ", ', ') FROM (DESCRIBE FROM read_json(" + path + ", format = " + how + "))")
	return "FROM read_json(" + path + ", format = " + how + ", columns = {" + columns + "})", err
}

// number runs a trusted statement that returns one number as text. It returns -1 beside an error.
func (e *engine) number(sql string) (int64, error) {
	text, err := e.text(sql)
	if err != nil {
		return -1, err
	}
	var n int64
	if _, err := fmt.Sscan(text, &n); err != nil {
		return -1, errors.New("DuckDB gives no number")
	}
	return n, nil
}

// countLines estimates the number of lines in a text file, without those of the head: its size
// divided by the mean length of the lines at its beginning. It returns -1 for a compressed file.
func countLines(path string, head int64) int64 {
	const enough = 256 << 10
	f, err := os.Open(path)
	if err != nil || strings.HasSuffix(path, ".gz") || strings.HasSuffix(path, ".zst") {
		return -1
	}
	defer f.Close() //nolint:errcheck // it was only read
	b, err := io.ReadAll(io.LimitReader(f, enough))
	info, statErr := f.Stat()
	if err != nil || statErr != nil || len(b) == 0 {
		return -1
	}
	n := int64(bytes.Count(b, []byte{'\n'}))
	if b[len(b)-1] != '\n' && int64(len(b)) == info.Size() {
		n++
	}
	return max(0, n*info.Size()/int64(len(b))-head)
}
