package data

import (
	"cmp"
	"strconv"
	"strings"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/projects"
	"quaestor/research/warehouse/runs"
	"quaestor/web/ui"
)

// StepView is a step of a run with its feedback. Use [Step] and [StepPage] to draw it.
type StepView struct {
	runs.StoredStep
	Run    string      // id
	Result *ResultView // nil if the step found no rows

	Vote            projects.Vote // of the reader; empty for none
	Comment         string        // of the reader
	Likes, Dislikes int           // of everybody

	Folded bool        // only its head is drawn
	Whole  bool        // all rows are drawn
	Form   ui.FormView // of feedback that was refused
}

// toStepView returns the view of a step without feedback. The texts of the analyst may
// come from a model, so invisible characters are taken out of them.
func toStepView(run string, t runs.StoredStep) StepView {
	t.Purpose, t.Thinking = ui.Visible(t.Purpose), ui.Visible(t.Thinking)
	return StepView{StoredStep: t, Run: run, Result: toResultView(t.Digest)}
}

// isFinding reports whether the step found rows.
func (s *StepView) isFinding() bool { return s.Rows > 0 && s.Error == "" }

// isFaulty reports whether something went wrong in the step, even if it was repaired.
func (s *StepView) isFaulty() bool {
	return s.Error != "" || len(s.Fixes) > 0 || s.Type == warehouse.ErrorStep || s.Type == warehouse.CompleteRejectedStep
}

// id is the id of the step in the page.
func (s *StepView) id() string { return "step-" + strconv.Itoa(s.N) }

// path is the address of the step's own page.
func (s *StepView) path() string { return runPath(s.Run) + "/steps/" + strconv.Itoa(s.N) }

// form is the name of the form for feedback.
func (s *StepView) form() string { return "feedback-" + strconv.Itoa(s.N) }

// Title tells what the step was for.
func (s *StepView) Title() string {
	switch {
	case s.Type == warehouse.CompleteStep:
		return "The analyst was done"
	case s.Type == warehouse.CompleteRejectedStep:
		return "The analyst wanted to stop, and was asked to go on"
	case s.Type == warehouse.LookupStep:
		return "Looked up " + ui.Count(len(s.Tables), "table")
	case s.Type == warehouse.SearchStep:
		return "Searched tables for “" + ui.Clip(s.Search, 80) + "”"
	case s.Purpose != "":
		return ui.Capital(s.Purpose)
	case s.Type == warehouse.ErrorStep:
		return "The analyst gave no step"
	}
	return s.typeName()
}

// remarks are the analyst's own words about the step. An analyst gives the reason to
// stop as the purpose.
func (s *StepView) remarks() string {
	isEnd := s.Type == warehouse.CompleteStep && s.Purpose != ""
	if isEnd || s.Type == warehouse.CompleteRejectedStep && s.Thinking == "" {
		return s.Purpose
	}
	return s.Thinking
}

// typeLooks are the name and the icon of each type of step.
var typeLooks = map[warehouse.StepType]struct{ Name, Icon string }{
	warehouse.QueryStep:            {"Query", "data"},
	warehouse.LookupStep:           {"Lookup", "objectives"},
	warehouse.SearchStep:           {"Search", "search"},
	warehouse.CompleteStep:         {"End", "satisfied"},
	warehouse.CompleteRejectedStep: {"Too early", "deferred"},
	warehouse.InsightStep:          {"Insight", "research"},
	warehouse.AnalysisStep:         {"Analysis", "research"},
	warehouse.ValidationStep:       {"Validation", "research"},
	warehouse.ErrorStep:            {"Error", "warning"},
}

// typeName is the name of the step's type.
func (s *StepView) typeName() string { return typeLooks[s.Type].Name }

// icon is the name of the step's icon.
func (s *StepView) icon() string {
	if s.Error != "" {
		return "warning"
	}
	return cmp.Or(typeLooks[s.Type].Icon, "research")
}

// shownTableNames is how many tables of a query its line names.
const shownTableNames = 3

