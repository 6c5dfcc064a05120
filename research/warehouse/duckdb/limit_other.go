//go:build duckdb && cgo && !linux

package duckdb

import (
	"runtime/debug"
	"time"
)

const scratchBytes = 1 << 30 // of what does not fit into memory

// limitProcess asks the collector to keep to little memory. Where there is no more
// to hold a process with, the engine's own limit and the parent's clock do.
func limitProcess(int64) error {
	debug.SetMemoryLimit(128 << 20)
	return nil
}

func limitProcessor(time.Duration) error { return nil }
