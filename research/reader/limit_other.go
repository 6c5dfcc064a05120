//go:build !linux

package reader

import (
	"runtime/debug"
	"time"
)

// limitProcess asks the collector to keep to the memory. Where there is no more to
// hold a process with, the parent's clock ends it.
func limitProcess(memory uint64, _ time.Duration) error {
	debug.SetMemoryLimit(int64(memory / 2))
	return nil
}
