package clickhouse

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/wire"
)

// readers are the privileges that change nothing.
var readers = []string{"USAGE", "SELECT", "SHOW", "SHOW DATABASES", "SHOW TABLES", "SHOW COLUMNS", "SHOW DICTIONARIES", "DICTGET", "NONE"}

// Rights implements [warehouse.Conn]. It reads the user's profile and, on servers that have them,
// the grants; nothing is tried.
func (c *conn) Rights(ctx context.Context) (warehouse.Rights, error) {
	out := warehouse.Rights{Role: c.options.Auth.Username, Server: c.server}
	if c.readonly == "1" || c.readonly == "2" {
		return out, nil // read-only whatever is granted
	}
	ownCtx, cancel := bounded(ctx, openTimeout)
	defer cancel()
	s, err := c.pool.Acquire(ownCtx, ready(c.limits))
	if err != nil {
		return out, c.fault(ctx, ownCtx, err)
	}
	var line string
	err = s.each(ownCtx, "SHOW GRANTS", []any{&line}, func() error {
		out.Why = append(out.Why, wire.BeyondReading(line, readers)...)
		return nil
	})
	switch fault := c.fault(ctx, ownCtx, err); {
	case err == nil:
		c.pool.Release(s)
	case warehouse.ClassOf(fault) == warehouse.SyntaxError: // a server without grants
		c.pool.Release(s)
		out.Why = []string{"everything: its profile is not read only, and the server knows no grants"}
	default:
		c.pool.Drop(s)
		return out, fault
	}
	out.Why = wire.Why(out.Why)
	out.CanWrite = len(out.Why) > 0
	return out, nil
}

// Grant implements [warehouse.Connector].
func (c *Connector) Grant(s warehouse.Settings) string {
	user, schemas, l := cmp.Or(s.Options[wire.User], "quaestor"), s.Schemas, s.Limits.OrDefault()
	if len(schemas) == 0 {
		schemas = []string{s.Options[wire.Database]}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "CREATE USER %s IDENTIFIED WITH sha256_password BY 'choose a password' SETTINGS max_execution_time = %d, max_memory_usage = %d;\n", identifier(user), int(l.Time.Seconds())+1, l.Memory)
	for _, schema := range schemas {
		fmt.Fprintf(&b, "GRANT SELECT ON %s.* TO %s;\n", identifier(cmp.Or(schema, "default")), identifier(user))
	}
	b.WriteString("-- Servers before 20.4 know no grants: give the user a profile with <readonly>1</readonly> in users.xml.\n")
	return b.String()
}
