// Package catalog says what a warehouse holds: its tables, how they hang together,
// and as much of that as fits into a prompt.
//
// [Index] works out joins and answers which table is meant. [Index.Render] writes
// one line a table, the first level of what a model sees:
//
//	sales.orders | 24c | 14.3K rows | order, refund | -> sales.customers, ~> sales.stores
//
// with its columns, its rows, the words of the subject in it, the tables it refers
// to by a key that the warehouse declares (->) and by one that its columns suggest
// (~>). What does not fit is counted at the end, never left out in silence.
// [Index.Describe] writes the second level, the columns of one table.
//
// Everything here is pure, and linear in the number of tables.
package catalog
