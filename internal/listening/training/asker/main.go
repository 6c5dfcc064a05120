// Command asker writes what the asker and the model of fit are trained on: the dialogs with their fields, the
// messages with the words that tell each field, and the encoder's state of every word or the pieces it is cut into.
//
//	go run ./internal/listening/training/asker -encoder DIR -out DIR [-pieces]
package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"strings"

	"quaestor/internal/embedding"
	"quaestor/internal/listening"
)

// text is a text as the asker reads it. A token is its bytes from and to, its shape, its
// flags as bits, and its buckets.
type text struct {
	Tokens [][]any `json:"tok"`
	State  int     `json:"state"`            // row of states.bin where its words begin
	Pieces [][]int `json:"pieces,omitempty"` // of each window: of each piece its id and its words from and to
}

type field struct {
	Key      string   `json:"key"`
	Type     int      `json:"type"`
	Label    string   `json:"label"`
	Question string   `json:"question"`
	Options  []string `json:"options"`
	Name     text     `json:"name"` // label and question
}

type dialog struct {
	Name     string  `json:"name"`
	Language string  `json:"lang"`
	Answers  bool    `json:"answers"` // questions with what people answer, nothing else
	Fields   []field `json:"fields"`
}

// value is where a message tells a field.
type value struct {
	Field int `json:"field"`
	From  int `json:"from"`
	To    int `json:"to"`
}

type message struct {
	Dialog int     `json:"d"`
	Asked  int     `json:"asked"`
	Last   int     `json:"last"` // the field that was told last; -1 for none
	Open   []bool  `json:"open"` // by field: nothing is known of it yet
	Text   string  `json:"text"`
	In     text    `json:"in"`
	Values []value `json:"values"`
}

func main() {
	encoder := flag.String("encoder", "", "folder of the text encoder's weights")
	data := flag.String("data", "internal/listening", "folder of dialogs and answers")
	out := flag.String("out", "", "folder to write to")
	pieces := flag.Bool("pieces", false, "no states, but the pieces of what words mean in English, as adapter.py needs them")
	flag.Parse()
	files, err := filepath.Glob(filepath.Join(*data, "dialogs", "train-*", "*.txt"))
	if err != nil || len(files) == 0 {
		log.Fatal(len(files), " files: ", err)
	}
	answers, err := filepath.Glob(filepath.Join(*data, "answers", "train-*", "*.txt"))
	if err != nil {
		log.Fatal(err)
	}
	if err := write(append(files, answers...), &writer{lite: listening.Taught(embedding.NewLite(*encoder)), pieces: *pieces}, *out); err != nil {
		log.Fatal(err)
	}
}

// writer writes the three files.
type writer struct {
	lite                      *embedding.Lite
	pieces                    bool
	language                  string // of the file
	states, dialogs, messages *bufio.Writer
	rows, count               int
}

func write(files []string, w *writer, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, to := range map[string]**bufio.Writer{"states.bin": &w.states, "dialogs.jsonl": &w.dialogs, "messages.jsonl": &w.messages} {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }()
		*to = bufio.NewWriter(f)
	}
	for _, name := range files {
		if err := w.file(name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return errors.Join(w.states.Flush(), w.dialogs.Flush(), w.messages.Flush())
}

// file writes the dialogs of a file.
func (w *writer) file(name string) error {
	body, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	folder := filepath.Dir(name)
	head := dialog{Name: filepath.Base(name), Language: folder[strings.LastIndex(folder, "-")+1:]}
	w.language = head.Language
	if filepath.Base(filepath.Dir(folder)) != "answers" {
		d, err := listening.ParseDialog(string(body))
		if err != nil {
			return err
		}
		return w.dialog(head, d)
	}
	head.Answers = true
	list, err := listening.ParseAnswers(string(body))
	if err != nil {
		return err
	}
	for _, d := range list {
		if err := w.dialog(head, d); err != nil {
			return err
		}
	}
	return nil
}

// dialog writes a dialog and its messages.
func (w *writer) dialog(head dialog, d *listening.Dialog) error {
	for _, f := range d.Fields {
		read, err := w.text(f.Label + ". " + f.Question)
		if err != nil {
			return err
		}
		head.Fields = append(head.Fields, field{Key: f.Key, Type: int(f.Type), Label: f.Label, Question: f.Question, Options: f.Options, Name: read})
	}
	if err := json.NewEncoder(w.dialogs).Encode(head); err != nil {
		return err
	}
	for i := range d.Talks {
		if err := w.talk(w.count, d, &d.Talks[i]); err != nil {
			return err
		}
	}
	w.count++
	return nil
}

// talk writes the messages of a person in their order.
func (w *writer) talk(n int, d *listening.Dialog, t *listening.Talk) error {
	index, open := map[string]int{}, make([]bool, len(d.Fields))
	for i, f := range d.Fields {
		index[f.Key], open[i] = i, true
	}
	last := -1
	for _, s := range t.Said {
		in, err := w.text(s.Text)
		if err != nil {
			return err
		}
		m := message{Dialog: n, Asked: index[s.Key], Last: last, Open: append([]bool(nil), open...), Text: s.Text, In: in, Values: []value{}}
		for _, seg := range s.Segments {
			for _, v := range seg.Values {
				m.Values = append(m.Values, value{index[v.Key], v.From, v.To})
				last = index[v.Key]
				open[last] = false
			}
		}
		if err := json.NewEncoder(w.messages).Encode(m); err != nil {
			return err
		}
	}
	return nil
}

// text returns a text as it is read, and writes the states of its words: the upper halves
// of float32, rounded.
func (w *writer) text(s string) (text, error) {
	if w.pieces {
		return w.cut(s)
	}
	in, states, err := listening.Inputs(context.Background(), w.lite, w.language, s, "")
	if err != nil {
		return text{}, err
	}
	out := text{State: w.rows, Tokens: tokens(in)}
	for _, row := range states {
		for _, x := range row {
			b := math.Float32bits(x)
			_ = binary.Write(w.states, binary.LittleEndian, uint16((b+0x7fff+b>>16&1)>>16)) // Flush tells
		}
		w.rows++
	}
	return out, nil
}

// cut returns a text as it is read, with its pieces.
func (w *writer) cut(s string) (text, error) {
	in, _, err := listening.Inputs(context.Background(), nil, "", s, "")
	if err != nil {
		return text{}, err
	}
	windows, err := listening.Pieces(context.Background(), w.lite, w.language, s)
	return text{Tokens: tokens(in), Pieces: windows}, err
}

// tokens returns what is told of words.
func tokens(in []listening.Input) [][]any {
	var out [][]any
	for _, t := range in {
		bits := 0
		for k, f := range t.Flags {
			if f {
				bits |= 1 << k
			}
		}
		out = append(out, []any{t.From, t.To, t.Shape, bits, t.Hashes})
	}
	return out
}
