package clickhouse

import (
	"context"
	"crypto/tls"
	"net"
	"time"

	driver "github.com/ClickHouse/clickhouse-go/v2"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/wire"
)

// settingsAsWords is the protocol revision from which on settings are sent as text.
const settingsAsWords = 54429

// session is one connection of the pool. The driver may reconnect and may keep the old connection,
// so both draw on one budget.
type session struct {
	driver.Conn
	budget wire.Budget
}

// dial returns a session; the driver connects on first use. A fault of the address or the
// password therefore shows at the first statement.
func (c *conn) dial(context.Context) (*session, error) {
	s := &session{}
	s.budget.Allow(envelope)
	o := c.options
	o.DialContext = func(ctx context.Context, address string) (net.Conn, error) { return c.connect(ctx, s, address) }
	var err error
	s.Conn, err = driver.Open(&o)
	return s, err
}

// connect dials and starts TLS, which the driver leaves to its dialer. The budget counts
// encrypted bytes.
func (c *conn) connect(ctx context.Context, s *session, address string) (net.Conn, error) {
	plain, err := c.reach.Dial(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	m := wire.MeterConn(plain, &s.budget)
	if c.trust == nil {
		return m, nil
	}
	secure := tls.Client(m, c.trust)
	if err := secure.HandshakeContext(ctx); err != nil {
		_ = plain.Close()
		return nil, err
	}
	return secure, nil
}

// bounded returns a context that ends after d or with ctx, but has no deadline, because the driver
// would turn a deadline into a setting and a timeout of its own.
func bounded(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	out, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	timer := time.AfterFunc(d, func() { cancel(context.DeadlineExceeded) })
	stop := context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })
	return out, func() {
		timer.Stop()
		stop()
		cancel(nil)
	}
}

// ready returns the function that prepares a session for a result of at most l.
func ready(l warehouse.Limits) func(context.Context, *session) error {
	return func(_ context.Context, s *session) error {
		s.budget.Allow(2*l.Bytes + envelope)
		return nil
	}
}

// look connects for the first time and asks for what must be known about server and user. It
// costs one connection, which goes to the pool.
func (c *conn) look(ctx context.Context) error {
	s, err := c.pool.Acquire(ctx, ready(c.limits))
	if err != nil {
		return err
	}
	var version string
	if err = s.QueryRow(ctx, "SELECT version(), (SELECT value FROM system.settings WHERE name = 'readonly')").Scan(&version, &c.readonly); err == nil {
		handshake, versionErr := s.ServerVersion()
		c.server, err = "ClickHouse "+version, versionErr
		c.words = versionErr == nil && handshake.Revision >= settingsAsWords
	}
	if err != nil {
		c.pool.Drop(s)
		return err
	}
	c.pool.Release(s)
	return nil
}

// bound returns a context in which statements are sent with the limits l. A read-only profile
// accepts no settings and has its own.
func (c *conn) bound(ctx context.Context, l warehouse.Limits, progress func(*driver.Progress)) context.Context {
	return driver.Context(ctx, driver.WithSettings(settings(l, c.readonly, c.words)), driver.WithProgress(progress))
}

// settings returns the settings of a statement for a user whose profile has readonly 0, 1 or 2.
// Older servers cannot cut a result; there it is cut while it is read.
func settings(l warehouse.Limits, readonly string, words bool) driver.Settings {
	if readonly == "1" {
		return nil
	}
	out := driver.Settings{
		"max_execution_time": int((l.Time + time.Second - 1) / time.Second),
		"max_memory_usage":   int(l.Memory),
		"max_bytes_to_read":  int(l.Scanned),
		"max_block_size":     blockRows,
	}
	if readonly == "0" {
		out["readonly"] = 1
	}
	if words {
		out["max_result_rows"], out["result_overflow_mode"] = l.Rows+1, "break"
	}
	return out
}

// each runs a trusted query and calls found after every row was scanned into places. If found
// returns an error, each stops and returns it.
func (s *session) each(ctx context.Context, sql string, places []any, found func() error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	rows, err := s.Query(ctx, sql)
	if err != nil {
		return err
	}
	for rows.Next() {
		if err = rows.Scan(places...); err == nil {
			err = found()
		}
		if err != nil {
			cancel() // the rest is not needed
			_ = rows.Close()
			return err
		}
	}
	if err := rows.Close(); err != nil {
		return err
	}
	return rows.Err()
}
