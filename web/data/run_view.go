package data

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"
	"time"

	"quaestor/research/warehouse/runs"
	"quaestor/web/ui"
)

// RunView is what [Run] and [RunLive] show.
type RunView struct {
	Nav     ui.Nav
	Notice  string // what the last form did; may be empty
	Failure string // why the last form failed; may be empty. Why the run failed is Run.Failure

	RunCard
	WarehouseName string   // with its make; empty if it is no longer connected
	AreaNames     []string // of the areas it is limited to; none for all
	Insights      []InsightView
	Fallen        int         // insights that did not stand up to their check
	Areas         []runs.Area // that were analysed
	extentView
	Last      int64 // number of the last event that this view includes
	Show      StepFilter
	Steps     []StepView // latest first
	Total     int        // steps before the filter
	Findings  int        // of Total, those that found rows
	Errors    int        // of Total, those that failed or were repaired
	MoreSteps string     // address of the page with earlier steps; empty if there are none
}

// mayPause reports whether the run can be paused: at once while it waits, and after the
// current step while it runs.
func (v RunView) mayPause() bool {
	return !v.Pausing && (v.Status == runs.Running || v.Status.MayBecome(runs.Paused))
}

// mayResume reports whether the run can go on where it stopped. A pause that was not
// reached yet can be taken back.
func (v RunView) mayResume() bool {
	isWaiting := v.Status != runs.Running && v.Status != runs.Pending && v.Status.MayBecome(runs.Pending)
	return v.Warehouse != "" && (v.Pausing || isWaiting)
}

// mayCancel reports whether the run can be ended for good.
func (v RunView) mayCancel() bool { return v.Status.MayBecome(runs.Cancelled) }

// count adds a step to the numbers beside the filters.
func (v *RunView) count(s *StepView) {
	v.Total++
	if s.isFinding() {
		v.Findings++
	}
	if s.isFaulty() {
		v.Errors++
	}
}

// StepFilter selects steps of a run.
type StepFilter string

// The filters.
const (
	AllSteps     StepFilter = ""
	OnlyFindings StepFilter = "findings" // steps that found rows
	OnlyErrors   StepFilter = "errors"   // steps that failed or were repaired
)

// parseStepFilter reads a filter from an address; anything unknown selects all steps.
func parseStepFilter(s string) StepFilter {
	if f := StepFilter(s); f == OnlyFindings || f == OnlyErrors {
		return f
	}
	return AllSteps
}

// includes reports whether the filter selects a step.
func (f StepFilter) includes(s *StepView) bool {
	switch f {
	case OnlyFindings:
		return s.isFinding()
	case OnlyErrors:
		return s.isFaulty()
	case AllSteps:
	}
	return true
}

// filterPath is the address of the page with the steps that a filter selects.
func (v RunView) filterPath(f StepFilter) string {
	if f == AllSteps {
		return runPath(v.ID) + "#steps"
	}
	return runPath(v.ID) + "?" + url.Values{"show": {string(f)}}.Encode() + "#steps"
}

// filterChoice is a filter with its name and the number of steps it selects.
type filterChoice struct {
	Name   string
	Filter StepFilter
	Count  int
}

func (v RunView) filters() []filterChoice {
	return []filterChoice{{"All", AllSteps, v.Total}, {"Findings", OnlyFindings, v.Findings}, {"Errors", OnlyErrors, v.Errors}}
}

// title is the heading of the page.
func (v RunView) title() string { return "Exploring " + v.ProjectName }

// statusLook is how a status of a run is shown: its words, the class of its chip and
// its icon.
type statusLook struct{ Words, Class, Icon string }

// statusLooks has an entry for every status.
var statusLooks = map[runs.Status]statusLook{
	runs.Pending:     {"Queued", "chip state", "pending"},
	runs.Running:     {"Running", "chip state is-now", "partial"},
	runs.Paused:      {"Paused", "chip state is-later", "deferred"},
	runs.Interrupted: {"Interrupted, goes on by itself", "chip state is-later", "pending"},
	runs.Completed:   {"Done", "chip state is-known", "satisfied"},
	runs.Failed:      {"Failed", "chip state is-warn", "warning"},
	runs.Cancelled:   {"Cancelled", "chip state", "close"},
}

// look returns how the status of the run is shown.
func (c RunCard) look() statusLook {
	out := statusLooks[c.Status]
	switch {
	case c.Pausing:
		out.Words = "Pausing after this step"
	case c.Status == runs.Completed && c.Outcome == runs.PartialOutcome:
		return statusLook{"Done in part", "chip state is-warn", "partial"}
	case c.Status == runs.Completed && c.Outcome == runs.NoOutcome:
		return statusLook{"Done, without result", "chip state is-warn", "warning"}
	}
	return out
}

