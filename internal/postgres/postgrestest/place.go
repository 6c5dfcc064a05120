package postgrestest

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"quaestor/internal/postgres/cluster"
)

// layout changes when what lies in a place changes its meaning.
const layout = "1"

// place is the folder of one test cluster. In it are three lock files:
//
//	start   held while a process looks for the keeper or starts one
//	users   held, shared, by every process that uses the cluster
//	keeper  held by the keeper
//
// and url, which the keeper writes when the server answers, its pid and its log.
type place struct {
	dir  string
	idle time.Duration // how long the keeper stays without users
}

// ownPlace returns the place of this user and checkout.
func ownPlace() place {
	sum := sha256.Sum256([]byte(layout + moduleRoot()))
	name := fmt.Sprintf("quaestor-test-%d-%s", os.Getuid(), hex.EncodeToString(sum[:6]))
	return place{dir: filepath.Join(quickDir(), name), idle: 2 * time.Minute}
}

// A file system in memory with so much room holds all that the tests of a run have at a
// time, the log included.
const (
	memoryDir  = "/dev/shm"
	memoryRoom = 4 << 30
	tmpfsMagic = 0x01021994
)

// quickDir returns where thousands of small files are made and removed soonest: in
// memory, where there is room, or else the folder for temporary files.
func quickDir() string {
	var st syscall.Statfs_t
	if os.Getenv("TMPDIR") != "" || syscall.Statfs(memoryDir, &st) != nil || st.Type != tmpfsMagic || st.Bavail*uint64(st.Bsize) < memoryRoom {
		return os.TempDir()
	}
	return memoryDir
}

// moduleRoot returns the folder of go.mod above the working folder, or the
// working folder when there is none.
func moduleRoot() string {
	wd, err := os.Getwd()
	if err != nil {
		return "."
	}
	for dir := wd; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return wd
		}
	}
}

func (p place) path(name string) string { return filepath.Join(p.dir, name) }

// join makes this process a user of the cluster, starting it if need be, and
// returns the superuser's address. Closing the file ends the membership.
func (p place) join(ctx context.Context) (url string, member *os.File, err error) {
	if err := p.make(); err != nil {
		return "", nil, err
	}
	start, err := lockFile(p.path("start"), syscall.LOCK_EX)
	if err != nil {
		return "", nil, err
	}
	defer func() { _ = start.Close() }()
	member, err = lockFile(p.path("users"), syscall.LOCK_SH)
	if err != nil {
		return "", nil, err
	}
	url, err = p.url(ctx)
	if err != nil {
		_ = member.Close()
		return "", nil, err
	}
	return url, member, nil
}

// make makes the folder. Temporary folders are open to all, so one that another
// user made under this name is refused.
func (p place) make() error {
	if err := os.MkdirAll(p.dir, 0o755); err != nil {
		return err
	}
	st, err := os.Lstat(p.dir)
	if err != nil {
		return err
	}
	sys, ok := st.Sys().(*syscall.Stat_t)
	if !ok || !st.IsDir() || int(sys.Uid) != os.Getuid() || st.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("the folder %s is not this user's alone; remove it", p.dir)
	}
	return nil
}

// url returns the address of the running cluster, after starting the keeper if
// there is none. The caller holds start.
func (p place) url(ctx context.Context) (string, error) {
	free, err := lockFile(p.path("keeper"), syscall.LOCK_EX|syscall.LOCK_NB)
	if err != nil {
		return "", err
	}
	if free != nil {
		_ = free.Close()
		return p.startKeeper(ctx)
	}
	b, err := os.ReadFile(p.path("url"))
	return string(b), err
}

// startKeeper runs this binary again as the keeper and returns what it answers
// when the server answers.
func (p place) startKeeper(ctx context.Context) (string, error) {
	bin, err := cluster.Provision(ctx, cmp.Or(cluster.ServerDir(), p.path("pgsql")), os.Stderr)
	if err != nil {
		return "", err
	}
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	hear, say, err := os.Pipe()
	if err != nil {
		return "", err
	}
	defer func() { _ = hear.Close() }()
	cmd := exec.Command(self) // outlives this process, so bound to no context
	cmd.Dir = "/"
	cmd.Env = append(os.Environ(), keeperDir+"="+p.dir, keeperBin+"="+bin, keeperIdle+"="+p.idle.String())
	cmd.ExtraFiles = []*os.File{say}                     // its file 3
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // Ctrl-C is for the tests
	err = cmd.Start()
	_ = say.Close() // ours; the end of the keeper's is the end of its message
	if err != nil {
		return "", err
	}
	_ = cmd.Process.Release()
	return readAnswer(hear)
}

// readAnswer reads the keeper's one line.
func readAnswer(hear *os.File) (string, error) {
	line, err := bufio.NewReader(hear).ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("the keeper of the test database ended without a word: %w", err)
	}
	line = strings.TrimSpace(line)
	if problem, bad := strings.CutPrefix(line, "error: "); bad {
		return "", errors.New(problem)
	}
	return line, nil
}
