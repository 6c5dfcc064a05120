package objectives

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"quaestor/obligations"
	"quaestor/sessions/objectives"
	"quaestor/web"
	"quaestor/web/ui"
)

// DraftTab is a part of the editor, by the last word of its address.
type DraftTab string

// The parts of the editor, in the order they are offered.
const (
	QuestionsTab DraftTab = "questions"
	GeneralTab   DraftTab = "general"
	GraphTab     DraftTab = "graph"
	SourceTab    DraftTab = "source"
	TryTab       DraftTab = "try"
	PublishTab   DraftTab = "publish"
)

// draftTabs are the parts in the order they are offered, with their names.
var draftTabs = []struct {
	Tab  DraftTab
	Name string
}{{QuestionsTab, "Questions"}, {GeneralTab, "General"}, {GraphTab, "Order"}, {SourceTab, "JSON"}, {TryTab, "Try it"}, {PublishTab, "Publish"}}

// tabPath returns the address of a part of a draft's editor.
func tabPath(id string, t DraftTab) string {
	if t == QuestionsTab {
		return draftPath(id)
	}
	return draftPath(id, string(t))
}

// DraftView is what all parts of the editor show.
type DraftView struct {
	PageView
	Draft   objectives.Draft
	Tab     DraftTab
	N       int                     // of the question that is open, from 1; 0 for none
	Remarks []objectives.Diagnostic // what is wrong with the draft
	Failure string                  // why something was not done; empty when nothing failed
}

// FormView is a part of the editor with a form in it. Faults and Conflict tell why what
// was sent is not stored; the form then keeps what was typed.
type FormView struct {
	DraftView
	Seen     string // fingerprint of what the form was filled with
	Faults   []FieldFault
	Conflict *EditConflict
}

// refusal returns the status with which a form is shown again.
func (v *FormView) refusal() int {
	if v.Conflict != nil {
		return http.StatusConflict
	}
	return http.StatusUnprocessableEntity
}

// title returns what the draft is called on its pages.
func (v *DraftView) title() string {
	return cmp.Or(v.Draft.Definition.DisplayName, "Objective without a name")
}

// tabTitle names the part that is open first, so that a reader's browser tabs differ.
func (v *DraftView) tabTitle() string {
	if v.N > 0 {
		return "Question " + strconv.Itoa(v.N) + " · " + v.title()
	}
	for _, t := range draftTabs {
		if t.Tab == v.Tab {
			return t.Name + " · " + v.title()
		}
	}
	return v.title()
}

// isFault reports whether a remark keeps a draft from being published.
func isFault(r objectives.Diagnostic) bool { return r.Severity == objectives.LintError }

// faults counts the remarks that keep the draft from being published.
func (v *DraftView) faults() int {
	return len(web.Where(v.Remarks, isFault))
}

// state sums the remarks up in a few words.
func (v *DraftView) state() string {
	faults, warnings := v.faults(), len(v.Remarks)-v.faults()
	switch {
	case faults > 0 && warnings > 0:
		return ui.Count(faults, "fault") + " and " + ui.Count(warnings, "warning")
	case faults > 0:
		return ui.Count(faults, "fault")
	case warnings > 0:
		return "No faults, " + ui.Count(warnings, "warning")
	}
	return "Nothing is wrong"
}

// remarkPlace is where in the editor a remark belongs.
type remarkPlace struct {
	N     int    // of the question, from 1; 0 for the general part
	Field string // of its form; empty for the form as a whole
	Tab   DraftTab
	Name  string // for people
}

