package listening

import (
	"context"
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
)

// QuestionKind is what somebody wants to know of an interviewer.
type QuestionKind uint8

// The kinds of questions. Their order is that of the classifier's outputs.
const (
	WhyAsked     QuestionKind = iota // what the question is for
	WhatMeant                        // what is meant by it
	WhichReading                     // which of two readings
	ForExamples                      // what others say
	OnceMore                         // to hear it again
	HowLong                          // how long it takes still
	WhatComes                        // what will be asked
	WhatNoted                        // what was noted so far
	WhoAsks                          // who or what the interviewer is
	ForHuman                         // to speak to a human
	WhoReads                         // who gets the answers, and what is kept of them
	WhatResults                      // what becomes of the answers
	WhatRules                        // what one may do here
	ToChoose                         // that the interviewer decides
	BeyondTalk                       // something of the world
	Social                           // nothing: a joke, a courtesy
	ToLookUp                         // to have it looked up
	questionKinds
)

var kindNames = []string{"why", "meaning", "which", "examples", "repeat", "progress", "agenda", "memory", "who", "human", "reader", "result", "rules", "choose", "beyond", "social", "lookup"}

// String returns the kind's name, such as "why".
func (k QuestionKind) String() string { return kindNames[k] }

// questionBuckets are the inputs of the classifier: parts of words, and pairs of words.
const questionBuckets = 1 << 13

//go:embed questionweights.bin
var questionWeights []byte

// questionMeanings is how many numbers the text encoder's vector of a question has.
const questionMeanings = 512

// questionModel is a linear classifier: a constant for each kind, and a weight for each kind of
// each input and of each number of the text encoder's vector, if there is one.
type questionModel struct {
	constant [questionKinds]float32
	weight   [][questionKinds]float32
	encoded  [questionKinds]float32 // added to the constants where there is a vector
	meaning  [][questionKinds]float32
}

var loadedQuestions = sync.OnceValue(func() *questionModel {
	m := &questionModel{weight: make([][questionKinds]float32, questionBuckets), meaning: make([][questionKinds]float32, questionMeanings)}
	rest := questionWeights
	for _, part := range []struct {
		constant *[questionKinds]float32
		weight   [][questionKinds]float32
	}{{&m.constant, m.weight}, {&m.encoded, m.meaning}} {
		if size := 4 + 4*int(questionKinds) + len(part.weight)*int(questionKinds); len(rest) < size {
			panic(fmt.Sprintf("question weights end after %d bytes, want %d more", len(questionWeights), size-len(rest)))
		}
		scale := math.Float32frombits(binary.LittleEndian.Uint32(rest))
		rest = rest[4:]
		for k := range part.constant {
			part.constant[k] = math.Float32frombits(binary.LittleEndian.Uint32(rest))
			rest = rest[4:]
		}
		for i := range part.weight {
			for k := range part.weight[i] {
				part.weight[i][k] = scale * float32(int8(rest[0]))
				rest = rest[1:]
			}
		}
	}
	return m
})

// QuestionInputs returns the inputs of the classifier for a question, each once.
func QuestionInputs(question string) []uint16 {
	var out []uint16
	before := "<"
	for _, t := range tokenize(spoken(question), nil) {
		for _, h := range t.hashes {
			out = append(out, h%questionBuckets)
		}
		out = append(out, bucket(before+" "+t.folded)%questionBuckets)
		before = t.folded
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// KindOfQuestion returns what a question wants to know, and how sure that is, from 0 to 1.
func (l *Listener) KindOfQuestion(ctx context.Context, question string) (QuestionKind, float64) {
	in := QuestionInputs(question)
	m := loadedQuestions()
	scores := m.constant
	norm := float32(1 / math.Sqrt(float64(max(len(in), 1))))
	for _, i := range in {
		for k, w := range m.weight[i] {
			scores[k] += norm * w
		}
	}
	if l.encoder != nil {
		m.addMeaning(&scores, l.vector(ctx, question))
	}
	best, sum := 0, 0.0
	for k := range scores {
		if scores[k] > scores[best] {
			best = k
		}
	}
	for k := range scores {
		sum += math.Exp(float64(scores[k] - scores[best]))
	}
	return QuestionKind(best), 1 / sum
}

// addMeaning adds to scores what a vector of a question, of length 1, says; nothing for none.
func (m *questionModel) addMeaning(scores *[questionKinds]float32, v []float32) {
	if len(v) != questionMeanings {
		return
	}
	for k := range scores {
		scores[k] += m.encoded[k]
	}
	for i, x := range v {
		for k, w := range m.meaning[i] {
			scores[k] += x * w
		}
	}
}

// ParseQuestions reads a file of questions/: a kind and a question a line.
func ParseQuestions(body string) (kinds []QuestionKind, questions []string, err error) {
	for n, line := range strings.Split(body, "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		name, question, ok := strings.Cut(line, ": ")
		k := slices.Index(kindNames, name)
		if !ok || k < 0 {
			return nil, nil, fmt.Errorf("line %d: want kind: question", n+1)
		}
		kinds, questions = append(kinds, QuestionKind(k)), append(questions, question)
	}
	return kinds, questions, nil
}
