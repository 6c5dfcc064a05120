//go:build !linux

package sandbox

import (
	"os/exec"
	"runtime/debug"
	"syscall"
	"time"
)

// Limit asks the garbage collector to keep to the heap of l. The kernel offers nothing
// portable for the rest.
func Limit(l Limits) error {
	if l.Heap > 0 {
		debug.SetMemoryLimit(l.Heap)
	}
	return nil
}

// LimitProcessor does nothing: the parent's clock ends the child.
func LimitProcessor(time.Duration) error { return nil }

func ownGroup() *syscall.SysProcAttr { return nil }

// Kill ends a child that was started.
func Kill(c *exec.Cmd) error { return c.Process.Kill() }