// placeOf finds the field of an editor's form that a remark on d is about. A remark on
// something that no form shows belongs to the draft as JSON.
func placeOf(d *objectives.Definition, r objectives.Diagnostic) remarkPlace {
	var i int
	if n, _ := fmt.Sscanf(r.Path, "obligations[%d]", &i); n == 1 && i < len(d.Obligations) {
		_, field, _ := strings.Cut(r.Path, "]")
		field, _, _ = strings.Cut(strings.TrimPrefix(field, "."), "[")
		if field == "" && strings.Contains(r.Message, "has no why") { // lint places what is missing at the whole
			field = "why"
		}
		return remarkPlace{N: i + 1, Field: field, Tab: QuestionsTab, Name: questionName(&d.Obligations[i])}
	}
	head, rest, _ := strings.Cut(r.Path, ".")
	switch {
	case head == "pools":
		return poolPlace(d, rest)
	case strings.HasPrefix(head, "constraints["):
		return remarkPlace{Field: "constraints", Tab: GeneralTab, Name: "What cannot all hold"}
	case strings.HasPrefix(rest, "requiredObligations"):
		return remarkPlace{Tab: SourceTab, Name: "Required questions"}
	case head == "completion", head == "budget":
		return remarkPlace{Field: rest, Tab: GeneralTab, Name: "General"}
	case slices.Contains([]string{"displayName", "contextType"}, head):
		return remarkPlace{Field: head, Tab: GeneralTab, Name: "General"}
	case head == "version":
		return remarkPlace{Tab: PublishTab, Name: "Version"}
	case head == "obligations":
		return remarkPlace{Tab: QuestionsTab, Name: "Questions"}
	}
	return remarkPlace{Tab: SourceTab, Name: "The file"}
}

// poolPlace returns the place of a remark on a pool: the first question that uses it.
func poolPlace(d *objectives.Definition, path string) remarkPlace {
	id, _, _ := strings.Cut(path, "[")
	i := slices.IndexFunc(d.Obligations, func(t obligations.Template) bool { return t.PoolID == id })
	if i < 0 {
		return remarkPlace{Tab: SourceTab, Name: "Wordings that no question uses"}
	}
	return remarkPlace{N: i + 1, Field: "wordings", Tab: QuestionsTab, Name: questionName(&d.Obligations[i])}
}

// href returns the address of the place in the editor of a draft.
func (p remarkPlace) href(id string) string {
	to := tabPath(id, p.Tab)
	if p.N > 0 {
		to = questionPath(id, p.N)
	}
	if p.Field != "" {
		to += "#f-" + p.Field
	}
	return to
}

// remarksOn returns the remarks on a field of the open form.
func (v *DraftView) remarksOn(field string) []objectives.Diagnostic {
	return web.Where(v.Remarks, func(r objectives.Diagnostic) bool {
		p := placeOf(v.Draft.Definition, r)
		return p.N == v.N && p.Tab == v.Tab && p.Field == field
	})
}

// worst returns the gravest severity of the remarks on question n, counted from 1; empty
// for none.
func (v *DraftView) worst(n int) objectives.Severity {
	var out objectives.Severity
	for _, r := range v.Remarks {
		if placeOf(v.Draft.Definition, r).N != n {
			continue
		}
		if r.Severity == objectives.LintError {
			return objectives.LintError
		}
		out = r.Severity
	}
	return out
}

// questionRow is a question in a list. Up and Down are the numbers it would change
// places with inside its category; 0 at the end.
type questionRow struct {
	N, Up, Down int
	*obligations.Template
	Required bool
	Worst    objectives.Severity // of its remarks; empty for none
}

// facts tell about a question beside its name.
func (r *questionRow) facts() string {
	out := widgetName(r.Widget) + ", priority " + ui.Numeral(r.Priority)
	if r.Required {
		out += ", required"
	}
	return out
}

// outline lists the questions by category, categories in the order they come up.
func (v *DraftView) outline() []ui.Group[string, questionRow] {
	d := v.Draft.Definition
	rows := make([]questionRow, len(d.Obligations))
	for i := range rows {
		rows[i] = questionRow{N: i + 1, Template: &d.Obligations[i], Required: isRequired(d, i), Worst: v.worst(i + 1)}
	}
	out := ui.GroupBy(rows, func(r questionRow) string { return cmp.Or(r.Category, noCategory) })
	for _, g := range out {
		for k := 1; k < len(g.List); k++ {
			g.List[k].Up, g.List[k-1].Down = g.List[k-1].N, g.List[k].N
		}
	}
	return out
}

