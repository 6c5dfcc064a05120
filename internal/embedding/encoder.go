package embedding

import "context"

// Encoder turns texts into vectors. [Lite] and [Remote] are the two there are.
// Encoders are safe for concurrent use.
type Encoder interface {
	// Name identifies what made a vector. It differs wherever vectors cannot be
	// compared: by model and by length.
	Name() string

	// Dimension is how many numbers each vector has, 1 to [Stored].
	Dimension() int

	// Encode returns one vector a text, in the texts' order. A text that is empty
	// or all white space has a nil vector. No texts give no vectors. Either all
	// texts are encoded or an error is returned, in which errors.Is finds the
	// context's own when it ended; else it is a fault of kind Unavailable or Limited.
	Encode(ctx context.Context, texts []string) ([][]float32, error)
}
