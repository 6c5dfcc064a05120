package mysql

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	driver "github.com/go-sql-driver/mysql"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/wire"
)

// Bounds of a connection.
const (
	openTimeout = 10 * time.Second
	patience    = 500 * time.Millisecond // for the server to stop by itself after a statement's time limit
	leaveTime   = time.Second            // for a rollback, and for killing a connection
	envelope    = 1 << 20                // bytes of a result in addition to its values
)

// Connector opens MySQL or MariaDB warehouses.
type Connector struct {
	wire.Reach
	Make warehouse.Kind // warehouse.MySQL or warehouse.MariaDB; empty means MySQL. How the server is spoken to depends on what it reports, not on this.
}

// Kind returns the make.
func (c *Connector) Kind() warehouse.Kind {
	if c.Make == "" {
		return warehouse.MySQL
	}
	return c.Make
}

// Dialect returns the dialect of the make.
func (c *Connector) Dialect() guard.Dialect {
	if c.Kind() == warehouse.MariaDB {
		return guard.MariaDB
	}
	return guard.MySQL
}

// Fields implements [warehouse.Connector].
func (c *Connector) Fields() []warehouse.Field {
	return wire.Fields(3306, "", "The database to read; others of the same server are read by their names.", "quaestor")
}

// Open implements [warehouse.Connector]. It gives up after 10 s. Both makes are told apart by
// what the server reports. The schemas of s are used where a call of Tables names none.
func (c *Connector) Open(ctx context.Context, s warehouse.Settings) (warehouse.Conn, error) {
	config, err := c.config(s)
	if err != nil {
		return nil, err
	}
	out := &conn{user: config.User, secret: s.Secret, schemas: s.Schemas, limits: s.Limits.OrDefault()}
	if len(out.schemas) == 0 {
		out.schemas = []string{config.DBName}
	}
	config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		return dialMetered(ctx, c.Reach, network, address)
	}
	if out.driver, err = driver.NewConnector(config); err != nil {
		return nil, fmt.Errorf("make a connector: %w", err)
	}
	out.pool = wire.NewPool(out.dial)
	reachCtx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	if err := out.reach(reachCtx); err != nil {
		_ = out.Close()
		return nil, out.fault(ctx, err)
	}
	return out, nil
}

// config checks s and returns the driver's configuration. It takes nothing from the environment.
// A host that begins with a slash is a socket, which has no TLS.
func (c *Connector) config(s warehouse.Settings) (*driver.Config, error) {
	o, err := c.Server(c.Fields(), s)
	if err != nil {
		return nil, err
	}
	config := driver.NewConfig()
	config.User, config.Passwd, config.DBName = o.Options[wire.User], s.Secret.Reveal(), o.Options[wire.Database]
	config.Net, config.Addr, config.TLS = "tcp", net.JoinHostPort(o.Options[wire.Host], strconv.Itoa(o.Port)), o.TLS
	if strings.HasPrefix(o.Options[wire.Host], "/") {
		config.Net, config.Addr, config.TLS = "unix", o.Options[wire.Host], nil
	}
	config.Timeout, config.Logger = openTimeout, new(driver.NopLogger)
	return config, nil
}