// phaseMark is a phase of a run with its state: done, partly, now or later.
type phaseMark struct{ Name, State string }

// phaseNames are the phases of a run for people, in order.
var phaseNames = []struct {
	phase runs.Phase
	name  string
}{{runs.Initialization, "Getting ready"}, {runs.Recalling, "Recalling"}, {runs.Schema, "Reading tables"}, {runs.Exploration, "Exploring"}, {runs.Analysis, "Looking for effects"},
	{runs.Validation, "Checking"}, {runs.Recommending, "Recommending"}, {runs.Saving, "Saving"}}

// phases returns the phases of the run in order. All are done when it is completed, but for those that left something
// out; otherwise those before its phase are done and those after it are later.
func (v RunView) phases() []phaseMark {
	var out []phaseMark
	state := "done"
	for _, p := range phaseNames {
		switch {
		case v.Status == runs.Completed:
		case p.phase == v.Phase:
			state = "now"
		case state == "now":
			state = "later"
		}
		mark := phaseMark{p.name, state}
		if state == "done" && v.leftOut(p.phase) {
			mark.State = "partly"
		}
		out = append(out, mark)
	}
	return out
}

// phaseWords tells the state of a phase to those who hear the page.
func phaseWords(state string) string {
	return map[string]string{"done": "done", "partly": "done in part", "now": "under way", "later": "not begun"}[state]
}

// stopWords tell why exploration stopped.
var stopWords = map[runs.StopReason]string{
	runs.StopComplete:    "It ended because the analyst was done.",
	runs.StopMaxSteps:    "It ended at the number of steps that was set.",
	runs.StopRepeating:   "It ended because the last steps brought nothing new.",
	runs.StopMoney:       "It ended at its budget of money.",
	runs.StopTokens:      "It ended at its budget of tokens.",
	runs.StopBytes:       "It ended at its budget of bytes that the warehouse scans.",
	runs.StopTime:        "It ended at its budget of time.",
	runs.StopUnparseable: "It ended because the model's replies could not be read.",
	runs.StopModel:       "It ended because the model did not answer.",
	runs.StopWarehouse:   "It ended because the warehouse did not answer.",
}

// ending tells why exploration stopped in a sentence; empty while it is under way.
func (v RunView) ending() string {
	if v.Stop == "" {
		return ""
	}
	return cmp.Or(stopWords[v.Stop], "It ended: "+strings.ReplaceAll(string(v.Stop), "_", " ")+".")
}

// facts are the counters of the run for people. Bytes are left out where they are not
// known, and a cost with calls of unknown price is a lower bound.
func (v RunView) facts() []ui.Fact {
	c := v.Counters
	queries := strconv.Itoa(c.Queries)
	if c.Failed > 0 {
		queries += ", " + strconv.Itoa(c.Failed) + " failed"
	}
	out := []ui.Fact{{Name: "Queries", Value: queries}, {Name: "Lookups", Value: strconv.Itoa(c.Lookups)}, {Name: "Searches", Value: strconv.Itoa(c.Searches)},
		{Name: "Tokens", Value: ui.Thousands(float64(v.Tokens()))}}
	t := v.Run.Total()
	if t.Calls > 0 && v.Tokens() > 0 {
		out = append(out, ui.Fact{Name: "Cost of the model", Value: spentWords(t.USD, t.Unpriced)})
	}
	if t.Asked.Statements > 0 {
		out = append(out, ui.Fact{Name: "Statements", Value: ui.Thousands(float64(t.Asked.Statements))}, ui.Fact{Name: "Cost of the warehouse", Value: spentWords(t.WarehouseUSD, t.UnpricedStatements)})
	}
	if read := max(c.Scanned, t.Asked.Scanned); read > 0 {
		out = append(out, ui.Fact{Name: "Read", Value: ui.SizeName(read)})
	}
	return append(out, ui.Fact{Name: "In the warehouse", Value: durationWords(max(c.Asking, t.Asked.Took))}, ui.Fact{Name: "Worked", Value: durationWords(c.Active)})
}

// durationWords writes a duration in milliseconds, seconds or minutes. The shortest
// that is written is 1 ms: what took less was not nothing.
func durationWords(d time.Duration) string {
	switch {
	case d <= 0:
		return "0 s"
	case d < time.Second:
		return strconv.FormatInt(max(d.Milliseconds(), 1), 10) + " ms"
	case d < time.Minute:
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
	}
	return strconv.Itoa(int(d.Minutes())) + " min " + strconv.Itoa(int(d.Seconds())%60) + " s"
}
