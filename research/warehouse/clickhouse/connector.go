package clickhouse

import (
	"context"
	"crypto/tls"
	"net"
	"strconv"
	"time"

	driver "github.com/ClickHouse/clickhouse-go/v2"

	"quaestor/internal/secret"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/wire"
)

// Bounds of a connection.
const (
	openTimeout = 10 * time.Second
	patience    = 500 * time.Millisecond // for the server to stop by itself after a statement's time limit
	envelope    = 4 << 20                // bytes of a result in addition to its values
	blockRows   = 8192                   // rows that the server sends at a time
)

// Connector opens ClickHouse warehouses.
type Connector struct{ wire.Reach }

// Kind returns warehouse.ClickHouse.
func (c *Connector) Kind() warehouse.Kind { return warehouse.ClickHouse }

// Dialect returns ClickHouse's dialect.
func (c *Connector) Dialect() guard.Dialect { return guard.ClickHouse }

// Fields implements [warehouse.Connector].
func (c *Connector) Fields() []warehouse.Field {
	list := wire.Fields(9440, "default", "The database to read; others of the same server are read by their names.", "quaestor")
	list[1].Help = "Of the native protocol: 9440 over TLS, 9000 without. It is not the one of HTTP."
	return list
}

// Open implements [warehouse.Connector]. It gives up after 10 s.
func (c *Connector) Open(ctx context.Context, s warehouse.Settings) (warehouse.Conn, error) {
	out := &conn{reach: c.Reach, secret: s.Secret, schemas: s.Schemas, limits: s.Limits.OrDefault()}
	if err := out.configure(c, s); err != nil {
		return nil, err
	}
	if len(out.schemas) == 0 {
		out.schemas = []string{out.options.Auth.Database}
	}
	out.pool = wire.NewPool(out.dial)
	ownCtx, cancel := bounded(ctx, openTimeout)
	defer cancel()
	if err := out.look(ownCtx); err != nil {
		_ = out.Close()
		return nil, out.fault(ctx, ownCtx, err)
	}
	return out, nil
}

// configure checks s and sets the driver's options.
func (c *conn) configure(of *Connector, s warehouse.Settings) error {
	o, err := of.Server(of.Fields(), s)
	if err != nil {
		return err
	}
	c.trust = o.TLS
	c.options = driver.Options{
		Protocol: driver.Native, Addr: []string{net.JoinHostPort(o.Options[wire.Host], strconv.Itoa(o.Port))},
		Auth:        driver.Auth{Database: o.Options[wire.Database], Username: o.Options[wire.User], Password: s.Secret.Reveal()},
		DialTimeout: openTimeout, ReadTimeout: catalogTime + time.Minute, MaxOpenConns: 1, MaxIdleConns: 1, BlockBufferSize: 1,
	}
	return nil
}

// conn is an open warehouse.
type conn struct {
	options driver.Options
	trust   *tls.Config // nil for an unencrypted connection
	reach   wire.Reach
	secret  secret.Secret
	schemas []string
	limits  warehouse.Limits
	pool    *wire.Pool[*session]

	server   string
	readonly string // the readonly setting of the user's profile
	words    bool   // whether settings may be words, which older servers do not accept
}

// Close closes all connections.
func (c *conn) Close() error { return c.pool.Close() }
