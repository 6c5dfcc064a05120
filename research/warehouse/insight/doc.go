// Package insight finds effects in the tables of a warehouse that somebody can act on, and
// states them as data.
//
// A [Finder] plans its own SQL over a table, its measures, times and dimensions, and the tables
// that it refers to by keys:
//
//	profile ─▶ cubes: period × dimension (× dimension) ─▶ tests ─▶ correction for their number
//	                                                        │
//	   figures, each with its SQL ◀── explained by another? ◀┘
//
// An [Insight] holds figures, a segment and a period, and a sentence with placeholders; whatever
// number stands in the sentence is the value of a figure that SQL computed over all rows.
// [Check] tries to break an insight by its trivial explanations, and [Recommend] turns those
// that survive into actions.
//
// What a column may be used for is decided by its name and type, as package builtin does:
// identifiers, postal codes and years are never averaged, and rates never summed.
//
// Apart from asking its [Asker], the package is pure: equal answers give equal insights.
package insight
