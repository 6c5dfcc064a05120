package pgwire

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"encoding/pem"
	"errors"
	"io"
	"maps"
	"math/big"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"quaestor/internal/fault"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/catalog"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/wire"
)

// front is a server on the loopback that passes connections on to the one of a
// lab, over TLS if it has a certificate. It may be cut and come back.
type front struct {
	to   string // the socket
	cert *tls.Certificate

	mu    sync.Mutex // guards the rest
	in    net.Listener
	conns map[net.Conn]bool
	wg    sync.WaitGroup
}

func newFront(t *testing.T, l *lab, cert *tls.Certificate) *front {
	t.Helper()
	q := l.url.Query()
	f := &front{to: q.Get("host") + "/.s.PGSQL." + q.Get("port"), cert: cert, conns: map[net.Conn]bool{}}
	f.start(t, "127.0.0.1:0")
	t.Cleanup(func() { f.cut(); f.wg.Wait() })
	return f
}

func (f *front) start(t *testing.T, at string) {
	t.Helper()
	in, err := net.Listen("tcp", at)
	if err != nil {
		t.Fatal(err)
	}
	f.mu.Lock()
	f.in = in
	f.mu.Unlock()
	f.wg.Go(func() {
		for {
			c, err := in.Accept()
			if err != nil {
				return
			}
			f.wg.Go(func() { f.serve(c) })
		}
	})
}

func (f *front) port() string { return strconv.Itoa(f.in.Addr().(*net.TCPAddr).Port) }

// cut ends everything, as a server that dies does.
func (f *front) cut() {
	f.mu.Lock()
	defer f.mu.Unlock()
	_ = f.in.Close()
	for c := range f.conns {
		_ = c.Close()
	}
	clear(f.conns)
}

func (f *front) keep(list ...net.Conn) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, c := range list {
		f.conns[c] = true
	}
}

func (f *front) serve(c net.Conn) {
	defer func() { _ = c.Close() }()
	near := c
	if f.cert != nil {
		request := make([]byte, 8) // for TLS
		if _, err := io.ReadFull(c, request); err != nil || binary.BigEndian.Uint32(request[4:]) != 80877103 {
			return
		}
		if _, err := c.Write([]byte("S")); err != nil {
			return
		}
		near = tls.Server(c, &tls.Config{Certificates: []tls.Certificate{*f.cert}, MinVersion: tls.VersionTLS12})
	}
	far, err := net.Dial("unix", f.to)
	if err != nil {
		return
	}
	defer func() { _ = far.Close() }()
	f.keep(c, far)
	var both sync.WaitGroup
	both.Go(func() { _, _ = io.Copy(far, near); _ = far.Close() })
	both.Go(func() { _, _ = io.Copy(near, far); _ = near.Close() })
	both.Wait()
}

// certificate returns one for a name, signed by itself.
func certificate(t *testing.T, name string) (*tls.Certificate, string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature}
	if ip := net.ParseIP(name); ip != nil {
		template.IPAddresses = []net.IP{ip}
	} else {
		template.DNSNames = []string{name}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}

// through opens a connection over a front, with more options.
func (l *lab) through(f *front, options map[string]string) (warehouse.Conn, error) {
	s := l.settings(l.url.User.Username())
	s.Options[wire.Host], s.Options[wire.Port] = "127.0.0.1", f.port()
	maps.Copy(s.Options, options)
	return (&Connector{Reach: wire.Reach{Allow: loopback}}).Open(l.t.Context(), s)
}

func TestTLS(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	right, rightCA := certificate(t, "127.0.0.1")
	other, otherCA := certificate(t, "warehouse.example")
	plain, rightFront, otherFront := newFront(t, l, nil), newFront(t, l, right), newFront(t, l, other)
	for _, tt := range []struct {
		name, mode, ca string
		front          *front
		works          bool
	}{
		{"verified by default", "", rightCA, rightFront, true},
		{"unknown authority", "", "", rightFront, false},
		{"another authority", "", otherCA, rightFront, false},
		{"another name", wire.VerifyFull, otherCA, otherFront, false},
		{"another name, authority only", wire.VerifyCA, otherCA, otherFront, true},
		{"unknown authority, authority only", wire.VerifyCA, "", otherFront, false},
		{"nobody is verified", wire.Require, "", otherFront, true},
		{"no TLS there", "", rightCA, plain, false},
		{"no TLS there, required", wire.Require, "", plain, false},
		{"no TLS wanted", wire.Disable, "", plain, true},
	} {
		c, err := l.through(tt.front, map[string]string{wire.Security: tt.mode, wire.Authority: tt.ca})
		if (err == nil) != tt.works {
			t.Errorf("%s: %v", tt.name, err)
		}
		if err != nil && warehouse.ClassOf(err) != warehouse.Unreachable {
			t.Errorf("%s: class %s", tt.name, warehouse.ClassOf(err))
		}
		if err == nil {
			works(t, c)
			_ = c.Close()
		}
	}
}

// The server goes in the middle of a statement, and comes back.
func TestServerGoesAndComesBack(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	f := newFront(t, l, nil)
	c, err := l.through(f, map[string]string{wire.Security: wire.Disable})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	works(t, c)

	ended := make(chan error, 1)
	go func() {
		_, err := c.Query(context.Background(), guard.Statement{SQL: "SELECT pg_sleep(60)"}, warehouse.Limits{})
		ended <- err
	}()
	l.awaitQuery("pg_sleep(60)")
	at := f.in.Addr().String()
	f.cut()
	if err := <-ended; warehouse.ClassOf(err) != warehouse.Unreachable {
		t.Errorf("a server that goes is %v", err)
	}
	if e := failure(t, c, "SELECT 1", warehouse.Limits{}); e.Class != warehouse.Unreachable {
		t.Errorf("a server that is gone is %v", e)
	}
	f.start(t, at)
	works(t, c)
}

