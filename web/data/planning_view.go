package data

import (
	"strconv"
	"time"

	"quaestor/research/warehouse/estimate"
	"quaestor/research/warehouse/projects"
	"quaestor/research/warehouse/runs"
	"quaestor/sessions/settings/models"
	"quaestor/web/ui"
)

// PlanView is what the page of a project shows of when it is explored, by which model and at what cost.
type PlanView struct {
	Manages   bool               // the reader may set models and prices
	Scheduled *projects.Schedule // nil for none
	Next      []time.Time        // of the schedule
	Model     *models.Model      // that the project has chosen; nil for those of the organisation
	Models    []ui.Choice        // that it may choose; values are ids, or empty for the organisation's
	Estimate  *estimate.Estimate // that was asked for; nil for none
	Months    []runs.Month       // latest first
}

// cronNow, zoneNow and stepsNow are the values of the form of a schedule.
func (v PlanView) cronNow() string {
	if v.Scheduled == nil {
		return ""
	}
	return v.Scheduled.Cron
}

func (v PlanView) zoneNow() string {
	if v.Scheduled == nil {
		return "UTC"
	}
	return v.Scheduled.Zone
}

// scheduleVersion is that of the schedule that the page shows, also where the form shows what was typed: who
// was told of a change, and saves again, has seen it.
func (v PlanView) scheduleVersion() string {
	if v.Scheduled == nil {
		return "0"
	}
	return strconv.Itoa(v.Scheduled.Version)
}

func (v PlanView) stepsNow() string {
	if v.Scheduled == nil {
		return "40"
	}
	return strconv.Itoa(v.Scheduled.MaxSteps)
}

func (v PlanView) houseNow() string {
	if v.Scheduled == nil {
		return ""
	}
	return v.Scheduled.Warehouse
}

// inZone writes a time as people in a time zone read it.
func inZone(at time.Time, zone string) string {
	if l, err := time.LoadLocation(zone); err == nil {
		at = at.In(l)
	}
	return at.Format("Mon 2 Jan 2006, 15:04")
}

// ownModel is the model that the project has of its own; nil for none.
func (v PlanView) ownModel() *models.Model {
	if v.Model == nil || v.Model.Project == "" {
		return nil
	}
	return v.Model
}

// chosen is the value of the choice of a model.
func (v PlanView) chosen() string {
	if v.Model == nil || v.Model.Project != "" {
		return ""
	}
	return v.Model.ID
}

// ownName and ownURL are the values of the form of a model of the project's own.
func (v PlanView) ownName() string {
	if m := v.ownModel(); m != nil {
		return m.Name
	}
	return ""
}

func (v PlanView) ownURL() string {
	if m := v.ownModel(); m != nil {
		return m.BaseURL
	}
	return ""
}

// keyHint tells whether there is a key.
func (v PlanView) keyHint() string {
	if m := v.ownModel(); m != nil && m.HasKey {
		return "There is one. Empty keeps it, unless the address changes."
	}
	return "Sealed, and never shown again."
}

// modelWords tells which model explores.
func (v PlanView) modelWords() string {
	switch {
	case v.Model == nil:
		return "It is explored by the model that the organisation uses, or by the built-in analyst if there is none."
	case v.Model.Project != "":
		return "It is explored by a model of its own, " + v.Model.Name + "."
	}
	return "It is explored by " + v.Model.Name + ", a model of the organisation."
}

// phaseTitles are the phases of an estimate for people.
var phaseTitles = map[string]string{"exploration": "Exploring", "analysis": "Looking for effects", "validation": "Checking"}

// estimateBasis tells what an estimate rests on.
func estimateBasis(e *estimate.Estimate) string {
	if e.Runs > 0 {
		return "It rests on " + ui.Count(e.Runs, "earlier run") + " of the project. Most runs stay within a quarter of it."
	}
	return "It rests on the tables and the settings, for no earlier run is like this one. Most runs stay within half of it."
}

// money writes what a model or a warehouse costs, or that no price is set.
func money(usd float64, known bool) string {
	if !known {
		return "no price is set"
	}
	return dollars(usd)
}

// dollars writes an amount with cents, or more places where it is less than one.
func dollars(usd float64) string {
	places := 2
	if usd > 0 && usd < 1 {
		places = 4
	}
	return strconv.FormatFloat(usd, 'f', places, 64) + " USD"
}

// modelMoney and warehouseMoney are the cost of a line of an estimate. The built-in analyst costs
// nothing.
func modelMoney(e *estimate.Estimate, l estimate.Line) string {
	if l.Use.Calls == 0 {
		return "–"
	}
	return money(l.USD, e.ModelPriced)
}

func warehouseMoney(e *estimate.Estimate, l estimate.Line) string {
	return money(l.WarehouseUSD, e.WarehousePriced)
}

// scannedWords writes bytes, or that the warehouse does not report them.
func scannedWords(n int64) string {
	if n == 0 {
		return "not reported"
	}
	return ui.SizeName(n)
}

// minutesWords writes how long something takes, in minutes.
func minutesWords(d time.Duration) string {
	if d < time.Minute {
		return "under a minute"
	}
	return "about " + ui.Count(int(d.Round(time.Minute).Minutes()), "minute")
}

// spentWords writes what was spent on models or warehouses, as far as prices are known: with calls or
// statements of unknown price it is a lower bound.
func spentWords(usd float64, unpriced int) string {
	switch {
	case unpriced > 0 && usd == 0:
		return "no price is set"
	case unpriced > 0:
		return "at least " + dollars(usd)
	}
	return dollars(usd)
}
