package reader

import (
	"bytes"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// limitProcess lets this process take more bytes of address space than it has now
// by memory, and so much time of a processor. Over the first an allocation ends
// it, over the second the kernel does. No core is written.
func limitProcess(memory uint64, processor time.Duration) error {
	size, err := addressSpace()
	if err != nil {
		return err
	}
	seconds := uint64(max(processor, time.Second) / time.Second)
	for what, limit := range map[int]uint64{unix.RLIMIT_AS: size + memory, unix.RLIMIT_CPU: seconds, unix.RLIMIT_CORE: 0} {
		if err := unix.Setrlimit(what, &unix.Rlimit{Cur: limit, Max: limit}); err != nil {
			return fmt.Errorf("limit the process: %w", err)
		}
	}
	debug.SetMemoryLimit(int64(memory / 2))
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
