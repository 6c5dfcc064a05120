package cluster_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"

	"quaestor/internal/postgres/cluster"
)

// patience is how long a test waits for something before it says what never came.
const patience = 20 * time.Second

// helperDir, set in the environment, turns the test binary into a process that
// runs a cluster on that folder, prints its URL and waits to be killed.
const (
	helperDir = "QUAESTOR_TEST_CLUSTER_DIR"
	helperBin = "QUAESTOR_TEST_CLUSTER_BIN"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(helperDir); dir != "" {
		help(dir, os.Getenv(helperBin))
	}
	if _, err := cluster.Provision(context.Background(), cluster.ServerDir(), os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}

func help(dir, bin string) {
	c, err := cluster.Start(context.Background(), cluster.Options{DataDir: dir, Bin: bin})
	if err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
	fmt.Println(c.URL())
	_, _ = bufio.NewReader(os.Stdin).ReadByte() // until the test closes it
	if err := c.Stop(context.Background()); err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

// helper runs the test binary as another process (and, for root, as another
// user) that owns a cluster on dir, and returns it with the cluster's URL.
func helper(t *testing.T, dir string, credential *syscall.Credential) (*exec.Cmd, string) {
	t.Helper()
	server, err := cluster.Find(t.Context(), cluster.FindOptions{})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "TMPDIR=" + os.TempDir(), helperDir + "=" + dir, helperBin + "=" + server.Bin}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: credential}
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = stdin.Close()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "postgres://") {
		t.Fatalf("helper said %q, %v", line, err)
	}
	return cmd, strings.TrimSpace(line)
}

// start runs a cluster on dataDir until the test ends.
func start(t *testing.T, dataDir string) *cluster.Cluster {
	t.Helper()
	c, err := cluster.Start(t.Context(), cluster.Options{DataDir: dataDir, NoSync: true})
	if err != nil {
		t.Fatalf("Start(%s): %v", dataDir, err)
	}
	t.Cleanup(func() {
		if err := c.Stop(context.Background()); err != nil {
			t.Errorf("Stop: %v", err)
		}
	})
	return c
}

func stop(t *testing.T, c *cluster.Cluster) {
	t.Helper()
	if err := c.Stop(t.Context()); err != nil {
		t.Fatalf("Stop: %v", err)
	}
}

// ask returns the one value that sql yields, as text.
func ask(url, sql string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close(ctx) }()
	var v string
	err = conn.QueryRow(ctx, `SELECT (`+sql+`)::text`).Scan(&v)
	return v, err
}

func mustAsk(t *testing.T, url, sql string) string {
	t.Helper()
	v, err := ask(url, sql)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return v
}

func mustExec(t *testing.T, url, sql string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	if _, err := conn.Exec(t.Context(), sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// eventually waits until ok holds, looking often.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(patience)
	for !ok() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("%s: not within %v", what, patience)
		}
	}
}

// awaitNoServer waits until no server process of the data folder is left: each
// of them holds its lock.
func awaitNoServer(t *testing.T, dataDir string) {
	t.Helper()
	f, err := os.Open(filepath.Join(dataDir, "pg.lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	eventually(t, "the last server process ends", func() bool {
		return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
	})
}

// openDir returns a temporary folder that other accounts can reach.
func openDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "quaestor-cluster-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}
