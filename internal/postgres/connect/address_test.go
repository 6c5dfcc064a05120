package connect_test

import (
	"net"
	"strings"
	"testing"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/postgres/connect"
)

// mute returns where connections are accepted and nothing is ever said.
func mute(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0") // the kernel accepts for it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l.Addr().String()
}

func TestConnectionsAreGivenUpInTime(t *testing.T) {
	t.Parallel()

	for address, want := range map[string]time.Duration{
		"postgres://u@h/db":                     10 * time.Second,
		"postgres://u@h/db?connect_timeout=0":   10 * time.Second,
		"postgres://u@h/db?connect_timeout=3":   3 * time.Second,
		"host=h user=u connect_timeout=4":       4 * time.Second,
		"postgres://u:p%40%2F%25@h,i:5433/db":   10 * time.Second,
		"postgres://u:p#?[:@[::1]:5432/db":      10 * time.Second,
		"postgres://u@/db?host=/a/b@c&port=543": 10 * time.Second,
	} {
		c, err := connect.Config(address)
		if err != nil {
			t.Errorf("Config(%q) = %v", address, err)
			continue
		}
		if got := c.ConnConfig.ConnectTimeout; got != want {
			t.Errorf("Config(%q) gives a connection up after %v, want %v", address, got, want)
		}
		pool, err := connect.Open(t.Context(), address, connect.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := pool.Config().ConnConfig.ConnectTimeout; got != want {
			t.Errorf("a pool on %q gives a connection up after %v, want %v", address, got, want)
		}
		pool.Close()
	}
}

// What is wrong with an address is said without a word of it: an unescaped sign
// makes its host a part of the password.
func TestConfigSaysWhatIsWrongAndRepeatsNothing(t *testing.T) {
	t.Parallel()

	for address, want := range map[string]string{
		"mysql://u:geheim@h/db":                       "must begin with postgres://",
		"u:geheim@h/db":                               "must begin with postgres://",
		"postgres://u:p@geheim@h/db":                  "@ as %40",
		"postgres://u:p@geheim,geheim@h/db":           "@ as %40",
		"postgres://u:p/geheim@h/db":                  "/ as %2F",
		"postgres://u:1/geheim@h/db":                  "/ as %2F",
		"postgres://u:%geheim@h/db":                   "a % in the user or the password as %25",
		"postgres://u:gehe im@h/db":                   "as %20",
		"postgres://u:geheim@h:99999/db":              "port of 1 to 65535",
		"postgres://u:geheim@h:x/db":                  "port of 1 to 65535",
		"postgres://u:geheim@h/db?sslmode=geheim":     "sslmode that is none of disable, allow",
		"postgres://u:geheim@h/db?connect_timeout=1s": "no number of seconds",
		"host=h password=gehe im":                     "cannot be read",
	} {
		_, err := connect.Config(address)
		if !fault.Is(err, fault.Invalid) || !strings.HasPrefix(err.Error(), "DATABASE_URL: ") || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "gehe") {
			t.Errorf("Config(%q) = %v, want invalid, %q and no part of it", address, err, want)
		}
	}
}
