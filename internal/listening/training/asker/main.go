// Command asker writes what the asker is trained on: the dialogs with their fields, the
// messages with the words that tell each field, and the encoder's state of every word.
//
//	go run ./internal/listening/training/asker -encoder DIR -out DIR
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
	State  int     `json:"state"` // row of states.bin where its words begin
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
	data := flag.String("data", "internal/listening/dialogs", "folder of dialogs")
	out := flag.String("out", "", "folder to write to")
	flag.Parse()
	files, err := filepath.Glob(filepath.Join(*data, "train-*", "*.txt"))
	if err != nil || len(files) == 0 {
		log.Fatal(len(files), " files: ", err)
	}
	if err := write(files, embedding.NewLite(*encoder), *out); err != nil {
		log.Fatal(err)
	}
}

// writer writes the three files.
type writer struct {
	lite                      *embedding.Lite
	states, dialogs, messages *bufio.Writer
	rows                      int
}

func write(files []string, lite *embedding.Lite, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	w := &writer{lite: lite}
	for name, to := range map[string]**bufio.Writer{"states.bin": &w.states, "dialogs.jsonl": &w.dialogs, "messages.jsonl": &w.messages} {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }()
		*to = bufio.NewWriter(f)
	}
	for n, name := range files {
		if err := w.dialog(n, name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return errors.Join(w.states.Flush(), w.dialogs.Flush(), w.messages.Flush())
}

// dialog writes the nth dialog and its messages.
func (w *writer) dialog(n int, name string) error {
	body, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	d, err := listening.ParseDialog(string(body))
	if err != nil {
		return err
	}
	folder := filepath.Base(filepath.Dir(name))
	head := dialog{Name: filepath.Base(name), Language: folder[strings.LastIndex(folder, "-")+1:]}
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
		if err := w.talk(n, d, &d.Talks[i]); err != nil {
			return err
		}
	}
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
	in, states, err := listening.Inputs(context.Background(), w.lite, s, "")
	if err != nil {
		return text{}, err
	}
	out := text{State: w.rows}
	for i, t := range in {
		bits := 0
		for k, f := range t.Flags {
			if f {
				bits |= 1 << k
			}
		}
		out.Tokens = append(out.Tokens, []any{t.From, t.To, t.Shape, bits, t.Hashes})
		for _, x := range states[i] {
			b := math.Float32bits(x)
			_ = binary.Write(w.states, binary.LittleEndian, uint16((b+0x7fff+b>>16&1)>>16)) // Flush tells
		}
		w.rows++
	}
	return out, nil
}
