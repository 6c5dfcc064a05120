package cluster

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"syscall"

	"quaestor/internal/fault"
)

// locale sorts by code point and knows the letters of every language. macOS has
// no such locale; "C" there knows only ASCII's upper and lower case.
var locale = map[bool]string{true: "C.UTF-8", false: "C"}[runtime.GOOS == "linux"]

// accessRules are pg_hba.conf: anybody who can enter the socket's folder may connect.
// The folder's mode is what keeps others out.
const accessRules = "# The socket's folder is closed to other accounts; there is no other way in.\nlocal all all trust\n"

// create makes the data folder: complete and beside its place first, then
// renamed, so that a crash leaves either nothing or a whole cluster.
func (c *Cluster) create(ctx context.Context, s Server, lock *os.File) (err error) {
	if err := sweepUnfinished(c.opts.DataDir); err != nil {
		return fault.New(fault.Unavailable, "what an interrupted start left in %s cannot be removed: %v", c.opts.DataDir, err)
	}
	dir, err := os.MkdirTemp(c.opts.DataDir, unfinished)
	if err != nil {
		return fault.New(fault.Unavailable, "the data folder %s cannot be written: %v", c.opts.DataDir, err)
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(dir)
		}
	}()
	c.log.InfoContext(ctx, "making the database's folder", "path", c.dir)
	if err := c.acc.own(dir); err != nil {
		return fault.New(fault.Unavailable, "the folder %s cannot be given to user %d: %v", dir, c.acc.uid, err)
	}
	if err := c.initdb(ctx, s, dir, lock); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "pg_hba.conf"), []byte(accessRules), 0o600); err != nil {
		return fault.New(fault.Unavailable, "the folder %s cannot be written: %v", dir, err)
	}
	// os.Rename would refuse to replace an empty folder, which may be replaced.
	if err := syscall.Rename(dir, c.dir); err != nil {
		return fault.New(fault.Unavailable, "the new database cannot be put at %s: %v", c.dir, err)
	}
	return syncDir(c.opts.DataDir)
}

func (c *Cluster) initdb(ctx context.Context, s Server, dir string, lock *os.File) error {
	cmd, done, err := c.program(ctx, filepath.Join(s.Bin, "initdb"), dir, lock)
	if err != nil {
		return err
	}
	defer done()
	cmd.Args = append(cmd.Args, "-U", Superuser, "-E", "UTF8", "--locale="+locale, "--data-checksums", "--auth=trust")
	if c.opts.NoSync {
		cmd.Args = append(cmd.Args, "--no-sync")
	}
	boundToUs(cmd.SysProcAttr, syscall.SIGKILL)
	// The binding is to the thread; Run must begin and end on one.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fault.New(fault.Unavailable, "the database's folder could not be made: %s", complaint(string(out))).Because(err)
	}
	return nil
}

// syncDir makes a rename in dir survive a power cut.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	return f.Sync()
}
