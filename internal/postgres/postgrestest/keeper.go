package postgrestest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"quaestor/internal/postgres/cluster"
)

// The environment of a keeper.
const (
	keeperDir  = "QUAESTOR_TEST_KEEPER_DIR"
	keeperBin  = "QUAESTOR_TEST_KEEPER_BIN"
	keeperIdle = "QUAESTOR_TEST_KEEPER_IDLE"
)

const (
	lookEvery  = 500 * time.Millisecond // for users
	sweepEvery = 5 * time.Second        // for databases left behind
)

// A keeper must not run the tests of the binary it is, and nothing but an init
// function comes before them in every package that imports this one.
func init() {
	dir := os.Getenv(keeperDir)
	if dir == "" {
		return
	}
	idle, err := time.ParseDuration(os.Getenv(keeperIdle))
	if err != nil {
		os.Exit(2)
	}
	k := keeper{place: place{dir: dir, idle: idle}}
	if err := k.run(os.Getenv(keeperBin), os.NewFile(3, "answer")); err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

// keeper owns the server of a place.
type keeper struct {
	place
	lock    *os.File // the keeper's lock
	cluster *cluster.Cluster
	log     *slog.Logger
}

// run starts the server, writes its address (or "error: " and why not) to
// answer, and returns when the server has been stopped.
func (k *keeper) run(bin string, answer *os.File) error {
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer cancel()
	if err := k.begin(ctx, bin); err != nil {
		_, _ = fmt.Fprintf(answer, "error: %s\n", strings.ReplaceAll(err.Error(), "\n", " "))
		return err
	}
	_, _ = fmt.Fprintln(answer, k.cluster.URL())
	_ = answer.Close()
	return k.keep(ctx)
}

// begin takes the keeper's lock and starts the server. Data that does not start
// is thrown away: it was only ever a test's.
func (k *keeper) begin(ctx context.Context, bin string) (err error) {
	k.lock, err = lockFile(k.path("keeper"), syscall.LOCK_EX|syscall.LOCK_NB)
	if err != nil {
		return err
	}
	if k.lock == nil {
		return errors.New("the test database already has a keeper")
	}
	if err := os.WriteFile(k.path("pid"), []byte(strconv.Itoa(os.Getpid())), 0o600); err != nil {
		return err
	}
	if err := k.openLog(); err != nil {
		return err
	}
	if err := k.forgetAfterBoot(); err != nil {
		return err
	}
	if err := k.start(ctx, bin); err != nil {
		k.log.Warn("starting over", "err", err)
		if err := os.RemoveAll(k.path("data")); err != nil {
			return err
		}
		if err := k.start(ctx, bin); err != nil {
			return err
		}
	}
	// The code that builds a template may have changed more than its name tells.
	if err := dropTemplates(ctx, k.cluster.URL(), 0); err != nil {
		return err
	}
	return os.WriteFile(k.path("url"), []byte(k.cluster.URL()), 0o600)
}

func (k *keeper) openLog() error {
	f, err := os.Create(k.path("keeper.log"))
	if err != nil {
		return err
	}
	k.log = slog.New(slog.NewTextHandler(f, nil))
	return nil
}

// forgetAfterBoot removes data from before the machine was started: without
// syncing there is no telling what of it reached the disk.
func (k *keeper) forgetAfterBoot() error {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return nil // only Linux has this file
	}
	before, err := os.ReadFile(k.path("boot"))
	if err != nil || !bytes.Equal(before, boot) {
		if err := os.RemoveAll(k.path("data")); err != nil {
			return err
		}
	}
	return os.WriteFile(k.path("boot"), boot, 0o600)
}

func (k *keeper) start(ctx context.Context, bin string) error {
	c, err := cluster.Start(ctx, cluster.Options{
		DataDir:        k.path("data"),
		Bin:            bin,
		MaxConnections: 200,
		NoSync:         true,
		Log:            k.log,
	})
	if err != nil {
		return err
	}
	k.cluster = c
	return nil
}

// keep supervises the server until it has been unused for long enough, is lost, its
// folder is removed, or ctx ends. Then it stops the server.
func (k *keeper) keep(ctx context.Context) error {
	look, broom := time.NewTicker(lookEvery), time.NewTicker(sweepEvery)
	defer look.Stop()
	defer broom.Stop()
	lastUse := time.Now()
	for {
		select {
		case <-ctx.Done():
			return k.stop()
		case <-k.cluster.Done():
			return errors.New("the server is lost")
		case <-broom.C:
			if err := sweep(ctx, k.cluster.URL()); err != nil {
				k.log.Warn("sweep", "err", err)
			}
		case <-look.C:
			if k.used() {
				lastUse = time.Now()
			}
			if time.Since(lastUse) >= k.idle && k.stopUnused() {
				return nil
			}
		}
	}
}

// used reports whether a process uses the cluster. A place whose folder has been
// removed has no users any more.
func (k *keeper) used() bool {
	if _, err := os.Stat(k.path("users")); err != nil {
		return false
	}
	alone, err := lockFile(k.path("users"), syscall.LOCK_EX|syscall.LOCK_NB)
	if alone != nil {
		_ = alone.Close()
	}
	return alone == nil && err == nil
}

// stopUnused stops the server unless a process is about to use it, and reports
// whether it did. Holding "start" until the keeper's lock is free makes newcomers
// wait, find no keeper and start another.
func (k *keeper) stopUnused() bool {
	if _, err := os.Stat(k.dir); err != nil {
		return k.stop() == nil
	}
	start, err := lockFile(k.path("start"), syscall.LOCK_EX|syscall.LOCK_NB)
	if err != nil || start == nil {
		return false
	}
	defer func() { _ = start.Close() }()
	return !k.used() && k.stop() == nil
}

// stop stops the server and gives the keeper's lock back.
func (k *keeper) stop() error {
	defer func() { _ = k.lock.Close() }()
	_ = os.Remove(k.path("url"))                // it is wrong now, and read only while there is a keeper
	return k.cluster.Stop(context.Background()) // ctx may be over; Stop has a limit of its own
}

// sweep drops the databases of processes that are gone.
func sweep(ctx context.Context, super string) error {
	names, err := databases(ctx, super, clonePrefix+"%")
	if err != nil {
		return err
	}
	for _, name := range names {
		if pid, ok := madeBy(name); ok && syscall.Kill(pid, 0) == syscall.ESRCH {
			if err := drop(ctx, super, name); err != nil {
				return fmt.Errorf("drop %s: %w", name, err)
			}
		}
	}
	return nil
}
