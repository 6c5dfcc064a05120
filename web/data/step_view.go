package data

import (
	"strconv"
	"strings"
	"time"

	"quaestor/web/ui"
)

// StepView is one step of a run.
type StepView struct {
	Run      string // id
	N        int
	Kind     string // as the API names it
	Asked    bool   // nothing came of it yet
	Purpose  string
	Thinking string
	Tables   []string
	Search   string
	Rows     int
	More     bool // there were more rows than were kept
	Scanned  int64
	Took     time.Duration
	Result   *ResultView // nil when it found no rows
	Query    string      // as it was written
	SQL      string      // as it was sent
	Answer   string      // what a lookup or a search found
	Repeats  int         // the step it repeats; 0 for none
	Error    string
	Class    string
	Fixes    []FixView
	At       time.Time

	Vote    string // of the reader
	Comment string
	Likes   int
	Dislike int

	Folded bool        // only its head is drawn
	Whole  bool        // all rows are drawn
	Form   ui.FormView // of the feedback that was refused
}

// FixView is one attempt to repair a statement.
type FixView struct {
	By, Rule, Class, Error, To string
	Works                      bool
}

func (s *StepView) found() bool { return s.Rows > 0 && s.Error == "" }

func (s *StepView) faulty() bool {
	return s.Error != "" || len(s.Fixes) > 0 || s.Kind == "error" || s.Kind == "complete_rejected"
}

// id is the step's in the page.
func (s *StepView) id() string { return "step-" + strconv.Itoa(s.N) }

// path is the address of the step's own page.
func (s *StepView) path() string { return "/data/runs/" + s.Run + "/steps/" + strconv.Itoa(s.N) }

// Title is what the step was for.
func (s *StepView) Title() string {
	switch {
	case s.Kind == "complete":
		return "The analyst was done"
	case s.Kind == "complete_rejected":
		return "The analyst wanted to stop, and was asked to go on"
	case s.Kind == "lookup_schema":
		return "Looked up " + ui.Count(len(s.Tables), "table")
	case s.Kind == "search_tables":
		return "Searched tables for “" + ui.Clip(s.Search, 80) + "”"
	case s.Kind == "error" && s.Purpose == "":
		return "The analyst gave no step"
	case s.Purpose != "":
		return ui.Capital(s.Purpose)
	}
	return stepKind(s.Kind)
}

// says are the analyst's own words about it.
func (s *StepView) says() string {
	if s.Kind == "complete" && s.Purpose != "" {
		return s.Purpose
	}
	if s.Kind == "complete_rejected" && s.Thinking == "" {
		return s.Purpose
	}
	return s.Thinking
}

// stepKind names a type of step.
func stepKind(kind string) string {
	if w := map[string]string{"query": "Query", "lookup_schema": "Lookup", "search_tables": "Search", "complete": "End", "complete_rejected": "Too early", "insight": "Insight", "analysis": "Analysis", "validation": "Validation", "error": "Error"}[kind]; w != "" {
		return w
	}
	return strings.ReplaceAll(kind, "_", " ")
}

// stepIcon is the picture of a type of step.
func (s *StepView) icon() string {
	if s.Error != "" {
		return "warning"
	}
	switch s.Kind {
	case "query":
		return "data"
	case "lookup_schema":
		return "objectives"
	case "search_tables":
		return "search"
	case "complete":
		return "satisfied"
	case "complete_rejected":
		return "deferred"
	case "error":
		return "warning"
	}
	return "research"
}

// facts say in short what came of it.
func (s *StepView) facts() string {
	var out []string
	switch {
	case s.Asked:
		out = append(out, "under way")
	case s.Repeats > 0:
		out = append(out, "the same as step "+strconv.Itoa(s.Repeats)+", whose answer stands")
	case s.Error != "":
		out = append(out, errorClass(s.Class))
	case s.Kind == "query":
		rows := ui.Count(s.Rows, "row")
		if s.More {
			rows = "the first " + rows
		}
		out = append(out, rows, lasted(s.Took))
	}
	if n := len(s.Fixes); n > 0 && s.Error == "" {
		out = append(out, "mended at attempt "+strconv.Itoa(n))
	}
	if s.Kind == "query" && len(s.Tables) > 0 {
		out = append(out, strings.Join(s.Tables[:min(len(s.Tables), 3)], ", "))
		if len(s.Tables) > 3 {
			out[len(out)-1] += " and " + strconv.Itoa(len(s.Tables)-3) + " more"
		}
	}
	return strings.Join(out, " · ")
}

// errorClass says what kind of error it was.
func errorClass(class string) string {
	words := map[string]string{"syntax": "not valid SQL", "unknown_column": "a column that is not there", "unknown_table": "a table that is not there", "ambiguous_column": "a column that could be two",
		"type_mismatch": "types that do not fit", "unknown_function": "a function that is not there", "division_by_zero": "a division by zero", "grouping": "a column that is not grouped",
		"forbidden_statement": "refused before it was sent", "timeout": "took too long", "permission": "not allowed by the warehouse", "quota": "more than the limits allow", "connection": "the warehouse did not answer",
		"model": "the model did not answer", "reply": "a reply that could not be read", "budget": "the budget of lookups or searches is used up"}
	if w := words[class]; w != "" {
		return w
	}
	return "an error"
}

// mender says who repaired.
func (f FixView) mender() string {
	if f.By == "local" {
		return "by rule"
	}
	return "by " + f.By
}

// rewritten says whether what was sent differs from what was written.
func (s *StepView) rewritten() bool { return s.SQL != "" && s.SQL != s.Query }

// order is that of its form's fields.
func (s *StepView) form() string { return "feedback-" + strconv.Itoa(s.N) }

// thinks says what people think of it; empty for nothing.
func (s *StepView) thinks() string {
	var out []string
	if s.Likes > 0 {
		out = append(out, strconv.Itoa(s.Likes)+" found it useful")
	}
	if s.Dislike > 0 {
		out = append(out, strconv.Itoa(s.Dislike)+" did not find it useful")
	}
	return strings.Join(out, ", ")
}

// Nodes of a page that steps may take; see [FoldSteps].
const (
	pageNodes   = 2600
	foldedNodes = 12
	plainNodes  = 45 // of a step beside its figures
	shownRows   = 10 // of a result in the list of steps
)

// nodes estimates what a step takes when it is drawn.
func (s *StepView) nodes() int {
	n := plainNodes + 3*len(s.Fixes)
	if s.Result != nil {
		n += s.Result.nodes(shownRows)
	}
	return n
}

// FoldSteps folds all but the first steps and those that are wanted, so that a long
// list stays light.
func FoldSteps(list []StepView, wanted int) {
	left := pageNodes - foldedNodes*len(list)
	for i := range list {
		s := &list[i]
		left -= s.nodes() - foldedNodes
		s.Folded = left < 0 && s.N != wanted
	}
}

// press is what a button of a vote sends: pressed again, it takes the vote back.
func (s *StepView) press(vote string) string {
	if s.Vote == vote {
		return "none"
	}
	return vote
}

// keep is the vote that saving a comment leaves as it is.
func (s *StepView) keep() string {
	if s.Vote == "" {
		return "none"
	}
	return s.Vote
}

// sentenceOf begins with a capital and ends with a full stop.
func sentenceOf(s string) string { return ui.Capital(s) + "." }
