package llm

import (
	"context"
	"slices"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

// embedBatch is how many texts go into one request. The answer of 64 texts at
// 3,072 numbers each stays under the 4 MiB an answer may have.
const embedBatch = 64

// embedPurpose is the purpose observers see for embeddings.
const embedPurpose = "embed"

// embeddings is an answer. openai-go's type keeps each number as a float64 and the
// raw text beside it, which is six times the memory.
type embeddings struct {
	Data []struct {
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	} `json:"data"`
	Usage struct {
		PromptTokens int `json:"prompt_tokens"`
	} `json:"usage"`
}

// Embed returns one vector a text, in the texts' order. With dimensions above
// zero each vector has that many numbers or the call fails; with zero the model
// chooses. No texts give no vectors and ask nothing. Many texts go in several
// requests within one Options.Total; vectors are not normalised.
func (c *Client) Embed(ctx context.Context, texts []string, dimensions int) ([][]float32, Usage, error) {
	if len(texts) == 0 {
		return nil, Usage{}, nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, c.total, errTotal)
	defer cancel()
	began := time.Now()
	vectors := make([][]float32, 0, len(texts))
	var sum Reply
	var fail *Error
	for batch := range slices.Chunk(texts, embedBatch) {
		var reply Reply
		fail = c.call(ctx, &reply, func(x *exchange, into *Reply) *Error {
			got, usage, fail := x.embed(batch, dimensions)
			vectors = append(vectors, got...)
			*into = Reply{Usage: usage}
			return fail
		})
		sum.Usage = sum.Usage.plus(reply.Usage)
		sum.Attempts += reply.Attempts
		if fail != nil {
			vectors = nil
			break
		}
	}
	err := c.finish(embedPurpose, began, &sum, fail)
	return vectors, sum.Usage, err
}

// embed is one attempt at one batch.
func (x *exchange) embed(texts []string, dims int) ([][]float32, Usage, *Error) {
	params := openai.EmbeddingNewParams{Model: x.client.model, Input: openai.EmbeddingNewParamsInputUnion{OfArrayOfStrings: texts}}
	x.sent = 0
	if dims > 0 && x.client.refused.allow(dimensions) {
		params.Dimensions, x.sent = openai.Int(int64(dims)), dimensions
	}
	var doc embeddings
	_, err := x.client.api.Embeddings.New(x.watch.ctx, params, x.options(option.WithResponseBodyInto(&doc))...)
	if fail := x.failure(err); fail != nil {
		return nil, Usage{}, fail
	}
	vectors, fail := doc.vectors(len(texts), dims)
	usage := Usage{PromptTokens: doc.Usage.PromptTokens}
	if usage.PromptTokens == 0 {
		for _, text := range texts {
			usage.PromptTokens += tokensOf(len(text))
		}
		usage.Estimated = true
	}
	return vectors, usage, fail
}

// vectors puts the answer in the texts' order and checks that it is whole.
func (e embeddings) vectors(n, dims int) ([][]float32, *Error) {
	if len(e.Data) == 0 {
		return nil, &Error{Class: Empty}
	}
	out := make([][]float32, n)
	for _, d := range e.Data {
		if d.Index < 0 || d.Index >= n || out[d.Index] != nil {
			return nil, &Error{Class: NotJSON, Reason: "index"}
		}
		if len(d.Embedding) == 0 || dims > 0 && len(d.Embedding) != dims {
			return nil, &Error{Class: BadJSON, Reason: "dimensions"}
		}
		out[d.Index] = d.Embedding
	}
	if len(e.Data) != n {
		return nil, &Error{Class: NotJSON, Reason: "count"}
	}
	return out, nil
}
