// Package sqlserver connects to SQL Server and Azure SQL.
//
// The server has no read-only transactions. What holds in their place: a statement
// is described first, by sp_describe_first_result_set, and refused unless it gives
// rows; it runs in a transaction that is always rolled back, in a session that
// waits for no lock for long; and the role should be one that only reads, which
// Rights checks.
package sqlserver
