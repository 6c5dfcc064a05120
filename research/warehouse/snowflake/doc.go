// Package snowflake connects to Snowflake by the protocol of its own drivers.
//
// There is no grammar of its SQL to be had, so a statement is explained before it
// runs, which costs no credits: its plan must be that of a query, and assign no more
// bytes than the limit says. The session takes one statement at a time, commits
// nothing by itself, ends statements that take too long, and gives no more rows than
// are kept.
package snowflake
