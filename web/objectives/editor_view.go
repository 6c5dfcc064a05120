package objectives

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"quaestor/obligations"
	"quaestor/sessions/objectives"
	"quaestor/web/ui"
)

// DraftTab is a part of the editor.
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

// draftTabs are the parts, with their names.
var draftTabs = []struct {
	Tab  DraftTab
	Name string
}{{QuestionsTab, "Questions"}, {GeneralTab, "General"}, {GraphTab, "Order"}, {SourceTab, "JSON"}, {TryTab, "Try it"}, {PublishTab, "Publish"}}

// tabPath is where a part of a draft's editor is.
func tabPath(id string, t DraftTab) string {
	if t == QuestionsTab {
		return draftPath(id)
	}
	return draftPath(id, string(t))
}

// DraftView is what all parts of the editor show.
type DraftView struct {
	Nav             ui.Nav
	Draft           objectives.Draft
	Tab             DraftTab
	N               int // of the question that is open, from 1; 0 for none
	Remarks         []objectives.Diagnostic
	MayEdit         bool
	Notice, Failure string
}

// title is what the draft is called.
func (v *DraftView) title() string {
	if v.Draft.Definition.DisplayName == "" {
		return "Objective without a name"
	}
	return v.Draft.Definition.DisplayName
}

// tabTitle is what the part that is open is called among the reader's tabs.
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

// faults counts what keeps the draft from being published.
func (v *DraftView) faults() int {
	n := 0
	for _, r := range v.Remarks {
		if r.Severity == objectives.LintError {
			n++
		}
	}
	return n
}

// state says in a few words how the draft is.
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

