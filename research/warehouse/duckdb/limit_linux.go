//go:build duckdb && cgo

package duckdb

import (
	"bytes"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

const (
	scratchBytes = 1 << 30   // of what does not fit into memory
	slack        = 512 << 20 // bytes of address space beside what the engine may take: stacks, and what allocators hold back
	openFiles    = 256
)

// limitProcess lets this process take so much more address space than it has now,
// write so much, open so many files, and leave no core behind.
func limitProcess(memory int64) error {
	size, err := addressSpace()
	if err != nil {
		return err
	}
	debug.SetMemoryLimit(128 << 20)
	for what, limit := range map[int]uint64{
		unix.RLIMIT_AS: size + uint64(memory) + slack, unix.RLIMIT_FSIZE: scratchBytes, unix.RLIMIT_NOFILE: openFiles, unix.RLIMIT_CORE: 0,
	} {
		if err := unix.Setrlimit(what, &unix.Rlimit{Cur: limit, Max: limit}); err != nil {
			return fmt.Errorf("limit the process: %w", err)
		}
	}
	return nil
}

// limitProcessor has the kernel say when the process has used its processors for
// so much longer; no more is possible for what is carried out next.
func limitProcessor(d time.Duration) error {
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		return fmt.Errorf("limit the processor: %w", err)
	}
	const threads = 3 // two of the engine's, and ours
	seconds := uint64(used.Utime.Sec+used.Stime.Sec) + threads*uint64(d/time.Second+3)
	if err := unix.Setrlimit(unix.RLIMIT_CPU, &unix.Rlimit{Cur: seconds, Max: unix.RLIM_INFINITY}); err != nil {
		return fmt.Errorf("limit the processor: %w", err)
	}
	return nil
}

// addressSpace returns the bytes of address space this process has. The runtime
// reserves much it never uses, so a limit only means something beyond that.
func addressSpace() (uint64, error) {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, fmt.Errorf("size of the process: %w", err)
	}
	pages, _, _ := bytes.Cut(b, []byte(" "))
	n, err := strconv.ParseUint(string(pages), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("size of the process: %w", err)
	}
	return n * uint64(os.Getpagesize()), nil
}
