package objectives

import (
	"cmp"
	"encoding/json"
	"errors"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	"quaestor/web"
)

// QuestionForm is an obligation as its form holds it: everything is text as it was typed,
// so that what cannot be stored can be shown again.
type QuestionForm struct {
	Label, Prompt, Why                                 string
	Wordings, Examples, Cues                           string // one on each line
	Widget, ValueType, Unit, Min, Max                  string
	Integer, AllowOther, Required                      bool
	Choices                                            []ChoiceForm
	Category, Priority, MaxAttempts                    string
	Dependencies                                       []string
	Collection, Merge, SatisfiedWhen                   string
	Expertise, Research, Depth, Probe, FollowUp, Notes string
	Key, FieldPath                                     string
	Inference                                          string // the rules as JSON; empty for none
}

// ChoiceForm is a choice as its row holds it; Synonyms have commas between them.
type ChoiceForm struct{ Value, Label, Synonyms string }

// QuestionFormOf fills the form with the obligation at i.
func QuestionFormOf(d *objectives.Definition, i int) QuestionForm {
	t := &d.Obligations[i]
	f := QuestionForm{Label: t.Label, Prompt: t.Prompt, Why: t.Why, Examples: lines(t.Examples), Cues: lines(t.Cues),
		Widget: string(t.Widget), ValueType: t.ValueType, Unit: t.Unit, Min: boundText(t.Min), Max: boundText(t.Max), Integer: t.Integer, AllowOther: t.AllowOther,
		Required: slices.Contains(d.Completion.Required, t.Key), Category: t.Category, Priority: strconv.Itoa(t.Priority), MaxAttempts: limitText(float64(t.MaxAttempts)),
		Dependencies: t.Dependencies, Collection: string(t.Collection), Merge: string(t.Merge), SatisfiedWhen: t.SatisfiedWhen,
		Expertise: t.ExpertiseRequired, Research: t.ResearchType, Depth: string(t.Depth), Probe: t.Probe, FollowUp: t.FollowUpStrategy, Notes: t.AgentNotes, Key: t.Key, FieldPath: t.FieldPath}
	f.Inference = rulesText(t.Inference)
	if t.PoolID != "" {
		f.Wordings = lines(d.Pools[t.PoolID])
	}
	for _, c := range t.Choices {
		f.Choices = append(f.Choices, ChoiceForm{c.Value, c.Label, strings.Join(c.Synonyms, ", ")})
	}
	return f
}

// ReadQuestion reads the form as it was sent.
func ReadQuestion(v url.Values) QuestionForm {
	text := func(name string) string { return strings.TrimSpace(typedText(v.Get(name))) }
	f := QuestionForm{Label: text("label"), Prompt: text("prompt"), Why: text("why"), Wordings: text("wordings"), Examples: text("examples"), Cues: text("cues"),
		Widget: text("widgetType"), ValueType: text("valueType"), Unit: text("unit"), Min: text("min"), Max: text("max"), Integer: v.Has("integer"), AllowOther: v.Has("allowOther"), Required: v.Has("required"),
		Category: text("category"), Priority: text("priority"), MaxAttempts: text("maxAttempts"), Collection: text("collectionType"), Merge: text("merge"),
		SatisfiedWhen: text("satisfiedWhen"), Expertise: text("expertiseRequired"), Research: text("researchType"), Depth: text("depth"), Probe: text("probe"), FollowUp: text("followUpStrategy"), Notes: text("agentNotes"),
		Key: text("key"), FieldPath: text("fieldPath"), Inference: text("inference"), Dependencies: slices.Clone(v["dependencies"])}
	for i := range v["choice.label"] {
		if c := (ChoiceForm{Label: nth(v, "choice.label", i), Value: nth(v, "choice.value", i), Synonyms: nth(v, "choice.synonyms", i)}); c != (ChoiceForm{}) {
			f.Choices = append(f.Choices, c)
		}
	}
	return f
}

