package pgwire

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/wire"
)

// rightsTime is the time limit for examining the rights on all tables.
const rightsTime = time.Minute

// Rights implements [warehouse.Conn] by asking the server; nothing is tried. The limit of time is
// longer than that of a connection, because each table of the database is looked at.
func (c *conn) Rights(ctx context.Context) (warehouse.Rights, error) {
	out := warehouse.Rights{Role: c.config.User, Server: c.server}
	l := c.limits
	l.Time = rightsTime
	ownCtx, cancel := context.WithTimeout(ctx, rightsTime+patience)
	defer cancel()
	s, err := c.pool.Acquire(ownCtx, c.begin(l))
	if err != nil {
		return out, c.fault(ctx, err)
	}
	defer c.giveBack(s)
	err = s.each(ownCtx, c.flavour.rights, nil, func(row [][]byte) error {
		out.Why = append(out.Why, string(row[0]))
		return nil
	})
	if err != nil {
		return out, c.fault(ctx, err)
	}
	out.CanWrite = len(out.Why) > 0
	return out, nil
}

// Grant returns what an owner of the database runs.
func (c *Connector) Grant(s warehouse.Settings) string {
	role, database := quote(cmp.Or(s.Options[wire.User], "quaestor")), quote(cmp.Or(s.Options[wire.Database], c.Fields()[2].Default))
	schemas := s.Schemas
	if len(schemas) == 0 {
		schemas = []string{"public"}
	}
	limit := s.Limits.OrDefault().Time
	var b strings.Builder
	if c.Kind() == warehouse.Redshift {
		fmt.Fprintf(&b, "CREATE USER %s PASSWORD 'choose a password' NOCREATEDB NOCREATEUSER;\n", role)
		fmt.Fprintf(&b, "ALTER USER %s SET statement_timeout TO %d;\n", role, limit.Milliseconds())
	} else {
		fmt.Fprintf(&b, "CREATE ROLE %s LOGIN PASSWORD 'choose a password' NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS CONNECTION LIMIT 10;\n", role)
		fmt.Fprintf(&b, "ALTER ROLE %s SET default_transaction_read_only = on;\n", role)
		fmt.Fprintf(&b, "ALTER ROLE %s SET statement_timeout = %d;\n", role, limit.Milliseconds())
		fmt.Fprintf(&b, "GRANT CONNECT ON DATABASE %s TO %s;\n", database, role)
	}
	for _, schema := range schemas {
		name := quote(schema)
		fmt.Fprintf(&b, "GRANT USAGE ON SCHEMA %s TO %s;\n", name, role)
		fmt.Fprintf(&b, "GRANT SELECT ON ALL TABLES IN SCHEMA %s TO %s;\n", name, role)
		fmt.Fprintf(&b, "ALTER DEFAULT PRIVILEGES IN SCHEMA %s GRANT SELECT ON TABLES TO %s;\n", name, role)
	}
	b.WriteString("-- The last lines count for tables that whoever runs them makes later; run them as each role that makes tables.\n")
	if c.Kind() == warehouse.PostgreSQL && slices.Contains(schemas, "public") {
		b.WriteString("-- Before PostgreSQL 15 everybody may create in public, until this is run: REVOKE CREATE ON SCHEMA public FROM PUBLIC;\n")
	}
	return b.String()
}

// quote quotes a name.
func quote(name string) string { return pgx.Identifier{name}.Sanitize() }
