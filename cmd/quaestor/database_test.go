package main

import (
	"context"
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// mute returns where connections are accepted and nothing is said, and a channel
// that is told of the first.
func mute(t *testing.T) (addr string, called <-chan struct{}) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	first := make(chan struct{})
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		close(first)
		_, _ = io.Copy(io.Discard, c) // until the caller gives up
		_ = c.Close()
	}()
	return l.Addr().String(), first
}

// Only kill -9 ended a server that waited for a database that never answered.
func TestStartsAreGivenUpWhenTold(t *testing.T) {
	t.Parallel()

	for _, command := range []string{"serve", "work", "migrate", "doctor", "token list"} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()

			addr, called := mute(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			ended := make(chan error, 1)
			go func() {
				ended <- run(ctx, append(strings.Fields(command), "--addr", "127.0.0.1:0", "--database-url", "postgres://u:geheim@"+addr+"/db?connect_timeout=600", "--data-dir", t.TempDir()), io.Discard, io.Discard)
			}()
			await(t, called, "a connection to the database")
			cancel()
			select {
			case err := <-ended:
				if err == nil || strings.Contains(words(err), "geheim") || strings.Contains(words(err), "context") {
					t.Errorf("it ended with %v, want that it was told to stop", err)
				}
			case <-time.After(patience):
				t.Fatal("it never ended")
			}
		})
	}
}

// await waits for a channel to be closed.
func await(t *testing.T, c <-chan struct{}, what string) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(patience):
		t.Fatalf("there never was %s", what)
	}
}

func TestMuteDatabaseIsNamed(t *testing.T) {
	t.Parallel()

	for _, command := range []string{"serve", "work", "migrate", "token list"} {
		addr, _ := mute(t)
		err := run(t.Context(), append(strings.Fields(command), "--addr", "127.0.0.1:0", "--database-url", "postgres://u:geheim@"+addr+"/db?connect_timeout=1&sslmode=disable", "--data-dir", t.TempDir()), io.Discard, io.Discard)
		if err == nil || !strings.HasPrefix(words(err), "DATABASE_URL: the database does not answer within 1s;") {
			t.Errorf("%s with a database that says nothing: %v", command, err)
		}
	}
}
