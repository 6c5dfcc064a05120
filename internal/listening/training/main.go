// Command training writes what train.py learns from: the labelled messages of
// utterances/ and dialogs/, varied, as the inputs and outputs of the model.
//
//	go run ./internal/listening/training -encoder DIR -out DIR
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
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"quaestor/internal/embedding"
	"quaestor/internal/language"
	"quaestor/internal/listening"
)

func main() {
	encoder := flag.String("encoder", "", "folder of the text encoder's weights; empty leaves its inputs out")
	data := flag.String("data", "internal/listening", "folder that holds utterances/ and dialogs/")
	out := flag.String("out", "", "folder to write to")
	copies := flag.Int("copies", 4, "variants made of each training message")
	flag.Parse()
	if err := run(*encoder, *data, *out, *copies); err != nil {
		log.Fatal(err)
	}
}

// example is a message of one file, with what it was made from.
type example struct {
	text     string
	label    listening.Utterance
	language string
	held     bool
	varied   bool
	dialog   bool
}

func run(encoder, data, out string, copies int) error {
	examples, err := read(data)
	if err != nil {
		return err
	}
	var all []example
	v := newVariety(examples)
	for _, e := range examples {
		all = append(all, e)
		for range copies {
			if !e.held {
				all = append(all, v.vary(e))
			}
		}
	}
	fmt.Println(len(examples), "messages,", len(all), "with variants")
	var lite *embedding.Lite
	if encoder != "" {
		lite = listening.Taught(embedding.NewLite(encoder))
	}
	return write(out, all, lite)
}

// read returns the labelled messages of all files.
func read(data string) ([]example, error) {
	var out []example
	files, err := filepath.Glob(filepath.Join(data, "*", "*", "*.txt"))
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		body, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		folder := filepath.Base(filepath.Dir(name))
		e := example{language: folder[strings.LastIndex(folder, "-")+1:], held: strings.HasPrefix(folder, "heldout")}
		switch filepath.Base(filepath.Dir(filepath.Dir(name))) {
		case "utterances":
			texts, labels, err := listening.ParseUtterances(string(body))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			for i := range texts {
				saidPlainly(texts[i], &labels[i])
				e.text, e.label = texts[i], labels[i]
				out = append(out, e)
			}
		case "dialogs":
			d, err := listening.ParseDialog(string(body))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			e.dialog = true
			out = append(out, ofDialog(d, e)...)
		}
	}
	return out, nil
}

// ofDialog returns the messages of a dialog, each in answer to its own field.
func ofDialog(d *listening.Dialog, e example) []example {
	var out []example
	for _, t := range d.Talks {
		for _, s := range t.Said {
			f := d.Field(s.Key)
			e.text = s.Text
			e.label = listening.Utterance{Asked: f.Type, Question: f.Asked(), Segments: slices.Clone(s.Segments)}
			if s.ReadBack {
				e.label.Asked = listening.Confirmation
			}
			for i := range e.label.Segments {
				seg := &e.label.Segments[i]
				seg.Values = slices.Clone(seg.Values)
				for k := range seg.Values {
					if seg.Values[k].Type == listening.List {
						seg.Values[k].Type = listening.Product
					}
				}
			}
			out = append(out, e)
		}
	}
	return out
}

// variety makes variants of messages.
type variety struct {
	random *rand.Rand
	values map[string][]string              // by language and type
	asked  map[string][]listening.Utterance // questions, by language
	beside map[string][]example             // short messages that answer nothing, by language
}

func newVariety(examples []example) *variety {
	v := &variety{random: rand.New(rand.NewPCG(1, 2)), values: make(map[string][]string), asked: make(map[string][]listening.Utterance), beside: make(map[string][]example)}
	for _, e := range examples {
		if e.held {
			continue
		}
		v.asked[e.language] = append(v.asked[e.language], e.label)
		if beside(&e.label) && len(e.text) <= longestBeside {
			v.beside[e.language] = append(v.beside[e.language], e)
		}
		for _, s := range e.label.Segments {
			for _, span := range s.Values {
				if swappable[span.Type] {
					key := e.language + span.Type.String()
					v.values[key] = append(v.values[key], e.text[span.From:span.To])
				}
			}
		}
	}
	return v
}

