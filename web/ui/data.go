package ui

import (
	"strconv"
	"time"
)

// DataView is what [Data] shows.
type DataView struct {
	Nav        Nav
	Notice     string // what was just done; empty for nothing
	Failure    string // why it could not be done
	Sample     bool   // sample data is offered
	Sampled    bool   // a project explores it
	Manages    bool   // the reader may connect warehouses
	Projects   []ProjectCard
	Running    []RunCard
	Warehouses []WarehouseCard
	Next       string // path of the next page of projects; empty on the last
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
		return count(c.Steps, "step")
	}
	return strconv.Itoa(c.Steps) + " of at most " + count(c.MaxSteps, "step")
}

// WarehouseCard is a connected warehouse.
type WarehouseCard struct {
	ID, Name, Make string
	State          string // what came of its last test
	Ill            bool
	Tested         time.Time // zero when it was not
}
