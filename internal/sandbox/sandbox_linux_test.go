package sandbox_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"quaestor/internal/sandbox"
)

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "child" {
		child(os.Args[2])
		return
	}
	goleak.VerifyTestMain(m)
}

// child is the process under test.
func child(what string) {
	limits := sandbox.Limits{Memory: 256 << 20, Heap: 64 << 20, FileSize: 1 << 20, OpenFiles: 32}
	if what == "processor" {
		limits.Processor = time.Second
	}
	must(sandbox.Limit(limits))
	switch what {
	case "environment":
		fmt.Print(os.Environ())
	case "memory":
		fmt.Print(len(bytes.Repeat([]byte("x"), 1<<30)))
	case "processor":
		for began := time.Now(); time.Since(began) < time.Minute; {
		}
	case "renewed":
		must(sandbox.LimitProcessor(time.Second))
		must(sandbox.LimitProcessor(time.Hour))
		for began := time.Now(); time.Since(began) < 3*time.Second; {
		}
		fmt.Print("renewed")
	case "file":
		must(os.WriteFile("large", make([]byte, 2<<20), 0o600))
	case "files":
		for range 64 {
			_, err := os.Open("/dev/null")
			must(err)
		}
	case "grandchild":
		c := exec.Command("/bin/sleep", "600")
		c.Stdout = os.Stdout // holds the pipe open as long as it lives
		must(c.Start())
		fmt.Println(c.Process.Pid)
		select {}
	}
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(9)
	}
}

func run(ctx context.Context, t *testing.T, what string) (string, error) {
	t.Helper()
	c := sandbox.Command(ctx, t.TempDir(), []string{program(t), "child", what})
	out, err := c.Output()
	return string(out), err
}

func program(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestChildHasNoEnvironment(t *testing.T) {
	t.Setenv("QUAESTOR_SECRET", "x")
	if out, err := run(t.Context(), t, "environment"); err != nil || strings.Contains(out, "QUAESTOR") {
		t.Errorf("%q, %v", out, err)
	}
}

func TestLimitsHold(t *testing.T) {
	t.Parallel()

	for what, want := range map[string]string{"memory": "exit status 2", "processor": "signal: killed", "file": "exit status 9", "files": "exit status 9"} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()

			out, err := run(t.Context(), t, what)
			var exit *exec.ExitError
			if !errors.As(err, &exit) || !strings.Contains(exit.String(), want) {
				t.Errorf("%q, %v, want %s", out, err, want)
			}
		})
	}
}

func TestProcessorTimeIsGivenAnew(t *testing.T) {
	t.Parallel()

	if out, err := run(t.Context(), t, "renewed"); err != nil || out != "renewed" {
		t.Errorf("%q, %v", out, err)
	}
}

func TestEndOfContextEndsGrandchildren(t *testing.T) {
	t.Parallel()

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c := sandbox.Command(ctx, t.TempDir(), []string{program(t), "child", "grandchild"})
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	if _, err := fmt.Fscan(out, &pid); err != nil {
		t.Fatal(err)
	}
	grandchild, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(grandchild)
	cancel()
	if n, _ := out.Read(make([]byte, 8)); n > 0 { // returns when nobody holds the other end any more
		t.Error("the child goes on")
	}
	_ = c.Wait()
	if !ends(t, grandchild) {
		t.Errorf("the grandchild %d lives on", pid)
	}
}

// ends waits for the process behind a pidfd, which becomes readable when the process has
// ended, and reports whether it ended within 30 s.
func ends(t *testing.T, pidfd int) bool {
	t.Helper()
	fds := []unix.PollFd{{Fd: int32(pidfd), Events: unix.POLLIN}}
	for {
		n, err := unix.Poll(fds, 30_000)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		return n > 0
	}
}
