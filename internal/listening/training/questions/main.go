// Command questions writes the labelled questions with the inputs of their classifier,
// for questions.py to fit the weights on.
//
//	go run ./internal/listening/training/questions > questions.json
package main

import (
	"context"
	"encoding/json"
	"flag"
	"log"
	"os"
	"path/filepath"
	"strings"

	"quaestor/internal/embedding"
	"quaestor/internal/listening"
)

// example is a question.
type example struct {
	Held     bool      `json:"held"`
	Language string    `json:"lang"`
	Kind     int       `json:"kind"`
	Inputs   []uint16  `json:"x"`
	Meaning  []float32 `json:"v,omitempty"`
	Text     string    `json:"text"`
}

func main() {
	data := flag.String("data", "internal/listening/questions", "folder of questions")
	encoder := flag.String("encoder", "", "folder of the text encoder; empty does without")
	flag.Parse()
	var lite *embedding.Lite
	if *encoder != "" {
		lite = embedding.NewLite(*encoder)
	}
	files, err := filepath.Glob(filepath.Join(*data, "*.txt"))
	if err != nil || len(files) == 0 {
		log.Fatal(len(files), " files: ", err)
	}
	out := json.NewEncoder(os.Stdout)
	for _, name := range files {
		body, err := os.ReadFile(name)
		if err != nil {
			log.Fatal(err)
		}
		kinds, questions, err := listening.ParseQuestions(string(body))
		if err != nil {
			log.Fatal(name, ": ", err)
		}
		var vectors [][]float32
		if lite != nil {
			if vectors, err = lite.Encode(context.Background(), questions); err != nil {
				log.Fatal(err)
			}
		}
		base := strings.Split(strings.TrimSuffix(filepath.Base(name), ".txt"), "-")
		for i, q := range questions {
			e := example{Held: base[0] == "heldout", Language: base[1], Kind: int(kinds[i]), Inputs: listening.QuestionInputs(q), Text: q}
			if vectors != nil {
				e.Meaning = vectors[i]
			}
			if err := out.Encode(e); err != nil {
				log.Fatal(err)
			}
		}
	}
}
