package mysql

import (
	"cmp"
	"context"
	"database/sql/driver"
	"fmt"
	"strings"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/wire"
)

// Rights implements [warehouse.Conn]. It reads the grants; nothing is tried. Privileges of roles
// are not followed; a granted role counts as one that can write.
func (c *conn) Rights(ctx context.Context) (warehouse.Rights, error) {
	out := warehouse.Rights{Role: c.user, Server: c.server}
	ownCtx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	l := c.limits
	l.Rows = 10_000
	s, err := c.pool.Acquire(ownCtx, c.begin(l))
	if err != nil {
		return out, c.fault(ctx, err)
	}
	defer c.giveBack(s)
	err = s.each(ownCtx, "SELECT current_user()", func(row []driver.Value) error {
		out.Role = text(row[0])
		return nil
	})
	if err == nil {
		err = s.each(ownCtx, "SHOW GRANTS", func(row []driver.Value) error {
			out.Why = append(out.Why, wire.BeyondReading(text(row[0]), readers)...)
			return nil
		})
	}
	if err != nil {
		return out, c.fault(ctx, err)
	}
	out.Why = wire.Why(out.Why)
	out.CanWrite = len(out.Why) > 0
	return out, nil
}

// readers are the privileges that change nothing.
var readers = []string{"USAGE", "SELECT", "SHOW VIEW", "SHOW DATABASES", "PROCESS", "REPLICATION CLIENT", "BINLOG MONITOR", "SLAVE MONITOR", "REPLICA MONITOR", "SHOW_ROUTINE", "SHOW CREATE ROUTINE"}

// Grant implements [warehouse.Connector]. The user may have ten connections, more than a pool
// opens. Encryption is required unless the settings disable it.
func (c *Connector) Grant(s warehouse.Settings) string {
	user, secure := cmp.Or(s.Options[wire.User], "quaestor"), " REQUIRE SSL"
	if s.Options[wire.Security] == wire.Disable {
		secure = ""
	}
	who := literals([]string{user}) + "@'%'"
	schemas := s.Schemas
	if len(schemas) == 0 {
		schemas = []string{s.Options[wire.Database]}
	}
	limit := ""
	if c.Kind() == warehouse.MariaDB {
		limit = fmt.Sprintf(" MAX_STATEMENT_TIME %d", max(1, int(s.Limits.OrDefault().Time.Seconds())))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "CREATE USER %s IDENTIFIED BY 'choose a password'%s WITH MAX_USER_CONNECTIONS 10%s;\n", who, secure, limit)
	for _, schema := range schemas {
		// In a grant an underscore matches any character unless it is escaped.
		fmt.Fprintf(&b, "GRANT SELECT, SHOW VIEW ON %s.* TO %s;\n", strings.NewReplacer("_", `\_`, "%", `\%`).Replace(identifier(cmp.Or(schema, "your database"))), who)
	}
	return b.String()
}
