package listening

import (
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

// questionModel is a linear classifier: a weight of each input for each kind, and a
// constant for each kind, in eighths of the scale.
type questionModel struct {
	constant [questionKinds]float32
	weight   [][questionKinds]float32
}

var loadedQuestions = sync.OnceValue(func() *questionModel {
	m := &questionModel{weight: make([][questionKinds]float32, questionBuckets)}
	size := 4 + 4*int(questionKinds) + questionBuckets*int(questionKinds)
	if len(questionWeights) != size {
		panic(fmt.Sprintf("question weights have %d bytes, want %d", len(questionWeights), size))
	}
	scale := math.Float32frombits(binary.LittleEndian.Uint32(questionWeights))
	at := 4
	for k := range m.constant {
		m.constant[k] = math.Float32frombits(binary.LittleEndian.Uint32(questionWeights[at:]))
		at += 4
	}
	for i := range m.weight {
		for k := range m.weight[i] {
			m.weight[i][k] = scale * float32(int8(questionWeights[at]))
			at++
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
func KindOfQuestion(question string) (QuestionKind, float64) {
	in := QuestionInputs(question)
	m := loadedQuestions()
	scores := m.constant
	norm := float32(1 / math.Sqrt(float64(max(len(in), 1))))
	for _, i := range in {
		for k, w := range m.weight[i] {
			scores[k] += norm * w
		}
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
