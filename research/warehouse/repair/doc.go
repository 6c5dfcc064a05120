// Package repair asks a warehouse, and when a statement is at fault, asks again with
// a better one.
//
// [Run] tries what needs no model first: the rules of this package, which know the
// catalog and what dialects spell differently. Each makes one change of which it is
// sure: a name is taken for another only when exactly one is nearest. What they
// cannot repair goes to a model, with the columns of the tables that the statement
// names. Every statement passes the guard of the source again, and every attempt is
// recorded.
//
// It stops after [MaxTries], at a statement that was tried before, and when two
// attempts in a row end in the class of fault that they began with. Faults of
// time, rights, quota and connection are not repaired at all.
//
// The rules work on tokens, not on a tree: a statement that needs repairing cannot be
// parsed.
package repair
