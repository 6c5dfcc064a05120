package mysql

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"database/sql"
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

	driver "github.com/go-sql-driver/mysql"
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

// server is a private MariaDB with a socket, a port of the loopback and a
// certificate for its address.
type server struct {
	dir  string
	port int
	ca   string

	mu   sync.Mutex // guards the rest
	kill func()
	gone chan struct{}
}

// shared is the server of most tests.
var shared = sync.OnceValues(newServer)

// newServer makes the data of a server and starts it.
func newServer() (*server, error) {
	dir, err := os.MkdirTemp("", "qmy")
	if err != nil {
		return nil, err
	}
	s := &server{dir: dir}
	if s.ca, err = s.certify(); err != nil {
		return nil, err
	}
	cmd, err := s.command("mariadb-install-db", "--auth-root-authentication-method=normal", "--skip-test-db", "--innodb-log-file-size=8M")
	if err != nil {
		return nil, err
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("make the data of MariaDB: %w: %s", err, out)
	}
	if s.port, err = freePort(); err != nil {
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

// command returns one of MariaDB's programs on the folder, as a user who is not
// root.
func (s *server) command(name string, args ...string) (*exec.Cmd, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		if path, err = exec.LookPath(filepath.Join("/usr/sbin", name)); err != nil {
			return nil, prerequisite.Missing(prerequisite.MariaDB, err)
		}
	}
	cmd := exec.CommandContext(context.Background(), path, append([]string{"--no-defaults", "--datadir=" + s.dir + "/data", "--tmpdir=" + s.dir + "/tmp"}, args...)...)
	cmd.Dir, cmd.Env = "/", []string{"PATH=/usr/sbin:/usr/bin:/bin", "LC_ALL=C.UTF-8", "TZ=UTC"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if os.Geteuid() != 0 {
		return cmd, nil
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
	for _, d := range []string{"data", "tmp"} {
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
	cmd, err := s.command("mariadbd", "--socket="+s.socket(), "--bind-address=127.0.0.1", "--port="+strconv.Itoa(s.port), "--pid-file="+s.dir+"/pid", "--lc-messages=en_US",
		"--ssl-cert="+s.dir+"/cert.pem", "--ssl-key="+s.dir+"/key.pem", "--innodb-buffer-pool-size=32M", "--innodb-flush-log-at-trx-commit=0", "--max-connections=60", "--max-allowed-packet=512M", "--secure-file-priv=", "--skip-log-bin", "--performance-schema=OFF", "--local-infile=ON", "--skip-name-resolve")
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
	db := s.root()
	defer func() { _ = db.Close() }()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for db.PingContext(ctx) != nil {
		select {
		case <-s.gone:
			return fmt.Errorf("MariaDB did not start: %s", log)
		case <-ctx.Done():
			return errors.New("MariaDB was not ready in time")
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

func (s *server) socket() string { return s.dir + "/tmp/s" }

// root is the administrator.
func (s *server) root() *sql.DB {
	config := driver.NewConfig()
	config.User, config.Net, config.Addr, config.Logger = "root", "unix", s.socket(), new(driver.NopLogger)
	connector, err := driver.NewConnector(config)
	if err != nil {
		panic(err) // of constants
	}
	return sql.OpenDB(connector)
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
	root *sql.DB
	name string
}

var labs atomic.Int64

const password = "hunter-2-hunter"

// newLab returns an empty database in which sql was run.
func newLab(t *testing.T, sql ...string) *lab {
	t.Helper()
	prerequisite.Need(t, prerequisite.MariaDB)
	s, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return labOn(t, s, sql...)
}

func labOn(t *testing.T, s *server, sql ...string) *lab {
	t.Helper()
	l := &lab{t: t, s: s, root: s.root(), name: "lab" + strconv.FormatInt(labs.Add(1), 10)}
	l.root.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = l.root.Close() })
	l.exec("CREATE DATABASE "+l.name+" CHARACTER SET utf8mb4", "USE "+l.name)
	l.exec(sql...)
	return l
}

func (l *lab) exec(sql ...string) {
	l.t.Helper()
	for _, s := range sql {
		if _, err := l.root.ExecContext(l.t.Context(), s); err != nil {
			l.t.Fatalf("%s: %v", s, err)
		}
	}
}

// role makes a user of this test with rights; they name the user as % and the
// database as @.
func (l *lab) role(rights ...string) string {
	l.t.Helper()
	name := "r" + l.name
	l.exec("CREATE USER '" + name + "'@'%' IDENTIFIED BY '" + password + "'")
	for _, r := range rights {
		l.exec(strings.NewReplacer("%", "'"+name+"'@'%'", "@", l.name).Replace(r))
	}
	return name
}

func (l *lab) settings(user string) warehouse.Settings {
	s := warehouse.Settings{Kind: warehouse.MariaDB, Options: map[string]string{wire.Host: l.s.socket(), wire.Database: l.name, wire.User: user}}
	if user != "root" {
		s.Secret = secret.New(password)
	}
	return s
}

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

// open connects as user; as the administrator when it is empty.
func (l *lab) open(user string) warehouse.Conn {
	l.t.Helper()
	if user == "" {
		user = "root"
	}
	c, err := (&Connector{Reach: wire.Reach{Sockets: true}, Make: warehouse.MariaDB}).Open(l.t.Context(), l.settings(user))
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
	_, err := c.Query(t.Context(), guard.Statement{SQL: sql}, l)
	var q *warehouse.QueryError
	if !errors.As(err, &q) {
		t.Fatalf("%s: %v, want an error of the warehouse", sql, err)
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

// cell returns the one value of a result as a digest shows it.
func cell(t *testing.T, r *warehouse.Result) (kind digest.ColumnKind, shown string) {
	t.Helper()
	d := digest.Compact(r.Columns, digest.Mask{})
	if r.Rows != 1 || len(d.AllRows) != 1 {
		t.Fatalf("the result has %d rows", r.Rows)
	}
	return d.Columns[0].Kind, string(d.AllRows[0][0])
}
