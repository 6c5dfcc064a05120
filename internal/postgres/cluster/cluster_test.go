package cluster_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quaestor/internal/fault"
	"quaestor/internal/postgres/cluster"
)

func ExampleStart() {
	ctx := context.Background()
	c, err := cluster.Start(ctx, cluster.Options{DataDir: cluster.DefaultDataDir()})
	if err != nil {
		panic(err)
	}
	defer func() { _ = c.Stop(ctx) }()
	// c.URL() goes to whatever opens a pool.
}

func TestStartAgainKeepsData(t *testing.T) {
	t.Parallel()

	dir := openDir(t)
	c := start(t, dir)
	mustExec(t, c.URL(), `CREATE TABLE kept AS SELECT 'here' AS word`)
	stop(t, c)
	if _, err := ask(c.URL(), `1`); err == nil {
		t.Fatal("the server answers after Stop")
	}

	c = start(t, dir)
	if got := mustAsk(t, c.URL(), `SELECT word FROM kept`); got != "here" {
		t.Errorf("word = %q, want here", got)
	}
	if c.Version() == "" || c.VectorVersion() == "" || c.Adopted() {
		t.Errorf("Version %q, VectorVersion %q, Adopted %v", c.Version(), c.VectorVersion(), c.Adopted())
	}
}

func TestStartSettings(t *testing.T) {
	t.Parallel()

	dir := openDir(t)
	c, err := cluster.Start(t.Context(), cluster.Options{DataDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Stop(context.Background()) })
	for name, want := range map[string]string{
		"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on", "data_checksums": "on",
		"listen_addresses": "", "max_connections": "100", "server_encoding": "UTF8", "TimeZone": "UTC",
		"max_parallel_maintenance_workers": "0", "jit": "off", "unix_socket_permissions": "0700",
	} {
		if got := mustAsk(t, c.URL(), `current_setting('`+name+`')`); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	if got := mustAsk(t, c.URL(), `'[1,2]'::vector <-> '[1,2]'`); got != "0" {
		t.Errorf("distance = %s, want 0", got)
	}
	st, err := os.Stat(filepath.Join(dir, "pg"))
	if err != nil || st.Mode().Perm() != 0o700 {
		t.Errorf("folder pg: %v, %v, want mode 0700", st.Mode(), err)
	}
}

// Only some of the folders that people name are open to the database's account:
// temporary ones mostly are not.
func TestStartInClosedFolder(t *testing.T) {
	t.Parallel()

	outer := openDir(t)
	if err := os.Chmod(outer, 0o700); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(outer, "data")
	c := start(t, dir)
	mustExec(t, c.URL(), `CREATE TABLE kept AS SELECT 1 AS n`)
	stop(t, c)

	if got := mustAsk(t, start(t, dir).URL(), `SELECT n FROM kept`); got != "1" {
		t.Errorf("n = %s, want 1", got)
	}
}

func TestStartWithLongPath(t *testing.T) {
	t.Parallel()

	c := start(t, filepath.Join(openDir(t), strings.Repeat("long", 30)))

	if got := mustAsk(t, c.URL(), `current_database()`); got != cluster.Database {
		t.Errorf("database = %s, want %s", got, cluster.Database)
	}
}

// A space in the path became a + in the address, and a comma two hosts.
func TestStartWithOddSignsInThePath(t *testing.T) {
	t.Parallel()

	for _, name := range []string{"a b", "a,b", "100%", "%20", "#1?x=y&z", "a+b=c", `it's "so"; $HOME \ *`, "Zoë – データ", "a@b:c"} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(openDir(t), name)
			c := start(t, dir)
			mustExec(t, c.URL(), `CREATE TABLE kept AS SELECT 1 AS n`)
			adopted := start(t, dir)

			if got := mustAsk(t, adopted.URL(), `SELECT n FROM kept`); got != "1" || !adopted.Adopted() {
				t.Errorf("n = %s, want 1; adopted %v", got, adopted.Adopted())
			}
			stop(t, adopted)
			stop(t, c)
			if got := mustAsk(t, start(t, dir).URL(), `SELECT n FROM kept`); got != "1" {
				t.Errorf("n = %s after another start, want 1", got)
			}
		})
	}
}

func TestSecondStartAdopts(t *testing.T) {
	t.Parallel()

	dir := openDir(t)
	first := start(t, dir)
	second := start(t, dir)
	if first.Adopted() || !second.Adopted() || first.URL() != second.URL() {
		t.Fatalf("Adopted %v and %v, want false and true; URLs %s and %s", first.Adopted(), second.Adopted(), first.URL(), second.URL())
	}
	third := start(t, dir)
	stop(t, third)
	mustAsk(t, first.URL(), `1`)

	stop(t, first)
	eventually(t, "the adopter starts the server again", func() bool {
		_, err := ask(second.URL(), `1`)
		return err == nil
	})
	eventually(t, "the adopter owns the server", func() bool { return !second.Adopted() })
}

