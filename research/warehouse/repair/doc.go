// Package repair asks a warehouse and, if the statement is at fault, asks again with a
// corrected one.
//
// [Run] first tries what needs no model: the rules of this package, which know the catalog and
// what dialects spell differently. Each makes one change that is certain; a name is replaced
// only if exactly one other is nearest. What the rules cannot repair goes to a model, together
// with the columns of the tables that the statement names. Every statement passes the guard of
// the gateway again, and every attempt is recorded.
//
// Repair stops after [MaxTries], at a statement that was tried before, and when two attempts in
// a row end in the class of error that they started from. Timeouts, missing rights, quotas and
// broken connections are not repaired at all.
//
// The rules work on tokens, not on a tree, because a statement that needs repair often cannot be
// parsed.
package repair
