package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
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

// The servers that are measured.
const (
	proxyKind    = "floor-proxy"
	readKind     = "floor-readtx"
	modelKind    = "model"
	rulesKind    = "rules"
	researchKind = "research" // rules, and a search engine that finds nothing
	modelLabel   = "bench"
)

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
	silence    *silence     // while research is measured
	talkers    atomic.Int64 // made so far
	results    results
}

// run sets the stage, measures each part, tells, and clears the stage.
func (b *bench) run(ctx context.Context) (err error) {
	if b.only == warehousePart {
		return b.measureWarehouse(ctx)
	}
	defer func() { err = errors.Join(err, b.clear()) }()
	if err := b.set(ctx); err != nil {
		return err
	}
	b.preface()
	for _, p := range parts {
		if !b.wants(p.name) {
			continue
		}
		if err := b.measure(ctx, p); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	b.tellGoals()
	return nil
}

// measure measures one part, and says how long it took and how much others
// disturbed it.
func (b *bench) measure(ctx context.Context, p part) error {
	began := b.now()
	before, err := b.disturbance()
	if err != nil {
		return err
	}
	if err := p.measure(b, ctx); err != nil {
		return err
	}
	after, err := b.disturbance()
	took := (b.now() - began).Seconds()
	fmt.Fprintf(b.out, "   %s took %.0f s, in which processes outside of the run used %.2f cores.\n", p.name, took, max(after-before, 0).Seconds()/took)
	return err
}

// part is one thing to measure; it writes its table when it is done.
type part struct {
	name    string
	measure func(*bench, context.Context) error
}

// The loads of flow leave thousands of sessions, which the index follows for minutes:
// what it would disturb, or wait for it, comes before.
var parts = []part{
	{"work", (*bench).measureWork},
	{"held", (*bench).measureHeld},
	{"depth", (*bench).measureDepth},
	{"start", (*bench).measureStart},
	{"relay", (*bench).measureRelay},
	{"flow", (*bench).measureFlow},
	{"research", (*bench).measureResearch},
	{"growth", (*bench).measureGrowth},
	{warehousePart, (*bench).measureWarehouse},
}

func partNames() []string {
	var out []string
	for _, p := range parts {
		out = append(out, p.name)
	}
	return out
}

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
	if b.model, err = startModel(b.clock); err != nil {
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

func (b *bench) findPostmaster(ctx context.Context) error {
	var backend int
	if err := b.db.QueryRow(ctx, `SELECT pg_backend_pid()`).Scan(&backend); err != nil {
		return fmt.Errorf("find the database's process: %w", err)
	}
	p, err := readProcess(backend)
	b.postmaster = p.parent
	return err
}

// publish migrates, and makes the objective known that is talked about.
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
	cmd := exec.CommandContext(ctx, b.bin, "objective", "import", file) //nolint:gosec // the program under measurement
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

func (b *bench) startOn(ctx context.Context, kind, database string) (*server, error) {
	name, args, err := b.command(kind, database)
	if err != nil {
		return nil, err
	}
	s, err := launch(ctx, kind, b.home, append(bare(b.home), "DATABASE_URL="+database), name, args...)
	if err != nil {
		return nil, err
	}
	if kind == modelKind && !strings.HasPrefix(s.mind, "model ") {
		b.results.modelless = true
	}
	if s.idle, err = resident(s.pid()); err != nil {
		return nil, errors.Join(err, s.stop())
	}
	return s, nil
}

// command returns what to run for a kind of server.
func (b *bench) command(kind, database string) (name string, args []string, err error) {
	serve := []string{"serve", "--addr", "127.0.0.1:0"}
	switch kind {
	case rulesKind:
		return b.bin, serve, nil
	case researchKind:
		return b.bin, append(serve, "--searxng-url", b.silence.url, "--research-daily", "1000000"), nil
	case modelKind:
		return b.bin, append(serve, "--model", modelLabel, "--model-url", b.model.url), nil
	}
	self, err := os.Executable()
	return self, []string{"-floor", strings.TrimPrefix(kind, "floor-"), "-model-url", b.model.url, "-database-url", database}, err
}

// with runs f with a fresh server of a kind. Without an interviewer that has a
// model there is nothing to measure for that kind, which is said once.
func (b *bench) with(ctx context.Context, kind string, f func(*server) error) error {
	if kind == modelKind && b.results.modelless {
		return nil
	}
	s, err := b.start(ctx, kind)
	if err != nil {
		return err
	}
	if kind == modelKind && b.results.modelless {
		fmt.Fprintln(b.out, "This program has no interviewer with a model: its rows are left out.")
		return s.stop()
	}
	return errors.Join(f(s), s.stop())
}

// sibling returns the address of another database of the cluster.
func (b *bench) sibling(name string) (string, error) {
	u, err := url.Parse(b.cluster.URL())
	if err != nil {
		return "", err
	}
	u.Path = "/" + name
	return u.String(), nil
}

// settle lets a server that was just loaded come to rest.
func (b *bench) settle(ctx context.Context, d time.Duration) error {
	if !b.waitUntil(ctx, b.now()+d) {
		return ctx.Err()
	}
	return nil
}