func TestStartAtOnce(t *testing.T) {
	t.Parallel()

	dir := openDir(t)
	list := make([]*cluster.Cluster, 3)
	var wg sync.WaitGroup
	for i := range list {
		wg.Go(func() { list[i] = start(t, dir) })
	}
	wg.Wait()

	owners := 0
	for _, c := range list {
		if !c.Adopted() {
			owners++
		}
	}
	if owners != 1 {
		t.Errorf("%d of 3 own the server, want 1", owners)
	}
}

func TestServerComesBackAfterKill(t *testing.T) {
	t.Parallel()

	dir := openDir(t)
	c := start(t, dir)
	mustExec(t, c.URL(), `CREATE TABLE kept AS SELECT 1 AS n`)
	pid := serverPid(t, dir)
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}

	eventually(t, "the server comes back", func() bool {
		n, err := ask(c.URL(), `SELECT n FROM kept`)
		return err == nil && n == "1" && serverPid(t, dir) != pid
	})
}

func TestStopAtOnceRecovers(t *testing.T) {
	t.Parallel()

	dir := openDir(t)
	c := start(t, dir)
	mustExec(t, c.URL(), `CREATE TABLE kept AS SELECT 1 AS n`)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Stop(over); err != nil {
		t.Fatal(err)
	}

	if got := mustAsk(t, start(t, dir).URL(), `SELECT n FROM kept`); got != "1" {
		t.Errorf("n = %s, want 1", got)
	}
}

func TestStartRefusesForeignFolder(t *testing.T) {
	t.Parallel()

	tests := []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"somebody's files", map[string]string{"letter.txt": "dear all"}, "holds no PostgreSQL data"},
		{"half a cluster", map[string]string{"PG_VERSION": "15\n"}, "incomplete"},
		{"no version", map[string]string{"PG_VERSION": "new\n"}, "holds no version"},
		{"another major", map[string]string{"PG_VERSION": "9\n", "global/pg_control": "x"}, "made by PostgreSQL 9"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			dir := openDir(t)
			for name, text := range tt.files {
				path := filepath.Join(dir, "pg", name)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
					t.Fatal(err)
				}
			}
			before := listing(t, filepath.Join(dir, "pg"))

			_, err := cluster.Start(t.Context(), cluster.Options{DataDir: dir, NoSync: true})
			if err == nil || !strings.Contains(err.Error(), tt.want) || fault.KindOf(err) == fault.Internal {
				t.Errorf("Start: %v (%s), want a fault with %q", err, fault.KindOf(err), tt.want)
			}
			if diff := cmp.Diff(before, listing(t, filepath.Join(dir, "pg"))); diff != "" {
				t.Errorf("the folder was touched (-before +after):\n%s", diff)
			}
		})
	}
}

func TestStartAfterInterruptedOne(t *testing.T) {
	t.Parallel()

	dir := openDir(t)
	left := filepath.Join(dir, ".pg-unfinished-17")
	if err := os.MkdirAll(filepath.Join(left, "base"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "pg"), 0o755); err != nil { // empty: nobody's
		t.Fatal(err)
	}
	start(t, dir)

	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("Stat(%s) = %v, want none", left, err)
	}
}

func TestStartSetsLogAside(t *testing.T) {
	t.Parallel()

	dir := openDir(t)
	log := filepath.Join(dir, "postgres.log")
	if err := os.WriteFile(log, make([]byte, 6<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	c := start(t, dir)

	if st, err := os.Stat(c.LogFile()); err != nil || st.Size() > 1<<20 {
		t.Errorf("log: %v, %v, want a short one", st, err)
	}
	if st, err := os.Stat(log + ".1"); err != nil || st.Size() != 6<<20 {
		t.Errorf("log before: %v, %v, want 6 MiB", st, err)
	}
}

func TestDataDirThatCannotBe(t *testing.T) {
	t.Parallel()

	outer := openDir(t)
	file := filepath.Join(outer, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, filepath.Join(file, "data"), filepath.Join(file, "a", "b")} {
		_, started := cluster.Start(t.Context(), cluster.Options{DataDir: dir})
		for _, err := range []error{cluster.CheckDataDir(dir), started} {
			if !fault.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), file+" is no folder; choose another --data-dir") {
				t.Errorf("%s: %v, want what is in the way", dir, err)
			}
		}
	}
	for _, dir := range []string{outer, filepath.Join(outer, "a", "b")} {
		if err := cluster.CheckDataDir(dir); err != nil {
			t.Errorf("%s: %v, want that it will do", dir, err)
		}
	}
	if _, err := os.Stat(filepath.Join(outer, "a")); err == nil {
		t.Error("the check made a folder")
	}
}

func TestStartWithoutDataDir(t *testing.T) {
	t.Parallel()

	if _, err := cluster.Start(t.Context(), cluster.Options{}); !fault.Is(err, fault.Invalid) {
		t.Errorf("Start: %v, want Invalid", err)
	}
}

// serverPid reads the id of the server that runs on the data folder.
func serverPid(t *testing.T, dataDir string) int {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dataDir, "pg", "postmaster.pid"))
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(b), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil {
		return 0
	}
	return pid
}

// listing describes every file under dir, owner, mode and time included.
func listing(t *testing.T, dir string) string {
	t.Helper()
	out, err := exec.Command("ls", "-lnR", "--full-time", dir).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
