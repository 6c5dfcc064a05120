package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"quaestor/research/warehouse/duckdb"
)

// patience bounds every wait in these tests.
const patience = 60 * time.Second

// program is a server that runs, in this process or as one of its own.
type program struct {
	t    testing.TB
	url  string
	stop func()        // asks it to end, as SIGTERM does
	done chan struct{} // closed when it has ended
	err  error         // how; read after done
	proc *os.Process   // nil in this process
}

var ready = regexp.MustCompile(`http://[0-9.:]+`)

// launch runs the program in this process.
func launch(t testing.TB, args ...string) *program {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background()) // the test's own context ends before its cleanup drains the server
	out, stdout := io.Pipe()
	p := &program{t: t, stop: cancel, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		p.err = run(ctx, append([]string{"serve", "--addr", "127.0.0.1:0", "--log-level", "error"}, args...), stdout, io.Discard)
		_ = stdout.CloseWithError(errors.Join(io.EOF, p.err))
	}()
	t.Cleanup(func() { cancel(); p.ended() })
	p.await(out)
	return p
}

// await reads the line that says where the server answers.
func (p *program) await(out io.Reader) {
	p.t.Helper()
	lines := make(chan string, 1)
	go func() {
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			line += " " + err.Error()
		}
		lines <- line
		_, _ = io.Copy(io.Discard, out)
	}()
	select {
	case line := <-lines:
		if p.url = ready.FindString(line); p.url == "" {
			p.t.Fatalf("the server did not start: %s", line)
		}
	case <-time.After(patience):
		p.t.Fatal("the server never said that it is ready")
	}
}

// ended waits until the program has ended.
func (p *program) ended() {
	p.t.Helper()
	select {
	case <-p.done:
	case <-time.After(patience):
		p.t.Errorf("the server at %s never ended", p.url)
	}
}

// scratch is a folder for the tests of this package, gone after them.
var scratch string

func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == duckdbChild { // as the program itself does
		os.Exit(duckdb.Child(os.Stdin, os.Stdout))
	}
	dir, err := os.MkdirTemp("", "quaestor-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	scratch = dir
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// binary is the program as people run it, built once.
var binary = sync.OnceValues(func() (string, error) {
	path := filepath.Join(scratch, "quaestor")
	out, err := exec.Command("go", "build", "-tags", builtWith, "-o", path, ".").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build: %w: %s", err, out)
	}
	return path, nil
})

// spawn runs the program as a process of its own.
func spawn(t testing.TB, args ...string) *program {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, append([]string{"serve", "--addr", "127.0.0.1:0", "--log-level", "error"}, args...)...)
	cmd.Env = append(os.Environ(), "DATABASE_URL=", "QUAESTOR_MODEL=")
	cmd.Dir = t.TempDir()
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &program{t: t, proc: cmd.Process, done: make(chan struct{}), stop: func() { _ = cmd.Process.Signal(syscall.SIGTERM) }}
	t.Cleanup(func() { p.kill(); p.ended() })
	read, write := io.Pipe()
	go func() {
		defer close(p.done)
		_, _ = io.Copy(write, stdout) // ends when the process does, or closes its end
		p.err = cmd.Wait()
		_ = write.Close()
	}()
	p.await(read)
	return p
}

// kill ends the process as a power cut would.
func (p *program) kill() { _ = p.proc.Kill() }

// ask makes a request and returns the answer; a non-nil body is sent as JSON.
func (p *program) ask(ctx context.Context, path string, body any, header ...string) (*http.Response, error) {
	p.t.Helper()
	method, payload := http.MethodGet, []byte(nil)
	if body != nil {
		method = http.MethodPost
		var err error
		if payload, err = json.Marshal(body); err != nil {
			p.t.Fatal(err)
		}
	}
	r, err := http.NewRequestWithContext(ctx, method, p.url+path, bytes.NewReader(payload))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return http.DefaultClient.Do(r)
}

// get returns the body of an answer that must be 200.
func (p *program) get(path string) []byte {
	p.t.Helper()
	resp, err := p.ask(p.t.Context(), path, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		p.t.Fatalf("%s answered %d: %s (%v)", path, resp.StatusCode, raw, err)
	}
	return raw
}

// fetch returns the JSON of an answer.
func fetch[T any](p *program, path string) T {
	p.t.Helper()
	var out T
	raw := p.get(path)
	if err := json.Unmarshal(raw, &out); err != nil {
		p.t.Fatalf("%s: %v in %s", path, err, raw)
	}
	return out
}

// event is one event of a stream.
type event struct {
	ID   string
	Type string
	Data map[string]any
	Raw  string
}

// line returns an event as text that differs when the event does.
func (e event) line() string { return e.ID + " " + e.Raw }

// stream reads server-sent events.
type stream struct {
	t     testing.TB
	lines *bufio.Reader
	close func()
}

// open opens a stream that ends with the test at the latest.
func (p *program) open(path string, body any, header ...string) *stream {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), 2*patience)
	resp, err := p.ask(ctx, path, body, header...)
	if err != nil {
		cancel()
		p.t.Fatal(err)
	}
	s := &stream{p.t, bufio.NewReader(resp.Body), func() { cancel(); _ = resp.Body.Close() }}
	p.t.Cleanup(s.close)
	if resp.Header.Get("Content-Type") != "text/event-stream" {
		raw, _ := io.ReadAll(resp.Body)
		p.t.Fatalf("%s answered %d: %s", path, resp.StatusCode, raw)
	}
	return s
}

// next returns the next event, and false when the stream has ended.
func (s *stream) next() (event, bool) {
	s.t.Helper()
	var e event
	for {
		line, err := s.lines.ReadString('\n')
		if err != nil {
			return e, false
		}
		field, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch {
		case field == "id":
			e.ID = value
		case field == "data":
			e.Raw = value
			if err := json.Unmarshal([]byte(value), &e.Data); err != nil {
				s.t.Fatalf("event %s: %v", value, err)
			}
			e.Type = fmt.Sprint(e.Data["type"])
		case line == "\n" && e.Raw != "":
			return e, true
		}
	}
}

// until returns what follows up to and including the first event of that type.
func (s *stream) until(kind string) []event {
	s.t.Helper()
	var out []event
	for {
		e, ok := s.next()
		if !ok {
			s.t.Fatalf("the stream ended before the event %s; it brought %d events", kind, len(out))
		}
		if out = append(out, e); e.Type == kind {
			return out
		}
	}
}

// rest returns what follows up to the end of the stream.
func (s *stream) rest() []event {
	s.t.Helper()
	var out []event
	for e, ok := s.next(); ok; e, ok = s.next() {
		out = append(out, e)
	}
	return out
}

// turn takes a turn and returns its events.
func (p *program) turn(body map[string]any) []event {
	p.t.Helper()
	events := p.open("/api/discovery-chat", body).rest()
	if len(events) == 0 || events[len(events)-1].Type != "done" {
		p.t.Fatalf("the turn %v did not end well: %v", body, lines(events))
	}
	return events
}

// lines are the events that have a number, as text.
func lines(events []event) []string {
	var out []string
	for _, e := range events {
		if e.ID != "" {
			out = append(out, e.line())
		}
	}
	return out
}

func first(events []event, kind string) event {
	for _, e := range events {
		if e.Type == kind {
			return e
		}
	}
	return event{}
}