// typedText returns a text as it was typed: browsers send other ends of lines.
func typedText(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

// nth returns the i-th value of a field that a form has in several rows, without space
// around it; empty when fewer were sent.
func nth(v url.Values, name string, i int) string {
	if list := v[name]; i < len(list) {
		return strings.TrimSpace(list[i])
	}
	return ""
}

// Into puts what the form holds into the obligation at i, and into everything else in d
// that refers to it. When a field cannot be stored, nothing is, and the faults are
// returned. What can be stored and is wrong all the same is left to lint.
func (f *QuestionForm) Into(d *objectives.Definition, i int) []FieldFault {
	t := d.Obligations[i]
	var r numberReader
	t.Priority = r.whole("priority", f.Priority, "a whole number from 1 to 10")
	t.MaxAttempts = r.whole("maxAttempts", f.MaxAttempts, "a whole number from 1 to 10")
	t.Min, t.Max = r.decimal("min", f.Min), r.decimal("max", f.Max)
	t.Inference = r.rules("inference", f.Inference)
	if len(r.faults) > 0 {
		return r.faults
	}
	t.Label, t.Prompt, t.Why, t.Examples, t.Cues = f.Label, f.Prompt, f.Why, linesOf(f.Examples), linesOf(f.Cues)
	t.Widget, t.Category, t.Dependencies = obligations.Widget(f.Widget), f.Category, f.Dependencies
	t.Collection, t.Merge, t.SatisfiedWhen = obligations.Collection(f.Collection), obligations.MergeRule(f.Merge), f.SatisfiedWhen
	t.ExpertiseRequired, t.ResearchType, t.FollowUpStrategy, t.AgentNotes = f.Expertise, f.Research, f.FollowUp, f.Notes
	t.Depth, t.Probe = obligations.Depth(f.Depth), f.Probe
	before := t.Key
	t.Key = cmp.Or(f.Key, KeyMadeOf(d, i, f.Label))
	if t.FieldPath = f.FieldPath; t.FieldPath == "" || t.FieldPath == before { // it follows a key that changes
		t.FieldPath = t.Key
	}
	f.answer(&t)
	d.Obligations[i] = t
	d.Reword(i, linesOf(f.Wordings))
	if before != "" && before != t.Key {
		d.Rename(before, t.Key)
	}
	d.Require(t.Key, f.Required)
	d.Prune()
	return nil
}

// answer puts into t what belongs to its widget, and clears what belongs to others.
func (f *QuestionForm) answer(t *obligations.Template) {
	closed := t.Widget == obligations.ChoiceOne || t.Widget == obligations.MultiSelect
	t.Choices, t.AllowOther = nil, f.AllowOther && closed
	if closed {
		for _, c := range f.Choices {
			t.Choices = append(t.Choices, obligations.Choice{Value: cmp.Or(c.Value, Slug(c.Label)), Label: c.Label, Synonyms: partsOf(c.Synonyms, ",")})
		}
	}
	if t.ValueType = f.ValueType; !t.SuitsWidget() {
		t.ValueType = "" // it belonged to another kind of answer
	}
	t.Unit, t.Integer = f.Unit, f.Integer
	if t.Widget != obligations.Number {
		t.Unit, t.Integer, t.Min, t.Max = "", false, nil, nil
	}
}

// KeyMadeOf returns a key for the obligation at i that is made of a label and that no
// other obligation has; empty when the label has no letters.
func KeyMadeOf(d *objectives.Definition, i int, label string) string {
	key := Slug(label)
	taken := func(k string) bool {
		at := slices.IndexFunc(d.Obligations, func(t obligations.Template) bool { return t.Key == k })
		return at >= 0 && at != i
	}
	for n := 2; key != "" && taken(key); n++ {
		key = Slug(label) + "_" + strconv.Itoa(n)
	}
	return key
}

// maxSlug bounds a slug, in bytes. The 63 that a key may have leave room for a number
// behind it.
const maxSlug = 40

// Slug makes a key of a text: lower-case ASCII letters, digits and _, a letter first, at
// most maxSlug of them; empty when the text has no such letter.
func Slug(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9' && b.Len() > 0:
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
		if b.Len() == maxSlug {
			break
		}
	}
	return strings.Trim(b.String(), "_")
}

// numberReader reads numbers and rules, and collects a fault for each text that is none.
type numberReader struct{ faults []FieldFault }

// rules reads the rules of an inferred question; an empty text is none. What they say is
// left to lint.
func (r *numberReader) rules(field, s string) []obligations.InferenceRule {
	if s == "" {
		return nil
	}
	var out []obligations.InferenceRule
	dec := json.NewDecoder(strings.NewReader(s))
	dec.DisallowUnknownFields()
	err := dec.Decode(&out)
	if err == nil && dec.More() {
		err = errors.New("something follows the list")
	}
	if err != nil {
		r.faults = append(r.faults, FieldFault{field, "Must be a list of rules in JSON: " + strings.TrimPrefix(err.Error(), "json: ") + "."})
	}
	return out
}

// rulesText writes rules as JSON, one a line; empty for none.
func rulesText(list []obligations.InferenceRule) string {
	out := make([]string, len(list))
	for i, rule := range list {
		line, err := json.Marshal(rule)
		if err != nil {
			return "" // a value that is no JSON cannot be in an objective
		}
		out[i] = "  " + string(line)
	}
	if len(out) == 0 {
		return ""
	}
	return "[\n" + strings.Join(out, ",\n") + "\n]"
}

// whole reads a whole number; an empty text is 0. Want is what the fault asks for.
func (r *numberReader) whole(field, s, want string) int {
	if s == "" {
		return 0
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		r.faults = append(r.faults, FieldFault{field, "Must be " + want + ", not “" + s + "”."})
	}
	return n
}

// decimal reads a finite number; an empty text is nil.
func (r *numberReader) decimal(field, s string) *float64 {
	if s == "" {
		return nil
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		r.faults = append(r.faults, FieldFault{field, "Must be a number such as 12 or 0.5, not “" + s + "”."})
		return nil
	}
	return &x
}

