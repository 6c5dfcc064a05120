package postgrestest

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// ownKeeper returns a place of the test's own whose keeper leaves early, and
// waits for that at the end.
func ownKeeper(t *testing.T) place {
	t.Helper()
	p := place{dir: t.TempDir() + "/place", idle: 100 * time.Millisecond}
	t.Cleanup(func() { awaitNoKeeper(t, p) })
	return p
}

func mustJoin(t *testing.T, p place) (url string, leave func()) {
	t.Helper()
	url, member, err := p.join(t.Context())
	if err != nil {
		t.Fatalf("join: %v", err)
	}
	leave = func() { _ = member.Close() } // a second time is harmless
	t.Cleanup(leave)
	return url, leave
}

func answers(url string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return false
	}
	return conn.Close(ctx) == nil
}

func awaitNoKeeper(t *testing.T, p place) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(20 * time.Second)
	for {
		if f, err := lockFile(p.path("keeper"), syscall.LOCK_EX|syscall.LOCK_NB); f != nil {
			_ = f.Close()
			return
		} else if err != nil {
			return // the place was never made
		}
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatal("the keeper did not leave within 20 s")
		}
	}
}

func TestKeeperStaysWhileUsedAndLeavesAfter(t *testing.T) {
	t.Parallel()

	p := ownKeeper(t)
	url, leave := mustJoin(t, p)
	again, leaveToo := mustJoin(t, p)
	if url != again {
		t.Errorf("a second user got %s, want %s", again, url)
	}
	leave()
	if !answers(url) {
		t.Error("the server is gone while it has a user")
	}
	leaveToo()
	awaitNoKeeper(t, p)
	if answers(url) {
		t.Error("the server still answers without a keeper")
	}

	if url, _ := mustJoin(t, p); !answers(url) {
		t.Error("the server does not answer when started again")
	}
}

func TestKilledKeeperIsReplaced(t *testing.T) {
	t.Parallel()

	p := ownKeeper(t)
	_, leave := mustJoin(t, p)
	b, err := os.ReadFile(p.path("pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(b))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	leave()
	awaitNoKeeper(t, p)

	if url, _ := mustJoin(t, p); !answers(url) {
		t.Error("the server does not answer after its keeper was replaced")
	}
}

func TestSpoiltDataIsReplaced(t *testing.T) {
	t.Parallel()

	p := ownKeeper(t)
	_, leave := mustJoin(t, p)
	leave()
	awaitNoKeeper(t, p)
	if err := os.Truncate(p.path("data/pg/global/pg_control"), 10); err != nil {
		t.Fatal(err)
	}

	if url, _ := mustJoin(t, p); !answers(url) {
		t.Error("the server does not answer after its data was spoilt")
	}
}

func TestJoinRefusesForeignFolder(t *testing.T) {
	t.Parallel()

	p := place{dir: t.TempDir() + "/place"}
	if err := os.Mkdir(p.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(p.dir, 0o777); err != nil {
		t.Fatal(err)
	}

	if _, _, err := p.join(t.Context()); err == nil || !strings.Contains(err.Error(), "not this user's alone") {
		t.Errorf("join: %v, want a refusal", err)
	}
}

func TestSweep(t *testing.T) {
	t.Parallel()

	s := joined(t)
	ended := exec.Command("true")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	left := clonePrefix + strconv.Itoa(ended.Process.Pid) + "_1"
	ours := cloneName(clones.Add(1))
	for _, name := range []string{left, ours} {
		if err := clone(t.Context(), s.super, s.template, name); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = drop(context.Background(), s.super, ours) })

	if err := sweep(t.Context(), s.super); err != nil {
		t.Fatal(err)
	}
	names, err := databases(t.Context(), s.super, clonePrefix+"%")
	if err != nil {
		t.Fatal(err)
	}
	if slices.Contains(names, left) || !slices.Contains(names, ours) {
		t.Errorf("databases %v, want %s and not %s", names, ours, left)
	}
}

func TestMadeBy(t *testing.T) {
	t.Parallel()

	tests := []struct {
		in   string
		want int
		ok   bool
	}{
		{"test_4711_3", 4711, true},
		{"test_4711", 4711, true},
		{"test_me_3", 0, false},
		{"test_1_3", 1, false},
		{"template_abc", 0, false},
		{"quaestor", 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			t.Parallel()

			if pid, ok := madeBy(tt.in); pid != tt.want || ok != tt.ok {
				t.Errorf("madeBy(%q) = %d, %v, want %d, %v", tt.in, pid, ok, tt.want, tt.ok)
			}
		})
	}
}
