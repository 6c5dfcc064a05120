package cluster

import (
	"cmp"
	"context"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"quaestor/internal/fault"
)

// Superuser is the role that owns the cluster, Database the database that
// Quaestor works in.
const (
	Superuser = "quaestor"
	Database  = "quaestor"
)

const (
	startTimeout = 2 * time.Minute  // crash recovery of a large log included
	stopPatience = 30 * time.Second // for a fast shutdown, its checkpoint included
	quitPatience = 10 * time.Second // for an immediate one
	pollEvery    = 25 * time.Millisecond
	watchEvery   = 250 * time.Millisecond // for the end of an adopted server
)

// Options configure [Start].
type Options struct {
	DataDir        string       // Quaestor's data folder; the cluster is in its folder pg. Required.
	Bin            string       // folder of initdb and postgres; empty means what [Find] finds
	MaxConnections int          // zero means 100
	NoSync         bool         // for tests: faster, and a power cut may ruin the data
	Log            *slog.Logger // nil discards
}

// Cluster is a running private PostgreSQL. Its methods may be called from many
// goroutines.
type Cluster struct {
	opts Options
	log  *slog.Logger
	dir  string // the cluster's folder, absolute
	acc  account

	version string
	vector  string

	cancel context.CancelFunc // ends the supervision
	done   chan struct{}      // closed when the supervision has ended

	mu     sync.Mutex // guards what a restart may change
	pm     *postmaster
	socket string // folder of the socket; empty until the first ensure
}

// Start returns a cluster that answers, with the database [Database] and the
// extension vector in it. On first use it makes the data folder; later it opens
// what is there, and adopts a server that already runs on it. A server that
// ends unexpectedly is started again. ctx bounds the start only; call [Cluster.Stop]
// to end the cluster.
//
// The errors are faults: Conflict for a folder that holds something else,
// Forbidden for one that belongs to another user, Unavailable for the rest.
func Start(ctx context.Context, o Options) (*Cluster, error) {
	c, err := open(o)
	if err != nil {
		return nil, err
	}
	startCtx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	c.pm, err = c.ensure(startCtx)
	if err != nil {
		return nil, err
	}
	if err := c.prepare(startCtx); err != nil {
		// The start may have been cut short by ctx; stopping must not be.
		_ = c.pm.stop(context.WithoutCancel(ctx))
		return nil, err
	}
	// Supervision outlives the start; Stop ends it.
	watchCtx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	c.cancel = cancel
	go c.supervise(watchCtx)
	c.log.InfoContext(ctx, "database ready", "version", c.version, "vector", c.vector, "adopted", !c.pm.owned())
	return c, nil
}

// open returns a Cluster that is not started, after making its data folder and choosing
// the account that runs the server.
func open(o Options) (*Cluster, error) {
	if o.DataDir == "" {
		return nil, fault.New(fault.Invalid, "there is no data folder; set --data-dir")
	}
	dataDir, err := filepath.Abs(o.DataDir)
	if err != nil {
		return nil, fault.New(fault.Unavailable, "the working folder is gone: %v", err)
	}
	o.DataDir = dataDir
	o.MaxConnections = cmp.Or(o.MaxConnections, 100)
	if err := makeDataDir(o.DataDir); err != nil {
		return nil, err
	}
	c := &Cluster{opts: o, log: o.Log, dir: filepath.Join(o.DataDir, clusterName), done: make(chan struct{})}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	c.acc, err = accountFor(c.dir)
	return c, err
}

// URL returns the connection string of the superuser to [Database]. It stays
// valid when the server is started again.
func (c *Cluster) URL() string { return c.urlOf(Database) }

func (c *Cluster) urlOf(database string) string {
	query := url.Values{"host": {c.socketFolder()}, "port": {strconv.Itoa(port)}}.Encode()
	u := url.URL{
		Scheme:   "postgres",
		User:     url.User(Superuser),
		Path:     "/" + database,
		RawQuery: strings.ReplaceAll(query, "+", "%20"), // a + is a space in forms only
	}
	return u.String()
}

// Version returns the server's version, such as "15.18".
func (c *Cluster) Version() string { return c.version }

// VectorVersion returns the version of the extension vector, such as "0.8.0".
func (c *Cluster) VectorVersion() string { return c.vector }

// LogFile returns the path of the server's log.
func (c *Cluster) LogFile() string { return filepath.Join(c.opts.DataDir, logName) }

// Adopted reports whether the server that runs now was started by another
// process.
func (c *Cluster) Adopted() bool { return !c.current().owned() }

// Done is closed when the server is no longer supervised: after Stop, or after it ended
// too often in a row.
func (c *Cluster) Done() <-chan struct{} { return c.done }

// Stop ends the server in good order if this process started it, and leaves an
// adopted one running. When ctx ends first, or after 30 s, the server is told to
// quit at once and recovers at its next start; it is never killed outright.
// Stopping twice is harmless.
func (c *Cluster) Stop(ctx context.Context) error {
	c.cancel()
	<-c.done
	if err := c.current().stop(ctx); err != nil {
		return err
	}
	if socket := c.socketFolder(); socket != c.dir && !c.Adopted() {
		_ = os.Remove(socket) // an empty folder that stays does no harm
	}
	return nil
}

func (c *Cluster) socketFolder() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.socket
}

func (c *Cluster) setSocketFolder(dir string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.socket = dir
}

func (c *Cluster) current() *postmaster {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pm
}
