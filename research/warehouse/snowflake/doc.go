// Package snowflake connects to Snowflake with the protocol of Snowflake's own drivers.
//
// There is no published grammar of its SQL. So before a statement runs it is explained, which costs
// no credits: its plan must be that of a query and must not assign more bytes than the limit. The
// session accepts one statement at a time, commits nothing by itself, ends statements that take too
// long, and returns no more rows than are kept.
package snowflake
