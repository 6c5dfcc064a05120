package cluster

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	"quaestor/internal/fault"
)

// postmaster is a server process: ours, or one that was found running.
type postmaster struct {
	pid     int
	process *os.Process   // nil if found running
	gone    chan struct{} // closed when our process has ended; nil if found running
}

func (p *postmaster) owned() bool { return p.process != nil }

// spawn starts cmd as our server.
//
// The kernel ends the child when the thread that started it ends, not when the process
// does. So one goroutine starts the child, waits for it, and holds its thread all that
// time.
func spawn(cmd *exec.Cmd) (*postmaster, error) {
	started := make(chan error)
	p := &postmaster{gone: make(chan struct{})}
	go func() {
		runtime.LockOSThread()
		defer close(p.gone)
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait() // how it ended is in its log
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	p.process, p.pid = cmd.Process, cmd.Process.Pid
	return p, nil
}

// awaitEnd waits until the server on the cluster in dir has ended and returns
// true, or false when ctx ended first.
func (p *postmaster) awaitEnd(ctx context.Context, dir string) bool {
	if p.owned() {
		select {
		case <-ctx.Done():
			return false
		case <-p.gone:
			return ctx.Err() == nil
		}
	}
	for {
		if now, ok := running(dir); !ok || now.pid != p.pid {
			return true
		}
		if !pause(ctx, watchEvery) {
			return false
		}
	}
}

// stop ends our server: fast shutdown first (sessions are cut, data is written),
// then, when ctx or patience is at its end, immediate. One that was found
// running is left alone.
func (p *postmaster) stop(ctx context.Context) error {
	if !p.owned() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, stopPatience)
	defer cancel()
	_ = p.process.Signal(syscall.SIGINT) // fails only if it has ended
	select {
	case <-p.gone:
		return nil
	case <-ctx.Done():
	}
	_ = p.process.Signal(syscall.SIGQUIT)
	t := time.NewTimer(quitPatience)
	defer t.Stop()
	select {
	case <-p.gone:
		return nil
	case <-t.C:
		return fault.New(fault.Internal, "the database (process %d) does not stop", p.pid)
	}
}
