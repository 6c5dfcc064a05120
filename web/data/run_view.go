package data

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"quaestor/web/ui"
)

// RunView is what [Run] and [RunLive] show.
type RunView struct {
	Nav     ui.Nav
	Notice  string // what was just done; empty for nothing
	Failure string // why it could not be done

	ID           string
	Project      LinkRow
	Warehouse    string
	Status       string // as the API names it
	Pausing      bool
	Phase        string
	Doing        string // a sentence; empty for nothing
	Progress     int    // percent
	Over         bool   // nothing happens to it any more by itself
	Summary      string
	Outcome      string
	Stop         string
	Error        string
	Analyst      string
	Pack         string
	Areas        []string // that it keeps to, by name; none for all
	MaxSteps     int
	By           string
	Created      time.Time
	Ended        time.Time // zero while it is not over
	Counters     RunCounters
	Last         int64 // number of the last event that this shows
	Steps        []StepView
	Show         RunShow
	Findings     int // steps that found rows
	Errors       int // steps that failed
	Total        int // steps there are
	MoreSteps    string
	MayResume    bool
	MayPause     bool
	MayCancel    bool
	MayDelete    bool
	NothingLeft  bool // its warehouse is not connected any more
	WaitsForSync bool // its warehouse's tables are being read
}

// RunCounters say what a run did.
type RunCounters struct {
	Steps, Queries, Failed, Lookups, Searches int
	Tokens                                    int64
	Scanned                                   int64
	Asking, Active                            time.Duration
	USD                                       float64
	Priced                                    bool // USD is known of all calls
}

// RunShow is which steps of a run are wanted.
type RunShow string

// The choices.
const (
	ShowAll      RunShow = ""
	ShowFindings RunShow = "findings" // that found rows
	ShowErrors   RunShow = "errors"   // that failed, or were repaired
)

// ReadRunShow reads a choice from an address. What is none is all.
func ReadRunShow(s string) RunShow {
	if w := RunShow(s); w == ShowFindings || w == ShowErrors {
		return w
	}
	return ShowAll
}

// Wants says whether a step is among those that are shown.
func (w RunShow) Wants(s *StepView) bool {
	switch w {
	case ShowFindings:
		return s.found()
	case ShowErrors:
		return s.faulty()
	case ShowAll:
	}
	return true
}

// Path is the address of a run's page.
func (v RunView) Path() string { return "/data/runs/" + v.ID }

// showPath is the page with a choice of steps.
func (v RunView) showPath(w RunShow) string {
	if w == ShowAll {
		return v.Path() + "#steps"
	}
	return v.Path() + "?" + url.Values{"show": {string(w)}}.Encode() + "#steps"
}

// title is what the page is called.
func (v RunView) title() string { return "Exploring " + v.Project.Name }

// stream is where its events come from.
func (v RunView) stream() string { return "/api/v1/runs/" + v.ID + "/events" }

// shows are the choices of steps, with how many there are.
func (v RunView) shows() []showChoice {
	return []showChoice{{"All", ShowAll, v.Total}, {"Findings", ShowFindings, v.Findings}, {"Errors", ShowErrors, v.Errors}}
}

type showChoice struct {
	Name  string
	Show  RunShow
	Count int
}

// RunStatus says where a run stands.
func RunStatus(status string, pausing bool) string {
	if pausing {
		return "Pausing after this step"
	}
	if w := map[string]string{"pending": "Queued", "running": "Running", "paused": "Paused", "interrupted": "Interrupted, goes on by itself", "completed": "Done", "failed": "Failed", "cancelled": "Cancelled"}[status]; w != "" {
		return w
	}
	return status
}

// runChip is the class of a status, beside its words and its icon.
func runChip(status string) string {
	switch status {
	case "running":
		return "chip state is-now"
	case "completed":
		return "chip state is-known"
	case "failed":
		return "chip state is-warn"
	case "paused", "interrupted":
		return "chip state is-later"
	}
	return "chip state"
}

// runIcon is the picture of a status.
func runIcon(status string) string {
	switch status {
	case "running":
		return "partial"
	case "completed":
		return "satisfied"
	case "failed":
		return "warning"
	case "paused":
		return "deferred"
	case "cancelled":
		return "close"
	}
	return "pending"
}

// phaseMark is a phase of a run and where it stands.
type phaseMark struct {
	Name  string
	State string // done, now or later
}

// phases are the parts of a run, in order.
func (v RunView) phases() []phaseMark {
	names := []string{"initialization", "context", "schema", "exploration", "saving"}
	words := []string{"Getting ready", "Recalling", "Reading tables", "Exploring", "Saving"}
	var out []phaseMark
	state := "done"
	for i, name := range names {
		switch {
		case v.Status == "completed":
		case name == v.Phase:
			state = "now"
		case state == "now":
			state = "later"
		}
		out = append(out, phaseMark{words[i], state})
	}
	return out
}

// phaseWords says where a phase stands, to who hears the page.
func phaseWords(state string) string {
	return map[string]string{"done": "done", "now": "under way", "later": "not begun"}[state]
}

// outcome says what came of it in one sentence; empty while it is under way.
func (v RunView) outcome() string {
	if v.Stop == "" {
		return ""
	}
	stops := map[string]string{"complete": "It ended because the analyst was done.", "max_steps": "It ended at the number of steps that was set.", "repeating": "It ended because the last steps brought nothing new.",
		"budget_usd": "It ended at its budget of money.", "budget_tokens": "It ended at its budget of tokens.", "budget_time": "It ended at its budget of time.",
		"unparseable_output": "It ended because the model's replies could not be read.", "model_unavailable": "It ended because the model did not answer.", "warehouse_unavailable": "It ended because the warehouse did not answer."}
	if w := stops[v.Stop]; w != "" {
		return w
	}
	return "It ended: " + strings.ReplaceAll(v.Stop, "_", " ") + "."
}

// facts are the counters, as they are read.
func (c RunCounters) facts() []ui.Fact {
	out := []ui.Fact{{Name: "Queries", Value: strconv.Itoa(c.Queries)}, {Name: "Lookups", Value: strconv.Itoa(c.Lookups)}, {Name: "Searches", Value: strconv.Itoa(c.Searches)}}
	if c.Failed > 0 {
		out[0].Value += ", " + strconv.Itoa(c.Failed) + " failed"
	}
	out = append(out, ui.Fact{Name: "Tokens", Value: ui.Thousands(float64(c.Tokens))})
	if c.USD > 0 {
		cost := strconv.FormatFloat(c.USD, 'f', 4, 64) + " USD"
		if !c.Priced {
			cost = "at least " + cost
		}
		out = append(out, ui.Fact{Name: "Cost", Value: cost})
	}
	if c.Scanned > 0 {
		out = append(out, ui.Fact{Name: "Read", Value: ui.SizeName(c.Scanned)})
	}
	return append(out, ui.Fact{Name: "In the warehouse", Value: lasted(c.Asking)}, ui.Fact{Name: "Worked", Value: lasted(c.Active)})
}

// lasted is a duration for people: milliseconds, seconds or minutes.
func lasted(d time.Duration) string {
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

// extent says how far the steps are.
func (v RunView) extent() string {
	if v.Over {
		return ui.Count(v.Counters.Steps, "step")
	}
	return "step " + strconv.Itoa(v.Counters.Steps) + " of at most " + strconv.Itoa(v.MaxSteps)
}
