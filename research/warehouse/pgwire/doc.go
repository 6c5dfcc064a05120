// Package pgwire reads warehouses that speak the PostgreSQL protocol: PostgreSQL itself and
// Redshift.
//
// A statement is sent in the extended protocol, which accepts only one at a time. It is described
// before it is executed, and if it returns no rows it is not executed. It runs in a read-only
// transaction that already has a snapshot, so that nothing can change it to read-write, and that
// is always rolled back. Settings of the transaction limit its time, locks, memory and temporary
// files; rows and bytes are limited while they are read. Anything a statement may leave on the
// connection beyond the transaction is undone, or else the connection is closed.
package pgwire
