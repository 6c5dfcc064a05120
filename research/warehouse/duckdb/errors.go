package duckdb

import (
	"cmp"
	"path/filepath"
	"regexp"
	"strings"

	"quaestor/research/warehouse"
)

// phrases are parts of DuckDB's messages and their classes, in the order in which they are tried.
// DuckDB has no error codes.
var phrases = []struct {
	phrase string
	class  warehouse.ErrorClass
}{
	{"INTERRUPT Error", warehouse.TimedOut},
	{"Out of Memory Error", warehouse.OverQuota},
	{"failed to allocate", warehouse.OverQuota},
	{"bad_alloc", warehouse.OverQuota},
	{"Permission denied", warehouse.NoPermission},
	{"file system operations are disabled", warehouse.Forbidden},
	{"Permission Error", warehouse.Forbidden},
	{"read-only mode", warehouse.Forbidden},
	{"transaction is launched in read-only", warehouse.Forbidden},
	{"Only SELECT", warehouse.Forbidden},
	{"Parser Error", warehouse.SyntaxError},
	{"must appear in the GROUP BY", warehouse.GroupingError},
	{"cannot contain aggregates", warehouse.GroupingError},
	{"Ambiguous reference", warehouse.AmbiguousColumn},
	{"Table with name", warehouse.UnknownTable},
	{"Referenced table", warehouse.UnknownTable},
	{"Function with name", warehouse.UnknownFunction},
	{"No function matches", warehouse.TypeMismatch},
	{"Referenced column", warehouse.UnknownColumn},
	{"does not have a column named", warehouse.UnknownColumn},
	{"Values list", warehouse.UnknownColumn},
	{"Could not choose a best candidate", warehouse.TypeMismatch},
	{"Conversion Error", warehouse.TypeMismatch},
	{"Mismatch Type", warehouse.TypeMismatch},
	{"Invalid type", warehouse.TypeMismatch},
	{"Cannot compare values", warehouse.TypeMismatch},
	{"Cannot mix values", warehouse.TypeMismatch},
	{"division by zero", warehouse.DivisionByZero},
	{"No files found", warehouse.Unreachable},
	{"IO Error", warehouse.Unreachable},
	{"FATAL Error", warehouse.Unreachable},
	{"No magic bytes", warehouse.Unreachable},
	{"too small to be a Parquet file", warehouse.Unreachable},
}

// named matches the table or function at fault where DuckDB does not quote it.
var named = regexp.MustCompile(`with name (.+?) (?:does not exist|is not)`)

// queryError returns DuckDB's message without the path of the folder that holds the data.
func (p place) queryError(message string, cause error) *warehouse.QueryError {
	message = strings.TrimSpace(message)
	if folder := cmp.Or(p.folder, filepath.Dir(p.file)); len(folder) > 1 {
		message = strings.ReplaceAll(message, strings.TrimSuffix(folder, "/")+"/", "")
	}
	for _, rest := range []string{"\n\nLINE ", "\n\nPossible solutions:"} { // the author knows the statement, and cannot change settings
		message, _, _ = strings.Cut(message, rest)
	}
	class := classOf(message)
	if class == warehouse.TimedOut {
		message = "the statement was stopped after its time"
	}
	return warehouse.NewQueryError(class, message, nameIn(message), cause)
}

// classOf returns the class of a message of DuckDB.
func classOf(message string) warehouse.ErrorClass {
	for _, p := range phrases {
		if strings.Contains(message, p.phrase) {
			return p.class
		}
	}
	return warehouse.OtherError
}

// nameIn returns the name at fault; empty if the message has none.
func nameIn(message string) string {
	line, _, _ := strings.Cut(message, "\n")
	switch classOf(message) {
	case warehouse.UnknownColumn, warehouse.UnknownTable, warehouse.UnknownFunction, warehouse.AmbiguousColumn, warehouse.GroupingError:
	default:
		return ""
	}
	for _, before := range []string{`column named "`, `"`} {
		if _, quoted, ok := strings.Cut(line, before); ok {
			name, _, _ := strings.Cut(quoted, `"`)
			return name
		}
	}
	if m := named.FindStringSubmatch(line); m != nil {
		return m[1]
	}
	return ""
}
