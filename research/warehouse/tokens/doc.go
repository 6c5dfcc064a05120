// Package tokens counts the tokens of texts as the o200k vocabulary cuts them.
//
// Prompts are held to budgets by these counts, so they are real ones: [Count] is
// exact up to a megabyte, but for a kilobyte or more without a place to cut, where
// it may be one too high. It is also quick, because it remembers how many tokens the
// short words of names, figures and JSON have, and how many whole texts have that
// come again, such as a system prompt. What it remembers is bounded. Models with
// other vocabularies differ from it by some per cent.
package tokens
