// Package builtin explores a warehouse without a model. It writes its own SQL from
// what the catalog says and goes on from what the digests said.
//
// [Analyst] answers in the form in which models answer, so that it runs through the
// same loop, guard, mends, digests and pages. Its reply depends on the situation
// alone: it keeps nothing between calls, but lives through the steps of the
// situation again each time:
//
//	steps ──► mind: lookups, profiles, what is known of each column
//	             │
//	             ▼
//	          ideas of each table, scored ──► the best one that was not asked ──► reply
//
// A table is looked up, then profiled: rows, filled and distinct values, ranges.
// What a column may be used for is decided by its name and type ([roleOf]) and
// corrected by its profile: identifiers are never averaged, codes are no metrics,
// and a number that codes a date is read as one only if its range says so. What is
// not understood is left alone.
//
// Every statement has a LIMIT or groups by what is known to be few, and reads one
// table, or two by a key.
package builtin
