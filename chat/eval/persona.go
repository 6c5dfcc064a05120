package eval

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"regexp"
	"strconv"
	"strings"

	"quaestor/sessions/objectives"
)

// Kind is how a person behaves in an interview.
type Kind string

// The kinds.
const (
	Cooperative   Kind = "cooperative"   // answers what is asked
	Terse         Kind = "terse"         // answers in as few words as possible
	Rambling      Kind = "rambling"      // answers at length, with more than was asked
	Contradictory Kind = "contradictory" // says different things at different times
	Refusing      Kind = "refusing"      // declines many questions
	ChangingMind  Kind = "changing_mind" // replaces answers by others
)

// kinds lists all of them.
var kinds = []Kind{Cooperative, Terse, Rambling, Contradictory, Refusing, ChangingMind}

// Persona is a simulated person as a file describes them; see the package comment.
type Persona struct {
	Context string `json:"-"` // context type, which is the name of the file's folder
	Name    string `json:"-"` // name of the file, without .json

	About          string          `json:"about"`
	Kind           Kind            `json:"kind"`
	Facts          []PersonaFact   `json:"facts"`
	Volunteers     []Volunteer     `json:"volunteers,omitempty"`
	Corrections    []Correction    `json:"corrections,omitempty"`
	Contradictions []Contradiction `json:"contradictions,omitempty"`
	Asides         []Remark        `json:"asides,omitempty"`
	Questions      []Remark        `json:"questions,omitempty"`
	Replies        Replies         `json:"replies"`
	Forms          string          `json:"forms,omitempty"`     // "widgets" or "words"; empty means widgets
	Conflicts      string          `json:"conflicts,omitempty"` // "place" or "words"; empty means place
}

// PersonaFact is what is true about one obligation, and how it is said.
type PersonaFact struct {
	Key    string          `json:"key"`
	Gold   json.RawMessage `json:"gold,omitempty"` // as it is stored; nil when there is no value
	Say    []string        `json:"say,omitempty"`
	Widget bool            `json:"widget,omitempty"`
	As     Stance          `json:"as,omitempty"`
}

// Stance is how a person reacts to a question without answering it.
type Stance string

// The stances. An empty one means that the person answers.
const (
	Unknown       Stance = "unknown"
	Declines      Stance = "declines"
	NotApplicable Stance = "not_applicable"
	Later         Stance = "later" // the first time; after that they answer
)

// When is the moment from which a line is due. Exactly one field is set.
type When struct {
	Turn  int    `json:"turn,omitempty"`  // from this turn on
	After string `json:"after,omitempty"` // once the person has told this key
}

// Volunteer is something the person tells unasked, beside an answer.
type Volunteer struct {
	When When     `json:"when"`
	Say  string   `json:"say"`
	Keys []string `json:"keys"` // what it tells
}

// Correction is a change of mind: the person says First until When, then Say.
type Correction struct {
	Key   string          `json:"key"`
	Was   json.RawMessage `json:"was"`
	First []string        `json:"first"`
	When  When            `json:"when"`
	Say   string          `json:"say"`
}

// Contradiction is a statement that differs from gold and is not marked as a change of
// mind.
type Contradiction struct {
	Key   string          `json:"key"`
	Value json.RawMessage `json:"value"`
	Say   string          `json:"say"`
	When  When            `json:"when"`
}

// Remark is something said instead of an answer.
type Remark struct {
	When When   `json:"when"`
	Say  string `json:"say"`
}

// Replies are a person's phrasings for situations that many questions share.
type Replies struct {
	Confirm       []string `json:"confirm,omitempty"`
	Finish        []string `json:"finish,omitempty"`
	Unknown       []string `json:"unknown,omitempty"`
	Decline       []string `json:"decline,omitempty"`
	NotApplicable []string `json:"notApplicable,omitempty"`
	Later         []string `json:"later,omitempty"`
}

// fact returns what is true about key, or nil.
func (p *Persona) fact(key string) *PersonaFact {
	for i := range p.Facts {
		if p.Facts[i].Key == key {
			return &p.Facts[i]
		}
	}
	return nil
}

//go:embed personas
var personaFiles embed.FS

// Shipped returns the personas that come with Quaestor, by context type and name. Dates in
// their files are relative to year. It fails only when an embedded file is broken, which a
// test rules out.
func Shipped(year int) ([]Persona, error) {
	var out []Persona
	for _, d := range objectives.Shipped() {
		files, err := personaFiles.ReadDir("personas/" + d.ContextType)
		if err != nil {
			return nil, fmt.Errorf("personas of %s: %w", d.ContextType, err)
		}
		for _, f := range files {
			name := path.Join("personas", d.ContextType, f.Name())
			data, err := personaFiles.ReadFile(name)
			if err != nil {
				return nil, err
			}
			p, err := ParsePersona(name, data, year, &d)
			if err != nil {
				return nil, err
			}
			out = append(out, p)
		}
	}
	return out, nil
}

// ParsePersona parses a persona's file for an objective and checks it. Unknown fields,
// lines that could never be said and values that the objective could not store are errors,
// which name file and field.
func ParsePersona(file string, data []byte, year int, d *objectives.Definition) (Persona, error) {
	p := Persona{Context: d.ContextType, Name: strings.TrimSuffix(path.Base(file), ".json")}
	dec := json.NewDecoder(bytes.NewReader(withYears(data, year)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&p); err != nil {
		return Persona{}, fmt.Errorf("%s: %w", file, err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return Persona{}, fmt.Errorf("%s: a persona is one JSON object; something follows it", file)
	}
	p.normalize()
	if err := p.validate(d); err != nil {
		return Persona{}, fmt.Errorf("%s: %w", file, err)
	}
	return p, nil
}

// yearPattern matches years relative to the one in which a file is read.
var yearPattern = regexp.MustCompile(`\{year([+-]\d{1,3})?\}`)

// withYears replaces {year+1} and the like by years.
func withYears(data []byte, year int) []byte {
	return yearPattern.ReplaceAllFunc(data, func(m []byte) []byte {
		shift, _ := strconv.Atoi(strings.TrimPrefix(string(m[len("{year"):len(m)-1]), "+")) // the pattern matches nothing else
		return strconv.AppendInt(nil, int64(year+shift), 10)
	})
}

// normalize fills in what a file may leave out.
func (p *Persona) normalize() {
	for i := range p.Facts {
		f := &p.Facts[i]
		var words string
		if len(f.Say) == 0 && f.As != Unknown && f.As != Declines && f.As != NotApplicable && json.Unmarshal(f.Gold, &words) == nil && words != "" {
			f.Say = []string{words}
		}
	}
	orElse(&p.Replies.Confirm, "Yes, that's right.")
	orElse(&p.Replies.Finish, "Yes, please close it.")
	orElse(&p.Replies.Unknown, "I don't know.")
	orElse(&p.Replies.Decline, "I'd rather not say.")
	orElse(&p.Replies.NotApplicable, "That doesn't apply to us.")
	orElse(&p.Replies.Later, "Can we come back to that later?")
	p.Forms, p.Conflicts = cmp.Or(p.Forms, "widgets"), cmp.Or(p.Conflicts, "place")
}

// orElse sets a default phrasing when the file has none.
func orElse(list *[]string, words string) {
	if len(*list) == 0 {
		*list = []string{words}
	}
}
