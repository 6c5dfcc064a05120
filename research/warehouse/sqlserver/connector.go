package sqlserver

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	mssql "github.com/microsoft/go-mssqldb"
	"github.com/microsoft/go-mssqldb/msdsn"

	"quaestor/internal/secret"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/guard"
	"quaestor/research/warehouse/wire"
)

// Bounds of a connection.
const (
	openTimeout = 10 * time.Second
	patience    = 500 * time.Millisecond // for the server to stop after a statement's time limit
	maxConns    = 4
)

// Connector opens SQL Server warehouses.
type Connector struct {
	wire.Reach
}

// Kind returns the make.
func (*Connector) Kind() warehouse.Kind { return warehouse.SQLServer }

// Dialect returns Transact-SQL.
func (*Connector) Dialect() guard.Dialect { return guard.SQLServer }

// Fields implements [warehouse.Connector].
func (*Connector) Fields() []warehouse.Field {
	return wire.Fields(1433, "master", "The database to read.", "quaestor")
}

// Open implements [warehouse.Connector]. It gives up after 10 s.
func (c *Connector) Open(ctx context.Context, s warehouse.Settings) (warehouse.Conn, error) {
	config, err := c.config(s)
	if err != nil {
		return nil, err
	}
	connector := mssql.NewConnectorConfig(config)
	connector.Dialer = dialer{c.Reach, config.Host}
	connector.SessionInitSQL = "SET LOCK_TIMEOUT 2000; SET NOCOUNT ON; SET IMPLICIT_TRANSACTIONS OFF; SET TRANSACTION ISOLATION LEVEL READ COMMITTED; SET QUOTED_IDENTIFIER ON"
	out := &conn{db: sql.OpenDB(connector), secret: s.Secret}
	out.db.SetMaxOpenConns(maxConns)
	out.db.SetConnMaxIdleTime(5 * time.Minute)
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	if err := out.db.QueryRowContext(ctx, "SELECT CAST(SERVERPROPERTY('ProductVersion') AS nvarchar(128)), SUSER_SNAME()").Scan(&out.version, &out.role); err != nil {
		_ = out.Close()
		return nil, out.fault(ctx, err)
	}
	return out, nil
}

// config checks s and returns the driver's configuration.
func (c *Connector) config(s warehouse.Settings) (msdsn.Config, error) {
	var out msdsn.Config
	o, err := wire.Check(c.Fields(), s)
	if err != nil {
		return out, err
	}
	if err := c.Check(o[wire.Host]); err != nil {
		return out, err
	}
	port, err := o.Port()
	if err != nil {
		return out, err
	}
	trust, err := o.TLS()
	if err != nil {
		return out, err
	}
	out = msdsn.Config{Host: o[wire.Host], Port: uint64(port), Database: o[wire.Database], User: o[wire.User], Password: s.Secret.Reveal(), AppName: "quaestor",
		ReadOnlyIntent: true, DisableRetry: true, DialTimeout: openTimeout, PacketSize: 4096, Protocols: []string{"tcp"}, NoTraceID: true, Encryption: msdsn.EncryptionDisabled}
	if trust != nil {
		out.Encryption, out.TLSConfig, out.HostInCertificateProvided = msdsn.EncryptionRequired, trust, true
		if o[wire.Security] == wire.Require {
			out.TrustServerCertificate = true
		}
	}
	return out, nil
}

// conn is an open warehouse.
type conn struct {
	db      *sql.DB
	secret  secret.Secret
	version string
	role    string
}

// Close closes all connections.
func (c *conn) Close() error { return c.db.Close() }

// Grant implements [warehouse.Connector].
func (*Connector) Grant(s warehouse.Settings) string {
	database, user := name(s.Options[wire.Database], "master"), name(s.Options[wire.User], "quaestor")
	out := fmt.Sprintf("CREATE LOGIN %s WITH PASSWORD = '…a long one…', CHECK_POLICY = ON;\nUSE %s;\nCREATE USER %[1]s FOR LOGIN %[1]s;\n", bracketed(user), bracketed(database))
	schemas := s.Schemas
	if len(schemas) == 0 {
		schemas = []string{"dbo"}
	}
	for _, schema := range schemas {
		out += fmt.Sprintf("GRANT SELECT ON SCHEMA::%s TO %s;\n", bracketed(schema), bracketed(user))
	}
	return out + fmt.Sprintf("GRANT VIEW DEFINITION TO %[1]s;\nDENY INSERT, UPDATE, DELETE, EXECUTE, ALTER TO %[1]s;\n", bracketed(user))
}

// name returns v, or otherwise if v is empty.
func name(v, otherwise string) string {
	if v == "" {
		return otherwise
	}
	return v
}
