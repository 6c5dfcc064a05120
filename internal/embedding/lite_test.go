package embedding

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"quaestor/internal/fault"
)

// encoded returns the vectors of texts, in their order.
func encoded(t testing.TB, texts ...string) [][]float32 {
	t.Helper()
	vectors, err := lite(t).Encode(soon(t), texts)
	if err != nil {
		t.Fatalf("Encode: %v", err)
	}
	return vectors
}

// similar returns the cosine of two vectors of one encoder.
func similar(t testing.TB, v, w []float32) float64 {
	t.Helper()
	var dot float64
	for i := range v {
		dot += float64(v[i]) * float64(w[i])
	}
	scale := math.Sqrt(squares(v) * squares(w))
	if scale == 0 || len(v) != len(w) {
		t.Fatalf("vectors of %d and %d numbers, scale %v, have no cosine", len(v), len(w), scale)
	}
	return dot / scale
}

func TestLiteMakesTheOriginalsVectors(t *testing.T) {
	t.Parallel()

	for _, want := range readGolden(t).Vectors {
		got := encoded(t, want.Text)[0]
		if len(got) != liteDimension || lite(t).Name() != LiteName {
			t.Fatalf("Encode(%q) gave %d numbers of %q", want.Text, len(got), lite(t).Name())
		}
		for i, v := range got {
			if math.Abs(float64(v-want.Vector[i])) > 2e-6 {
				t.Fatalf("Encode(%q)[%d] = %v, want %v", want.Text, i, v, want.Vector[i])
			}
		}
	}
}

func TestLitePutsTheSameMeaningNear(t *testing.T) {
	t.Parallel()

	pairs := [][2]string{
		{"How many people work here?", "What is the number of employees?"},
		{"When does the contract end?", "On which date will the agreement expire?"},
		{"The budget is fifty thousand dollars.", "We can spend up to $50,000."},
		{"Customers complain about late deliveries.", "Clients are unhappy that parcels arrive too late."},
		{"We store the data in PostgreSQL.", "Our database is Postgres."},
	}
	var texts []string
	for _, p := range pairs {
		texts = append(texts, p[0], p[1])
	}
	vectors := encoded(t, texts...)
	for i := range pairs {
		near := similar(t, vectors[2*i], vectors[2*i+1])
		for j, text := range texts {
			if j/2 == i {
				continue
			}
			if far := similar(t, vectors[2*i], vectors[j]); far >= near {
				t.Errorf("%q is %.3f from %q and %.3f from %q", texts[2*i], near, texts[2*i+1], far, text)
			}
		}
	}
}

func TestLiteTakesAnyText(t *testing.T) {
	t.Parallel()

	vectors := encoded(t, "", " \n\t", "x", "🚀👩‍👩‍👧‍👦", "\xff\xfe", "\x00", strings.Repeat("long text ", 50_000), "日本語")

	for i, v := range vectors {
		if i < 2 {
			if v != nil {
				t.Errorf("blank text %d has a vector", i)
			}
			continue
		}
		if length := squares(v); math.Abs(length-1) > 1e-5 {
			t.Errorf("text %d has a vector of squared length %v, want 1", i, length)
		}
	}
	if got := encoded(t); len(got) != 0 {
		t.Errorf("no texts give %d vectors", len(got))
	}
}

func TestLiteReadsTheBeginningOfLongTexts(t *testing.T) {
	t.Parallel()

	words := strings.Repeat("the stock level is low ", 100)
	v := encoded(t, words, words+"and now something else entirely")
	if !slices.Equal(v[0], v[1]) {
		t.Error("what comes after 128 pieces changes the vector")
	}
}

// A text's vector is the same alone, in a batch and while others are encoded.
func TestLiteIsSafeAndRepeatable(t *testing.T) {
	t.Parallel()

	l := NewLite(weights(t)) // its own, to count its workspaces
	var texts []string
	for i := range 12 {
		texts = append(texts, strings.Repeat(fmt.Sprintf("order %d is late; ", i), 1+i%4))
	}
	var want [][]float32
	for _, text := range texts {
		want = append(want, encoded(t, text)[0])
	}
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			got, err := l.Encode(soon(t), texts)
			if err != nil {
				t.Errorf("Encode: %v", err)
				return
			}
			for i := range texts {
				if !slices.Equal(got[i], want[i]) {
					t.Errorf("text %d has another vector in a batch", i)
				}
			}
		})
	}
	all.Wait()
	if len(l.workspaces) != cap(l.workspaces) {
		t.Errorf("%d of %d workspaces came back", len(l.workspaces), cap(l.workspaces))
	}
}