// swappable are the types whose values may stand for one another.
var swappable = map[listening.Type]bool{listening.Person: true, listening.Organisation: true, listening.Place: true, listening.Time: true, listening.Date: true, listening.Duration: true, listening.Amount: true, listening.Count: true, listening.Measure: true, listening.Percentage: true, listening.Email: true, listening.Phone: true, listening.URL: true, listening.Address: true, listening.Identifier: true}

// vary returns e with other values, another question, faults of typing, or a few of
// these.
func (v *variety) vary(e example) example {
	e.varied = true
	var change []func(string) string
	if v.random.Float64() < 0.3 {
		change = append(change, strings.ToLower)
	}
	if v.random.Float64() < 0.25 {
		change = append(change, func(s string) string {
			return strings.NewReplacer(",", "", ".", "", "!", "", "?", "", ";", "", "'", "").Replace(s)
		})
	}
	if v.random.Float64() < 0.25 {
		change = append(change, v.mistype)
	}
	swap := v.random.Float64() < 0.5
	outside := func(s string) string {
		for _, c := range change {
			s = c(s)
		}
		return s
	}
	inside := func(span listening.Span, s string) string {
		if swap && swappable[span.Type] {
			list := v.values[e.language+span.Type.String()]
			s = list[v.random.IntN(len(list))]
		}
		if t := s; len(change) > 0 {
			for _, c := range change {
				t = c(t)
			}
			if strings.TrimSpace(t) != "" && span.Type != listening.Email && span.Type != listening.URL && !strings.ContainsAny(s, "0123456789") {
				s = t
			}
		}
		return s
	}
	e.text, e.label.Segments = rebuild(e.text, e.label.Segments, outside, inside)
	switch {
	case beside(&e.label) && v.random.Float64() < 0.5:
		q := v.asked[e.language][v.random.IntN(len(v.asked[e.language]))]
		if q.Asked != listening.Confirmation && e.label.Asked != listening.Confirmation {
			e.label.Asked, e.label.Question = q.Asked, q.Question
		}
	case v.random.Float64() < 0.12:
		e.label = v.elsewhere(e)
	}
	if v.random.Float64() < 0.15 {
		e = v.with(e)
	}
	return e
}

// longestBeside bounds, in bytes, what is put beside other messages.
const longestBeside = 120

// beside reports whether a message answers nothing, whatever was asked.
func beside(u *listening.Utterance) bool {
	for _, s := range u.Segments {
		switch s.Act {
		case listening.Question, listening.Delegate, listening.Skip, listening.Later, listening.Topic, listening.Repeat, listening.Examples, listening.Shorter, listening.Stop, listening.Human, listening.LookUp,
			listening.Feeling, listening.Complaint, listening.SmallTalk, listening.Unknown:
		case listening.Answer, listening.Fact, listening.Correction, listening.Confirm, listening.Deny, listening.NoPreference, listening.Gibberish:
			return false
		}
		if len(s.Values) > 0 {
			return false
		}
	}
	return u.Asked != listening.Confirmation
}

// with returns e with a message that answers nothing before or behind it.
func (v *variety) with(e example) example {
	list := v.beside[e.language]
	if len(list) == 0 || len(e.text) > 2*longestBeside {
		return e
	}
	o := list[v.random.IntN(len(list))]
	first, second := &o, &e
	if v.random.Float64() < 0.35 {
		first, second = &e, &o
	}
	text := first.text
	if end := text[len(text)-1]; second.text != "" && !strings.ContainsRune(".!?", rune(end)) && v.random.Float64() < 0.5 {
		text += ","
	}
	text += " "
	segments := slices.Clone(first.label.Segments)
	for _, s := range second.label.Segments {
		s.From, s.To = s.From+len(text), s.To+len(text)
		s.Values = slices.Clone(s.Values)
		for i := range s.Values {
			s.Values[i].From, s.Values[i].To = s.Values[i].From+len(text), s.Values[i].To+len(text)
		}
		segments = append(segments, s)
	}
	e.text, e.label.Segments = text+second.text, segments
	return e
}

