package pgwire

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"

	"quaestor/internal/secret"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/wire"
)

// Bounds of a connection.
const (
	openTimeout = 10 * time.Second
	patience    = 500 * time.Millisecond // for the server to stop by itself after a statement's time limit
	hangUp      = time.Second            // for the server to stop after it was told to
	leaveTime   = time.Second            // for a rollback
	envelope    = 1 << 20                // bytes of a message in addition to those of a result, for errors and the like
)

// Connector opens PostgreSQL or Redshift warehouses.
type Connector struct {
	wire.Reach
	Make warehouse.Kind // warehouse.PostgreSQL or warehouse.Redshift; empty means PostgreSQL
}

// Kind returns the make.
func (c *Connector) Kind() warehouse.Kind {
	if c.Make == "" {
		return warehouse.PostgreSQL
	}
	return c.Make
}

// Dialect returns the dialect of the make.
func (c *Connector) Dialect() guard.Dialect {
	if c.Kind() == warehouse.Redshift {
		return guard.Redshift
	}
	return guard.PostgreSQL
}

// Fields implements [warehouse.Connector].
func (c *Connector) Fields() []warehouse.Field {
	if c.Kind() == warehouse.Redshift {
		return wire.Fields(5439, "dev", "The database to read.", "quaestor")
	}
	return wire.Fields(5432, "postgres", "The database to read.", "quaestor")
}

// Open implements [warehouse.Connector]. It gives up after 10 s.
func (c *Connector) Open(ctx context.Context, s warehouse.Settings) (warehouse.Conn, error) {
	config, err := c.config(s)
	if err != nil {
		return nil, err
	}
	out := &conn{config: config, secret: s.Secret, schemas: s.Schemas, flavour: flavours[c.Kind()], limits: s.Limits.OrDefault()}
	out.pool = wire.NewPool(out.dial)
	reachCtx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	if err := out.reach(reachCtx); err != nil {
		_ = out.Close()
		return nil, out.fault(ctx, err)
	}
	return out, nil
}

// config checks s and returns the driver's configuration.
func (c *Connector) config(s warehouse.Settings) (*pgconn.Config, error) {
	o, err := c.Server(c.Fields(), s)
	if err != nil {
		return nil, err
	}
	config, err := plainConfig()
	if err != nil {
		return nil, err
	}
	config.Host, config.Port, config.Database, config.User, config.Password = o.Options[wire.Host], uint16(o.Port), o.Options[wire.Database], o.Options[wire.User], s.Secret.Reveal()
	if !strings.HasPrefix(config.Host, "/") {
		config.TLSConfig = o.TLS
	}
	config.DialFunc = c.Dial
	config.MaxProtocolMessageBodyLen = int(s.Limits.OrDefault().Bytes) + envelope
	return config, nil
}

// plainConfig returns a configuration that takes nothing from the environment. For settings that are
// missing in its text the driver uses environment variables, so every setting it knows is written
// out here or overwritten by the caller.
func plainConfig() (*pgconn.Config, error) {
	config, err := pgconn.ParseConfig("host=localhost port=5432 user=nobody dbname=none sslmode=disable passfile='' servicefile='' sslrootcert='' sslcert='' sslkey='' target_session_attrs=any")
	if err != nil {
		return nil, fmt.Errorf("read the driver's defaults: %w", err)
	}
	config.ConnectTimeout, config.Fallbacks, config.ValidateConnect, config.AfterConnect = openTimeout, nil, nil, nil
	config.KerberosSrvName, config.KerberosSpn, config.SSLNegotiation, config.SSLCertMode = "", "", "", ""
	config.LookupFunc = func(_ context.Context, host string) ([]string, error) { return []string{host}, nil } // our dialer resolves the name and checks the address
	config.RuntimeParams = map[string]string{"application_name": "quaestor", "client_encoding": "UTF8", "DateStyle": "ISO, YMD", "timezone": "UTC"}
	config.BuildContextWatcherHandler = func(c *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.CancelRequestContextWatcherHandler{Conn: c, DeadlineDelay: hangUp}
	}
	return config, nil
}

// conn is an open warehouse.
type conn struct {
	config  *pgconn.Config // of every session; not modified after Open
	secret  secret.Secret
	schemas []string         // those of the settings; empty for all but the system's
	flavour flavour          // of the make
	limits  warehouse.Limits // of our own statements; without zeros
	pool    *wire.Pool[*session]

	server    string // make and version, as the server reports them
	boundTemp bool   // whether the role may limit its temporary files
}

// session is one connection of the pool.
type session struct{ pg *pgconn.PgConn }

// Close closes the connection and waits until it has ended.
func (s *session) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), leaveTime) // the caller's context may have ended already
	defer cancel()
	err := s.pg.Close(ctx)
	<-s.pg.CleanupDone()
	return err
}

// dial opens a new session for a query.
func (c *conn) dial(ctx context.Context) (*session, error) {
	pg, err := pgconn.ConnectConfig(ctx, c.config)
	if err != nil {
		return nil, err
	}
	return &session{pg}, nil
}

// reach connects for the first time and asks for what must be known about the server.
func (c *conn) reach(ctx context.Context) error {
	s, err := c.pool.Acquire(ctx, c.begin(c.limits))
	if err != nil {
		return err
	}
	defer c.giveBack(s)
	err = s.each(ctx, "SELECT version()", nil, func(row [][]byte) error {
		c.server = string(row[0])
		return nil
	})
	if err == nil && c.flavour.boundTemp != "" { // most roles are not allowed to
		c.boundTemp = s.run(ctx, []command{{sql: c.flavour.boundTemp}}) == nil
	}
	return err
}

// Close closes all connections.
func (c *conn) Close() error { return c.pool.Close() }
