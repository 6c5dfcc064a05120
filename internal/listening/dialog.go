package listening

import (
	"fmt"
	"strings"
)

// Dialog is a labelled conversation about an objective: what is to be known, and what
// several people say when they are asked for it.
type Dialog struct {
	Objective string
	Fields    []DialogField
	Talks     []Talk
}

// DialogField is something that is to be known.
type DialogField struct {
	Key      string
	Type     Type
	Many     bool // of a choice: several may hold
	Options  []string
	Question string
	Label    string // may be empty
	Unit     string // of a measure or a duration, where the objective asks for one
}

// Talk is one person's side of the conversation.
type Talk struct {
	Person string
	Said   []Said
}

// Said is a message that is said when a field is asked for, or read back.
type Said struct {
	Key      string
	ReadBack bool
	Text     string
	Segments []Segment
}

// Field returns the field of that key, or nil.
func (d *Dialog) Field(key string) *DialogField {
	for i := range d.Fields {
		if d.Fields[i].Key == key {
			return &d.Fields[i]
		}
	}
	return nil
}

// ParseDialog reads a file of dialogs/.
func ParseDialog(body string) (*Dialog, error) {
	d := new(Dialog)
	var asked Said
	for n, line := range strings.Split(body, "\n") {
		kind, rest, _ := strings.Cut(line, " ")
		var err error
		switch {
		case kind == "F":
			err = d.addField(rest)
		case kind == "T":
			d.Talks = append(d.Talks, Talk{Person: rest})
		case kind == "Q":
			key, readBack := strings.CutPrefix(rest, "confirm ")
			asked = Said{Key: key, ReadBack: readBack}
		case kind == "A" && len(d.Talks) > 0:
			said := asked
			said.Text, said.Segments, err = parseMessage(rest, d.fieldSpan(asked))
			talk := &d.Talks[len(d.Talks)-1]
			talk.Said = append(talk.Said, said)
		case strings.HasPrefix(line, "# objective: "):
			d.Objective = strings.TrimPrefix(line, "# objective: ")
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
	}
	return d, nil
}

func (d *Dialog) addField(rest string) error {
	parts := strings.Split(rest, " | ")
	if len(parts) < 3 {
		return fmt.Errorf("a field is key | type | question")
	}
	name, options, _ := strings.Cut(strings.TrimSpace(parts[1]), "(")
	f := DialogField{Key: strings.TrimSpace(parts[0]), Many: name == "multi", Question: strings.TrimSpace(parts[2])}
	if f.Many {
		name = "choice"
	}
	for o := range strings.SplitSeq(strings.TrimSuffix(options, ")"), ";") {
		if o = strings.TrimSpace(o); o != "" {
			f.Options = append(f.Options, o)
		}
	}
	var ok bool
	if f.Type, ok = TypeNamed(name); !ok {
		return fmt.Errorf("unknown type %q", name)
	}
	if len(parts) > 3 {
		f.Label = strings.TrimSpace(parts[3])
	}
	d.Fields = append(d.Fields, f)
	return nil
}

// fieldSpan returns a finder of marks as dialogs write them.
func (d *Dialog) fieldSpan(asked Said) func(string) (string, string, string, Span, bool, error) {
	return func(s string) (before, words, after string, span Span, ok bool, err error) {
		m := fieldMark.FindStringSubmatchIndex(s)
		if m == nil {
			return s, "", "", Span{}, false, nil
		}
		f := d.Field(s[m[2]:m[3]])
		if f == nil {
			return "", "", "", Span{}, false, fmt.Errorf("unknown field %q", s[m[2]:m[3]])
		}
		span = Span{Type: f.Type, Key: f.Key, Answers: f.Key == asked.Key}
		if m[4] >= 0 {
			span.Value = s[m[4]:m[5]]
		}
		return s[:m[0]], s[m[6]:m[7]], s[m[1]:], span, true, nil
	}
}

// Asked returns how the field's question stands as the model's input: with its options.
func (f *DialogField) Asked() string {
	if len(f.Options) == 0 {
		return f.Question
	}
	return f.Question + " " + strings.Join(f.Options, ", ") + "?"
}

// ParseAnswers reads a file of answers/: objectives with their questions, and under each
// question what different people answer. The first answers are one person's, the second
// ones another's.
func ParseAnswers(body string) ([]*Dialog, error) {
	var out []*Dialog
	var d *Dialog
	person := 0
	for n, line := range strings.Split(body, "\n") {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		var err error
		switch {
		case kind == "#":
			d = &Dialog{Objective: rest}
			out = append(out, d)
		case d == nil:
		case kind == "Q":
			person, err = 0, d.addAsked(rest)
		case kind == "-" && len(d.Fields) > 0:
			err = d.addAnswer(person, rest)
			person++
		case kind != "":
			err = fmt.Errorf("a line begins with #, Q or -")
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
	}
	return out, nil
}

// addAsked adds "type | question | label: option; option".
func (d *Dialog) addAsked(rest string) error {
	parts := strings.Split(rest, "|")
	if len(parts) < 3 {
		return fmt.Errorf("a question is type | question | label")
	}
	label, options, _ := strings.Cut(parts[2], ":")
	kind := strings.TrimSpace(parts[0])
	if kind == "choice" {
		kind += "(" + options + ")"
	}
	return d.addField(fmt.Sprintf("q%d | %s | %s | %s", len(d.Fields)+1, kind, strings.TrimSpace(parts[1]), label))
}

// addAnswer adds a person's answer to the last question. What stands in brackets is the
// value, without them all of it is.
func (d *Dialog) addAnswer(person int, text string) error {
	for person >= len(d.Talks) {
		d.Talks = append(d.Talks, Talk{})
	}
	f := &d.Fields[len(d.Fields)-1]
	before, rest, marked := strings.Cut(text, "[")
	value, after, closed := strings.Cut(rest, "]")
	switch {
	case marked != closed || strings.ContainsAny(after, "[]"):
		return fmt.Errorf("%q has not one pair of brackets", text)
	case !marked:
		value, before = text, ""
	}
	span := Span{Type: f.Type, Key: f.Key, Answers: true, From: len(before), To: len(before) + len(value)}
	said := Said{Key: f.Key, Text: before + value + after}
	said.Segments = []Segment{{Act: Answer, To: len(said.Text), Values: []Span{span}}}
	d.Talks[person].Said = append(d.Talks[person].Said, said)
	return nil
}
