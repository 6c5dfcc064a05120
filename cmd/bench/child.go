package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// server is a program under measurement, running as a child process.
type server struct {
	kind  string // model or rules
	base  string
	idle  int64 // bytes resident once it answered
	http  *http.Client
	cmd   *exec.Cmd
	ended chan error
	log   *tailLog
}

func (s *server) pid() int { return s.cmd.Process.Pid }

// Limits of starting and stopping. The first start of a database migrates it; stopping
// takes the server's own drain limit, 25 s, and some more.
const (
	startLimit = 60 * time.Second
	stopLimit  = 40 * time.Second
)

// launch runs a program and waits for the line that says where it answers.
func launch(ctx context.Context, kind, dir string, env []string, name string, args ...string) (*server, error) {
	s := &server{kind: kind, http: newHTTP(), ended: make(chan error, 1), log: &tailLog{}}
	s.cmd = exec.Command(name, args...) // our own programs; ended by stop, not by ctx, so that it can drain
	s.cmd.Dir, s.cmd.Env, s.cmd.Stderr = dir, env, s.log
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", kind, err)
	}
	lines := make(chan string, 1)
	go func() { // ends with the child's output
		in := bufio.NewReader(out)
		line, _ := in.ReadString('\n')
		lines <- line
		_, _ = io.Copy(io.Discard, in)
		s.ended <- s.cmd.Wait()
	}()
	select {
	case line := <-lines:
		if s.base = ready(line); s.base != "" {
			return s, nil
		}
		err = fmt.Errorf("%s did not start: %s%s", kind, line, s.log)
	case <-time.After(startLimit):
		err = fmt.Errorf("%s was not ready within %s: %s", kind, startLimit, s.log)
	case <-ctx.Done():
		err = ctx.Err()
	}
	return nil, errors.Join(err, s.kill())
}

// ready takes the address out of the line a server prints when it answers.
func ready(line string) string {
	for _, word := range strings.Fields(line) {
		if strings.HasPrefix(word, "http://") {
			return word
		}
	}
	return ""
}

// stop ends the server in good order, and by force when it takes too long.
func (s *server) stop() error {
	s.http.CloseIdleConnections()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return s.kill()
	}
	select {
	case err := <-s.ended:
		if err != nil {
			return fmt.Errorf("%s ended badly: %w: %s", s.kind, err, s.log)
		}
		return nil
	case <-time.After(stopLimit):
		return errors.Join(fmt.Errorf("%s did not stop within %s", s.kind, stopLimit), s.kill())
	}
}

// kill ends the server by force and waits for it.
func (s *server) kill() error {
	_ = s.cmd.Process.Kill() // it may have ended by itself
	<-s.ended
	return nil
}

// tailLog keeps the end of what a child wrote to its standard error.
type tailLog struct {
	mu   sync.Mutex
	tail []byte // guarded by mu
}

// tailBytes is enough for the last few lines of a log.
const tailBytes = 2000

// Write keeps the last of p.
func (l *tailLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tail = append(l.tail, p...)
	if n := len(l.tail) - tailBytes; n > 0 {
		l.tail = append([]byte(nil), l.tail[n:]...)
	}
	return len(p), nil
}

func (l *tailLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(bytes.TrimSpace(l.tail))
}

// bare is the environment of a child: what it needs to run, none of our settings.
func bare(dir string) []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + os.TempDir(), "QUAESTOR_DATA_DIR=" + dir, "QUAESTOR_LOG_LEVEL=warn"}
}
