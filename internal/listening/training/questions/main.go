// Command questions writes the labelled questions with the inputs of their classifier,
// for questions.py to fit the weights on.
//
//	go run ./internal/listening/training/questions > questions.json
package main

import (
	"encoding/json"
	"flag"
	"log"
	"os"
	"path/filepath"
	"strings"

	"quaestor/internal/listening"
)

// example is a question.
type example struct {
	Held     bool     `json:"held"`
	Language string   `json:"lang"`
	Kind     int      `json:"kind"`
	Inputs   []uint16 `json:"x"`
	Text     string   `json:"text"`
}

func main() {
	data := flag.String("data", "internal/listening/questions", "folder of questions")
	flag.Parse()
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
		base := strings.Split(strings.TrimSuffix(filepath.Base(name), ".txt"), "-")
		for i, q := range questions {
			if err := out.Encode(example{base[0] == "heldout", base[1], int(kinds[i]), listening.QuestionInputs(q), q}); err != nil {
				log.Fatal(err)
			}
		}
	}
}
