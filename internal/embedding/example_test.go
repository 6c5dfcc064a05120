package embedding_test

import (
	"context"
	"fmt"
	"path/filepath"

	"quaestor/internal/embedding"
	"quaestor/internal/postgres/cluster"
)

func ExampleEncode() {
	lite := embedding.NewLite(filepath.Join(cluster.SharedDir(), "encoder"))
	vectors, err := embedding.Encode(context.Background(), lite, []string{
		"How many people work at your company?",
		"What is your number of employees?",
		"The parcel arrived late again.",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	same, _ := vectors[0].Similarity(vectors[1])
	other, _ := vectors[0].Similarity(vectors[2])
	fmt.Printf("%s: %.1f %.1f\n", vectors[0].Encoder, same, other)
	// Output: use-lite-1/512: 0.8 0.0
}
