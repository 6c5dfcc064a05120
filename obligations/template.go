package obligations

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"quaestor/internal/fault"
	"quaestor/internal/language"
)

// Template is what an objective says about one obligation: what to learn, how
// to ask for it and when it counts as known.
type Template struct {
	Key               string          `json:"key"`                         // unique in its objective; a–z, 0–9, _, at most 63
	FieldPath         string          `json:"fieldPath"`                   // dot path of the value in an export, such as "constraints.timeline"
	Label             string          `json:"label,omitempty"`             // two or three words for lists; empty means the key in words
	Prompt            string          `json:"prompt"`                      // the question
	Why               string          `json:"why,omitempty"`               // what the answer is for, said when the person asks
	Collection        Collection      `json:"collectionType"`              // empty means direct_question
	Inference         []InferenceRule `json:"inference,omitempty"`         // for inferred: what follows from the values of others; the first rule that holds counts
	Widget            Widget          `json:"widgetType"`                  // empty means text
	ValueType         string          `json:"valueType,omitempty"`         // what kind of thing the value is, such as "person" or "duration"; empty lets the question tell
	Choices           []Choice        `json:"choices,omitempty"`           // for choice and multiselect
	AllowOther        bool            `json:"allowOther,omitempty"`        // an answer outside the choices is kept as text
	Unit              string          `json:"unit,omitempty"`              // of a number, such as "months" or "people"; "money" takes currencies
	Min               *float64        `json:"min,omitempty"`               // least number that makes sense
	Max               *float64        `json:"max,omitempty"`               // greatest number that makes sense
	Integer           bool            `json:"integer,omitempty"`           // no fractions
	Examples          []string        `json:"examples,omitempty"`          // answers of the right kind, offered on a second re-ask
	Cues              []string        `json:"cues,omitempty"`              // words that announce an answer to this one in passing
	Dependencies      []string        `json:"dependencies,omitempty"`      // keys that must be resolved before this is asked
	Priority          int             `json:"priority"`                    // 1–10, 10 matters most
	MaxAttempts       int             `json:"maxAttempts,omitempty"`       // times to ask; zero means 3
	Merge             MergeRule       `json:"merge,omitempty"`             // which answer wins when several people differ; empty means the latest
	SatisfiedWhen     string          `json:"satisfiedWhen,omitempty"`     // condition, see [Compile]; empty means confidence >= 0.71
	Category          string          `json:"category,omitempty"`          // heading it is listed under
	PoolID            string          `json:"poolId,omitempty"`            // pool of alternative wordings
	ExpertiseRequired string          `json:"expertiseRequired,omitempty"` // field an expert would come from; if the person does not know, research looks it up
	ResearchType      string          `json:"researchType,omitempty"`      // kind of research that can answer it, [NoResearch] if none can; empty lets Quaestor choose
	Metric            *Metric         `json:"metric,omitempty"`            // figure of the organisation's own data that answers it; nil for none
	Depth             Depth           `json:"depth,omitempty"`             // how deep to go: fact, reason or story; empty means fact
	Probe             string          `json:"probe,omitempty"`             // the question that goes deeper, in words for the person; empty lets Quaestor choose
	FollowUpStrategy  string          `json:"followUpStrategy,omitempty"`  // what to do when the answer stays thin
	AgentNotes        string          `json:"agentNotes,omitempty"`        // for the interviewer, not shown
}

// Metric is a figure that a connected warehouse may have. It is asked for before the person
// is, and put to them: "your data shows 42; is that right?".
type Metric struct {
	Question  string `json:"question"`            // in words, such as "how many orders did we have last year"
	Warehouse string `json:"warehouse,omitempty"` // its name; empty to choose by the question
}

// maxMetricQuestion bounds the question of a metric, in characters.
const maxMetricQuestion = 500

// checkMetric returns what is wrong with the metric of t; empty for nothing.
func (t *Template) checkMetric() string {
	switch m := t.Metric; {
	case m == nil:
		return ""
	case strings.TrimSpace(m.Question) == "" || utf8.RuneCountInString(m.Question) > maxMetricQuestion:
		return fmt.Sprintf("needs a question of 1 to %d characters", maxMetricQuestion)
	case t.Widget != Number && t.Widget != Text && t.Widget != "":
		return fmt.Sprintf("answers a number or a text, not %s", t.Widget)
	}
	return ""
}

// NoResearch is the research type of what no outside source can know: names,
// contacts, the person's own figures and requests.
const NoResearch = "none"

// Choice is one answer of a closed question.
type Choice struct {
	Value    string   `json:"value"`              // what is stored
	Label    string   `json:"label"`              // what people read
	Synonyms []string `json:"synonyms,omitempty"` // other words for it
}

// DefaultMaxAttempts is how often a question is asked when its template does
// not say.
const DefaultMaxAttempts = 3

// maxAttempts is how often the template allows its question to be asked.
func (t *Template) maxAttempts() int {
	if t.MaxAttempts == 0 {
		return DefaultMaxAttempts
	}
	return t.MaxAttempts
}

// Name returns the label or, without one, the key in words.
func (t *Template) Name() string {
	if t.Label != "" {
		return t.Label
	}
	words := strings.ReplaceAll(t.Key, "_", " ")
	return language.UpperFirst(words)
}

