// Package question answers one question about a warehouse: "how many flights were late
// in March?" becomes one guarded statement, and its result one sentence with its figure.
//
//	question + catalog ──Read──▶ Reading ──look up what is no name──▶ SQL ──▶ guard ──▶ result ──▶ Answer
//
// [Ask] asks one warehouse and [Warehouses.Ask] chooses one of those that an organisation has
// connected. Neither knows of interviews.
//
// [Read] is pure and never guesses: each word of the question has to be a table, a column, a
// period, a measure, or a value that the warehouse is asked for; two tables or columns that fit
// equally well are no answer. What cannot be read is an [*Unclear], which says what was not
// understood and what is closest.
//
// A metric that the organisation has defined and the question names is computed as its definition
// says, under the conditions and in the period of the question, and the sentence says so. What does
// not combine with a definition is declined. Definitions are SQL of their authors, so that the guard
// sees them in every statement.
//
// Questions that somebody has verified are answered by the query that they were kept with, in whatever
// words the same is asked, and the sentence says so.
//
// With a model, the model writes the statement, and the guard and the repairs are the same. The
// figures of its sentence have to be cells of the result; otherwise our own sentence is told.
// Names, comments and cells of a warehouse reach a model as labelled data only.
package question
