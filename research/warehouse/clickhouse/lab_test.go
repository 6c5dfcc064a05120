package clickhouse

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	"go.uber.org/goleak"

	"quaestor/internal/prerequisite"
	"quaestor/internal/secret"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/digest"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/wire"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if s, err := shared(); err == nil {
		s.stop()
	}
	if code == 0 {
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// server is a private ClickHouse on two ports of the loopback, one of them over TLS
// with a certificate for its address.
type server struct {
	dir          string
	port, secure int
	ca           string

	mu   sync.Mutex // guards the rest
	kill func()
	gone chan struct{}
}

// shared is the server of most tests.
var shared = sync.OnceValues(newServer)

// config and users are what the server is told. It knows an administrator without a
// password, and a user who reads only.
const (
	config = `<yandex><logger><level>error</level><console>1</console></logger><listen_host>127.0.0.1</listen_host>
		<tcp_port>%d</tcp_port><tcp_port_secure>%d</tcp_port_secure>
		<openSSL><server><certificateFile>%[3]s/cert.pem</certificateFile><privateKeyFile>%[3]s/key.pem</privateKeyFile><verificationMode>none</verificationMode></server></openSSL>
		<path>%[3]s/data/</path><tmp_path>%[3]s/tmp/</tmp_path><user_files_path>%[3]s/data/files/</user_files_path><format_schema_path>%[3]s/tmp/</format_schema_path>
		<mark_cache_size>5000000</mark_cache_size><users_config>users.xml</users_config><default_profile>default</default_profile><default_database>default</default_database><timezone>UTC</timezone></yandex>`
	users = `<yandex><profiles><default><allow_experimental_low_cardinality_type>1</allow_experimental_low_cardinality_type></default><readonly><readonly>1</readonly></readonly></profiles><quotas><default/></quotas>
		<users><default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>
		<reader><password>%s</password><networks><ip>127.0.0.1</ip></networks><profile>readonly</profile><quota>default</quota></reader></users></yandex>`
)

// newServer makes the folder of a server and starts it.
func newServer() (*server, error) {
	dir, err := os.MkdirTemp("", "qch")
	if err != nil {
		return nil, err
	}
	s := &server{dir: dir}
	if s.ca, err = s.certify(); err != nil {
		return nil, err
	}
	for _, port := range []*int{&s.port, &s.secure} {
		if *port, err = freePort(); err != nil {
			return nil, err
		}
	}
	err = errors.Join(os.WriteFile(s.dir+"/config.xml", fmt.Appendf(nil, config, s.port, s.secure, s.dir), 0o600), os.WriteFile(s.dir+"/users.xml", fmt.Appendf(nil, users, password), 0o600))
	if err != nil {
		return nil, err
	}
	return s, s.start()
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}

// command returns the server's program, as a user who is not root.
func (s *server) command() (*exec.Cmd, error) {
	path, err := exec.LookPath("clickhouse-server")
	if err != nil {
		if path, err = exec.LookPath("/usr/sbin/clickhouse-server"); err != nil {
			return nil, prerequisite.Missing(prerequisite.ClickHouse, err)
		}
	}
	cmd := exec.CommandContext(context.Background(), path, "--config-file="+s.dir+"/config.xml")
	cmd.Dir, cmd.Env = "/", []string{"PATH=/usr/sbin:/usr/bin:/bin", "LC_ALL=C.UTF-8", "TZ=UTC"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if os.Geteuid() != 0 {
		return cmd, s.own(os.Getuid(), os.Getgid())
	}
	u, err := user.Lookup("nobody")
	if err != nil {
		return nil, err
	}
	uid, err1 := strconv.Atoi(u.Uid)
	gid, err2 := strconv.Atoi(u.Gid)
	if err := errors.Join(err1, err2, s.own(uid, gid)); err != nil {
		return nil, err
	}
	cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return cmd, nil
}

func (s *server) own(uid, gid int) error {
	for _, d := range []string{"data/files", "tmp"} {
		if err := os.MkdirAll(filepath.Join(s.dir, d), 0o700); err != nil {
			return err
		}
	}
	return filepath.WalkDir(s.dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, uid, gid)
	})
}

// start runs the server and waits until it answers.
func (s *server) start() error {
	cmd, err := s.command()
	if err != nil {
		return err
	}
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	started, gone := make(chan error), make(chan struct{})
	go func() { // the kernel ends the server with the thread that started it
		runtime.LockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait()
		}
		close(gone)
	}()
	if err := <-started; err != nil {
		return err
	}
	s.mu.Lock()
	s.kill, s.gone = func() { _ = cmd.Process.Kill() }, gone
	s.mu.Unlock()
	return s.await(&log)
}

