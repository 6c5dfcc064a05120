package embedding_test

import (
	"context"
	"fmt"
	"path/filepath"

	"quaestor/internal/embedding"
	"quaestor/internal/postgres/cluster"
)

func ExampleLite() {
	lite := embedding.NewLite(filepath.Join(cluster.SharedDir(), "encoder"))
	vectors, err := lite.Encode(context.Background(), []string{
		"How many people work at your company?",
		"What is your number of employees?",
		"The parcel arrived late again.",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	cosine := func(v, w []float32) (sum float64) { // of vectors of length 1
		for i := range v {
			sum += float64(v[i]) * float64(w[i])
		}
		return sum
	}
	fmt.Printf("%s: %.1f %.1f\n", lite.Name(), cosine(vectors[0], vectors[1]), cosine(vectors[0], vectors[2]))
	// Output: use-lite-1/512: 0.8 0.0
}
