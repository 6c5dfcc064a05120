// Package claims holds the rules of research: what may be said because a source
// says it.
//
// A [Claim] is one sentence with the words of a source that say so. Nothing
// becomes a claim but through [Verify]: the quote must stand in the source, and
// every number, unit, date, name and negation of the sentence must stand in the
// quote. [Extract] finds claims without a model, [Contradict] notes where sources
// differ, [Answer] makes a value of claims and [CheckAnswer] judges one that a
// model made; [Summarise] words them. [Plan] and [Steer] are what comes before:
// which searches a question needs, and what the person wants left out.
//
// In doubt a claim is refused: one that is lost costs a little, one that is wrong
// costs trust. What a source says is data. Sentences that speak to the reader, or
// to a machine that reads, are no claims.
//
// Everything here is pure: no clock, no rows, no network. Reading goes in steps:
//
//	text ── cut ──▶ tokens ── read ──▶ passage (dates, figures, clauses, polarity)
package claims
