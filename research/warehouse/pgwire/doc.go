// Package pgwire reads warehouses that speak the protocol of PostgreSQL:
// PostgreSQL itself and Redshift.
//
// A statement goes to the server in the extended protocol, which takes one only. It
// is described before it is executed, and one that gives no rows is not executed.
// It runs in a transaction that is read only, that has a snapshot already (so that
// nothing makes it another one), and that is always rolled back; its time, locks,
// memory and temporary files are bounded by settings of that transaction, its rows
// and bytes as they are read. What it may have left on the connection beyond the
// transaction is undone, or the connection is closed.
package pgwire
