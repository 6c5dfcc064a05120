package cluster

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"quaestor/internal/fault"
)

const (
	port           = 5432 // only part of the socket's name; nothing listens on it
	maxSocketBytes = 100  // the kernel ends at 107, macOS at 103
	separator      = ","  // of several hosts in one address
)

// socketDir returns the folder for the socket of the cluster in dir: dir itself,
// else, when its path is too long, closed to a or no path in a list of paths, a short
// private folder among the temporary ones. The same cluster gets the same folder every time.
func socketDir(dir string, a account) (string, error) {
	if shortEnough(dir) && !strings.Contains(dir, separator) && a.barred(dir) == "" {
		return dir, nil
	}
	sum := sha256.Sum256([]byte(dir))
	name := fmt.Sprintf("quaestor-%d-%s", a.uid, hex.EncodeToString(sum[:6]))
	for _, base := range []string{os.TempDir(), "/tmp", "/var/tmp"} {
		short := filepath.Join(base, name)
		if filepath.IsAbs(short) && shortEnough(short) && !strings.Contains(short, separator) && a.barred(base) == "" && privateDir(short, a) {
			return short, nil
		}
	}
	return "", fault.New(fault.Unavailable, "no folder for the database's socket: %s is too long or closed, and none of the temporary folders will do; set TMPDIR to a short one", dir)
}

func shortEnough(dir string) bool {
	return len(filepath.Join(dir, fmt.Sprintf(".s.PGSQL.%d", port))) <= maxSocketBytes
}

// privateDir makes dir, open to a alone, and reports whether it is that. A
// folder somebody else put there first is not used.
func privateDir(dir string, a account) bool {
	if err := os.Mkdir(dir, 0o700); err == nil && a.drop {
		if err := os.Lchown(dir, a.uid, a.gid); err != nil {
			return false
		}
	}
	st, err := os.Lstat(dir)
	if err != nil || !st.IsDir() || st.Mode().Perm() != 0o700 {
		return false
	}
	owner, ok := ownerOf(dir)
	return ok && owner.uid == a.uid
}
