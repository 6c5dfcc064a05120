package cluster

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

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
	perm := os.FileMode(0o700)
	if os.Geteuid() == 0 {
		perm = 0o755
	}
	if err := os.MkdirAll(dir, perm); err != nil {
		return fault.New(fault.Unavailable, "the data folder %s cannot be made: %v", dir, err)
	}
	return nil
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