// placeOf finds a remark's place in the forms of d.
func placeOf(d *objectives.Definition, r objectives.Diagnostic) remarkPlace {
	var i int
	if n, _ := fmt.Sscanf(r.Path, "obligations[%d]", &i); n == 1 && i < len(d.Obligations) {
		_, field, _ := strings.Cut(r.Path, "]")
		field, _, _ = strings.Cut(strings.TrimPrefix(field, "."), "[")
		if field == "" && strings.Contains(r.Message, "has no why") {
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

// poolPlace is the place of a remark on a pool: the question that uses it first.
func poolPlace(d *objectives.Definition, path string) remarkPlace {
	id, _, _ := strings.Cut(path, "[")
	i := slices.IndexFunc(d.Obligations, func(t obligations.Template) bool { return t.PoolID == id })
	if i < 0 {
		return remarkPlace{Tab: SourceTab, Name: "Wordings nobody uses"}
	}
	return remarkPlace{N: i + 1, Field: "wordings", Tab: QuestionsTab, Name: questionName(&d.Obligations[i])}
}

// href leads to the place in the editor of a draft.
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
	var out []objectives.Diagnostic
	for _, r := range v.Remarks {
		p := placeOf(v.Draft.Definition, r)
		if p.N == v.N && p.Tab == v.Tab && p.Field == field {
			out = append(out, r)
		}
	}
	return out
}

// worst is the gravest severity of the remarks on a question, n from 1; empty
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

// outlineGroup is a category of the outline.
type outlineGroup struct {
	Name string
	List []outlineRow
}

// outlineRow is a question of the outline. Up and Down are the numbers it would
// change places with; 0 for none.
type outlineRow struct {
	N, Up, Down int
	Name        string
	Required    bool
	Priority    int
	Widget      string
	Worst       objectives.Severity
}

// facts are what the list says of a question beside its name.
func (r *outlineRow) facts() string {
	out := r.Widget + ", priority " + ui.Numeral(r.Priority)
	if r.Required {
		out += ", required"
	}
	return out
}

// outline lists the questions by category.
func (v *DraftView) outline() []outlineGroup {
	d := v.Draft.Definition
	var out []outlineGroup
	at := map[string]int{}
	for i := range d.Obligations {
		t := &d.Obligations[i]
		n, known := at[t.Category]
		if !known {
			n = len(out)
			at[t.Category] = n
			out = append(out, outlineGroup{Name: categoryName(t.Category)})
		}
		row := outlineRow{N: i + 1, Name: questionName(t), Required: slices.Contains(d.Completion.Required, t.Key), Priority: t.Priority, Widget: widgetName(t.Widget), Worst: v.worst(i + 1)}
		list := out[n].List
		if k := len(list); k > 0 {
			row.Up = list[k-1].N
			list[k-1].Down = row.N
		}
		out[n].List = append(list, row)
	}
	return out
}

// draftOption is an entry of a select.
type draftOption struct{ Value, Name string }

// widgetOptions are the kinds of answers.
var widgetOptions = []draftOption{{string(obligations.Text), "Free text"}, {string(obligations.ChoiceOne), "One of several choices"}, {string(obligations.MultiSelect), "Any of several choices"}, {string(obligations.Date), "A date"}, {string(obligations.Number), "A number"}}

func widgetName(w obligations.Widget) string { return nameIn(widgetOptions, string(w)) }

func nameIn(list []draftOption, value string) string {
	for _, o := range list {
		if o.Value == value {
			return o.Name
		}
	}
	return value
}

var collectionOptions = []draftOption{{string(obligations.DirectQuestion), "By asking"}, {string(obligations.Inferred), "By concluding it from other answers, asking late"}, {string(obligations.Research), "By looking it up, asking late"}}

var mergeOptions = []draftOption{{"", "What was said last"}, {"owner", "What an owner of the interview says"}, {"majority", "What most of them say"}, {"reviewer", "What a reviewer decides"}}

var researchOptions = []draftOption{{"", "Whatever fits"}, {"competitive_analysis", "Competitors"}, {"tech_feasibility", "Technical feasibility"}, {"market_research", "The market"}, {"domain_research", "The field"}, {"integration_research", "Integrations"}, {obligations.NoResearch, "None: nobody outside can know"}}

// withValue is list, and value where it is none of it, so that nothing is lost.
func withValue(list []draftOption, value string) []draftOption {
	if slices.ContainsFunc(list, func(o draftOption) bool { return o.Value == value }) {
		return list
	}
	return append(slices.Clone(list), draftOption{value, value})
}

// QuestionView is the form of a question.
type QuestionView struct {
	DraftView
	Form   QuestionForm
	Seen   string // fingerprint of the question as it was shown
	Wrong  []Wrong
	Clash  *Clash
	Shares []string // keys of those that share its wordings
}

// Clash is an edit that would undo another's.
type Clash struct {
	By   string
	Gone bool   // what is edited is not there any more
	Seen string // fingerprint of what is saved now
	Rows []DiffRow
}

// dependency is an entry of the list of what a question may wait for.
type dependency struct {
	Key, Name string
	Chosen    bool
	Missing   bool // nothing has that key
}

// dependencyGroup is a category of that list.
type dependencyGroup struct {
	Name string
	List []dependency
}

// dependencies lists the other questions, those chosen marked, and what is
// chosen and is not there.
func (v *QuestionView) dependencies() []dependencyGroup {
	var out []dependencyGroup
	at := map[string]int{}
	known := map[string]bool{}
	for i := range v.Draft.Definition.Obligations {
		t := &v.Draft.Definition.Obligations[i]
		known[t.Key] = true
		if i == v.N-1 || t.Key == "" {
			continue
		}
		n, there := at[t.Category]
		if !there {
			n = len(out)
			at[t.Category] = n
			out = append(out, dependencyGroup{Name: categoryName(t.Category)})
		}
		out[n].List = append(out[n].List, dependency{Key: t.Key, Name: questionName(t), Chosen: slices.Contains(v.Form.Dependencies, t.Key)})
	}
	missing := dependencyGroup{Name: "Not there any more"}
	for _, key := range v.Form.Dependencies {
		if !known[key] {
			missing.List = append(missing.List, dependency{Key: key, Name: key, Chosen: true, Missing: true})
		}
	}
	if len(missing.List) > 0 {
		out = append(out, missing)
	}
	return out
}

// chosen counts what the question waits for.
func (v *QuestionView) chosen() string {
	switch n := len(v.Form.Dependencies); n {
	case 0:
		return "nothing"
	case 1:
		return "1 other question"
	default:
		return ui.Numeral(n) + " other questions"
	}
}

// rows are the choices, and two empty rows for more.
func (f *QuestionForm) rows() []ChoiceForm {
	return append(slices.Clone(f.Choices), ChoiceForm{}, ChoiceForm{})
}

// rows are the constraints, and an empty one for another.
func (f *GeneralForm) rows() []ConstraintForm {
	return append(slices.Clone(f.Constraints), ConstraintForm{})
}

// categories are the headings in use, for suggestions.
func (v *DraftView) categories() []string {
	var out []string
	for _, t := range v.Draft.Definition.Obligations {
		if t.Category != "" && !slices.Contains(out, t.Category) {
			out = append(out, t.Category)
		}
	}
	return out
}

// GeneralView is the form of what is said beside the questions.
type GeneralView struct {
	DraftView
	Form  GeneralForm
	Seen  string
	Wrong []Wrong
	Clash *Clash
}

// DraftSourceView is the draft as JSON.
type DraftSourceView struct {
	DraftView
	Text   string
	Seen   string
	Faults []objectives.Diagnostic // why the text cannot be a draft
	Clash  *Clash
}

// TryView is the page that tries a draft on somebody.
type TryView struct {
	DraftView
	Cast   []Player
	Chosen string
	Played *Played
}

// PublishView is the page that publishes a draft.
type PublishView struct {
	DraftView
	Version  string // proposed, or as it was typed
	Note     string
	Replaces *VersionRow // the active version; nil for none
	Step     objectives.VersionStep
	Parts    []DiffPart
	Wrong    []Wrong
}

// GraphView is the page of what waits for what.
type GraphView struct {
	DraftView
	Graph Graph
}

// VersionView is a published version to be read.
type VersionView struct {
	Nav         ui.Nav
	ContextType string
	Version     VersionRow
	Definition  *objectives.Definition
	Graph       Graph
	MayEdit     bool
}

// questionFields and generalFields are the fields of the two forms that remarks
// can be on.
var (
	questionFields = []string{"label", "prompt", "why", "wordings", "examples", "widgetType", "choices", "unit", "min", "max", "priority", "category", "maxAttempts", "dependencies",
		"satisfiedWhen", "collectionType", "merge", "expertiseRequired", "researchType", "cues", "followUpStrategy", "agentNotes", "key", "fieldPath"}
	generalFields = []string{"displayName", "description", "greeting", "contextType", "minObligationsSatisfied", "minConfidenceScore", "turns", "minutes", "money", "constraints"}
)

// ill reports whether a field has a fault.
func (v *DraftView) ill(wrong []Wrong, field string) bool {
	return wrongIn(wrong, field) != "" || slices.ContainsFunc(v.remarksOn(field), func(r objectives.Diagnostic) bool { return r.Severity == objectives.LintError })
}

// folded are the fields that lie in the folded part of a question's form.
var folded = []string{"satisfiedWhen", "collectionType", "merge", "expertiseRequired", "researchType", "cues", "followUpStrategy", "agentNotes", "key", "fieldPath"}

// moreOpen reports whether the folded part has something to say.
func (v *QuestionView) moreOpen() bool {
	return slices.ContainsFunc(folded, func(field string) bool {
		return wrongIn(v.Wrong, field) != "" || len(v.remarksOn(field)) > 0
	})
}

// wordingsHelp explains the other wordings, and who shares them.
func (v *QuestionView) wordingsHelp() string {
	out := "One a line. Used in turn when the question is asked again."
	if len(v.Shares) > 0 {
		out += " Shared with " + strings.Join(v.Shares, ", ") + ", for which they change too."
	}
	return out
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
