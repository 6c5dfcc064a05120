package cluster

import (
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"quaestor/internal/fault"
)

// account is the system account that runs the server.
type account struct {
	uid, gid int
	drop     bool // this process is root, and the server must run as another user
}

// accountFor returns the account that runs the server on the data folder dir: this
// process's own or, for root, the owner of the folder, else postgres, else nobody.
func accountFor(dir string) (account, error) {
	owner, exists := ownerOf(dir)
	if uid := os.Geteuid(); uid != 0 {
		if exists && owner.uid != uid {
			return account{}, fault.New(fault.Forbidden, "the folder %s belongs to user %d; run as that user, or choose another --data-dir", dir, owner.uid)
		}
		return account{uid: uid, gid: os.Getegid()}, nil
	}
	if exists && owner.uid != 0 {
		return account{uid: owner.uid, gid: owner.gid, drop: true}, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		if a, ok := lookup(name); ok {
			return a, nil
		}
	}
	return account{}, fault.New(fault.Unavailable, "PostgreSQL does not run as root, and there is no user postgres or nobody to run it; add one, or set DATABASE_URL")
}

func ownerOf(path string) (account, bool) {
	st, err := os.Stat(path)
	if err != nil {
		return account{}, false
	}
	sys, ok := st.Sys().(*syscall.Stat_t)
	if !ok {
		return account{}, false
	}
	return account{uid: int(sys.Uid), gid: int(sys.Gid)}, true
}

func lookup(name string) (account, bool) {
	u, err := user.Lookup(name)
	if err != nil {
		return account{}, false
	}
	uid, err1 := strconv.Atoi(u.Uid)
	gid, err2 := strconv.Atoi(u.Gid)
	if err1 != nil || err2 != nil || uid == 0 {
		return account{}, false
	}
	return account{uid: uid, gid: gid, drop: true}, true
}

// own makes a the owner of the folder and of all it holds, and closes it to others.
// Links are not followed. The folder itself comes last, so that once it belongs to a,
// all of it does.
func (a account) own(dir string) error {
	if owner, ok := ownerOf(dir); a.drop && !(ok && owner.uid == a.uid) {
		err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
			if err != nil || path == dir {
				return err
			}
			return os.Lchown(path, a.uid, a.gid)
		})
		if err != nil {
			return err
		}
		if err := os.Lchown(dir, a.uid, a.gid); err != nil {
			return err
		}
	}
	return os.Chmod(dir, 0o700)
}

// barred returns the first folder on the way to path, including path itself if it is a
// folder, that a may not search; empty when there is none. It checks permission bits
// only. What other rules forbid shows in the server's log.
func (a account) barred(path string) string {
	if !a.drop {
		return ""
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	at := string(filepath.Separator)
	for _, part := range append([]string{""}, strings.Split(strings.Trim(path, at), at)...) {
		at = filepath.Join(at, part)
		st, err := os.Stat(at)
		if err != nil || !st.IsDir() {
			return ""
		}
		if !a.mayPass(st) {
			return at
		}
	}
	return ""
}

// mayPass reports whether a may search the folder that st describes.
func (a account) mayPass(st os.FileInfo) bool {
	sys, ok := st.Sys().(*syscall.Stat_t)
	if !ok {
		return true
	}
	bit := os.FileMode(0o001)
	switch {
	case int(sys.Uid) == a.uid:
		bit = 0o100
	case int(sys.Gid) == a.gid:
		bit = 0o010
	}
	return st.Mode().Perm()&bit != 0
}
