// Package guard decides which SQL may run in somebody's warehouse.
//
// What a model wrote is never sent. It is parsed; every kind of statement, node,
// function, operator and type in it must stand on a list; every relation must be one
// of the [Policy]; a relation that belongs to many tenants is read through its
// filter only; and what is sent is printed from the tree that passed. What the lists
// do not know is refused.
//
// The guard is one layer of several: the connection that runs the statement is read
// only and bounded as well, and each holds alone.
package guard
