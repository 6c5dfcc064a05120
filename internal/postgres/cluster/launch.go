package cluster

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"quaestor/internal/fault"
)

// ensure returns the server on the data folder: one that runs, else a new one.
// It waits while another process is starting or stopping one.
func (c *Cluster) ensure(ctx context.Context) (*postmaster, error) {
	for {
		pm, err := c.adoptOrLaunch(ctx)
		if pm != nil || err != nil {
			return pm, err
		}
		if !pause(ctx, pollEvery) {
			return nil, fault.New(fault.Unavailable, "another process holds %s, but its database does not answer here; stop that process, or give each its own --data-dir", c.opts.DataDir).Because(ctx.Err())
		}
	}
}

// adoptOrLaunch is one try of ensure; it returns nil twice when it is too early
// to tell. The lock is free only while no server process of ours is left.
func (c *Cluster) adoptOrLaunch(ctx context.Context) (*postmaster, error) {
	lock, err := tryLock(filepath.Join(c.opts.DataDir, lockName))
	if err != nil {
		return nil, err
	}
	if lock != nil {
		defer func() { _ = lock.Close() }() // the server has its own copy
	}
	if p, ok := running(c.dir); ok {
		if p.status != "ready" || p.socket == "" {
			return nil, nil
		}
		c.setSocketFolder(p.socket)
		return &postmaster{pid: p.pid}, nil
	}
	if lock == nil {
		return nil, nil
	}
	return c.launch(ctx, lock)
}

// launch starts a server, after making its data folder if there is none, and
// waits until it accepts connections. The caller holds the lock.
func (c *Cluster) launch(ctx context.Context, lock *os.File) (*postmaster, error) {
	major, err := majorIn(c.dir)
	if err != nil {
		return nil, err
	}
	server, err := c.server(ctx, major)
	if err != nil {
		return nil, err
	}
	if major == 0 {
		if err := c.create(ctx, server, lock); err != nil {
			return nil, err
		}
	}
	if err := c.acc.own(c.dir); err != nil {
		return nil, fault.New(fault.Unavailable, "the folder %s cannot be given to the database's account: %v", c.dir, err)
	}
	if err := c.chooseSocket(); err != nil {
		return nil, err
	}
	pm, err := c.spawnServer(ctx, server, lock)
	if err != nil {
		return nil, err
	}
	if err := c.awaitReady(ctx, pm); err != nil {
		_ = pm.stop(context.WithoutCancel(ctx)) // a cancelled start must not leave it behind
		return nil, err
	}
	return pm, nil
}

// server finds the programs to run, and makes sure that the account they run
// under can reach them.
func (c *Cluster) server(ctx context.Context, major int) (Server, error) {
	s, err := Find(ctx, FindOptions{Bin: c.opts.Bin, DataDir: c.opts.DataDir, Major: major})
	if err != nil {
		return Server{}, err
	}
	if dir := c.acc.barred(s.Bin); dir != "" {
		return Server{}, fault.New(fault.Unavailable, "the database's account (user %d) cannot reach the server in %s because %s is closed to it; run `chmod o+x %s`, or set QUAESTOR_RUNTIME_DIR to an open folder and run `make provision`", c.acc.uid, s.Bin, dir, dir)
	}
	return s, nil
}

// chooseSocket settles the socket's folder, once: the address must not change
// when the server is started again.
func (c *Cluster) chooseSocket() error {
	now := c.socketFolder()
	if now == c.dir || (now != "" && privateDir(now, c.acc)) {
		return nil
	}
	dir, err := socketDir(c.dir, c.acc)
	if err != nil {
		return err
	}
	c.setSocketFolder(dir)
	return nil
}

func (c *Cluster) spawnServer(ctx context.Context, s Server, lock *os.File) (*postmaster, error) {
	log, err := openLog(c.LogFile())
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }()
	// Not bound to ctx: the server outlives the start.
	cmd, done, err := c.program(context.WithoutCancel(ctx), filepath.Join(s.Bin, "postgres"), c.dir, lock)
	if err != nil {
		return nil, err
	}
	defer done()
	cmd.Args = append(cmd.Args, c.settings()...)
	cmd.Stdout, cmd.Stderr = log, log
	boundToUs(cmd.SysProcAttr, syscall.SIGINT) // fast shutdown, as Stop does
	pm, err := spawn(cmd)
	if err != nil {
		return nil, fault.New(fault.Unavailable, "the server in %s cannot be run as user %d: %v", s.Bin, c.acc.uid, err)
	}
	return pm, nil
}

// settings are the server's parameters. Errors are logged without the statement
// and its values: those are people's data.
func (c *Cluster) settings() []string {
	list := []string{
		"-k", c.socketFolder(),
		"-c", "port=" + strconv.Itoa(port),
		"-c", "listen_addresses=",
		"-c", "unix_socket_permissions=0700",
		"-c", "max_connections=" + strconv.Itoa(c.opts.MaxConnections),
		"-c", "shared_buffers=128MB",
		"-c", "wal_level=minimal",
		"-c", "max_wal_senders=0",
		"-c", "max_logical_replication_workers=0",
		"-c", "jit=off",
		"-c", "wal_compression=on",
		"-c", "max_parallel_maintenance_workers=0",
		"-c", "log_checkpoints=off",
		"-c", "log_error_verbosity=terse",
		"-c", "log_min_error_statement=panic",
	}
	if c.opts.NoSync {
		list = append(list, "-c", "fsync=off", "-c", "full_page_writes=off")
	}
	return list
}

// program returns the command that runs a server program on the folder dir: as
// the right account, with the environment and the files it needs and no others.
// The command inherits lock. The caller calls done when it has started.
func (c *Cluster) program(ctx context.Context, path, dir string, lock *os.File) (cmd *exec.Cmd, done func(), err error) {
	folder, err := os.Open(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("open %s: %w", dir, err)
	}
	if shut := c.acc.barred(filepath.Dir(dir)); shut != "" {
		around, ok := throughFile(4)
		if !ok {
			_ = folder.Close()
			return nil, nil, fault.New(fault.Unavailable, "the database's account (user %d) cannot reach %s because %s is closed to it; run `chmod o+x %s`, or choose another --data-dir", c.acc.uid, dir, shut, shut)
		}
		dir = around
	}
	cmd = exec.CommandContext(ctx, path, "-D", dir)
	cmd.Dir = "/" // ours may be closed to the account
	cmd.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=" + locale, "TZ=UTC"}
	cmd.ExtraFiles = []*os.File{lock, folder} // files 3 and 4
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if c.acc.drop {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(c.acc.uid), Gid: uint32(c.acc.gid), Groups: []uint32{}}
	}
	return cmd, func() { _ = folder.Close() }, nil
}

// awaitReady waits until the server reports that it accepts connections.
func (c *Cluster) awaitReady(ctx context.Context, pm *postmaster) error {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		if p, ok := readPidFile(c.dir); ok && p.pid == pm.pid && p.status == "ready" {
			return nil
		}
		select {
		case <-pm.gone:
			return fault.New(fault.Unavailable, "PostgreSQL did not start: %s (log: %s)", lastComplaint(c.LogFile()), c.LogFile())
		case <-ctx.Done():
			return fault.New(fault.Unavailable, "PostgreSQL was not ready in time (log: %s)", c.LogFile()).Because(ctx.Err())
		case <-tick.C:
		}
	}
}
