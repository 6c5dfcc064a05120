package main

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestQuantile(t *testing.T) {
	t.Parallel()

	hundred := make([]time.Duration, 100)
	for i := range hundred {
		hundred[i] = time.Duration(100 - i)
	}
	tests := []struct {
		name string
		in   []time.Duration
		q    float64
		want time.Duration
	}{
		{"nothing", nil, 0.5, 0},
		{"one", []time.Duration{7}, 0.99, 7},
		{"middle of an odd number", []time.Duration{3, 1, 2}, 0.5, 2},
		{"lower middle of an even number", []time.Duration{4, 1, 3, 2}, 0.5, 2},
		{"nearest rank", hundred, 0.99, 99},
		{"all", hundred, 1, 100},
		{"none", hundred, 0, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			s := sample{slices.Clone(tt.in)}
			if got := s.quantile(tt.q); got != tt.want {
				t.Errorf("quantile(%v) of %v = %d, want %d", tt.q, tt.in, got, tt.want)
			}
		})
	}
}

func TestQuantileCovers(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) time.Duration { return time.Duration(rapid.IntRange(-5, 50).Draw(t, "d")) }), 1, 200).Draw(t, "list")
		q := rapid.Float64Range(0.01, 1).Draw(t, "q")

		s := sample{slices.Clone(list)}
		got := s.quantile(q)

		below := 0
		for _, d := range list {
			if d <= got {
				below++
			}
		}
		if !slices.Contains(list, got) || float64(below) < q*float64(len(list))-1e-9 {
			t.Fatalf("quantile(%v) of %v = %d, which covers %d of %d", q, list, got, below, len(list))
		}
	})
}

func TestSampleString(t *testing.T) {
	t.Parallel()

	tests := []struct {
		name string
		in   []time.Duration
		want string
	}{
		{"nothing", nil, "–"},
		{"small", []time.Duration{1500 * time.Microsecond}, "1.50 / 1.50"},
		{"tens and hundreds", []time.Duration{12340 * time.Microsecond, 1234 * time.Millisecond}, "12.3 / 1234"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			s := sample{tt.in}
			if got := s.String(); got != tt.want {
				t.Errorf("String() of %v = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}
