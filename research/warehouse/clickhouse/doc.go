// Package clickhouse reads ClickHouse over its native protocol.
//
// A statement goes to the server with readonly = 1, in which neither it nor its
// SETTINGS change anything, and with bounds of time, memory, rows and bytes; a user
// whose profile is read only already takes no settings, and has those of the
// profile. Whatever the server holds to, the connection is closed when a statement
// takes longer or more comes than was asked for. It must begin as a query and call
// none of the table functions that reach beyond the server.
//
// Servers from 18.16 on are read; what is newer is used where it is there.
package clickhouse
