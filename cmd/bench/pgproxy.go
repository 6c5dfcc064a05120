package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/jackc/pgx/v5"
)

// proxy sits between a program and the database and counts what passes. Its own delay
// would distort latencies, so it is used for counting only.
type proxy struct {
	listener net.Listener
	url      string
	network  string // of the database
	address  string
	wg       sync.WaitGroup

	mu       sync.Mutex
	counters []*counter // guarded by mu
	conns    []net.Conn // guarded by mu
	closed   bool       // guarded by mu
}

// startProxy returns a proxy in front of the database at url.
func startProxy(url string) (*proxy, error) {
	c, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen before the database: %w", err)
	}
	p := &proxy{listener: l, url: fmt.Sprintf("postgres://%s@%s/%s?sslmode=disable", c.User, l.Addr(), c.Database), network: "tcp"}
	p.address = net.JoinHostPort(c.Host, strconv.Itoa(int(c.Port)))
	if filepath.IsAbs(c.Host) {
		p.network, p.address = "unix", fmt.Sprintf("%s/.s.PGSQL.%d", c.Host, c.Port)
	}
	p.wg.Go(p.accept)
	return p, nil
}

// close ends all connections and waits for them.
func (p *proxy) close() error {
	err := p.listener.Close()
	p.mu.Lock()
	p.closed = true
	for _, c := range p.conns {
		_ = c.Close()
	}
	p.mu.Unlock()
	p.wg.Wait()
	return err
}

// accept connects each client to the database until the listener is closed.
func (p *proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := (&net.Dialer{}).DialContext(context.Background(), p.network, p.address)
		if err != nil || !p.add(client, server) {
			_ = client.Close()
			continue
		}
		c := &counter{}
		p.mu.Lock()
		p.counters = append(p.counters, c)
		p.mu.Unlock()
		p.wg.Go(func() { forward(server, client, c) })
		p.wg.Go(func() {
			defer func() { _ = client.Close() }() // when one direction ends, so does the other
			_, _ = io.Copy(client, server)
		})
	}
}

// add remembers connections for close, and reports whether the proxy is still open.
func (p *proxy) add(list ...net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conns = append(p.conns, list...)
	return !p.closed
}

// forward passes on what a client sends, and counts it on the way. What the counter
// cannot parse is passed on uncounted.
func forward(server io.WriteCloser, client io.Reader, c *counter) {
	defer func() { _ = server.Close() }()
	_ = c.read(io.TeeReader(client, server))
	_, _ = io.Copy(server, client)
}

// total returns what has passed so far.
func (p *proxy) total() (t tally) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.counters {
		t = t.plus(c.sum())
	}
	return t
}
