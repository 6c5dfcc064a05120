package embedding

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// values draws a vector with at least one number that is not zero.
func values(t *rapid.T, label string) []float32 {
	return append(rapid.SliceOfN(rapid.Float32Range(-10, 10), 0, 40).Draw(t, label), 1)
}

func TestSimilarityIsACosine(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		v, w := Vector{"e", values(t, "v")}, Vector{"e", values(t, "w")}
		got, err := v.Similarity(w)
		if err != nil || got < -1 || got > 1 {
			t.Fatalf("Similarity = %v, %v", got, err)
		}
		if back, _ := w.Similarity(v); back != got {
			t.Fatalf("Similarity is %v one way and %v the other", got, back)
		}
		if self, _ := v.Similarity(v); math.Abs(self-1) > 1e-9 {
			t.Fatalf("Similarity with itself = %v", self)
		}
		stored := append(slices.Clone(v.Values), make([]float32, Stored-len(v.Values))...)
		if padded, _ := (Vector{"e", stored}).Similarity(w); math.Abs(padded-got) > 1e-12 {
			t.Fatalf("Similarity = %v when stored, %v when fresh", padded, got)
		}
	})
}

func TestSimilarityRefuses(t *testing.T) {
	t.Parallel()

	some := Vector{"e", []float32{1, 2}}
	for _, tt := range []struct {
		name string
		v, w Vector
		want error
	}{
		{"other encoder", some, Vector{"f", []float32{1, 2}}, ErrEncoders},
		{"no encoder named", some, Vector{"", []float32{1, 2}}, ErrEncoders},
		{"other encoder outranks none", some, Vector{Encoder: "f"}, ErrEncoders},
		{"none", some, Vector{Encoder: "e"}, ErrNone},
		{"none first", Vector{Encoder: "e"}, some, ErrNone},
		{"zeros", some, Vector{"e", []float32{0, 0}}, ErrNone},
	} {
		if got, err := tt.v.Similarity(tt.w); !errors.Is(err, tt.want) || got != 0 {
			t.Errorf("%s: Similarity = %v, %v, want %v", tt.name, got, err, tt.want)
		}
	}
}