// decimalText writes a number without an exponent.
func decimalText(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// boundText writes a bound; nil, which is none, is empty.
func boundText(x *float64) string {
	if x == nil {
		return ""
	}
	return decimalText(*x)
}

// limitText writes a limit; 0, which means none, is empty.
func limitText(x float64) string {
	if x == 0 {
		return ""
	}
	return decimalText(x)
}

// lines joins a list for a field that holds one entry on each line.
func lines(list []string) string { return strings.Join(list, "\n") }

// linesOf returns the lines of a text that are not blank.
func linesOf(s string) []string { return partsOf(s, "\n") }

// partsOf splits a text and returns the parts that are not blank, without space around.
func partsOf(s, by string) []string {
	var out []string
	for part := range strings.SplitSeq(s, by) {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// GeneralForm is what an objective holds beside its obligations, as its form holds it.
type GeneralForm struct {
	DisplayName, ContextType, Description, Greeting string
	Phases                                          [4]PhaseForm
	MinSatisfied, MinConfidence                     string
	Turns, Minutes, Money                           string
	Constraints                                     []ConstraintForm
}

// PhaseForm is a phase's goal, and what is said when it begins.
type PhaseForm struct{ Goal, Entry string }

// ConstraintForm is a constraint as its fields hold it.
type ConstraintForm struct{ Name, When, Message string }

// GeneralFormOf fills the form with what d holds.
func GeneralFormOf(d *objectives.Definition) GeneralForm {
	f := GeneralForm{DisplayName: d.DisplayName, ContextType: d.ContextType, Description: d.Description, Greeting: d.Greeting,
		MinSatisfied: strconv.Itoa(d.Completion.MinSatisfied), MinConfidence: decimalText(d.Completion.MinConfidence.Float()),
		Turns: limitText(float64(d.Budget.Turns)), Minutes: limitText(d.Budget.Minutes), Money: limitText(d.Budget.Money)}
	for i, p := range phasesOf(&d.Phases) {
		f.Phases[i] = PhaseForm{p.Goal, p.Entry}
	}
	for _, c := range d.Constraints {
		f.Constraints = append(f.Constraints, ConstraintForm{c.Name, c.When, c.Message})
	}
	return f
}

// phaseNames are the phases in the order of the form.
var phaseNames = [4]sessions.Phase{sessions.Opening, sessions.Exploration, sessions.Validation, sessions.Closing}

// phasesOf returns the phases in the order of phaseNames, to be read or changed.
func phasesOf(p *objectives.Phases) [4]*objectives.PhaseConfig {
	return [4]*objectives.PhaseConfig{&p.Opening, &p.Exploration, &p.Validation, &p.Closing}
}

// ReadGeneral reads the form as it was sent.
func ReadGeneral(v url.Values) GeneralForm {
	text := func(name string) string { return strings.TrimSpace(typedText(v.Get(name))) }
	f := GeneralForm{DisplayName: text("displayName"), ContextType: text("contextType"), Description: text("description"), Greeting: text("greeting"),
		MinSatisfied: text("minObligationsSatisfied"), MinConfidence: text("minConfidenceScore"), Turns: text("turns"), Minutes: text("minutes"), Money: text("money")}
	for i := range f.Phases {
		f.Phases[i] = PhaseForm{nth(v, "phase.goal", i), nth(v, "phase.entry", i)}
	}
	for i := range v["constraint.name"] {
		if c := (ConstraintForm{nth(v, "constraint.name", i), nth(v, "constraint.when", i), nth(v, "constraint.message", i)}); c != (ConstraintForm{}) {
			f.Constraints = append(f.Constraints, c)
		}
	}
	return f
}

// Into puts what the form holds into d. When a field cannot be stored, nothing is, and
// the faults are returned.
func (f *GeneralForm) Into(d *objectives.Definition) []FieldFault {
	var r numberReader
	satisfied := r.whole("minObligationsSatisfied", f.MinSatisfied, "a whole number")
	confidence, minutes, money := r.decimal("minConfidenceScore", f.MinConfidence), r.decimal("minutes", f.Minutes), r.decimal("money", f.Money)
	turns := r.whole("turns", f.Turns, "a whole number")
	if confidence != nil && (*confidence < 0 || *confidence > 1) {
		r.faults = append(r.faults, FieldFault{"minConfidenceScore", "Must be from 0 to 1, not " + f.MinConfidence + "."})
	}
	if len(r.faults) > 0 {
		return r.faults
	}
	d.DisplayName, d.ContextType, d.Description, d.Greeting = f.DisplayName, f.ContextType, f.Description, f.Greeting
	d.Completion.MinSatisfied, d.Completion.MinConfidence = satisfied, obligations.Of(web.OrZero(confidence))
	d.Budget = objectives.Budget{Turns: turns, Minutes: web.OrZero(minutes), Money: web.OrZero(money)}
	for i, p := range phasesOf(&d.Phases) {
		p.Goal, p.Entry = f.Phases[i].Goal, f.Phases[i].Entry
	}
	d.Constraints = nil
	for _, c := range f.Constraints {
		one := obligations.Constraint{Name: c.Name, When: c.When, Message: c.Message}
		one.Normalize(d.Obligations)
		d.Constraints = append(d.Constraints, one)
	}
	d.Prune()
	return nil
}