// Closed reports whether the answer is picked rather than written: a choice,
// several choices, a date or a number.
func (t *Template) Closed() bool { return t.Widget != Text }

// Pick returns the choice whose value is v, or nil.
func (t *Template) Pick(v string) *Choice {
	i := slices.IndexFunc(t.Choices, func(c Choice) bool { return c.Value == v })
	if i < 0 {
		return nil
	}
	return &t.Choices[i]
}

// datePattern matches a year, a month or a day; validDate checks that it exists.
var datePattern = regexp.MustCompile(`^\d{4}(-\d{2}(-\d{2})?)?$`)

// Range is a number the person gave as an interval.
type Range struct {
	Min float64 `json:"min"`
	Max float64 `json:"max"`
}

// unstorable holds the characters that may not be stored: NUL, which PostgreSQL's
// jsonb refuses, and the replacement character, which marks broken UTF-8 or half
// a surrogate pair.
const unstorable = "\x00\uFFFD"

// maxValueBytes bounds a stored value. 16 KiB is some 2,500 words of English, longer than
// an answer in conversation and short enough for a prompt.
const maxValueBytes = 16 << 10

// Check returns why v cannot be the value of this obligation, or nil. The
// shapes are:
//
//	text         string
//	choice       string, one of the choices' values (any string with allowOther)
//	multiselect  array of such strings, at least one, none twice
//	date         string: YYYY, YYYY-MM or YYYY-MM-DD
//	number       number, or {"min": number, "max": number}
func (t *Template) Check(v json.RawMessage) error {
	if len(v) > maxValueBytes {
		return t.bad("is longer than %d bytes", maxValueBytes)
	}
	switch t.Widget {
	case Text:
		s, err := decode[string](v)
		if err != nil || strings.TrimSpace(s) == "" {
			return t.bad("must be a text that is not empty")
		}
		if strings.ContainsAny(s, unstorable) {
			return t.bad("has a character that no text may have")
		}
		return nil
	case ChoiceOne:
		s, err := decode[string](v)
		if err != nil {
			return t.bad("must be one of %s", t.values())
		}
		return t.checkChoice(s)
	case MultiSelect:
		return t.checkChoices(v)
	case Date:
		s, err := decode[string](v)
		if err != nil || !validDate(s) {
			return t.bad("must be a date such as 2026-03-31, 2026-03 or 2026")
		}
		return nil
	case Number:
		return t.checkNumber(v)
	}
	return t.bad("has an unknown widget type %q", t.Widget)
}

// decode parses one JSON value of type T. Null is an error for every type.
func decode[T any](v json.RawMessage) (T, error) {
	var out *T
	err := json.Unmarshal(v, &out)
	if err == nil && out == nil {
		err = fmt.Errorf("null")
	}
	if err != nil {
		out = new(T)
	}
	return *out, err
}

// decodeRange parses an object with exactly the numbers min and max.
func decodeRange(v json.RawMessage) (Range, error) {
	ends, err := decode[map[string]*float64](v)
	low, high := ends["min"], ends["max"]
	if err != nil || len(ends) != 2 || low == nil || high == nil {
		return Range{}, fmt.Errorf("not a range")
	}
	return Range{*low, *high}, nil
}

func (t *Template) checkChoice(s string) error {
	if t.Pick(s) != nil || (t.AllowOther && strings.TrimSpace(s) != "" && !strings.ContainsAny(s, unstorable)) {
		return nil
	}
	return t.bad("must be one of %s, not %q", t.values(), language.Short(s))
}

func (t *Template) checkChoices(v json.RawMessage) error {
	list, err := decode[[]string](v)
	if err != nil || len(list) == 0 {
		return t.bad("must be a list of %s", t.values())
	}
	seen := map[string]bool{}
	for _, s := range list {
		if err := t.checkChoice(s); err != nil {
			return err
		}
		if seen[s] {
			return t.bad("names %q twice", language.Short(s))
		}
		seen[s] = true
	}
	return nil
}

func (t *Template) checkNumber(v json.RawMessage) error {
	n, err := decode[float64](v)
	r := Range{n, n}
	if err != nil {
		if r, err = decodeRange(v); err != nil {
			return t.bad("must be a number, or a range with min and max")
		}
	}
	switch {
	case r.Min > r.Max:
		return t.bad("starts at %s and ends at %s; the smaller number goes first", digits(r.Min), digits(r.Max))
	case t.Integer && (r.Min != math.Trunc(r.Min) || r.Max != math.Trunc(r.Max)):
		return t.bad("must be a whole number")
	case t.Min != nil && r.Min < *t.Min:
		return t.bad("must be at least %s", digits(*t.Min))
	case t.Max != nil && r.Max > *t.Max:
		return t.bad("must be at most %s", digits(*t.Max))
	}
	return nil
}

// digits writes a number as people do, without an exponent.
func digits(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

func validDate(s string) bool {
	if !datePattern.MatchString(s) {
		return false
	}
	_, err := time.Parse("2006-01-02"[:len(s)], s)
	return err == nil
}

func (t *Template) values() string {
	var b strings.Builder
	for i, c := range t.Choices {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(c.Value)
	}
	return b.String()
}

func (t *Template) bad(format string, args ...any) error {
	return fault.New(fault.Unprocessable, "%s "+format, append([]any{t.Name()}, args...)...).At(t.Key)
}
