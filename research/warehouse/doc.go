// Package warehouse explores somebody's data warehouse: it asks with SQL, keeps
// what it learns as small digests, and shows every step.
//
// What a model wants to do next is an [Action], which [ParseAction] finds in its
// reply. What a query gave is kept by quaestor/research/warehouse/digest.
package warehouse
