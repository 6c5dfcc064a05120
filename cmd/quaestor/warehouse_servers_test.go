package main

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	_ "github.com/go-sql-driver/mysql" // the administrator of MariaDB

	"quaestor/internal/prerequisite"
	"quaestor/internal/secret"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/wire"
)

// readerPassword is that of the role which reads a private server.
const readerPassword = "hunter-2-hunter"

// newMariaDB returns a private server of MariaDB in which the statements were run,
// in the database shop, as a warehouse.
func newMariaDB(t *testing.T, statements ...string) connections.Spec {
	t.Helper()
	spec, _ := newMariaDBAnd(t, statements...)
	return spec
}

// newMariaDBAnd returns one as newMariaDB does, and how its administrator asks for a number.
func newMariaDBAnd(t *testing.T, statements ...string) (connections.Spec, func(query string) float64) {
	t.Helper()
	prerequisite.Need(t, prerequisite.MariaDB)
	dir := serverFolder(t, "tmp")
	args := []string{"--no-defaults", "--datadir=" + dir + "/data", "--tmpdir=" + dir + "/tmp"}
	if out, err := asNobody(t, prerequisite.MariaDB, dir, "mariadb-install-db", append(args, "--auth-root-authentication-method=normal", "--skip-test-db", "--innodb-log-file-size=8M")...).CombinedOutput(); err != nil {
		t.Fatalf("make the data of MariaDB: %v: %s", err, out)
	}
	db, err := sql.Open("mysql", "root@unix("+dir+"/tmp/s)/")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	runServer(t, asNobody(t, prerequisite.MariaDB, dir, "mariadbd", append(args, "--socket="+dir+"/tmp/s", "--skip-networking", "--pid-file="+dir+"/tmp/pid", fmt.Sprintf("--innodb-buffer-pool-size=%dM", prerequisite.Scale(32, 1024)), "--innodb-flush-log-at-trx-commit=0", "--skip-log-bin", "--performance-schema=OFF")...), db.PingContext)
	db.SetMaxOpenConns(1)
	for _, s := range append([]string{"CREATE DATABASE shop CHARACTER SET utf8mb4", "USE shop", "CREATE USER reader IDENTIFIED BY '" + readerPassword + "'", "GRANT SELECT, SHOW VIEW ON shop.* TO reader"}, statements...) {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	spec := connections.Spec{Name: "Shop", Kind: warehouse.MariaDB, Secret: secret.New(readerPassword), Options: map[string]string{wire.Host: dir + "/tmp/s", wire.Database: "shop", wire.User: "reader"}}
	return spec, func(query string) (out float64) {
		if err := db.QueryRowContext(t.Context(), query).Scan(&out); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		return out
	}
}

// The settings of a private ClickHouse, with %d for its port and %s for its folder.
const (
	clickhouseConfig = `<yandex><logger><level>error</level><console>1</console></logger><listen_host>127.0.0.1</listen_host><tcp_port>%d</tcp_port>
		<path>%[2]s/data/</path><tmp_path>%[2]s/tmp/</tmp_path><user_files_path>%[2]s/data/</user_files_path><format_schema_path>%[2]s/tmp/</format_schema_path>
		<mark_cache_size>5000000</mark_cache_size><users_config>users.xml</users_config><default_profile>default</default_profile><default_database>default</default_database><timezone>UTC</timezone></yandex>`
	clickhouseUsers = `<yandex><profiles><default/><readonly><readonly>1</readonly></readonly></profiles><quotas><default/></quotas>
		<users><default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>
		<reader><password>` + readerPassword + `</password><networks><ip>127.0.0.1</ip></networks><profile>readonly</profile><quota>default</quota></reader></users></yandex>`
)

// newClickHouse returns a private server of ClickHouse in which the statements were
// run, in the database shop, as a warehouse.
func newClickHouse(t *testing.T, statements ...string) connections.Spec {
	t.Helper()
	spec, _ := newClickHouseAnd(t, statements...)
	return spec
}

// newClickHouseAnd returns one as newClickHouse does, and how its administrator asks for a number,
// which must be a Float64.
func newClickHouseAnd(t *testing.T, statements ...string) (connections.Spec, func(query string) float64) {
	t.Helper()
	prerequisite.Need(t, prerequisite.ClickHouse)
	dir, port := serverFolder(t, "tmp"), freePort(t)
	if err := errors.Join(os.WriteFile(dir+"/config.xml", fmt.Appendf(nil, clickhouseConfig, port, dir), 0o600), os.WriteFile(dir+"/users.xml", []byte(clickhouseUsers), 0o600)); err != nil {
		t.Fatal(err)
	}
	db, err := clickhouse.Open(&clickhouse.Options{Addr: []string{"127.0.0.1:" + strconv.Itoa(port)}, Auth: clickhouse.Auth{Username: "default"}, MaxOpenConns: 1, MaxIdleConns: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	runServer(t, asNobody(t, prerequisite.ClickHouse, dir, "clickhouse-server", "--config-file="+dir+"/config.xml"), db.Ping)
	for _, s := range append([]string{"CREATE DATABASE shop"}, statements...) {
		if err := db.Exec(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	spec := connections.Spec{Name: "Shop", Kind: warehouse.ClickHouse, Secret: secret.New(readerPassword),
		Options: map[string]string{wire.Host: "127.0.0.1", wire.Port: strconv.Itoa(port), wire.Database: "shop", wire.User: "reader", wire.Security: wire.Disable}}
	return spec, func(query string) (out float64) {
		if err := db.QueryRow(t.Context(), query).Scan(&out); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		return out
	}
}

// serverFolder makes a folder with a short name, as sockets need one, and in it
// data and others.
func serverFolder(t *testing.T, others ...string) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "qst")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	for _, d := range append(others, "data") {
		if err := os.Mkdir(filepath.Join(dir, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port
}

// asNobody returns a program on a folder, as a user who is not root.
func asNobody(t *testing.T, part prerequisite.Part, dir, name string, args ...string) *exec.Cmd {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		if path, err = exec.LookPath(filepath.Join("/usr/sbin", name)); err != nil {
			t.Fatal(prerequisite.Missing(part, err))
		}
	}
	cmd := exec.CommandContext(context.Background(), path, args...) // a server of the test's own
	cmd.Dir, cmd.Env = "/", []string{"PATH=/usr/sbin:/usr/bin:/bin", "LC_ALL=C.UTF-8", "TZ=UTC"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if os.Geteuid() == 0 {
		cmd.SysProcAttr.Credential = giveToNobody(t, dir)
	}
	return cmd
}

func giveToNobody(t *testing.T, dir string) *syscall.Credential {
	t.Helper()
	u, err := user.Lookup("nobody")
	if err != nil {
		t.Fatal(err)
	}
	uid, err1 := strconv.Atoi(u.Uid)
	gid, err2 := strconv.Atoi(u.Gid)
	err3 := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(path, uid, gid))
	})
	if err := errors.Join(err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}

// runServer starts a server that ends with the test, and waits until ping says that
// it is there.
func runServer(t *testing.T, cmd *exec.Cmd, ping func(context.Context) error) {
	t.Helper()
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	started, gone := make(chan error), make(chan struct{})
	go func() { // the kernel ends the server with the thread that started it
		defer close(gone)
		runtime.LockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait()
		}
	}()
	if err := <-started; err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); <-gone })
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for ping(ctx) != nil {
		select {
		case <-gone:
			t.Fatalf("the server did not start: %s", strings.TrimSpace(log.String()))
		case <-ctx.Done():
			t.Fatal("the server was not ready in time")
		case <-tick.C:
		}
	}
}
