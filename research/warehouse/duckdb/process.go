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

// grace is how long a child may be over its time before it is killed.
const grace = time.Second

// maxStderr is how much of what a child says beside its answers is kept.
const maxStderr = 8 << 10

// process is one child. It does one thing at a time.
type process struct {
	cmd     *exec.Cmd
	in      *os.File
	out     *os.File
	frames  frames
	stderr  *tail
	scratch string
	ended   chan struct{} // closed when it is gone
	overrun atomic.Bool   // it was killed because its time was up
}

// startProcess starts a child. Its scratch folder goes when it ends.
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

// start starts a child that works in a folder.
func start(command []string, scratch string) (*process, error) {
	childIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, childOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, childIn.Close(), in.Close())
	}
	p := &process{in: in, out: out, stderr: &tail{}, scratch: scratch, ended: make(chan struct{})}
	p.frames = frames{in: bufio.NewReaderSize(out, 64<<10), most: maxFrame}
	p.cmd = sandbox.Command(context.Background(), scratch, command) // ended by kill: it outlives the requests it answers
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

// wait waits for the end of the child, and cleans up.
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

// kill ends the child and all it started. The number of one that is gone may be
// another's by now.
func (p *process) kill() {
	if !p.gone() {
		_ = sandbox.Kill(p.cmd)
	}
}

// close ends the child and waits until it is gone.
func (p *process) close() {
	p.kill()
	<-p.ended
	_ = p.in.Close()
	_ = p.out.Close()
}

// answers is what takes the frames of an answer: true ends it.
type answers func(kind byte, body []byte) (bool, error)

// words are what DuckDB says is wrong.
type words string

func (f words) Error() string { return string(f) }

// ask sends a request and reads its answer until take has enough. It ends within
// limit and grace, or with ctx; then the child is gone. [words] leave the child
// as it was, any other error ends it.
func (p *process) ask(ctx context.Context, q request, limit time.Duration, take answers) error {
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
	err := p.exchange(q, take)
	var f words
	if err == nil || errors.As(err, &f) {
		return err
	}
	p.close()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return p.died(err, limit)
}

// exchange sends a request and reads the answer.
func (p *process) exchange(q request, take answers) error {
	if err := writeJSON(p.in, frameRequest, q); err != nil {
		return err
	}
	for {
		kind, body, err := p.frames.next()
		if err != nil {
			return err
		}
		if kind == frameFault {
			return words(body)
		}
		if end, err := take(kind, body); end || err != nil {
			return err
		}
	}
}

// hungry is what a process says that was refused memory or threads.
var hungry = []string{"out of memory", "cannot allocate", "bad_alloc", "pthread_create failed", "Resource temporarily unavailable", "length_error"}

// died says why the child is gone.
func (p *process) died(err error, limit time.Duration) error {
	if p.overrun.Load() {
		return warehouse.NewQueryError(warehouse.TimedOut, fmt.Sprintf("the statement was stopped after %s", limit), "", err)
	}
	said := p.stderr.String()
	for _, h := range hungry {
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

// What a child exits with that is over its processor time, and one that crashed.
const (
	exitProcessor = 3
	exitCrash     = 2 // the runtime's own status
)

// tail keeps the beginning of what is written to it, and drops the rest.
type tail struct{ b strings.Builder }

func (t *tail) Write(b []byte) (int, error) {
	if room := maxStderr - t.b.Len(); room > 0 {
		t.b.Write(b[:min(room, len(b))])
	}
	return len(b), nil
}

func (t *tail) String() string { return t.b.String() }

var _ io.Writer = (*tail)(nil)
