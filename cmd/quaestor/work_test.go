package main

import (
	"bufio"
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/postgres/postgrestest"
)

func TestWorkNeedsTheServersDatabase(t *testing.T) {
	err := run(t.Context(), []string{"work", "--data-dir", t.TempDir()}, io.Discard, io.Discard)
	if !fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), "database") {
		t.Errorf("work without a database: %v", err)
	}
}

// A process that only works says so, and ends when it is told to.
func TestWorkEndsWhenTold(t *testing.T) {
	t.Parallel()

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	out, stdout := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- run(ctx, []string{"work", "--database-url", postgrestest.URL(t), "--data-dir", t.TempDir(), "--log-level", "error"}, stdout, io.Discard)
		_ = stdout.Close()
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.Contains(line, "works jobs") {
		t.Fatalf("it says %q, %v", line, err)
	}
	cancel()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(patience):
		t.Fatal("it never ended")
	}
}
