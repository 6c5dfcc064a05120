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

// proxy stands between a program and the database and counts what passes. Its
// own delay spoils latencies, so it is used for counting only.
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
		c := newCounter()
		p.mu.Lock()
		p.counters = append(p.counters, c)
		p.mu.Unlock()
		p.wg.Go(func() { pass(server, client, c.feed) })
		p.wg.Go(func() { pass(client, server, func([]byte) {}) })
	}
}

// add remembers connections for close; false when that has been.
func (p *proxy) add(list ...net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conns = append(p.conns, list...)
	return !p.closed
}

// pass copies one direction and shows it to see before it goes on. When one
// direction ends, so does the other.
func pass(to io.WriteCloser, from io.Reader, see func([]byte)) {
	defer func() { _ = to.Close() }()
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		see(buf[:n])
		if _, werr := to.Write(buf[:n]); err != nil || werr != nil {
			return
		}
	}
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
