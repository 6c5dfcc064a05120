package sqlserver

import (
	"cmp"
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

// Connector opens SQL Server and Azure SQL databases. It is safe for concurrent use.
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

// Open implements [warehouse.Connector]. It gives up after 10 s. Sessions wait 2 s at most for
// locks.
func (c *Connector) Open(ctx context.Context, s warehouse.Settings) (warehouse.Conn, error) {
	config, err := c.config(s)
	if err != nil {
		return nil, err
	}
	connector := mssql.NewConnectorConfig(config)
	connector.Dialer = dialer{c.Reach, config.Host}
	connector.SessionInitSQL = "SET LOCK_TIMEOUT 2000; SET NOCOUNT ON; SET IMPLICIT_TRANSACTIONS OFF; SET TRANSACTION ISOLATION LEVEL READ COMMITTED; SET QUOTED_IDENTIFIER ON"
	out := &conn{db: sql.OpenDB(bounded{connector}), secret: s.Secret}
	out.db.SetMaxOpenConns(maxConns)
	out.db.SetConnMaxIdleTime(5 * time.Minute)
	ownCtx, cancel := context.WithTimeout(ctx, openTimeout) // whose end is a fault of the server, unlike that of ctx
	defer cancel()
	if err := out.db.QueryRowContext(ownCtx, "SELECT CAST(SERVERPROPERTY('ProductVersion') AS nvarchar(128)), SUSER_SNAME()").Scan(&out.version, &out.role); err != nil {
		_ = out.Close()
		return nil, out.fault(ctx, err)
	}
	return out, nil
}

// config checks s and returns the driver's configuration. The connection tells the server that it
// only reads, so that a readable replica may answer. The driver does not retry by itself.
func (c *Connector) config(s warehouse.Settings) (msdsn.Config, error) {
	var out msdsn.Config
	o, err := c.Server(c.Fields(), s)
	if err != nil {
		return out, err
	}
	out = msdsn.Config{Host: o.Options[wire.Host], Port: uint64(o.Port), Database: o.Options[wire.Database], User: o.Options[wire.User], Password: s.Secret.Reveal(), AppName: "quaestor",
		ReadOnlyIntent: true, DisableRetry: true, DialTimeout: openTimeout, PacketSize: 4096, Protocols: []string{"tcp"}, NoTraceID: true, Encryption: msdsn.EncryptionDisabled}
	if o.TLS != nil {
		out.Encryption, out.TLSConfig, out.HostInCertificateProvided = msdsn.EncryptionRequired, o.TLS, true
		if o.Options[wire.Security] == wire.Require {
			out.TrustServerCertificate = true
		}
	}
	return out, nil
}

// conn is an open warehouse. It is safe for concurrent use; database/sql keeps at most maxConns
// connections.
type conn struct {
	db      *sql.DB
	secret  secret.Secret
	version string // of the product, such as 16.0.4135.4
	role    string // the login
}

// Close closes all connections.
func (c *conn) Close() error { return c.db.Close() }

// Grant implements [warehouse.Connector]. Writing is denied explicitly, so that a right of the
// role public does not allow it.
func (*Connector) Grant(s warehouse.Settings) string {
	database, user := cmp.Or(s.Options[wire.Database], "master"), cmp.Or(s.Options[wire.User], "quaestor")
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
