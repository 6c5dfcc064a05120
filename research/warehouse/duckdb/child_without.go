//go:build !duckdb || !cgo

package duckdb

import "io"

// built says that the engine is not in this program.
const built = false

// Child is the process that reads DuckDB files. This program has no engine, so it
// fails.
func Child(io.Reader, io.Writer) int { return 1 }
