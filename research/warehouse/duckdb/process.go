package duckdb

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"

	"quaestor/internal/sandbox"
	"quaestor/research/warehouse"
)

// grace is how long a child may exceed its time before it is killed. An interrupt takes effect
// after a moment, and the answer has to arrive.
const grace = time.Second

// maxStderr is how many bytes of a child's standard error are kept.
const maxStderr = 8 << 10

// process is a child process. It carries out one request at a time.
type process struct {
	cmd     *exec.Cmd
	in      *os.File // the parent's end of its standard input
	out     *os.File // the parent's end of its standard output
	frames  frames
	stderr  *headBuffer   // to be read only once it has ended
	scratch string        // its folder for temporary files
	ended   chan struct{} // closed when the process has ended
	overrun atomic.Bool   // it was killed because its time was up
}

// startProcess starts a child. Its scratch folder is removed when it ends.
func startProcess(command []string) (*process, error) {
	scratch, err := os.MkdirTemp("", "quaestor-duckdb-")
	if err != nil {
		return nil, fmt.Errorf("start the reader of DuckDB files: %w", err)
	}
	p, err := start(command, scratch)
	if err != nil {
		_ = os.RemoveAll(scratch)
		return nil, fmt.Errorf("start the reader of DuckDB files: %w", err)
	}
	return p, nil
}

// start starts a child with a scratch folder.
func start(command []string, scratch string) (*process, error) {
	childIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, childOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, childIn.Close(), in.Close())
	}
	p := &process{in: in, out: out, stderr: &headBuffer{}, scratch: scratch, ended: make(chan struct{})}
	p.frames = frames{in: bufio.NewReaderSize(out, 64<<10), most: maxFrame}
	p.cmd = sandbox.Command(context.Background(), scratch, command) // not the request's context: the child outlives it and is ended by kill
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = childIn, childOut, p.stderr
	err = p.cmd.Start()
	err = errors.Join(err, childIn.Close(), childOut.Close())
	if err != nil {
		if p.cmd.Process != nil {
			p.kill()
		}
		return nil, errors.Join(err, in.Close(), out.Close())
	}
	go p.wait()
	return p, nil
}

// wait waits for the end of the child and cleans up.
func (p *process) wait() {
	_ = p.cmd.Wait()
	_ = os.RemoveAll(p.scratch)
	close(p.ended)
}

// gone reports whether the child has ended.
func (p *process) gone() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// kill kills the child and everything it started. It does nothing once the child has ended, because
// another process may have its number by then.
func (p *process) kill() {
	if !p.gone() {
		_ = sandbox.Kill(p.cmd)
	}
}

// close kills the child and waits until it has ended.
func (p *process) close() {
	p.kill()
	<-p.ended
	_ = p.in.Close()
	_ = p.out.Close()
}

// answerFunc receives the frames of an answer; it returns true for the last.
type answerFunc func(kind byte, body []byte) (bool, error)

// engineError is a message of DuckDB about an error.
type engineError string

// Error returns the engine's own message.
func (f engineError) Error() string { return string(f) }

// ask sends a request and passes the frames of the answer to receive. It returns within limit and
// grace, or when ctx ends; the child has ended then. After an error of type [engineError] the child can
// be used further; after any other error it has ended.
func (p *process) ask(ctx context.Context, q request, limit time.Duration, receive answerFunc) error {
	clock := time.AfterFunc(limit+grace, func() {
		p.overrun.Store(true)
		p.kill()
	})
	defer clock.Stop()
	stop := context.AfterFunc(ctx, p.kill)
	defer stop()
	q.Millis = limit.Milliseconds()
	p.frames.most = maxFrame + q.Bytes
	defer p.frames.trim()
	err := p.exchange(q, receive)
	var f engineError
	if err == nil || errors.As(err, &f) {
		return err
	}
	p.close()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return p.died(err, limit)
}

// exchange sends a request and reads the answer. An error of receive ends it, with the answer
// unread.
func (p *process) exchange(q request, receive answerFunc) error {
	if err := writeJSON(p.in, frameRequest, q); err != nil {
		return err
	}
	for {
		kind, body, err := p.frames.next()
		if err != nil {
			return err
		}
		if kind == frameFault {
			return engineError(body)
		}
		if end, err := receive(kind, body); end || err != nil {
			return err
		}
	}
}

// memoryMessages are messages of a process that was refused memory or threads.
var memoryMessages = []string{"out of memory", "cannot allocate", "bad_alloc", "pthread_create failed", "Resource temporarily unavailable", "length_error"}

// died returns the reason why the child ended. The messages and exit states are all that is left
// of a child; out of memory shows in several ways, because DuckDB, the allocator and Go each
// report it in their own.
func (p *process) died(err error, limit time.Duration) error {
	if p.overrun.Load() {
		return warehouse.NewQueryError(warehouse.TimedOut, fmt.Sprintf("the statement was stopped after %s", limit), "", err)
	}
	said := p.stderr.String()
	for _, h := range memoryMessages {
		if strings.Contains(said, h) {
			return warehouse.NewQueryError(warehouse.OverQuota, "the statement needs more memory than it may have", "", err)
		}
	}
	if errors.Is(err, errBatch) || p.cmd.ProcessState.ExitCode() == exitProcessor {
		return warehouse.NewQueryError(warehouse.OverQuota, "the statement needs more than it may have", "", err)
	}
	if p.cmd.ProcessState.ExitCode() == exitCrash {
		return warehouse.NewQueryError(warehouse.OtherError, "DuckDB failed at this statement; another one may do", "", err)
	}
	return warehouse.NewQueryError(warehouse.Unreachable, "the reader of DuckDB files ended unexpectedly ("+p.cmd.ProcessState.String()+")", "", err)
}

// The exit status of a child that exceeded its processor time, and of one that crashed.
const (
	exitProcessor = 3
	exitCrash     = 2 // as the Go runtime exits
)

// headBuffer keeps the beginning of what is written to it and drops the rest.
type headBuffer struct{ b strings.Builder }

// Write keeps what fits and discards the rest, without an error: the writer must not
// notice.
func (t *headBuffer) Write(b []byte) (int, error) {
	if room := maxStderr - t.b.Len(); room > 0 {
		t.b.Write(b[:min(room, len(b))])
	}
	return len(b), nil
}

// String returns what was kept.
func (t *headBuffer) String() string { return t.b.String() }

var _ io.Writer = (*headBuffer)(nil)
