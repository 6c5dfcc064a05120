// Package digest makes small, exact accounts of query results: what a model is
// shown of a thousand rows instead of the rows.
//
// [Compact] reads columns once and gives a [CompactResult]: for each column its
// kind, nulls, distinct values and statistics, and a few rows from both ends. A
// result of [CompactInlineThreshold] rows or fewer keeps them all. The same input
// gives the same bytes, in the order of the SELECT; what JSON cannot say (NaN,
// infinities) is null; and what identifies people is a pseudonym of the run.
//
// [CompactResult.AppendPrompt] writes what goes into a prompt, which is never
// larger than the rows it stands for.
package digest
