package embedding

import (
	"errors"
	"fmt"
	"math"
)

// Stored is how many numbers a stored vector has, whoever made it: the column is
// vector(1536), and a shorter vector is filled with zeros, which changes neither
// cosine nor distance.
const Stored = 1536

// ErrEncoders says that vectors of different encoders were to be compared.
var ErrEncoders = errors.New("vectors of different encoders cannot be compared")

// ErrNone says that a text without a vector was to be compared.
var ErrNone = errors.New("a text without a vector cannot be compared")

// Vector is a text's place among the texts that the same encoder encoded.
type Vector struct {
	Encoder string    // [Encoder.Name] of what made it
	Values  []float32 // nil when the text has no vector
}

// None reports whether the text had nothing to encode. Store NULL then.
func (v Vector) None() bool { return len(v.Values) == 0 }

// Similarity returns the cosine of v and w in [-1, 1]. It returns [ErrEncoders]
// when they come from different encoders and [ErrNone] when either has no values
// or only zeros. A stored vector may be compared with one fresh from the
// encoder: the shorter counts as filled with zeros.
func (v Vector) Similarity(w Vector) (float64, error) {
	if v.Encoder != w.Encoder {
		return 0, fmt.Errorf("%w: %q and %q", ErrEncoders, v.Encoder, w.Encoder)
	}
	var dot float64
	for i := range min(len(v.Values), len(w.Values)) {
		dot += float64(v.Values[i]) * float64(w.Values[i])
	}
	scale := math.Sqrt(squares(v.Values)) * math.Sqrt(squares(w.Values))
	if scale == 0 {
		return 0, ErrNone
	}
	return max(-1, min(1, dot/scale)), nil
}

// squares returns the sum of the squares of v. It is finite exactly when all of
// v is: a float64 holds the square of any float32.
func squares(v []float32) float64 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return sum
}
