package sandbox

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Limit applies l to this process for the rest of its life, and has it leave no core.
func Limit(l Limits) error {
	limits := map[int]uint64{unix.RLIMIT_CORE: 0}
	if l.Memory > 0 {
		size, err := addressSpace()
		if err != nil {
			return err
		}
		limits[unix.RLIMIT_AS] = size + uint64(l.Memory)
	}
	if l.Processor > 0 {
		limits[unix.RLIMIT_CPU] = uint64(max(l.Processor, time.Second) / time.Second)
	}
	if l.FileSize > 0 {
		limits[unix.RLIMIT_FSIZE] = uint64(l.FileSize)
	}
	if l.OpenFiles > 0 {
		limits[unix.RLIMIT_NOFILE] = uint64(l.OpenFiles)
	}
	for what, limit := range limits {
		if err := unix.Setrlimit(what, &unix.Rlimit{Cur: limit, Max: limit}); err != nil {
			return fmt.Errorf("limit the process: %w", err)
		}
	}
	if l.Heap > 0 {
		debug.SetMemoryLimit(l.Heap)
	}
	return nil
}

// LimitProcessor gives this process so much more processor time from now on, summed
// over its threads. When it is used up the kernel sends SIGXCPU each second. It may
// be called again for the next piece of work, so the hard limit stays open.
func LimitProcessor(d time.Duration) error {
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		return fmt.Errorf("limit the processor: %w", err)
	}
	seconds := uint64(used.Utime.Sec+used.Stime.Sec) + uint64(d/time.Second)
	if err := unix.Setrlimit(unix.RLIMIT_CPU, &unix.Rlimit{Cur: seconds, Max: unix.RLIM_INFINITY}); err != nil {
		return fmt.Errorf("limit the processor: %w", err)
	}
	return nil
}

// addressSpace returns the bytes of address space this process has. The runtime
// reserves much that it never uses, so a limit only means something beyond that.
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

// ownGroup has a child lead a process group and die with its parent.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// Kill ends a child that was started, and all it started.
func Kill(c *exec.Cmd) error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
