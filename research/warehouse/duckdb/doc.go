// Package duckdb reads DuckDB files, and folders of CSV, Parquet and JSON files,
// as a warehouse.
//
// DuckDB is no sandbox: a single call can take all memory, and a deadline does not
// reach into every function. So the engine runs in a child process, which is this
// same program started again. The child has no environment, no network and a folder
// of its own for what does not fit into memory; it gives itself limits of memory,
// processor time, file size and open files, opens its data for reading, forbids
// itself every other file and every change of its settings, and runs one SELECT at
// a time in a transaction that reads only. What it finds it sends as columns. Its
// parent keeps the clock: a child that is not done a second after its time is
// killed, and the next statement starts another.
//
// The engine is written in C++ and is linked in when the program is built with the
// tag duckdb; without it [Connector.Open] says how to get it.
//
// Which statements may run is decided by quaestor/research/warehouse/guard. A [Conn]
// is the parser it needs: trees are made and printed by DuckDB itself, in a child of
// their own that has no data.
package duckdb