// awaitQuery waits until the server runs a statement.
func (l *lab) awaitQuery(part string) {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(l.t.Context(), 20*second)
	defer cancel()
	for running := false; !running; {
		if err := l.super.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE query LIKE '%' || $1 || '%' AND state = 'active' AND pid <> pg_backend_pid() AND datname = current_database())`, part).Scan(&running); err != nil {
			l.t.Fatalf("%s never ran: %v", part, err)
		}
	}
}

// An administrator ends the connection that was kept.
func TestTerminated(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	c := l.open("")
	for range 3 {
		works(t, c)
		l.exec("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
	}
	works(t, c)
}

// The caller's end is the caller's error, and the statement ends on the server.
func TestCancelled(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	c := l.open("")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := c.Query(ctx, guard.Statement{SQL: "SELECT pg_sleep(61)"}, warehouse.Limits{})
		ended <- err
	}()
	l.awaitQuery("pg_sleep(61)")
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("Query = %v, want the caller's error", err)
	}
	works(t, c)
	var running int
	if err := l.super.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(61)%' AND state = 'active' AND pid <> pg_backend_pid()`).Scan(&running); err != nil || running != 0 {
		t.Errorf("%d statements run on (%v)", running, err)
	}
}

// What the warehouse has changes while it is read.
func TestDrift(t *testing.T) {
	t.Parallel()

	l := newLab(t, owned...)
	role := l.role("GRANT USAGE ON SCHEMA own TO %", "GRANT SELECT ON own.t TO %")
	c := l.open(role)
	table := catalog.Table{Schema: "own", Name: "t"}
	sample := func() error {
		_, err := c.Sample(t.Context(), table, 5)
		return err
	}
	if err := sample(); err != nil {
		t.Fatal(err)
	}
	l.exec("ALTER TABLE own.t ALTER v TYPE bytea USING v::bytea", "ALTER TABLE own.t ADD w int")
	if err := sample(); err != nil {
		t.Errorf("after a change: %v", err)
	}
	l.exec("REVOKE SELECT ON own.t FROM " + role)
	if err := sample(); warehouse.ClassOf(err) != warehouse.NoPermission {
		t.Errorf("without the right: %v", err)
	}
	l.exec("DROP TABLE own.t CASCADE")
	if err := sample(); warehouse.ClassOf(err) != warehouse.UnknownTable {
		t.Errorf("without the table: %v", err)
	}
	works(t, c)
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	for _, tt := range []struct {
		name, option, value, field string
	}{
		{"no host", wire.Host, "", wire.Host}, {"a URL", wire.Host, "postgres://x/y", wire.Host}, {"two hosts", wire.Host, "a,b", wire.Host},
		{"no number", wire.Port, "x", wire.Port}, {"no port", wire.Port, "70000", wire.Port}, {"a mode that is none", wire.Security, "prefer", wire.Security},
		{"no certificate", wire.Authority, "x", wire.Authority}, {"a setting that is none", "sslmode", "disable", "sslmode"}, {"a line", wire.User, "a\nb", wire.User},
	} {
		s := l.settings("u")
		s.Options[tt.option] = tt.value
		_, err := (&Connector{Reach: wire.Reach{Sockets: true}}).Open(t.Context(), s)
		var f *fault.Error
		if !errors.As(err, &f) || f.Field != tt.field {
			t.Errorf("%s: %v, want a fault of %s", tt.name, err, tt.field)
		}
	}
	_, err := new(Connector).Open(t.Context(), l.settings("u"))
	if !fault.Is(err, fault.Unprocessable) {
		t.Errorf("a socket without leave: %v", err)
	}
}

// Addresses of this network are not reached unless an operator allows them.
func TestPrivateAddresses(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	f := newFront(t, l, nil)
	for _, host := range []string{"127.0.0.1", "localhost", "169.254.169.254", "10.0.0.1", "::1", "0.0.0.0"} {
		s := l.settings("u")
		s.Options[wire.Host], s.Options[wire.Port] = host, f.port()
		_, err := new(Connector).Open(t.Context(), s)
		if warehouse.ClassOf(err) != warehouse.Unreachable || !strings.Contains(err.Error(), "not public") {
			t.Errorf("%s: %v", host, err)
		}
	}
}

// Nothing of the environment gets into a connection.
func TestEnvironmentIsIgnored(t *testing.T) {
	for _, name := range []string{"PGHOST", "PGUSER", "PGPASSWORD", "PGDATABASE", "PGOPTIONS", "PGAPPNAME", "PGSSLROOTCERT", "PGTARGETSESSIONATTRS"} {
		t.Setenv(name, "/nonexistent")
	}
	config, err := new(Connector).config(warehouse.Settings{Options: map[string]string{wire.Host: "db.example", wire.Database: "d", wire.User: "u"}})
	if err != nil {
		t.Fatal(err)
	}
	if config.Host != "db.example" || config.Password != "" || config.TLSConfig == nil || config.TLSConfig.InsecureSkipVerify || len(config.Fallbacks) > 0 || config.RuntimeParams["options"] != "" || config.RuntimeParams["application_name"] != "quaestor" {
		t.Errorf("config is %+v", config)
	}
}
