// Package guard decides which SQL may run in a warehouse.
//
// A statement that a model wrote is never sent. It is parsed, and every kind of
// statement, node, function, operator and type in it must be on a list. Every relation
// must be one of the [Policy]. A relation that belongs to many tenants is read only
// through its filter. What is sent is printed from the tree that passed. Anything the
// lists do not know is refused, with the reason and a remedy in words that a model can
// use.
//
// # How much of each dialect is known
//
// PostgreSQL is parsed with the server's own grammar, version 17, JSON_TABLE included.
// Redshift is parsed with the same grammar and has additional functions; syntax that only
// Redshift has (TOP, QUALIFY, PIVOT, APPROXIMATE) is refused, with what to write instead.
//
// MySQL is parsed with the complete grammar of TiDB, which is that of MySQL 8. MariaDB is
// parsed with it as well and has additional functions; syntax that only MariaDB has
// (MEDIAN and PERCENTILE_CONT over windows, VALUES without ROW, FOR SYSTEM_TIME, LIMIT
// ROWS EXAMINED, sequences) is refused, and so is JSON_TABLE in both.
//
// DuckDB is parsed by DuckDB itself, in the child process that runs it.
//
// BigQuery, Snowflake, SQL Server and ClickHouse have no complete grammar here. Their
// statements are split into tokens by the rules of the dialect, and the tokens are parsed
// as the queries that analysts write: WITH, SELECT, FROM with joins, tables in
// parentheses and a few table functions, PIVOT, BigQuery's pipes, expressions, windows, set
// operators. Names after
// FROM and JOIN must be known, names before a parenthesis must be functions on the
// dialect's list, and there must be an operator between two values. If we understood a
// statement differently from the server, that would be a hole, so anything doubtful is
// refused: scripts, variables, hints, stages, settings, formats, time travel (except
// BigQuery's FOR SYSTEM_TIME), quoted names before a parenthesis, and functions with a
// schema. For these dialects, the connection's own limits and a role with minimal rights
// matter more than for the others.
//
// # The layers
//
// First the text is checked: its size, UTF-8, invisible characters, and comments that some
// servers execute or take hints from; quoting follows the rules of the dialect. Then the
// parsed statement is checked against the lists. Then it is printed: names of relations,
// aliases and WITH are quoted, functions are those of the language, and comments are gone.
// In all dialects except PostgreSQL and DuckDB, whose own grammars say what a name means,
// the queries of a WITH get names that no table has. MariaDB does not see such queries
// everywhere and would read a table of the same name. For all dialects except PostgreSQL
// the printed statement is parsed and printed again and must stay the same.
//
// None of this replaces the connection that runs the statement, which is read-only and has
// limits of its own. Each layer must hold alone and is tested alone.
//
// Random numbers and new identifiers, with a seed or without, are no danger and may be drawn:
// they make samples. What a statement gives then differs from time to time.
//
// # Refusals
//
// A refusal names the construct and what to write instead (remedies.go), because a model writes
// the statement again from these words alone.
//
// # Amplification
//
// Anything that makes much out of little is bounded where it is written: texts are padded
// and repeated at most a thousand times; generate_series and its relatives make at most a
// million rows (in DuckDB a hundred million) from the numbers in the statement; and parts
// of tables are sampled with literal numbers only. Counts that come from the data, cross
// joins, recursion and patterns are left to the limits of the connection.
//
// # The filter
//
// A table that has the column of [Policy.Filter] is replaced by a query for the rows of
// one tenant, under the alias that the table had. MySQL, MariaDB and SQL Server compare
// texts regardless of case, accents and trailing spaces, so there the bytes are compared
// as well, except for GUIDs in SQL Server.
//
// A table without that column is tied to the filter by its declared foreign keys (see [Ties]):
// only those of its rows are read that refer to the tenant's, by EXISTS along the keys. With
// [Policy.Close], a table that nothing ties to the filter is refused. A key that the warehouse
// does not enforce is believed. ClickHouse has no foreign keys.
package guard
