package cluster_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestKilledParentTakesServerAlong(t *testing.T) {
	t.Parallel()

	dir := openDir(t)
	cmd, url := helper(t, dir, nil)
	mustExec(t, url, `CREATE TABLE kept AS SELECT 'acknowledged' AS word`)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}

	awaitNoServer(t, dir)
	if pid := serverPid(t, dir); pid != 0 {
		t.Errorf("postmaster.pid names %d, want none after a fast shutdown", pid)
	}
	if got := mustAsk(t, start(t, dir).URL(), `SELECT word FROM kept`); got != "acknowledged" {
		t.Errorf("word = %q, want acknowledged", got)
	}
}

func TestStartAsPlainUser(t *testing.T) {
	t.Parallel()

	dir := openDir(t)
	want := uint32(os.Getuid())
	var credential *syscall.Credential
	if want == 0 {
		const nobody = 65534
		want = nobody
		credential = &syscall.Credential{Uid: nobody, Gid: nobody}
		if err := os.Chown(dir, nobody, nobody); err != nil {
			t.Fatal(err)
		}
	}
	_, url := helper(t, dir, credential)

	if got := mustAsk(t, url, `current_database()`); got != "quaestor" {
		t.Errorf("database = %s, want quaestor", got)
	}
	var st syscall.Stat_t
	if err := syscall.Stat(filepath.Join(dir, "pg"), &st); err != nil || st.Uid != want {
		t.Errorf("folder pg belongs to %d, %v, want %d", st.Uid, err, want)
	}
}

func TestNoTCP(t *testing.T) {
	t.Parallel()

	dir := openDir(t)
	start(t, dir)
	pid := serverPid(t, dir)

	open := map[string]bool{}
	fds, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	if err != nil || len(fds) == 0 {
		t.Fatalf("files of process %d: %v, %v", pid, fds, err)
	}
	for _, fd := range fds {
		if target, err := os.Readlink(fd); err == nil {
			open[target] = true
		}
	}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		b, err := os.ReadFile(table)
		if err != nil {
			continue // a kernel without that protocol
		}
		for line := range strings.Lines(string(b)) {
			if f := strings.Fields(line); len(f) > 9 && open["socket:["+f[9]+"]"] {
				t.Errorf("%s: the server holds %s", table, strings.TrimSpace(line))
			}
		}
	}
}
