package embedding

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
)

// elementBytes is what one number of a tensor takes in the shards.
const elementBytes = 4

// maxRead is how many numbers are read at once.
const maxRead = 16 << 10

// tensor is an entry of the weights' list: what comes next in the shards, row by
// row, each number little-endian.
type tensor struct {
	Name  string `json:"name"`
	Shape []int  `json:"shape"` // empty for a single number
}

// size returns how many numbers t has.
func (t tensor) size() int {
	n := 1
	for _, s := range t.Shape {
		n *= s
	}
	return n
}

// listed reads the list of tensors from model.json, in the order of the shards.
func listed(raw []byte) ([]tensor, error) {
	var doc struct {
		Manifest []struct {
			Weights []tensor `json:"weights"`
		} `json:"weightsManifest"`
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		return nil, fmt.Errorf("read list of weights: %w", err)
	}
	var list []tensor
	for _, group := range doc.Manifest {
		list = append(list, group.Weights...)
	}
	return list, nil
}

// slot is where a tensor goes: its place in the model, and the shape it must
// have. take may keep values.
type slot struct {
	rows, columns int
	take          func(values []float32)
}

// fill reads the listed tensors from r into their slots, by name. Tensors without
// a slot are read over; a slot without a tensor or of another shape is an error.
func fill(slots map[string]slot, list []tensor, r io.Reader) error {
	filled := 0
	for _, t := range list {
		s, wanted := slots[t.Name]
		if !wanted {
			if _, err := io.CopyN(io.Discard, r, int64(t.size())*elementBytes); err != nil {
				return fmt.Errorf("skip tensor %s: %w", t.Name, err)
			}
			continue
		}
		if t.size() != s.rows*s.columns || t.Shape[len(t.Shape)-1] != s.columns {
			return fmt.Errorf("tensor %s has shape %v, want %d by %d", t.Name, t.Shape, s.rows, s.columns)
		}
		values, err := numbers(r, t.size())
		if err != nil {
			return fmt.Errorf("read tensor %s: %w", t.Name, err)
		}
		s.take(values)
		filled++
	}
	if filled != len(slots) {
		return fmt.Errorf("%d of %d tensors are there", filled, len(slots))
	}
	return nil
}

// numbers reads n numbers. Ones that are not finite are an error.
func numbers(r io.Reader, n int) ([]float32, error) {
	raw := make([]byte, min(n, maxRead)*elementBytes)
	out := make([]float32, 0, n)
	for len(out) < n {
		raw = raw[:min(n-len(out), maxRead)*elementBytes]
		if _, err := io.ReadFull(r, raw); err != nil {
			return nil, err
		}
		for i := 0; i < len(raw); i += elementBytes {
			out = append(out, math.Float32frombits(binary.LittleEndian.Uint32(raw[i:])))
		}
	}
	if sum := squares(out); math.IsNaN(sum) || math.IsInf(sum, 0) {
		return nil, fmt.Errorf("numbers that are not finite")
	}
	return out, nil
}