func (s *server) await(log fmt.Stringer) error {
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	db, err := s.root()
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for db.Ping(ctx) != nil {
		select {
		case <-s.gone:
			return fmt.Errorf("ClickHouse did not start: %s", log)
		case <-ctx.Done():
			return errors.New("ClickHouse was not ready in time")
		case <-tick.C:
		}
	}
	return nil
}

// crash ends the server at once.
func (s *server) crash() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kill()
	<-s.gone
}

func (s *server) stop() {
	s.crash()
	_ = os.RemoveAll(s.dir)
}

// root is the administrator.
func (s *server) root() (driver.Conn, error) {
	return clickhouse.Open(&clickhouse.Options{Addr: []string{"127.0.0.1:" + strconv.Itoa(s.port)}, Auth: clickhouse.Auth{Username: "default"}, MaxOpenConns: 1, MaxIdleConns: 1})
}

// certify writes a certificate for the loopback, signed by itself.
func (s *server) certify() (string, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return "", err
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return "", err
	}
	secretDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return "", err
	}
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return string(cert), errors.Join(os.WriteFile(s.dir+"/cert.pem", cert, 0o600),
		os.WriteFile(s.dir+"/key.pem", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secretDER}), 0o600))
}

// lab is a database of one test.
type lab struct {
	t    *testing.T
	s    *server
	root driver.Conn
	name string
}

var labs atomic.Int64

const password = "hunter-2-hunter"

// newLab returns an empty database in which sql was run, with @ for its name.
func newLab(t *testing.T, sql ...string) *lab {
	t.Helper()
	prerequisite.Need(t, prerequisite.ClickHouse)
	s, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return labOn(t, s, sql...)
}

func labOn(t *testing.T, s *server, sql ...string) *lab {
	t.Helper()
	root, err := s.root()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	l := &lab{t: t, s: s, root: root, name: "lab" + strconv.FormatInt(labs.Add(1), 10)}
	l.exec("CREATE DATABASE " + l.name)
	l.exec(sql...)
	return l
}

func (l *lab) exec(sql ...string) {
	l.t.Helper()
	for _, s := range sql {
		if err := l.root.Exec(l.t.Context(), strings.ReplaceAll(s, "@", l.name)); err != nil {
			l.t.Fatalf("%s: %v", s, err)
		}
	}
}

func (l *lab) settings(user string) warehouse.Settings {
	s := warehouse.Settings{Kind: warehouse.ClickHouse, Options: map[string]string{wire.Host: "127.0.0.1", wire.Port: strconv.Itoa(l.s.port), wire.Database: l.name, wire.User: user, wire.Security: wire.Disable}}
	if user != "default" {
		s.Secret = secret.New(password)
	}
	return s
}

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

// open connects as user, of which there are default and reader.
func (l *lab) open(user string) warehouse.Conn {
	l.t.Helper()
	c, err := (&Connector{wire.Reach{Allow: loopback}}).Open(l.t.Context(), l.settings(user))
	if err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() { _ = c.Close() })
	return c
}

// query runs sql, which must succeed.
func query(t *testing.T, c warehouse.Conn, sql string, l warehouse.Limits) *warehouse.Result {
	t.Helper()
	r, err := c.Query(t.Context(), guard.Statement{SQL: sql}, l)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return r
}

// failure runs sql, which must fail, and returns its error.
func failure(t *testing.T, c warehouse.Conn, sql string, l warehouse.Limits) *warehouse.QueryError {
	t.Helper()
	r, err := c.Query(t.Context(), guard.Statement{SQL: sql}, l)
	var q *warehouse.QueryError
	if !errors.As(err, &q) {
		t.Fatalf("%s: %+v, %v, want an error of the warehouse", sql, r, err)
	}
	if strings.Contains(q.Error(), password) {
		t.Errorf("%s: %v has the secret", sql, q)
	}
	return q
}

// works fails the test when the connection does not.
func works(t *testing.T, c warehouse.Conn) {
	t.Helper()
	if r := query(t, c, "SELECT 1 AS one", warehouse.Limits{}); r.Rows != 1 || r.Columns[0].Ints[0] != 1 {
		t.Errorf("SELECT 1 gives %+v", r)
	}
}

// cell1 returns the one value of a result as a digest shows it.
func cell1(t *testing.T, r *warehouse.Result) (kind digest.ColumnKind, shown string) {
	t.Helper()
	d := digest.Compact(r.Columns, digest.Mask{})
	if r.Rows != 1 || len(d.AllRows) != 1 {
		t.Fatalf("the result has %d rows", r.Rows)
	}
	return d.Columns[0].Kind, string(d.AllRows[0][0])
}