// draftOption is an entry of a select.
type draftOption struct{ Value, Name string }

// widgetOptions are the kinds of answers. The names here and below are those people read;
// the values are stored.
var widgetOptions = []draftOption{{string(obligations.Text), "Free text"}, {string(obligations.ChoiceOne), "One of several choices"}, {string(obligations.MultiSelect), "Any of several choices"}, {string(obligations.Date), "A date"}, {string(obligations.Number), "A number"}}

// depthOptions are how deep the interviewer goes for a text.
var depthOptions = []draftOption{{"", "The fact is enough"}, {"reason", "Also the reason behind it"}, {"story", "What happened, in some detail"}}

// valueTypeOptions are what a text may be. The empty one keeps the person's words.
var valueTypeOptions = []draftOption{{"", "The person’s words"}, {"person", "A person"}, {"organisation", "An organisation"}, {"place", "A place"}, {"address", "An address"}, {"product", "A product or a thing"}, {"list", "A list of things"}, {"time", "A time of day"}, {"duration", "A length of time"}, {"email", "An e-mail address"}, {"phone", "A phone number"}, {"url", "A web address"}, {"identifier", "A number or code by which something is known"}}

// widgetName names a kind of answer; one that is not known names itself.
func widgetName(w obligations.Widget) string {
	for _, o := range widgetOptions {
		if o.Value == string(w) {
			return o.Name
		}
	}
	return string(w)
}

// rulesHelp explains the field of rules by an example.
const rulesHelp = `For what is concluded from other answers: rules in JSON, of which the first that holds counts, such as ` +
	`[{"when": [{"key": "team", "atMost": 2}], "then": "small", "because": "Two people can only do a small project."}]. ` +
	`A condition has equals, in, atLeast, atMost, contains or containsAny.`

// collectionOptions are the ways a value is learnt.
var collectionOptions = []draftOption{{string(obligations.DirectQuestion), "By asking"}, {string(obligations.Inferred), "By concluding it from other answers"}, {string(obligations.Research), "By looking it up"}}

// mergeOptions are the rules for answers of several people. The empty one is the default.
var mergeOptions = []draftOption{{"", "What was said last"}, {"owner", "What an owner of the interview says"}, {"majority", "What most of them say"}, {"reviewer", "What a reviewer decides"}}

// researchOptions are the kinds of research. Without one, research picks what fits.
var researchOptions = []draftOption{{"", "Whatever fits"}, {"competitive_analysis", "Competitors"}, {"tech_feasibility", "Technical feasibility"}, {"market_research", "The market"}, {"domain_research", "The field"}, {"integration_research", "Integrations"}, {obligations.NoResearch, "None: nobody outside can know"}}

// withValue returns list, with value added when it is not one of the options: a draft
// may hold any, and saving the form must not change it.
func withValue(list []draftOption, value string) []draftOption {
	if slices.ContainsFunc(list, func(o draftOption) bool { return o.Value == value }) {
		return list
	}
	return append(slices.Clone(list), draftOption{value, value})
}

// QuestionView is the form of a question.
type QuestionView struct {
	FormView
	Form   QuestionForm
	Shares []string // keys of the questions that share its wordings
}

// dependency is a question that the open one may wait for.
type dependency struct {
	Key, Name string
	Chosen    bool
}

// dependencies lists the other questions by category with the chosen ones marked, and
// last what is chosen and no longer exists.
func (v *QuestionView) dependencies() []ui.Group[string, dependency] {
	var out []ui.Group[string, dependency]
	known := map[string]bool{}
	for _, g := range v.outline() {
		group := ui.Group[string, dependency]{Name: g.Name}
		for _, q := range g.List {
			known[q.Key] = true
			if q.N != v.N && q.Key != "" {
				group.List = append(group.List, dependency{q.Key, questionName(q.Template), slices.Contains(v.Form.Dependencies, q.Key)})
			}
		}
		if len(group.List) > 0 {
			out = append(out, group)
		}
	}
	missing := ui.Group[string, dependency]{Name: "No longer there"}
	for _, key := range v.Form.Dependencies {
		if !known[key] {
			missing.List = append(missing.List, dependency{key, key, true})
		}
	}
	if len(missing.List) > 0 {
		out = append(out, missing)
	}
	return out
}

