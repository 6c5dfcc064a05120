package duckdb

import (
	"cmp"
	"path/filepath"
	"regexp"
	"strings"

	"quaestor/internal/language"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/wire"
)

// faults are how DuckDB words its errors; it has no codes.
var faults = wire.Classifier[struct{}]{
	Phrases: []wire.Phrase{
		{Text: "INTERRUPT Error", Class: warehouse.TimedOut},
		{Text: "Out of Memory Error", Class: warehouse.OverQuota},
		{Text: "failed to allocate", Class: warehouse.OverQuota},
		{Text: "bad_alloc", Class: warehouse.OverQuota},
		{Text: "Permission denied", Class: warehouse.NoPermission},
		{Text: "file system operations are disabled", Class: warehouse.Forbidden},
		{Text: "Permission Error", Class: warehouse.Forbidden},
		{Text: "read-only mode", Class: warehouse.Forbidden},
		{Text: "transaction is launched in read-only", Class: warehouse.Forbidden},
		{Text: "Only SELECT", Class: warehouse.Forbidden},
		{Text: "Parser Error", Class: warehouse.SyntaxError},
		{Text: "must appear in the GROUP BY", Class: warehouse.GroupingError},
		{Text: "cannot contain aggregates", Class: warehouse.GroupingError},
		{Text: "Ambiguous reference", Class: warehouse.AmbiguousColumn},
		{Text: "Table with name", Class: warehouse.UnknownTable},
		{Text: "Referenced table", Class: warehouse.UnknownTable},
		{Text: "Function with name", Class: warehouse.UnknownFunction},
		{Text: "No function matches", Class: warehouse.TypeMismatch},
		{Text: "Referenced column", Class: warehouse.UnknownColumn},
		{Text: "does not have a column named", Class: warehouse.UnknownColumn},
		{Text: "Values list", Class: warehouse.UnknownColumn},
		{Text: "Could not choose a best candidate", Class: warehouse.TypeMismatch},
		{Text: "Conversion Error", Class: warehouse.TypeMismatch},
		{Text: "Mismatch Type", Class: warehouse.TypeMismatch},
		{Text: "Invalid type", Class: warehouse.TypeMismatch},
		{Text: "Cannot compare values", Class: warehouse.TypeMismatch},
		{Text: "Cannot mix values", Class: warehouse.TypeMismatch},
		{Text: "division by zero", Class: warehouse.DivisionByZero},
		{Text: "No files found", Class: warehouse.Unreachable},
		{Text: "IO Error", Class: warehouse.Unreachable},
		{Text: "FATAL Error", Class: warehouse.Unreachable},
		{Text: "No magic bytes", Class: warehouse.Unreachable},
		{Text: "too small to be a Parquet file", Class: warehouse.Unreachable},
	},
	Names: map[warehouse.ErrorClass][]wire.Delimiters{
		warehouse.UnknownColumn: names, warehouse.UnknownTable: names, warehouse.UnknownFunction: names, warehouse.AmbiguousColumn: names, warehouse.GroupingError: names,
	},
}

// names are where names stand; those of tables and functions are not quoted.
var names = []wire.Delimiters{{Open: `column named "`, Shut: `"`}, {Open: `"`, Shut: `"`}, {Open: "with name ", Shut: " does not exist"}, {Open: "with name ", Shut: " is not"}}

// queryError returns DuckDB's message without the path of the folder that holds the data.
func (p place) queryError(message string, cause error) *warehouse.QueryError {
	message = strings.TrimSpace(message)
	if folder := cmp.Or(p.folder, filepath.Dir(p.file)); len(folder) > 1 {
		message = strings.ReplaceAll(message, strings.TrimSuffix(folder, "/")+"/", "")
	}
	for _, rest := range []string{"\n\nLINE ", "\n\nPossible solutions:"} { // the author knows the statement, and cannot change settings
		message, _, _ = strings.Cut(message, rest)
	}
	class := faults.Class(struct{}{}, message)
	if class == warehouse.TimedOut {
		message = "the statement was stopped after its time"
	}
	line, _, _ := strings.Cut(message, "\n") // other names are suggested further down
	return warehouse.NewQueryError(class, message, faults.Name(class, line), cause)
}

// faultOf returns what is wrong with a file in a few words: the kind of DuckDB's fault, and the line of the file where
// it names one. Lines of the file itself stay out, for they are data.
func (p place) faultOf(message string) string {
	message = p.queryError(message, nil).Message
	first, _, _ := strings.Cut(message, "\n")
	if strings.Contains(first, "sniffing file") {
		return "its columns cannot be told apart; most often one line has another number of fields, a quote that stays open, or another line end"
	}
	first = strings.TrimPrefix(first, "Invalid Input Error: ")
	first = strings.TrimRight(strings.TrimSpace(first), ".: ")
	if at := faultLine.FindStringSubmatch(message); at != nil && !strings.Contains(strings.ToLower(first), "line") {
		first += ", line " + at[1]
	}
	for _, l := range strings.Split(message, "\n") {
		if l = strings.TrimSpace(l); strings.HasPrefix(l, "Expected Number of Columns:") {
			first += ", " + language.LowerFirst(l)
		}
	}
	return language.Clip(first, 300)
}

// faultLine finds the line of a file in a message of DuckDB.
var faultLine = regexp.MustCompile(`(?i)\bline:? (\d+)`)
