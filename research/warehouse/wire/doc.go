// Package wire is what the connectors to warehouses have in common: how settings
// are checked, what may be dialled, who is trusted, a small pool, the columns that
// rows are read into, and what a statement must begin with.
package wire
