package objectives

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"quaestor/internal/fault"
	"quaestor/obligations"
)

// Definition is an objective: what to learn, how to lead the conversation and when it is
// complete.
type Definition struct {
	ContextType string                 `json:"contextType"`        // slug, such as "business_profile"
	Version     string                 `json:"version"`            // such as "1.0.0"
	Language    string                 `json:"language,omitempty"` // BCP 47 tag of the language its texts are in; empty lets [Definition.OwnLanguage] tell
	DisplayName string                 `json:"displayName"`
	Description string                 `json:"description"`        // one or two sentences for the person who chooses
	Greeting    string                 `json:"greeting,omitempty"` // first words of a session; empty means a plain one
	Obligations []obligations.Template `json:"obligations"`
	Pools       map[string][]string    `json:"pools,omitempty"` // pool id → alternative wordings of a question

	Constraints []obligations.Constraint `json:"constraints,omitempty"` // which values cannot all hold

	Phases     Phases               `json:"phases"`
	Completion obligations.Criteria `json:"completion"`
	Budget     Budget               `json:"budget,omitzero"`
	Schema     json.RawMessage      `json:"schema,omitempty"` // JSON Schema it was made from, see [FromSchema]; nil if none

	Translations map[string]Translation `json:"translations,omitempty"` // BCP 47 tag → its texts in that language, see [Definition.In]
}

// Phases holds the four phases' settings.
type Phases struct {
	Opening     PhaseConfig `json:"opening"`
	Exploration PhaseConfig `json:"exploration"`
	Validation  PhaseConfig `json:"validation"`
	Closing     PhaseConfig `json:"closing"`
}

// PhaseConfig is the purpose of a phase and what is said when it begins.
type PhaseConfig struct {
	Goal  string `json:"goal"`            // for the interviewer and for people who ask
	Entry string `json:"entry,omitempty"` // a sentence said on entering; empty means none
}

// Budget limits a session. A zero value is no limit.
type Budget struct {
	Turns   int     `json:"turns,omitempty"`   // the opening included
	Minutes float64 `json:"minutes,omitempty"` // of active time: what lies between turns counts for five minutes at most
	Money   float64 `json:"money,omitempty"`   // for models, in the currency of the configured prices
}

// Within returns the stricter of b and other, limit by limit.
func (b Budget) Within(other Budget) Budget {
	return Budget{Turns: tighter(b.Turns, other.Turns), Minutes: tighter(b.Minutes, other.Minutes), Money: tighter(b.Money, other.Money)}
}