// facts tell in one line what came of the step.
func (s *StepView) facts() string {
	var out []string
	switch {
	case s.State == runs.Asked:
		out = append(out, "under way")
	case s.Repeats > 0:
		out = append(out, "the same as step "+strconv.Itoa(s.Repeats)+", whose answer stands")
	case s.Error != "":
		out = append(out, errorWords(s.Class))
	case s.Type == warehouse.QueryStep:
		rows := ui.Count(s.Rows, "row")
		if s.More {
			rows = "the first " + rows
		}
		out = append(out, rows, durationWords(s.Took))
	}
	if n := len(s.Fixes); n > 0 && s.Error == "" {
		out = append(out, "repaired at attempt "+strconv.Itoa(n))
	}
	if n := len(s.Tables); s.Type == warehouse.QueryStep && n > 0 {
		tables := strings.Join(s.Tables[:min(n, shownTableNames)], ", ")
		if n > shownTableNames {
			tables += " and " + strconv.Itoa(n-shownTableNames) + " more"
		}
		out = append(out, tables)
	}
	return strings.Join(out, " · ")
}

// classWords are the words for each class of errors: those of queries, and the failures
// of the analyst that only runs know.
var classWords = map[warehouse.ErrorClass]string{
	warehouse.SyntaxError:     "not valid SQL",
	warehouse.UnknownColumn:   "an unknown column",
	warehouse.UnknownTable:    "an unknown table",
	warehouse.AmbiguousColumn: "an ambiguous column",
	warehouse.TypeMismatch:    "types that do not fit",
	warehouse.UnknownFunction: "an unknown function",
	warehouse.DivisionByZero:  "a division by zero",
	warehouse.GroupingError:   "a column that is not grouped",
	warehouse.Forbidden:       "refused before it was sent",
	warehouse.TimedOut:        "took too long",
	warehouse.NoPermission:    "not allowed by the warehouse",
	warehouse.OverQuota:       "more than the limits allow",
	warehouse.Unreachable:     "the warehouse did not answer",
	runs.ModelFailed:          "the model did not answer",
	runs.Unreadable:           "a reply that could not be read",
	runs.Exhausted:            "the budget of lookups or searches is used up",
}

// errorWords tells what kind of error it was.
func errorWords(class warehouse.ErrorClass) string { return cmp.Or(classWords[class], "an error") }

// fixedBy tells what made a repair: a rule of ours or a model.
func fixedBy(f warehouse.Fix) string {
	if f.By == "local" {
		return "by rule"
	}
	return "by " + f.By
}

// isRewritten reports whether the statement that was sent differs from the analyst's.
func (s *StepView) isRewritten() bool { return s.SQL != "" && s.SQL != s.Query }

// votes tell what people think of the step; empty while nobody voted.
func (s *StepView) votes() string {
	var out []string
	if s.Likes > 0 {
		out = append(out, strconv.Itoa(s.Likes)+" found it useful")
	}
	if s.Dislikes > 0 {
		out = append(out, strconv.Itoa(s.Dislikes)+" did not find it useful")
	}
	return strings.Join(out, ", ")
}

// How many nodes of the document the steps of a page may take, and what each takes about.
// The browser tests hold a whole page to 4,000 nodes, which old phones lay out at once;
// a list of 100 steps drawn within pageNodes stays below 3,600.
const (
	pageNodes   = 2600
	foldedNodes = 12 // of a folded step
	plainNodes  = 45 // of a step without its figures
	shownRows   = 10 // rows of a result in the list of steps
)

// nodes estimates how many nodes the step takes when it is drawn.
func (s *StepView) nodes() int {
	n := plainNodes + 3*len(s.Fixes)
	if s.Result != nil {
		n += s.Result.nodes(shownRows)
	}
	return n
}

// FoldSteps folds the steps at the end of a list that a page has no room for, except
// step open. The first steps of the list stay unfolded: they are the latest.
func FoldSteps(list []StepView, open int) {
	left := pageNodes - foldedNodes*len(list)
	for i := range list {
		s := &list[i]
		left -= s.nodes() - foldedNodes
		s.Folded = left < 0 && s.N != open
	}
}

// press returns the vote that the button of a vote sends: pressed again, it takes the
// vote back.
func (s *StepView) press(vote projects.Vote) string {
	if s.Vote == vote {
		return string(projects.NoVote)
	}
	return string(vote)
}

// voteToKeep returns the vote that saving a comment sends, which leaves it as it is.
func (s *StepView) voteToKeep() string { return string(cmp.Or(s.Vote, projects.NoVote)) }
