// Package sandbox runs what others wrote, files and statements, in child processes of
// this program that cannot harm it.
//
// The parent starts a child with [Command]: no environment, no inherited files, a
// process group of its own that dies with the parent. The child calls [Limit] before
// it touches its input. On Linux the kernel then holds it to its limits; elsewhere
// the garbage collector and the parent's clock do what they can.
package sandbox

import (
	"context"
	"os/exec"
	"time"
)

// Limits bound a process. A zero value leaves its limit as it is.
type Limits struct {
	Memory    int64         // bytes of address space beyond what the process has when it is limited; an allocation over it fails
	Heap      int64         // bytes of Go memory above which the garbage collector works harder
	Processor time.Duration // of processor time from the start of the process, rounded to whole seconds, at least one; over it the kernel ends the process
	FileSize  int64         // bytes of the largest file it may write
	OpenFiles int           // files and pipes it may have open
}

// waitDelay is how long the pipes of a child that was killed may stay open.
const waitDelay = time.Second

// Command returns a child process that is yet to be started: command with an empty
// environment in directory dir. It is killed, with all it started, when ctx ends.
func Command(ctx context.Context, dir string, command []string) *exec.Cmd {
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Env, c.Dir, c.SysProcAttr = []string{}, dir, ownGroup()
	c.Cancel = func() error { return Kill(c) }
	c.WaitDelay = waitDelay
	return c
}
