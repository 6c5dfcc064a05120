// Package catalog describes what a warehouse holds: its tables, how they are related, and as
// much of both as fits into a prompt.
//
// [Index] works out joins and resolves names of tables. [Index.Render] writes one line for each
// table, the first level of what a model sees:
//
//	sales.orders | 24c | 14.3K rows | order, refund | -> sales.customers, ~> sales.stores
//
// A line has the numbers of columns and rows, the words of the subject that occur in the table,
// the tables it refers to by a declared foreign key (->), and those that the names of its columns
// suggest (~>). Tables for which there is no room are counted at the end, never dropped
// silently. [Index.Describe] writes the second level, the columns of one table.
//
// Everything here is pure and takes time linear in the number of tables.
package catalog
