// Command choices writes, for each choice that somebody makes in the dialogs, the features
// of the options and which is meant, for choices.py to fit the weights on.
//
//	go run ./internal/listening/training/choices -encoder DIR > choices.json
package main

import (
	"bufio"
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

// choice is a choice that is made, with the options there are.
type choice struct {
	Held     bool                       `json:"held"`
	Language string                     `json:"lang"`
	File     string                     `json:"file"`
	Meant    int                        `json:"meant"`
	X        []listening.ChoiceFeatures `json:"x"`
	Said     text                       `json:"said"`
	Near     text                       `json:"near"`
	Options  []text                     `json:"options"`
}

// text is a text as the encoder reads it, for adapter.py; see [listening.Pieces].
type text [][]int

func read(lite *embedding.Lite, tag, s string) text {
	if lite == nil {
		return nil
	}
	out, err := listening.Pieces(context.Background(), lite, tag, s)
	if err != nil {
		log.Fatal(err)
	}
	return out
}

func main() {
	encoder := flag.String("encoder", "", "folder of the text encoder's weights")
	pieces := flag.Bool("pieces", false, "leave the features of meaning out, which adapter.py does not need")
	data := flag.String("data", "internal/listening/dialogs", "folder of dialogs")
	flag.Parse()
	files, err := filepath.Glob(filepath.Join(*data, "*", "*.txt"))
	if err != nil || len(files) == 0 {
		log.Fatal(len(files), " files: ", err)
	}
	var lite *embedding.Lite
	if *encoder != "" {
		lite = embedding.NewLite(*encoder)
	}
	l := listening.New(lite)
	if *pieces {
		l = listening.New(nil)
	}
	w := bufio.NewWriter(os.Stdout)
	out := json.NewEncoder(w)
	for _, name := range files {
		body, err := os.ReadFile(name)
		if err != nil {
			log.Fatal(err)
		}
		d, err := listening.ParseDialog(string(body))
		if err != nil {
			log.Fatal(name, ": ", err)
		}
		folder := filepath.Base(filepath.Dir(name))
		c := choice{Held: strings.HasPrefix(folder, "heldout"), Language: folder[strings.LastIndex(folder, "-")+1:], File: filepath.Base(name)}
		for i := range d.Talks {
			for k := range d.Talks[i].Said {
				for _, c := range choices(l, lite, d, &d.Talks[i].Said[k], c) {
					if err := out.Encode(c); err != nil {
						log.Fatal(err)
					}
				}
			}
		}
	}
	if err := w.Flush(); err != nil {
		log.Fatal(err)
	}
}

// choices returns the choices that a message makes, each in its segment, or alone where a
// segment makes several.
func choices(l *listening.Listener, lite *embedding.Lite, d *listening.Dialog, s *listening.Said, c choice) []choice {
	var out []choice
	for _, seg := range s.Segments {
		count := map[string]int{}
		for _, v := range seg.Values {
			count[v.Key]++
		}
		for _, v := range seg.Values {
			f := d.Field(v.Key)
			words := s.Text[v.From:v.To]
			near, value := s.Text[seg.From:seg.To], v.Value
			if count[v.Key] > 1 {
				near = words
			}
			if value == "" {
				value = words
			}
			options := make([][]string, len(f.Options))
			c.Meant = -1
			for i, o := range f.Options {
				options[i] = []string{o}
				if strings.EqualFold(o, value) {
					c.Meant = i
				}
			}
			if c.Meant < 0 || f.Type != listening.Choice {
				continue
			}
			c.Said, c.Near, c.Options = read(lite, c.Language, words), read(lite, c.Language, near), make([]text, len(f.Options))
			for i, o := range f.Options {
				c.Options[i] = read(lite, c.Language, o)
			}
			c.X = l.Choices(context.Background(), words, near, options, c.Language)
			out = append(out, c)
		}
	}
	return out
}
