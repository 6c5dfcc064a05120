package embedding

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/internal/llm"
)

// Remote is an encoder on a server that speaks the OpenAI API.
type Remote struct {
	client    *llm.Client
	dimension int
	name      string
}

// NewRemote returns the encoder behind client. Each vector has dimension numbers,
// 1 to [Stored]; zero means [Stored]. The server is asked for that many, and an
// answer with another number is refused. It connects to nothing.
func NewRemote(client *llm.Client, dimension int) (*Remote, error) {
	dimension = cmp.Or(dimension, Stored)
	if dimension < 1 || dimension > Stored {
		return nil, fault.New(fault.Invalid, "must be 1 to %d, not %d", Stored, dimension).At("dimension")
	}
	return &Remote{client: client, dimension: dimension, name: fmt.Sprintf("%s/%d", client.Model(), dimension)}, nil
}

// Name returns the model and the dimension, such as "text-embedding-3-small/1536".
func (r *Remote) Name() string { return r.name }

// Dimension returns how many numbers each vector has.
func (r *Remote) Dimension() int { return r.dimension }

// maxRemoteRunes is how much of a text is sent: OpenAI's models refuse texts over
// 8,191 tokens, and a rune is seldom more than one.
const maxRemoteRunes = 6000

// Encode implements [Encoder]. Texts without words are not sent, and of long ones
// the first 6,000 runes. What went wrong is an [*llm.Error]; its class BadJSON
// means vectors of another length or of zeros.
func (r *Remote) Encode(ctx context.Context, texts []string) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	var asked []string
	var places []int
	for i, text := range texts {
		if text = sendable(text); text != "" {
			asked, places = append(asked, text), append(places, i)
		}
	}
	vectors, _, err := r.client.Embed(ctx, asked, r.dimension)
	if err != nil {
		return nil, err
	}
	out := make([][]float32, len(texts))
	for i, v := range vectors {
		if squares(v) == 0 {
			return nil, &llm.Error{Class: llm.BadJSON, Reason: "zeros"}
		}
		out[places[i]] = v
	}
	return out, nil
}

// sendable returns what is sent of text: valid UTF-8 without white space around
// it, at most maxRemoteRunes; empty when there are no words.
func sendable(text string) string {
	return language.Head(strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD")), maxRemoteRunes)
}
