package cluster

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"quaestor/internal/fault"
)

// Names in the data folder. The cluster is in pg; the others lie beside it so
// that pg holds nothing but PostgreSQL's own files.
const (
	clusterName = "pg"
	lockName    = "pg.lock"
	logName     = "postgres.log"
	unfinished  = ".pg-unfinished-" // prefix of a cluster in the making
)

// majorIn returns the major version that made the cluster in dir, and zero when
// dir is absent or empty and a cluster may be made there. Anything else is
// refused: it belongs to somebody.
func majorIn(dir string) (int, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || (err == nil && len(entries) == 0) {
		return 0, nil
	}
	if err != nil {
		return 0, fault.New(fault.Unavailable, "the folder %s cannot be read: %v", dir, err)
	}
	b, err := os.ReadFile(filepath.Join(dir, "PG_VERSION"))
	if err != nil {
		return 0, fault.New(fault.Conflict, "the folder %s is not empty and holds no PostgreSQL data; nothing was touched: move it away, or choose another --data-dir", dir)
	}
	major, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		return 0, fault.New(fault.Conflict, "the file %s holds no version; nothing was touched: move the folder away, or restore it from a backup", filepath.Join(dir, "PG_VERSION"))
	}
	if _, err := os.Stat(filepath.Join(dir, "global", "pg_control")); err != nil {
		return 0, fault.New(fault.Conflict, "the PostgreSQL data in %s is incomplete (no global/pg_control); nothing was touched: move the folder away, or restore it from a backup", dir)
	}
	return major, nil
}

// makeDataDir makes the folder that will hold the cluster. Root's is open to
// passers-by because another account must get through to the cluster in it.
func makeDataDir(dir string) error {
	if err := CheckDataDir(dir); err != nil {
		return err
	}
	perm := os.FileMode(0o700)
	if os.Geteuid() == 0 {
		perm = 0o755
	}
	if err := os.MkdirAll(dir, perm); err != nil {
		return unusable(dir, "it cannot be made")
	}
	return nil
}

// CheckDataDir reports whether this user can keep data in dir, or make it where it is
// not there yet. It makes nothing. The error is a fault with the remedy.
func CheckDataDir(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return fault.New(fault.Unavailable, "the working folder is gone; choose a --data-dir that begins with /")
	}
	for at := dir; ; at = filepath.Dir(at) {
		st, err := os.Stat(at)
		switch {
		case err != nil && at != filepath.Dir(at):
			continue // not there, or not to be seen: what it would be made in decides
		case err != nil || !st.IsDir():
			return unusable(dir, at+" is no folder")
		case syscall.Access(at, mayWrite|mayEnter) != nil:
			return unusable(dir, "this user may not write in "+at)
		}
		return nil
	}
}

// What is asked of a folder.
const (
	mayEnter = 0x1
	mayWrite = 0x2
)

func unusable(dir, why string) error {
	return fault.New(fault.Unavailable, "data cannot be kept in %s, %s; choose another --data-dir (QUAESTOR_DATA_DIR), or make that folder and give it to user %d", dir, why, os.Geteuid())
}

// sweepUnfinished removes clusters that a killed run left half made. They were
// never in service: the rename that puts one there is the last step. The caller
// must hold the data folder's lock.
func sweepUnfinished(dataDir string) error {
	left, err := filepath.Glob(filepath.Join(dataDir, unfinished+"*"))
	if err != nil {
		return err
	}
	for _, dir := range left {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	return nil
}
