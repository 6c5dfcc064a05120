// Package duckdb reads DuckDB files, and folders of CSV, Parquet and JSON files, as a warehouse.
//
// DuckDB is not a sandbox: a single call can use up all memory, and deadlines do not reach into
// every function. So the engine runs in a child process, which is another instance of this
// program. The child has no environment, no network, and a folder of its own for intermediate
// results. It limits its own memory, processor time, file size and open files, opens its data for
// reading, forbids itself access to other files and changes of its settings, and runs one SELECT
// at a time in a read-only transaction. It sends results as columns. The parent watches the
// clock: a child that is still busy a second after its time is killed, and the next statement
// starts another.
//
// The engine is written in C++ and is linked in if the program is built with the tag duckdb;
// otherwise [Connector.Open] explains how to get it.
//
// The package quaestor/research/warehouse/guard decides which statements may run. A [Conn] is the
// parser that it needs: DuckDB itself parses and prints, in a separate child that has no data.
package duckdb
