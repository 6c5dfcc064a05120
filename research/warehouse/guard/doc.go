// Package guard decides which SQL may run in somebody's warehouse.
//
// What a model wrote is never sent. It is read; every kind of statement, node,
// function, operator and type in it must stand on a list; every relation must be one
// of the [Policy]; a relation that belongs to many tenants is read through its
// filter only; and what is sent is printed from what passed. What the lists do not
// know is refused, with the reason and a remedy in words that a model can use.
//
// # How much of each dialect is known
//
// PostgreSQL is parsed with the grammar of the server itself, version 17. Redshift
// is parsed with the same grammar, and has its own functions beside; what is only
// Redshift's in the grammar (TOP, QUALIFY, PIVOT, APPROXIMATE) is refused.
//
// MySQL is parsed with the whole grammar of TiDB, which is that of MySQL 8.
// MariaDB is parsed with it as well, and has its own functions beside; what is only
// MariaDB's in the grammar (MEDIAN and PERCENTILE_CONT over windows, VALUES without
// ROW, FOR SYSTEM_TIME, LIMIT ROWS EXAMINED, sequences, JSON_TABLE in both) is
// refused.
//
// DuckDB is parsed by DuckDB, in the child process that runs it.
//
// BigQuery, Snowflake, SQL Server and ClickHouse have no full grammar here. Their
// statements are split into tokens by the rules of the dialect, and the queries that
// analysts write are read from the tokens: WITH, SELECT, FROM with joins, tables in
// parentheses and a few table functions, expressions, windows, set operators. Names
// that follow FROM and JOIN must be known, names before a parenthesis must be
// functions of the dialect's list, and between two values an operator must stand.
// What is read otherwise than the server reads it would be a hole, so in doubt a
// statement is refused: scripts, variables, hints, stages, settings, formats, time
// travel (but for BigQuery's FOR SYSTEM_TIME), names in quotes before a parenthesis,
// functions of a schema. These dialects lean on the connection's own
// limits and on a role with the least rights more than the others do.
//
// # The layers
//
// The text comes first: its size, UTF-8, characters that nobody sees, and comments
// that some server executes or takes hints from, found by each dialect's rules of
// quoting. Then the reading against the lists. Then the printing: names of relations,
// aliases and WITH are in quotes, functions are those of the language, comments are
// gone. But for PostgreSQL and DuckDB, whose own grammars say what a name means, the
// queries of a WITH are given names that no table has: MariaDB does not see them
// everywhere, and would read a table of that name. For all dialects but PostgreSQL the print is read and printed again, and
// must stay the same. None of this replaces the connection that runs the statement,
// which reads only and is bounded by itself: each layer holds alone, and is tested
// alone.
//
// # Much of little
//
// What makes much of little is bounded where it is written: texts are padded and
// repeated up to a thousand times, generate_series and its kind make rows up to a
// million (in DuckDB a hundred million) by the numbers in the statement, and parts
// of tables are sampled by numbers that are written out. What is counted from the
// data, crosses, recursion and patterns are for the limits of the connection.
//
// # The filter
//
// A table with the column of [Policy.Filter] is replaced by a query for the rows of
// one tenant, under the alias that the table had. MySQL, MariaDB and SQL Server
// compare texts without regard to capitals, accents or spaces at their end; there
// the bytes are compared as well, but for identifiers of SQL Server that are GUIDs.
package guard
