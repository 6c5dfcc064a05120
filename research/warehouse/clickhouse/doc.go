// Package clickhouse reads ClickHouse over its native protocol.
//
// A statement is sent with readonly = 1, so that neither it nor its SETTINGS clause changes
// anything, and with limits on time, memory, rows and bytes. A user whose profile is read-only
// already cannot be sent settings, and is limited by the profile. Whatever the server enforces, the
// connection is closed if a statement takes longer, or returns more, than it was allowed. A
// statement must begin like a query and must not call table functions that reach beyond the
// server.
//
// Servers from 18.16 on are supported; newer features are used where they exist.
package clickhouse
