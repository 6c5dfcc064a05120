// Package tokens counts the tokens of texts by the o200k vocabulary.
//
// The budgets of prompts rest on these counts, so they are real ones: [Count] is exact up to a
// megabyte, except that it may be one too high for each kilobyte without a place to cut. It is fast
// because it caches the counts of short words and of whole texts that recur, such as system
// prompts; the caches are bounded. Models with other vocabularies differ by a few per cent.
package tokens
