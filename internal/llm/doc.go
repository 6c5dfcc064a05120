// Package llm talks to a language model through the OpenAI-compatible API: chat
// answers streamed piece by piece, answers as JSON that satisfies a schema, embeddings,
// speech, and transcription.
//
// What it promises:
//
//   - An answer counts only when a finish reason was seen. A connection that
//     closes in good order half-way is a failure like any other.
//   - Every wait ends: for the first token, between two pieces, in all, and in
//     bytes. See [Options].
//   - A failure is an [*Error] with a [Class]. It never holds what the provider
//     said, nor headers, nor the key, so it is safe in a log.
//   - What retrying may cure is retried, but never after text was passed on.
//   - What a server refuses (a response format, a parameter) is remembered for
//     the client's life and not sent again.
//
// It knows no domain: prompts, budgets and what to do when a model fails belong
// to the callers. Tests point a client at [quaestor/internal/llm/llmtest].
//
// openai-go speaks to the server: its params, its client with its retries, its types
// of answers and its decoder of event streams. What is ours stands around it: the
// guard and its clock (exchange.go), the breaker and the retries of answers that turn
// out to be none (call.go), and the reading of what a model wrote. Nothing is logged
// here, and openai-go's own log of requests stays off.
package llm