// rebuild returns the message with its words between and in values changed.
func rebuild(text string, segments []listening.Segment, outside func(string) string, inside func(listening.Span, string) string) (string, []listening.Segment) {
	var b strings.Builder
	var out []listening.Segment
	for _, s := range segments {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		n := listening.Segment{Act: s.Act, From: b.Len()}
		at := s.From
		for _, span := range s.Values {
			b.WriteString(outside(text[at:span.From]))
			m := span
			m.From = b.Len()
			b.WriteString(inside(span, text[span.From:span.To]))
			m.To = b.Len()
			at = span.To
			n.Values = append(n.Values, m)
		}
		b.WriteString(outside(text[at:s.To]))
		n.To = b.Len()
		out = append(out, n)
	}
	return b.String(), out
}

// mistype puts a fault of typing into some of the words.
func (v *variety) mistype(s string) string {
	runes := []rune(s)
	for i := 1; i+2 < len(runes); i++ {
		if v.random.Float64() > 0.015 || !letter(runes[i]) || !letter(runes[i+1]) || !letter(runes[i-1]) {
			continue
		}
		switch v.random.IntN(3) {
		case 0:
			runes[i], runes[i+1] = runes[i+1], runes[i]
		case 1:
			runes = slices.Delete(runes, i, i+1)
		default:
			runes = slices.Insert(runes, i, runes[i])
		}
	}
	return string(runes)
}

func letter(r rune) bool { return r >= 'a' && r <= 'z' }

// plain are the types whose questions no answer of another of them answers.
var plain = map[listening.Type]bool{listening.Person: true, listening.Place: true, listening.Time: true, listening.Date: true, listening.Duration: true, listening.Amount: true, listening.Percentage: true, listening.Email: true, listening.Phone: true, listening.URL: true, listening.Identifier: true, listening.Measure: true}

// elsewhere returns e's labels as they are when a question was asked that e does not
// answer: what answered tells something that was not asked.
func (v *variety) elsewhere(e example) listening.Utterance {
	others := v.asked[e.language]
	q := others[v.random.IntN(len(others))]
	if !plain[e.label.Asked] || !plain[q.Asked] || q.Asked == e.label.Asked {
		return e.label
	}
	out := listening.Utterance{Asked: q.Asked, Question: q.Question}
	for _, s := range e.label.Segments {
		values := slices.Clone(s.Values)
		for i := range values {
			if values[i].Type == q.Asked {
				return e.label
			}
			values[i].Answers = false
		}
		if s.Act == listening.Answer {
			s.Act = listening.Fact
		}
		s.Values = values
		out.Segments = append(out.Segments, s)
	}
	return out
}

// Messages are written as fixed records; see train.py.
func write(dir string, all []example, lite *embedding.Lite) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	inputs, states, err := inputsOf(all, lite)
	if err != nil {
		return err
	}
	if err := writeWords(dir, all, inputs, states); err != nil {
		return err
	}
	questions, index := []asked{}, map[asked]int{}
	metas := make([]meta, len(all))
	for i, e := range all {
		q := asked{e.language, e.label.Question}
		if _, ok := index[q]; !ok {
			index[q] = len(questions)
			questions = append(questions, q)
		}
		metas[i] = meta{Question: index[q], Asked: int(e.label.Asked), Words: len(inputs[i]), Language: e.language, Held: e.held, Varied: e.varied, Dialog: e.dialog, Text: e.text}
	}
	read, err := questionInputs(questions, lite)
	if err != nil {
		return err
	}
	for name, v := range map[string]any{"messages.json": metas, "questions.json": read} {
		raw, err := json.Marshal(v)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), raw, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// asked is a question in a language.
type asked struct{ language, text string }

// meta is what train.py is told of a message.
type meta struct {
	Question int    `json:"q"`
	Asked    int    `json:"asked"`
	Words    int    `json:"n"`
	Language string `json:"lang"`
	Held     bool   `json:"held"`
	Varied   bool   `json:"varied"`
	Dialog   bool   `json:"dialog"`
	Text     string `json:"text"`
}

// inputsOf works out the inputs of all messages, two at a time.
func inputsOf(all []example, lite *embedding.Lite) ([][]listening.Input, [][][]float32, error) {
	inputs := make([][]listening.Input, len(all))
	states := make([][][]float32, len(all))
	work := make(chan int)
	var wait sync.WaitGroup
	errs := make([]error, len(all))
	for range 2 {
		wait.Go(func() {
			for i := range work {
				inputs[i], states[i], errs[i] = listening.Inputs(context.Background(), lite, all[i].language, all[i].text, all[i].label.Question)
			}
		})
	}
	for i := range all {
		work <- i
	}
	close(work)
	wait.Wait()
	return inputs, states, errors.Join(errs...)
}

