package llm

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/openai/openai-go/v3/packages/param"
)

// embedBatch is how many texts go into one request. The answer of 64 texts at
// 3,072 numbers each stays under the 4 MiB an answer may have.
const embedBatch = 64

// embedPurpose is the purpose observers see for embeddings.
const embedPurpose = "embed"

// embedParams is the wire form of a request, encoded by openai-go as its own
// EmbeddingNewParams: the same bytes. The package that holds that type holds those
// of the whole API too, and compiling it takes as long as a fifth of this program.
type embedParams struct {
	Input      []string         `json:"input,omitzero"`
	Model      string           `json:"model,omitzero"`
	Dimensions param.Opt[int64] `json:"dimensions,omitzero"`
	param.APIObject
}

// MarshalJSON leaves out what is not set.
func (p embedParams) MarshalJSON() ([]byte, error) {
	type shadow embedParams
	return param.MarshalObject(p, (*shadow)(&p))
}

// embeddings is the wire form of an answer. openai-go's type keeps each number as
// a float64 and each raw text beside it, which is six times the memory.
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
		fail = c.call(ctx, &reply, func(ctx context.Context, into *Reply) *Error {
			got, usage, fail := c.embedOnce(ctx, batch, dimensions)
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

// embedOnce is one attempt at one batch.
func (c *Client) embedOnce(ctx context.Context, texts []string, dims int) ([][]float32, Usage, *Error) {
	p, fail := c.embedPayload(texts, dims)
	if fail != nil {
		return nil, Usage{}, fail
	}
	w := newWatch(ctx, c.first, c.idle)
	defer w.stop()
	body, fail := c.whole(w, p)
	if fail != nil {
		return nil, Usage{}, fail
	}
	var doc embeddings
	if fail := decodeAnswer(body, &doc); fail != nil {
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

// embedPayload is a request for vectors.
func (c *Client) embedPayload(texts []string, dims int) (payload, *Error) {
	params := embedParams{Model: c.model, Input: texts}
	var sent feature
	if dims > 0 && c.refused.allow(dimensions) {
		params.Dimensions, sent = param.NewOpt(int64(dims)), dimensions
	}
	raw, err := params.MarshalJSON()
	if err != nil {
		return payload{}, &Error{Class: Refused, Reason: "request does not encode"}
	}
	return payload{path: "/embeddings", body: raw, sent: sent}, nil
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
		if !finite(d.Embedding) {
			return nil, &Error{Class: BadJSON, Reason: "numbers"}
		}
		out[d.Index] = d.Embedding
	}
	if len(e.Data) != n {
		return nil, &Error{Class: NotJSON, Reason: "count"}
	}
	return out, nil
}

// finite reports whether every number of v can be reckoned with.
func finite(v []float32) bool {
	for _, x := range v {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return false
		}
	}
	return true
}
