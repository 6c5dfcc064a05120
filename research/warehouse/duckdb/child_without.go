//go:build !duckdb || !cgo

package duckdb

import "io"

// built is whether the engine is part of this program.
const built = false

// Child stands in for the process that reads DuckDB files. This program has no engine, so it
// fails.
func Child(io.Reader, io.Writer) int { return 1 }
