//go:build duckdb && cgo

package duckdb_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/duckdb"
)

// end kills the child and waits until it is gone.
func end(t testing.TB, conn *duckdb.Conn) {
	t.Helper()
	ended := conn.Ended()
	if err := syscall.Kill(conn.Pid(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Fatal("the child does not end")
	}
}

// endless is a statement that goes on for ever.
const endless = "SELECT count(*) FROM range(1000000000) a, range(1000000000) b WHERE hash(a.range) = hash(b.range) + 1"

// begun calls f once a statement runs in the child: its process has worked for a
// while.
func begun(t testing.TB, conn *duckdb.Conn, f func(pid int)) {
	t.Helper()
	pid := conn.Pid()
	start, deadline := worked(t, pid), time.Now().Add(20*time.Second)
	for worked(t, pid) < start+10 {
		if time.Now().After(deadline) {
			t.Error("the statement never began")
			break
		}
		runtime.Gosched() // there is no event for what another process does
	}
	f(pid)
}

// worked is how long a process has worked, in ticks.
func worked(t testing.TB, pid int) int {
	b, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		t.Errorf("the child is gone: %v", err)
		return 1 << 30
	}
	fields := bytes.Fields(b[bytes.LastIndexByte(b, ')')+2:])
	n, _ := strconv.Atoi(string(fields[11]))
	return n
}

// What a stopped statement held would be held against those that follow.
func TestStoppedStatementEndsTheChild(t *testing.T) {
	t.Parallel()

	conn := open(t, makeFile(t, lake), warehouse.Limits{})
	must(t, conn, "SELECT 1")

	_, err := conn.Query(t.Context(), statement(endless), warehouse.Limits{Time: 100 * time.Millisecond})

	if warehouse.ClassOf(err) != warehouse.TimedOut || conn.Pid() != 0 {
		t.Errorf("it ends with %v and leaves the child %d", err, conn.Pid())
	}
	if got := must(t, conn, "SELECT count(*) FROM airports"); got != "4\n" {
		t.Errorf("after it: %q", got)
	}
}

func TestKilledMidQuery(t *testing.T) {
	t.Parallel()

	conn := open(t, makeFile(t, lake), warehouse.Limits{})
	failed := make(chan error, 1)
	go func() {
		_, err := query(conn, endless)
		failed <- err
	}()
	begun(t, conn, func(pid int) { _ = syscall.Kill(pid, syscall.SIGKILL) })
	if err := <-failed; warehouse.ClassOf(err) != warehouse.Unreachable {
		t.Errorf("the statement ends with %v", err)
	}
	if got := must(t, conn, "SELECT count(*) FROM airports"); got != "4\n" {
		t.Errorf("the next gives %q", got)
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()

	conn := open(t, makeFile(t, lake), warehouse.Limits{})
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() {
		_, err := conn.Query(ctx, statement(endless), warehouse.Limits{})
		failed <- err
	}()
	begun(t, conn, func(int) { cancel() })
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("the statement ends with %v", err)
	}
	must(t, conn, "SELECT 1")
}

// Who waits for another's statement can be called off as well.
func TestCancelledWhileWaiting(t *testing.T) {
	t.Parallel()

	conn := open(t, makeFile(t, lake), warehouse.Limits{})
	first, stop := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() {
		_, err := conn.Query(first, statement(endless), warehouse.Limits{})
		failed <- err
	}()
	begun(t, conn, func(int) {})
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := conn.Query(ctx, statement("SELECT 1"), warehouse.Limits{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("who waits gets %v", err)
	}
	if _, err := conn.Parse("SELECT 1"); err != nil { // trees do not wait for statements
		t.Errorf("a tree gives %v", err)
	}
	stop()
	<-failed
}

func TestManyAtOnce(t *testing.T) {
	t.Parallel()

	conn := open(t, makeFile(t, lake), warehouse.Limits{})
	g := newGuard(t, conn, tenant)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 5 {
				s, err := g.Check("SELECT max(total) FROM orders")
				if err != nil {
					t.Error(err)
					return
				}
				if r, err := conn.Query(t.Context(), s, warehouse.Limits{}); err != nil || show(r) != "d20.00\n" {
					t.Errorf("%v (%v)", r, err)
				}
			}
		})
	}
	group.Wait()
}

func TestIdleChildEnds(t *testing.T) {
	t.Parallel()

	conn := open(t, makeFile(t, lake), warehouse.Limits{})
	ended := conn.Ended()
	conn.SetIdle(time.Millisecond)
	must(t, conn, "SELECT 1")
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Fatal("the idle child does not end")
	}
	if got := must(t, conn, "SELECT 2"); got != "2\n" {
		t.Errorf("the next gives %q", got)
	}
}

func TestClosed(t *testing.T) {
	t.Parallel()

	conn := open(t, makeFile(t, lake), warehouse.Limits{})
	failed := make(chan error, 1)
	go func() {
		_, err := query(conn, endless)
		failed <- err
	}()
	begun(t, conn, func(int) {})
	if err := conn.Close(); err != nil {
		t.Error(err)
	}
	if err := <-failed; err == nil {
		t.Error("a statement outlives its connection")
	}
	if _, err := query(conn, "SELECT 1"); err == nil {
		t.Error("a closed connection answers")
	}
}

// A child that answers nonsense, or cannot be started, is an error.
func TestBadChild(t *testing.T) {
	t.Parallel()

	path := makeFile(t, lake)
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range [][]string{{program, "child-nonsense"}, {"/bin/false"}, {"/no/such/program"}} {
		c := &duckdb.Connector{Child: command}
		if _, err := c.Open(t.Context(), warehouse.Settings{Options: map[string]string{"path": path}}); err == nil {
			t.Errorf("%v opens", command)
		}
	}
}
