package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"quaestor/internal/postgres/cluster"
)

// The servers that are measured, in the order of the tables.
const (
	modelKind = "model"
	rulesKind = "rules"
)

var kinds = []string{modelKind, rulesKind}

// bench is one run: what it measures with, and what it found.
type bench struct {
	options
	clock

	out        io.Writer
	home       string // for everything temporary
	cluster    *cluster.Cluster
	db         *pgxpool.Pool // as the superuser, for measuring
	postmaster int           // process id
	model      *model
	started    atomic.Int64 // talkers made so far
	loads      []*load
}

// run starts what is measured, measures each part, and removes everything again.
func (b *bench) run(ctx context.Context) (err error) {
	defer func() { err = errors.Join(err, b.clear()) }()
	if err := b.set(ctx); err != nil {
		return err
	}
	b.preface()
	for _, p := range parts {
		if !b.wants(p.name) {
			continue
		}
		if err := p.measure(b, ctx); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return nil
}

// part is one thing to measure; it writes its table when it is done.
type part struct {
	name    string
	measure func(*bench, context.Context) error
}

// The made-up sessions of pages would slow down what comes after, so it is last.
var parts = []part{
	{"talk", (*bench).measureTalk},
	{"turns", (*bench).measureTurns},
	{"work", (*bench).measureWork},
	{"calls", (*bench).measureCalls},
	{"idle", (*bench).measureIdle},
	{"data", (*bench).measureData},
	{"pages", (*bench).measurePages},
}

// partNames lists the parts for the help.
func partNames() []string {
	var out []string
	for _, p := range parts {
		out = append(out, p.name)
	}
	return out
}

// wants reports whether a part is to be measured.
func (b *bench) wants(name string) bool {
	return b.only == "" || slices.Contains(strings.Split(b.only, ","), name)
}

// set builds the program and starts the database and the model.
func (b *bench) set(ctx context.Context) (err error) {
	if b.home, err = os.MkdirTemp(b.dir, "quaestor-bench-"); err != nil {
		return err
	}
	if err := os.Chmod(b.home, 0o755); err != nil { // the database's account goes through it
		return err
	}
	if err := b.build(ctx); err != nil {
		return err
	}
	if b.cluster, err = cluster.Start(ctx, cluster.Options{DataDir: filepath.Join(b.home, "data")}); err != nil {
		return err
	}
	if b.db, err = pgxpool.New(ctx, b.cluster.URL()); err != nil {
		return err
	}
	if err := b.findPostmaster(ctx); err != nil {
		return err
	}
	if b.model, err = startModel(b.clock, b.pace); err != nil {
		return err
	}
	return b.publish(ctx)
}

// build makes the program, unless one was given.
func (b *bench) build(ctx context.Context) error {
	if b.bin != "" {
		abs, err := filepath.Abs(b.bin)
		b.bin = abs
		return err
	}
	b.bin = filepath.Join(b.home, "quaestor")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", b.bin, "quaestor/cmd/quaestor").CombinedOutput(); err != nil {
		return fmt.Errorf("build quaestor: %w: %s", err, out)
	}
	return nil
}

// findPostmaster asks PostgreSQL for the process whose children do its work.
func (b *bench) findPostmaster(ctx context.Context) error {
	var backend int
	if err := b.db.QueryRow(ctx, `SELECT pg_backend_pid()`).Scan(&backend); err != nil {
		return fmt.Errorf("find the database's process: %w", err)
	}
	p, err := readProcess(backend)
	b.postmaster = p.parent
	return err
}

// publish migrates the database and publishes the objective of the conversations.
func (b *bench) publish(ctx context.Context) error {
	file := filepath.Join(b.home, "objective.json")
	if err := os.WriteFile(file, []byte(objective()), 0o600); err != nil {
		return err
	}
	s, err := b.start(ctx, rulesKind) // the first start makes the tenant
	if err != nil {
		return err
	}
	if err := s.stop(); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, b.bin, "objective", "import", file) // the program under measurement
	cmd.Dir, cmd.Env = b.home, append(bare(b.home), "DATABASE_URL="+b.cluster.URL())
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("publish the objective: %w: %s", err, out)
	}
	return nil
}

// clear ends what was started and removes what was written.
func (b *bench) clear() error {
	var errs []error
	if b.model != nil {
		errs = append(errs, b.model.close())
	}
	if b.db != nil {
		b.db.Close()
	}
	if b.cluster != nil {
		ctx, cancel := context.WithTimeout(context.Background(), stopLimit) // the run's context may have ended
		defer cancel()
		errs = append(errs, b.cluster.Stop(ctx))
	}
	if b.home != "" && !b.keep {
		errs = append(errs, os.RemoveAll(b.home))
	}
	return errors.Join(errs...)
}

// start starts a server of a kind on the database.
func (b *bench) start(ctx context.Context, kind string) (*server, error) {
	return b.startOn(ctx, kind, b.cluster.URL())
}

// startOn starts a server of a kind on the database at an address, which may be the
// proxy's.
func (b *bench) startOn(ctx context.Context, kind, database string) (*server, error) {
	args := []string{"serve", "--addr", "127.0.0.1:0"}
	if kind == modelKind {
		args = append(args, "--model", modelLabel, "--model-url", b.model.url)
	}
	s, err := launch(ctx, kind, b.home, append(bare(b.home), "DATABASE_URL="+database), b.bin, args...)
	if err != nil {
		return nil, err
	}
	if s.idle, err = resident(s.pid()); err != nil {
		return nil, errors.Join(err, s.stop())
	}
	return s, nil
}

// with runs f with a fresh server of a kind.
func (b *bench) with(ctx context.Context, kind string, f func(*server) error) error {
	s, err := b.start(ctx, kind)
	if err != nil {
		return err
	}
	return errors.Join(f(s), s.stop())
}

// talker returns a person's program for a server, under a unique name.
func (b *bench) talker(s *server, name string) *talker {
	return &talker{clock: b.clock, model: b.model, http: s.http, base: s.base, name: fmt.Sprintf("%s-%d-%s", s.kind, b.started.Add(1), name)}
}

// pause waits for d. It returns an error when ctx ends first.
func (b *bench) pause(ctx context.Context, d time.Duration) error {
	if !b.waitUntil(ctx, b.now()+d) {
		return ctx.Err()
	}
	return nil
}
