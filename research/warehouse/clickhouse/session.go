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

// settingsAsWords is the revision of the protocol from which on settings are sent
// as words.
const settingsAsWords = 54429

// session is one connection at a time. The driver may make it anew, and may keep
// the old one, so both draw on one budget.
type session struct {
	driver.Conn
	budget wire.Budget
}

// dial returns a session; the driver connects when it is first used.
func (c *conn) dial(context.Context) (*session, error) {
	s := &session{}
	s.budget.Allow(envelope)
	o := c.options
	o.DialContext = func(ctx context.Context, address string) (net.Conn, error) { return c.connect(ctx, s, address) }
	var err error
	s.Conn, err = driver.Open(&o)
	return s, err
}

// connect dials, and speaks TLS, which the driver leaves to whoever dials.
func (c *conn) connect(ctx context.Context, s *session, address string) (net.Conn, error) {
	plain, err := c.reach.Dial(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	m := wire.Metered(plain, &s.budget)
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

// bounded returns a context that ends after d, or with ctx, but has no deadline: of
// a deadline the driver makes a setting and a timeout of its own.
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

// ready lets come what a result of l may have.
func ready(l warehouse.Limits) func(context.Context, *session) error {
	return func(_ context.Context, s *session) error {
		s.budget.Allow(2*l.Bytes + envelope)
		return nil
	}
}

// look connects once and asks what must be known of the server and the user.
func (c *conn) look(ctx context.Context) error {
	s, err := c.pool.Take(ctx, ready(c.limits))
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
	c.pool.Put(s)
	return nil
}

// bound returns a context in which statements are sent with the bounds of l. A
// profile that is read only takes no settings and has its own.
func (c *conn) bound(ctx context.Context, l warehouse.Limits, progress func(*driver.Progress)) context.Context {
	return driver.Context(ctx, driver.WithSettings(settings(l, c.readonly, c.words)), driver.WithProgress(progress))
}

// settings returns those of a statement, for a user whose profile is readonly 0, 1
// or 2. Older servers have no way to cut a result; there the reader does.
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

// each runs one query of ours and calls found after each row was read into the
// places. It stops with the error of found.
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
			cancel() // what is left is not worth waiting for
			_ = rows.Close()
			return err
		}
	}
	if err := rows.Close(); err != nil {
		return err
	}
	return rows.Err()
}