// chosen tells in words how much the question waits for.
func (v *QuestionView) chosen() string {
	if n := len(v.Form.Dependencies); n > 0 {
		return ui.Count(n, "other question")
	}
	return "nothing"
}

// rows returns the choices, and two empty rows for more.
func (f *QuestionForm) rows() []ChoiceForm {
	return append(slices.Clone(f.Choices), ChoiceForm{}, ChoiceForm{})
}

// rows returns the constraints, and an empty row for another.
func (f *GeneralForm) rows() []ConstraintForm {
	return append(slices.Clone(f.Constraints), ConstraintForm{})
}

// categories returns the categories in use, each once, as suggestions.
func (v *DraftView) categories() []string {
	var out []string
	for _, g := range v.outline() {
		if category := g.List[0].Category; category != "" {
			out = append(out, category)
		}
	}
	return out
}

// GeneralView is the form of what is said beside the questions.
type GeneralView struct {
	FormView
	Form GeneralForm
}

// SourceView is the draft as JSON.
type SourceView struct {
	FormView
	Text       string
	TextFaults []objectives.Diagnostic // why Text cannot be a draft
}

// PublishView is the page that publishes a draft.
type PublishView struct {
	FormView
	Version  string // proposed, or as it was typed
	Note     string
	Replaces *VersionRow            // the active version; nil for none
	Step     objectives.VersionStep // how far the change reaches
	Parts    []DiffPart             // what changes from Replaces
}

// versionHelp explains the version that is proposed.
func (v *PublishView) versionHelp() string {
	if v.Replaces == nil {
		return "Three numbers, such as 1.0.0."
	}
	return "Proposed because of what changed: " + reachWords[v.Step] + "."
}

// GraphView is the page of what waits for what.
type GraphView struct {
	DraftView
	Graph Graph
}

// questionFields and generalFields are the fields of the two forms that remarks can be
// on. After each edit the remarks of all of them are drawn anew.
var (
	questionFields = []string{"label", "prompt", "why", "wordings", "examples", "widgetType", "valueType", "choices", "unit", "min", "max", "priority", "category", "maxAttempts", "dependencies",
		"satisfiedWhen", "collectionType", "inference", "merge", "expertiseRequired", "researchType", "cues", "depth", "probe", "followUpStrategy", "agentNotes", "key", "fieldPath"}
	generalFields = []string{"displayName", "description", "greeting", "contextType", "minObligationsSatisfied", "minConfidenceScore", "turns", "minutes", "money", "constraints"}
)

// invalid reports whether a field has a fault. Warnings are none.
func (v *FormView) invalid(field string) bool {
	return faultIn(v.Faults, field) != "" || slices.ContainsFunc(v.remarksOn(field), isFault)
}

// folded are the fields in the part of a question's form that is closed at first.
var folded = []string{"satisfiedWhen", "collectionType", "inference", "merge", "expertiseRequired", "researchType", "cues", "depth", "probe", "followUpStrategy", "agentNotes", "key", "fieldPath"}

// moreOpen reports whether the folded part has remarks, so that it has to be open.
func (v *QuestionView) moreOpen() bool {
	return slices.ContainsFunc(folded, func(field string) bool {
		return faultIn(v.Faults, field) != "" || len(v.remarksOn(field)) > 0
	})
}

// wordingsHelp explains the other wordings, and which questions share them.
func (v *QuestionView) wordingsHelp() string {
	out := "One a line. Used in turn when the question is asked again."
	if len(v.Shares) > 0 {
		out += " Shared with " + strings.Join(v.Shares, ", ") + ", for which they change too."
	}
	return out
}

// yesNo words a fact.
func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
