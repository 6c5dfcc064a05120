package sqlserver_test

import (
	"errors"
	"net"
	"net/netip"
	"sync"
	"testing"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/sqlserver"
	"quaestor/research/warehouse/wire"
)

// A server that accepts a connection and says nothing is given up.
func TestSilentServerIsGivenUp(t *testing.T) {
	t.Parallel()

	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var accepting sync.WaitGroup
	var conns []net.Conn
	accepting.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			conns = append(conns, c)
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		accepting.Wait()
		for _, c := range conns {
			_ = c.Close()
		}
	})
	host, port, _ := net.SplitHostPort(l.Addr().String())
	c := &sqlserver.Connector{Reach: wire.Reach{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}}
	conn, err := c.Open(t.Context(), warehouse.Settings{Kind: warehouse.SQLServer, Options: map[string]string{wire.Host: host, wire.Port: port, wire.Database: "shop", wire.User: "reader", wire.Security: "disable"}})
	if err == nil {
		_ = conn.Close()
		t.Fatal("it opened")
	}
	var q *warehouse.QueryError
	if !errors.As(err, &q) || q.Class != warehouse.TimedOut && q.Class != warehouse.Unreachable {
		t.Errorf("it is given up with %v", err)
	}
}
