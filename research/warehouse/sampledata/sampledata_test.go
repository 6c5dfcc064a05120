package sampledata

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"quaestor/internal/fault"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// finished waits until no fetch of s is under way, and returns how that left it.
func finished(t *testing.T, s *Store) (State, string) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		s.done.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("the fetch never ended")
	}
	return s.Status()
}

func TestFetchBringsTheData(t *testing.T) {
	t.Parallel()

	dir := filepath.Join(t.TempDir(), "sample")
	begun, release, times := make(chan struct{}), make(chan struct{}), atomic.Int32{}
	s := New(dir, true)
	defer s.Close()
	s.fetch = func(_ context.Context, dir string) error {
		times.Add(1)
		close(begun)
		<-release
		return os.Mkdir(dir, 0o700)
	}

	if state, _ := s.Status(); state != Missing {
		t.Errorf("at first: %s", state)
	}
	if err := s.Fetch(); err != nil {
		t.Fatal(err)
	}
	<-begun
	if err := s.Fetch(); err != nil { // a second press changes nothing
		t.Fatal(err)
	}
	if state, _ := s.Status(); state != Fetching {
		t.Errorf("meanwhile: %s", state)
	}
	close(release)
	if state, _ := finished(t, s); state != Ready || times.Load() != 1 {
		t.Errorf("in the end: %s after %d fetches", state, times.Load())
	}
}

func TestFetchSaysWhyItFailedAndCanBeRepeated(t *testing.T) {
	t.Parallel()

	s := New(filepath.Join(t.TempDir(), "sample"), true)
	defer s.Close()
	s.fetch = func(context.Context, string) error { return fault.New(fault.Unavailable, "npm is not installed") }
	if err := s.Fetch(); err != nil {
		t.Fatal(err)
	}
	if state, reason := finished(t, s); state != Failed || reason != "npm is not installed" {
		t.Errorf("%s, %q", state, reason)
	}

	s.fetch = func(context.Context, string) error { return errors.New("open /secret/place: denied") }
	if err := s.Fetch(); err != nil {
		t.Fatal(err)
	}
	if state, reason := finished(t, s); state != Failed || strings.Contains(reason, "secret") || reason == "" {
		t.Errorf("%s, %q", state, reason)
	}

	s.fetch = func(_ context.Context, dir string) error { return os.Mkdir(dir, 0o700) }
	if err := s.Fetch(); err != nil {
		t.Fatal(err)
	}
	if state, reason := finished(t, s); state != Ready || reason != "" {
		t.Errorf("%s, %q", state, reason)
	}
}

func TestCloseEndsAFetch(t *testing.T) {
	t.Parallel()

	s := New(filepath.Join(t.TempDir(), "sample"), true)
	begun := make(chan struct{})
	s.fetch = func(ctx context.Context, _ string) error {
		close(begun)
		<-ctx.Done()
		return ctx.Err()
	}
	if err := s.Fetch(); err != nil {
		t.Fatal(err)
	}
	<-begun

	s.Close()

	if err := s.Fetch(); err != nil {
		t.Errorf("after Close: %v", err)
	}
	if state, _ := finished(t, s); state != Failed {
		t.Errorf("after Close: %s", state)
	}
}

func TestWithoutAnEngineNothingIsFetched(t *testing.T) {
	t.Parallel()

	s := New(filepath.Join(t.TempDir(), "sample"), false)
	defer s.Close()
	s.fetch = func(context.Context, string) error { t.Error("fetched"); return nil }
	if err := s.Fetch(); !fault.Is(err, fault.Unprocessable) {
		t.Errorf("Fetch: %v", err)
	}
	if state, _ := finished(t, s); state != Unsupported {
		t.Errorf("state: %s", state)
	}
}

// TestTheScriptTellsWhatIsMissing runs the script that the program carries, on a
// machine with nothing but a shell.
func TestTheScriptTellsWhatIsMissing(t *testing.T) {
	bin := t.TempDir()
	for _, tool := range strings.Fields("bash dirname mkdir mktemp rm mv sha256sum flock") {
		for _, from := range []string{"/bin/", "/usr/bin/"} {
			if _, err := os.Stat(from + tool); err == nil {
				_ = os.Symlink(from+tool, filepath.Join(bin, tool))
			}
		}
	}
	t.Setenv("PATH", bin)
	dir := filepath.Join(t.TempDir(), "sample")
	s := New(dir, true)
	defer s.Close()

	if err := s.Fetch(); err != nil {
		t.Fatal(err)
	}

	if state, reason := finished(t, s); state != Failed || reason != "npm is not installed" {
		t.Errorf("%s, %q", state, reason)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("something was left in %s: %v", dir, err)
	}
}

// TestTheScriptFetches runs it with an npm that packs files which are not the ones
// it knows, so that it gets as far as it can without a network.
func TestTheScriptFetches(t *testing.T) {
	bin := t.TempDir()
	npm := "#!/bin/sh\nset -e\nmkdir -p package/data\necho no >package/data/airports.csv\ntar -czf it.tgz package\n"
	if err := os.WriteFile(filepath.Join(bin, "npm"), []byte(npm), 0o700); err != nil { // a program has to be executable
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	dir := filepath.Join(t.TempDir(), "sample")
	s := New(dir, true)
	defer s.Close()

	if err := s.Fetch(); err != nil {
		t.Fatal(err)
	}

	if state, reason := finished(t, s); state != Failed || reason != "the package holds other files than expected" {
		t.Errorf("%s, %q", state, reason)
	}
}