func TestLiteStopsWhenTheContextEnds(t *testing.T) {
	t.Parallel()

	l := NewLite(weights(t))
	ended, end := context.WithCancel(t.Context())
	end()

	<-l.loading // somebody else is loading
	if _, err := l.Encode(ended, []string{"x"}); !errors.Is(err, context.Canceled) {
		t.Errorf("Encode while another loads = %v, want %v", err, context.Canceled)
	}
	l.loading <- struct{}{}
	if err := l.Load(soon(t)); err != nil {
		t.Fatalf("Load: %v", err)
	}
	for range cap(l.workspaces) {
		<-l.workspaces // every bench is taken
	}
	if _, err := l.Encode(ended, []string{"x", "y"}); !errors.Is(err, context.Canceled) {
		t.Errorf("Encode while all workspaces are taken = %v, want %v", err, context.Canceled)
	}
	if got := l.model.Load().encode(ended, newWorkspace(), []int32{7, 8}); got != nil {
		t.Errorf("the network goes on after the end: %v", got[:2])
	}
}

// furnished returns a folder with all the weights' files, linked.
func furnished(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range fileNames() {
		if err := os.Symlink(filepath.Join(weights(t), name), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// replace puts content in the place of a file.
func replace(t *testing.T, dir, name string, content []byte) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if content == nil {
		return
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestLiteRefusesOtherFiles(t *testing.T) {
	t.Parallel()

	shard, err := os.ReadFile(filepath.Join(weights(t), "group1-shard3of7"))
	if err != nil {
		t.Fatal(err)
	}
	flipped := slices.Clone(shard)
	flipped[1<<20] ^= 1
	for _, tt := range []struct {
		name, file string
		content    []byte // nil removes the file
		want       string
	}{
		{"no shard", "group1-shard3of7", nil, "group1-shard3of7 is missing); run make provision"},
		{"no vocabulary", "vocab.json", nil, "vocab.json is missing"},
		{"truncated shard", "group1-shard3of7", shard[:len(shard)/2], "group1-shard3of7 is damaged or of another version; run make provision"},
		{"a bit flipped", "group1-shard3of7", flipped, "group1-shard3of7 is damaged"},
		{"another shard", "group1-shard4of7", shard, "group1-shard4of7 is damaged"},
		{"empty", "model.json", []byte{}, "model.json is damaged"},
		{"foreign vocabulary", "vocab.json", []byte(`[["a",0]]`), "vocab.json is damaged"},
		{"too long", "vocab.json", make([]byte, maxFileBytes+2), "vocab.json is damaged"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			dir := furnished(t)
			replace(t, dir, tt.file, tt.content)

			for what, err := range map[string]error{"Check": Check(dir), "Load": NewLite(dir).Load(soon(t))} {
				if !fault.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), dir) {
					t.Errorf("%s = %v, want %q", what, err, tt.want)
				}
			}
		})
	}
}

func TestLiteNeedsAFolder(t *testing.T) {
	t.Parallel()

	if err := Check(""); !fault.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), "QUAESTOR_RUNTIME_DIR") {
		t.Errorf("Check without a folder = %v", err)
	}
	if err := Check(filepath.Join(t.TempDir(), "none")); !fault.Is(err, fault.Unavailable) {
		t.Errorf("Check of no folder = %v", err)
	}
	if err := Check(weights(t)); err != nil {
		t.Errorf("Check of the weights = %v", err)
	}
}

// A server that started before the weights came finds them later.
func TestLiteFindsWeightsThatComeLater(t *testing.T) {
	t.Parallel()

	dir := filepath.Join(t.TempDir(), "encoder")
	l := NewLite(dir)
	if _, err := l.Encode(soon(t), []string{"x"}); !fault.Is(err, fault.Unavailable) {
		t.Fatalf("Encode without weights = %v", err)
	}
	if err := os.Rename(furnished(t), dir); err != nil {
		t.Fatal(err)
	}
	got, err := l.Encode(soon(t), []string{"x"})
	if err != nil || len(got[0]) != l.Dimension() {
		t.Fatalf("Encode after the weights came = %v", err)
	}
}
