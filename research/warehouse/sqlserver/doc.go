// Package sqlserver connects to SQL Server and Azure SQL.
//
// The server has no read-only transactions. Instead, a statement is first described by
// sp_describe_first_result_set and refused unless it returns rows. It runs in a transaction that is
// always rolled back, in a session that does not wait long for locks. The role should only have the
// right to read, which Rights checks.
package sqlserver
