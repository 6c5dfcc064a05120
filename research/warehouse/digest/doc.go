// Package digest makes small, exact summaries of query results: a model is shown a summary of
// a thousand rows instead of the rows.
//
// [Compact] reads columns once and returns a [CompactResult]: for each column its kind, nulls,
// distinct values and statistics, and a few rows from both ends. A result of at most
// [CompactInlineThreshold] rows keeps all of them. The same input gives the same bytes, with
// columns in the order of the SELECT. What JSON cannot represent (NaN, infinities) is null, and
// what identifies people is replaced by pseudonyms that hold for one run.
//
// [CompactResult.AppendPrompt] writes what goes into a prompt. It is never longer than the rows
// that it stands for.
package digest
