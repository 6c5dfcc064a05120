//go:build !duckdb

package builtin

import "testing"

// duck says what is needed.
func duck(t *testing.T, _ string) asker {
	t.Helper()
	t.Fatal("record with -tags duckdb")
	return nil
}
