package outbound

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"sync"
	"syscall"
	"testing"

	"go.uber.org/goleak"
	"golang.org/x/net/dns/dnsmessage"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// errStopped ends a dial that would have reached the network.
var errStopped = errors.New("a test makes no connection")

// recorder is a dialer that notes what the guard let through and connects only
// to what the test allows.
type recorder struct {
	mu   sync.Mutex
	seen []string // addresses the guard let through, in order
}

// dialer returns a dialer under the guard of o; live says whether what the guard
// lets through is connected to.
func (r *recorder) dialer(o Options, names *net.Resolver, live bool) *net.Dialer {
	g := newGuard(o.Allow)
	return &net.Dialer{Resolver: names, Control: func(network, address string, c syscall.RawConn) error {
		if err := g.control(network, address, c); err != nil {
			return err
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.seen = append(r.seen, address)
		if !live {
			return errStopped
		}
		return nil
	}}
}

func (r *recorder) addresses() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.seen
}

// recorded returns a client under o that looks names up with answer, and what
// records its dials.
func recorded(t *testing.T, o Options, answer func(name string) string, live bool) (*http.Client, *recorder) {
	t.Helper()
	r := new(recorder)
	o = o.withDefaults()
	c := newClient(o, r.dialer(o, resolver(t, answer), live))
	t.Cleanup(c.CloseIdleConnections)
	return c, r
}

// resolver answers every look-up with what answer says: an address, or "" for a
// name nobody knows.
func resolver(t *testing.T, answer func(name string) string) *net.Resolver {
	t.Helper()
	var wg sync.WaitGroup
	t.Cleanup(wg.Wait)
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		near, far := net.Pipe()
		wg.Go(func() { serveNames(far, answer) })
		return near, nil
	}}
}

// serveNames speaks DNS over a stream until the other end goes.
func serveNames(c net.Conn, answer func(string) string) {
	defer func() { _ = c.Close() }()
	for {
		size := make([]byte, 2)
		if _, err := c.Read(size); err != nil {
			return
		}
		query := make([]byte, int(size[0])<<8|int(size[1]))
		if _, err := c.Read(query); err != nil {
			return
		}
		reply := answerQuery(query, answer)
		if _, err := c.Write(append([]byte{byte(len(reply) >> 8), byte(len(reply))}, reply...)); err != nil {
			return
		}
	}
}

// answerQuery is one answer; a name without an address of the family asked for
// gets an empty one.
func answerQuery(query []byte, answer func(string) string) []byte {
	var m dnsmessage.Message
	if m.Unpack(query) != nil || len(m.Questions) != 1 {
		return nil
	}
	m.Response, m.RCode, m.Additionals = true, dnsmessage.RCodeSuccess, nil
	q := m.Questions[0]
	header := dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, TTL: 1}
	at, err := netip.ParseAddr(answer(q.Name.String()))
	switch {
	case err != nil:
		m.RCode = dnsmessage.RCodeNameError
	case at.Is4() && q.Type == dnsmessage.TypeA:
		m.Answers = []dnsmessage.Resource{{Header: header, Body: &dnsmessage.AResource{A: at.As4()}}}
	case at.Is6() && q.Type == dnsmessage.TypeAAAA:
		m.Answers = []dnsmessage.Resource{{Header: header, Body: &dnsmessage.AAAAResource{AAAA: at.As16()}}}
	}
	reply, _ := m.Pack()
	return reply
}

// loopback allows what httptest listens on.
var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}

// serve starts a server of h on the loopback and returns its address.
func serve(t *testing.T, h http.HandlerFunc) *url.URL {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	return u
}