// tighter returns the smaller of two limits, of which 0 is none.
func tighter[N int | float64](a, b N) N {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// validate reports the limits of b that are negative.
func (b Budget) validate(add func(field, format string, args ...any)) {
	if b.Turns < 0 {
		add("budget.turns", "must be a positive number of turns, or absent")
	}
	if b.Minutes < 0 {
		add("budget.minutes", "must be a positive number of minutes, or absent")
	}
	if b.Money < 0 {
		add("budget.money", "must be a positive amount, or absent")
	}
}

// maxDefinitionBytes bounds an objective's JSON.
const maxDefinitionBytes = 1 << 20

var (
	contextPattern = regexp.MustCompile(`^[a-z][a-z0-9_]{1,62}$`)
	versionPattern = regexp.MustCompile(`^\d{1,6}\.\d{1,6}\.\d{1,6}$`)
)

// ParseDefinition decodes an objective from JSON. It refuses unknown fields, repeated
// keys and every fault of the content, each with its place; see [Faults].
func ParseDefinition(data []byte) (Definition, error) {
	var d Definition
	if err := decodeOnly(data, &d, (*json.Decoder).DisallowUnknownFields); err != nil {
		return d, err
	}
	d.normalize()
	return d, d.Validate()
}

// jsonFault words a decoding error with its line and column.
func jsonFault(data []byte, err error) error {
	offset := int64(-1)
	switch e := err.(type) {
	case *json.SyntaxError:
		offset = e.Offset
	case *json.UnmarshalTypeError:
		offset = e.Offset
	}
	if offset < 0 || offset > int64(len(data)) {
		return fault.New(fault.Unprocessable, "the objective cannot be read: %s", misread(err)).Because(err)
	}
	before := data[:offset]
	line := bytes.Count(before, []byte("\n")) + 1
	column := len(before) - bytes.LastIndexByte(before, '\n') - 1
	return fault.New(fault.Unprocessable, "the objective cannot be read at line %d, column %d: %s", line, max(column, 1), misread(err)).Because(err)
}

// misread words why a text could not be decoded.
func misread(err error) string {
	var wrong *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &wrong):
		return fmt.Sprintf("%s must be %s, not %s", cmp.Or(wrong.Field, "it"), kindWords[wrong.Type.Kind()], strings.Replace(wrong.Value, "array", "list", 1))
	case errors.As(err, &syntax):
		return "this is no JSON from here on"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "it ends too early"
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

// kindWords names the JSON types that values of Go are decoded from.
var kindWords = map[reflect.Kind]string{
	reflect.Map: "an object", reflect.Struct: "an object", reflect.Slice: "a list", reflect.Array: "a list", reflect.String: "a string", reflect.Bool: "true or false",
	reflect.Int: "a whole number", reflect.Int32: "a whole number", reflect.Int64: "a whole number", reflect.Float64: "a number", reflect.Pointer: "another type", reflect.Interface: "another type",
}

// normalize sets the defaults of what templates leave out.
func (d *Definition) normalize() {
	for i := range d.Obligations {
		t := &d.Obligations[i]
		t.Collection = cmp.Or(t.Collection, obligations.DirectQuestion)
		t.Widget = cmp.Or(t.Widget, obligations.Text)
		t.MaxAttempts = cmp.Or(t.MaxAttempts, obligations.DefaultMaxAttempts)
		t.FieldPath = cmp.Or(t.FieldPath, t.Key)
	}
	for i := range d.Constraints {
		d.Constraints[i].Normalize(d.Obligations)
	}
}

// Faults is every reason why an objective cannot be published.
type Faults []*fault.Error

// Error joins the faults, one a line.
func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, e := range f {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives errors.As the first fault, so that the whole has its kind.
func (f Faults) Unwrap() []error {
	out := make([]error, len(f))
	for i, e := range f {
		out[i] = e
	}
	return out
}

// Validate returns [Faults], or nil when d may be published.
func (d *Definition) Validate() error {
	faults := Faults(append(obligations.Validate(d.Obligations), obligations.ValidateConstraints(d.Constraints, d.Obligations)...))
	add := func(field, format string, args ...any) {
		faults = append(faults, fault.New(fault.Unprocessable, format, args...).At(field))
	}
	if !contextPattern.MatchString(d.ContextType) {
		add("contextType", "a context type is lower-case letters, digits and _, 2 to 63 of them, and starts with a letter; %q is not", d.ContextType)
	}
	if !versionPattern.MatchString(d.Version) {
		add("version", "a version is three numbers, such as 1.0.0, not %q", d.Version)
	}
	if strings.TrimSpace(d.DisplayName) == "" {
		add("displayName", "the objective needs a name for people")
	}
	keys := map[string]bool{}
	for _, t := range d.Obligations {
		keys[t.Key] = true
		if t.PoolID != "" && len(d.Pools[t.PoolID]) == 0 {
			add("obligations", "%q uses the pool %q, which has no wordings", t.Key, t.PoolID)
		}
	}
	faults = append(faults, poolFaults("pools", d.Pools)...)
	faults = append(faults, d.languageFaults()...)
	for i, key := range d.Completion.Required {
		if !keys[key] {
			add(fmt.Sprintf("completion.requiredObligations[%d]", i), "%q is required but is no obligation", key)
		}
	}
	if n := d.Completion.MinSatisfied; n < 0 || n > len(d.Obligations) {
		add("completion.minObligationsSatisfied", "must be 0 to %d, the number of obligations, not %d", len(d.Obligations), n)
	}
	d.Budget.validate(add)
	if len(faults) == 0 {
		return nil
	}
	return faults
}

// poolFaults refuses pools with an empty wording, or with one twice. They stand at the path at.
func poolFaults(at string, pools map[string][]string) (faults Faults) {
	for _, id := range slices.Sorted(maps.Keys(pools)) {
		seen := map[string]int{}
		for i, wording := range pools[id] {
			path := fmt.Sprintf("%s.%s[%d]", at, id, i)
			same := strings.ToLower(strings.Join(strings.Fields(wording), " "))
			first, twice := seen[same]
			switch {
			case same == "":
				faults = append(faults, misplaced(path, "the wording is empty; write one or remove it"))
			case twice:
				faults = append(faults, misplaced(path, "says the same as wording %d of the pool; the wordings of a pool must differ", first))
			}
			seen[same] = i
		}
	}
	return faults
}

// Wording returns the question for the n-th time t is asked, n from 0: first its prompt,
// then the wordings of its pool in turn.
func (d *Definition) Wording(t *obligations.Template, n int) string {
	pool := slices.DeleteFunc(slices.Clone(d.Pools[t.PoolID]), func(w string) bool { return w == t.Prompt })
	if n <= 0 || len(pool) == 0 {
		return t.Prompt
	}
	return pool[(n-1)%len(pool)]
}

// JSON returns d as a file that people edit: indented and with a final newline.
func (d *Definition) JSON() ([]byte, error) {
	out, err := json.MarshalIndent(d, "", "  ")
	return append(out, '\n'), fault.Wrap(err, "encode objective %s", d.ContextType)
}