// writeWords writes the records of all words, and their states.
func writeWords(dir string, all []example, inputs [][]listening.Input, states [][][]float32) error {
	records, err := os.Create(filepath.Join(dir, "words.bin"))
	if err != nil {
		return err
	}
	rows, err := os.Create(filepath.Join(dir, "states.bin"))
	if err != nil {
		return err
	}
	w, s := bufio.NewWriter(records), bufio.NewWriter(rows)
	for i, e := range all {
		for k, in := range inputs[i] {
			put(w, in, labelsAt(e.label.Segments, in.From, in.To))
			if states[i] != nil {
				half(s, states[i][k])
			}
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return s.Flush()
}

// questionInputs returns what train.py is told of the questions.
func questionInputs(questions []asked, lite *embedding.Lite) ([]any, error) {
	var out []any
	for _, q := range questions {
		in, st, err := listening.Inputs(context.Background(), lite, q.language, q.text, "")
		if err != nil {
			return nil, err
		}
		var h []uint16
		for _, x := range in {
			h = append(h, x.Hashes...)
		}
		var mean []float32
		if lite != nil {
			mean = listening.Mean(st)
		}
		out = append(out, map[string]any{"hashes": h, "state": mean})
	}
	return out, nil
}

// labels are the outputs for one word.
type labels struct {
	act, begins, tag, star uint16
	polarity               uint16 // of a yes or no: 1 no, 2 yes, 0 unknown
}

// labelsAt returns the outputs for the word from byte from to to.
func labelsAt(segments []listening.Segment, from, to int) labels {
	for _, s := range segments {
		if to <= s.From || from >= s.To {
			continue
		}
		l := labels{act: uint16(s.Act)}
		if from <= s.From {
			l.begins = 1
		}
		for _, span := range s.Values {
			if to <= span.From || from >= span.To {
				continue
			}
			l.tag = 2*uint16(span.Type) + 1
			if from <= span.From {
				l.tag--
			}
			if span.Answers {
				l.star = 1
			}
			if span.Type == listening.YesNo {
				l.polarity = polarity(span.Value)
			}
		}
		return l
	}
	return labels{act: uint16(listening.SmallTalk)}
}

// polarity returns the output for a yes or a no.
func polarity(value string) uint16 { return map[string]uint16{"no": 1, "yes": 2}[value] }

// saidPlainly marks as yes or no what is said with a word that means it.
func saidPlainly(text string, u *listening.Utterance) {
	for i := range u.Segments {
		for k := range u.Segments[i].Values {
			span := &u.Segments[i].Values[k]
			if span.Type != listening.YesNo || span.Value != "" {
				continue
			}
			for _, w := range language.Words(text[span.From:span.To]) {
				for _, l := range language.All() {
					switch f := language.Fold(w.Text); {
					case l.Has("no", f):
						span.Value = "no"
					case l.Has("yes", f) && span.Value == "":
						span.Value = "yes"
					}
				}
			}
		}
	}
}

// put writes a record of 32 numbers of two bytes: 24 buckets, those beyond the last as
// 65535, the shape, the flags in two, and the labels.
func put(w *bufio.Writer, in listening.Input, l labels) {
	var record [32]uint16
	for i := range 24 {
		record[i] = math.MaxUint16
		if i < len(in.Hashes) {
			record[i] = in.Hashes[i]
		}
	}
	record[24] = uint16(in.Shape)
	for i, f := range in.Flags {
		if f {
			record[25+i/16] |= 1 << (i % 16)
		}
	}
	record[27], record[28], record[29], record[30], record[31] = l.act, l.begins, l.tag, l.star, l.polarity
	_ = binary.Write(w, binary.LittleEndian, record) // Flush tells
}

// half writes v as numbers of two bytes: the upper half of a float32, rounded.
func half(w *bufio.Writer, v []float32) {
	for _, x := range v {
		b := math.Float32bits(x)
		_ = binary.Write(w, binary.LittleEndian, uint16((b+0x7fff+b>>16&1)>>16)) // Flush tells
	}
}
