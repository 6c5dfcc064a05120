package embedding

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// sentence has 20 pieces.
const sentence = "Our warehouse team counts the stock twice a week and reports the gaps to finance."

func BenchmarkEncodeSentence(b *testing.B) {
	l := lite(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := l.Encode(b.Context(), []string{sentence}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncodeLong(b *testing.B) {
	l := lite(b)
	long := strings.Repeat(sentence+" ", 5)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := l.Encode(b.Context(), []string{long}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncodeBatch32(b *testing.B) {
	l := lite(b)
	var texts []string
	for i := range 32 {
		texts = append(texts, fmt.Sprintf("%d: %s", i, sentence))
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := l.Encode(b.Context(), texts); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*len(texts))/b.Elapsed().Seconds(), "texts/s")
}

func BenchmarkTokens(b *testing.B) {
	l := lite(b)
	b.ReportAllocs()
	for b.Loop() {
		l.model.Load().tokenizer.tokens(sentence)
	}
}

func BenchmarkLoad(b *testing.B) {
	dir := weights(b)
	for b.Loop() {
		if _, err := loadModel(dir); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMatrix(b *testing.B) {
	m := &matrix{in: width, out: feedWidth, bias: make([]float32, feedWidth)}
	m.set(noise(width * feedWidth))
	for _, rows := range []int{1, 8, 18, 128} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			x, y := noise(rows*width), make([]float32, rows*feedWidth)
			for b.Loop() {
				m.times(y, x, rows)
			}
			b.ReportMetric(float64(b.N*rows*width*feedWidth)/b.Elapsed().Seconds()/1e9, "GMAC/s")
		})
	}
}

// noise returns n numbers in [-1, 1), the same every time.
func noise(n int) []float32 {
	random := rand.New(rand.NewPCG(uint64(n), 1))
	out := make([]float32, n)
	for i := range out {
		out[i] = random.Float32()*2 - 1
	}
	return out
}
