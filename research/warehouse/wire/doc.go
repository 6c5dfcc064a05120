// Package wire is what the connectors to warehouses share: checking of settings, what may be
// dialled, TLS, a small pool, the typed columns that rows are read into, and a second check
// of statements before they are sent.
package wire
