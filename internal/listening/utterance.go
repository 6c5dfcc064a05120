package listening

import (
	"fmt"
	"regexp"
	"strings"
)

// Utterance is a labelled message: what utterances/ and dialogs/ hold.
type Utterance struct {
	Asked    Type
	Question string // the words of the question
	Segments []Segment
}

// Segment is a stretch of a message that does one thing. In labelled messages From and
// To count bytes of the message.
type Segment struct {
	Act      Act
	From, To int
	Values   []Span
	Sure     float64 // that the act is right, 0 to 1
}

// Span is a value in a message.
type Span struct {
	Type     Type
	From, To int
	Answers  bool    // it is what was asked
	Key      string  // the field it is of, in dialogs
	Value    string  // the value where it is not just the words, in dialogs
	Star     float64 // that it is what was asked, 0 to 1
	Sure     float64 // that it is one, 0 to 1
	Yes      float64 // of a yes or a no: that it is a yes, 0 to 1
}

var (
	typedMark = regexp.MustCompile(`\[(\*?)([a-z]+) ([^\[\]]+)\]`)
	fieldMark = regexp.MustCompile(`\[([a-z][a-z0-9_]*)(?:=([^|\[\]]*))?\|([^\[\]|]+)\]`)
)

// ParseUtterances reads a file of labelled messages, and returns its messages without
// marks beside their labels.
func ParseUtterances(body string) (texts []string, labels []Utterance, err error) {
	var u Utterance
	for n, line := range strings.Split(body, "\n") {
		kind, rest, _ := strings.Cut(line, " ")
		switch kind {
		case "Q":
			name, question, _ := strings.Cut(rest, " ")
			asked, ok := TypeNamed(name)
			if !ok {
				return nil, nil, fmt.Errorf("line %d: unknown type %q", n+1, name)
			}
			u = Utterance{Asked: asked, Question: question}
		case "A":
			text, segments, err := parseMessage(rest, typedSpan)
			if err != nil {
				return nil, nil, fmt.Errorf("line %d: %w", n+1, err)
			}
			texts = append(texts, text)
			labels = append(labels, Utterance{Asked: u.Asked, Question: u.Question, Segments: segments})
		}
	}
	return texts, labels, nil
}

// typedSpan finds the next mark of s as utterances write it.
func typedSpan(s string) (before, words, after string, span Span, ok bool, err error) {
	m := typedMark.FindStringSubmatchIndex(s)
	if m == nil {
		return s, "", "", Span{}, false, nil
	}
	t, known := TypeNamed(s[m[4]:m[5]])
	if !known {
		return "", "", "", Span{}, false, fmt.Errorf("unknown type %q", s[m[4]:m[5]])
	}
	return s[:m[0]], s[m[6]:m[7]], s[m[1]:], Span{Type: t, Answers: m[2] < m[3]}, true, nil
}

// parseMessage reads segments as they stand after "A".
func parseMessage(line string, next func(string) (string, string, string, Span, bool, error)) (string, []Segment, error) {
	var text strings.Builder
	var out []Segment
	for part := range strings.SplitSeq(line, " || ") {
		name, words, _ := strings.Cut(part, ": ")
		act, ok := ActNamed(name)
		if !ok {
			return "", nil, fmt.Errorf("unknown act %q", name)
		}
		if text.Len() > 0 {
			text.WriteByte(' ')
		}
		seg := Segment{Act: act, From: text.Len()}
		for {
			before, value, after, span, more, err := next(words)
			if err != nil {
				return "", nil, err
			}
			text.WriteString(before)
			if !more {
				break
			}
			span.From = text.Len()
			text.WriteString(value)
			span.To = text.Len()
			seg.Values = append(seg.Values, span)
			words = after
		}
		seg.To = text.Len()
		out = append(out, seg)
	}
	return text.String(), out, nil
}
