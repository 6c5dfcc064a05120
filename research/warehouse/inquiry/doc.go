// Package inquiry is the contract between interviews and the warehouses that they ask: the question,
// who asks it, why it is not asked, and the record of its answer, which can be asked again.
//
// It is pure. Package question answers what is asked here; whoever wires both passes
// [Warehouses], so that interviews stand on nothing that warehouses need.
package inquiry
