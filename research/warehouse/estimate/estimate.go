package estimate

import (
	"cmp"
	"math"
	"time"

	"quaestor/research/warehouse"
	"quaestor/research/warehouse/prices"
)

// Input is what an estimate is made from.
type Input struct {
	Steps     int     // that the run may make
	Areas     int     // whose findings the model words
	Tables    []Table // that are searched for effects
	Model     Model   // the zero Model stands for the built-in analyst
	Past      []Past  // completed runs of the project over the same warehouse, in any order
	Warehouse string  // id of the connection
	Reports   bool    // the warehouse reports the bytes that it scans
	Prices    prices.List
}

// Table is a table that is searched for effects, with what its search is likely to take.
type Table struct {
	Rows       int64 // negative if it is not known
	Columns    int
	Value      float64 // bytes of a value, on average; 8 if it is 0
	Statements int     // of the search
	Read       int64   // rows that come back of the search
	Insights   float64 // that it finds
	Checks     float64 // statements that check each of them
}

// Model is a model that explores.
type Model struct {
	Name string
	// Explore returns the tokens of the prompts of so many steps whose replies have said tokens and whose
	// outcomes have gave tokens.
	Explore    func(steps, said, gave int) (in int)
	Said, Gave int // the usual size of a step, in tokens
	// Words returns the tokens of the call that has so many insights of an area worded.
	Words func(insights int) (in, out int)
}

// Past is what a completed run used.
type Past struct {
	MaxSteps, Steps int
	Active          time.Duration
	Exploring       time.Duration // of Active until analysis began; zero if it is not known
	Checking        time.Duration // of Active since validation began
	Explored        Use
	Fixed           Use
	Analysed        Use
	Checked         Use
	Model           string // name of the model that explored; empty for the built-in analyst
}

// Use is what a part of a run uses.
type Use struct {
	warehouse.TokenUsage
	Asked warehouse.StatementUsage
}

// Line is what one phase of a run is likely to use. Money is in US dollars.
type Line struct {
	Phase        string
	Use          Use
	USD          float64 // of the model
	WarehouseUSD float64
	Time         time.Duration
}

// Estimate is what a run is likely to use.
type Estimate struct {
	Lines []Line  // by phase, in order: exploration, analysis, validation
	Total Line    // its phase is empty
	Runs  int     // earlier runs that it rests on; 0 if it rests on the catalog alone
	Low   float64 // of each figure the part, and
	High  float64 // the multiple, between which the use of most runs lies

	ModelPriced     bool // the price of the model is known, or it uses none
	WarehousePriced bool // the price of the warehouse is known
}

// What is assumed where no earlier runs are known.
const (
	asks         = 0.85            // statements for each step of a model; the rest are lookups and searches
	fixes        = 0.05            // repaired statements for each statement of a model
	fixIn        = 900             // tokens of the prompt that has a statement repaired
	fixOut       = 120             // tokens of the repaired statement
	fixedByModel = 0.5             // of the failed statements; rules repair the rest
	aReply       = 4 * time.Second // that a reply takes
	aStatement   = 300 * time.Millisecond
	bytesOfValue = 8
	columnsRead  = 4 // of a table by a statement
	rowsOfStep   = 10
	searchSpeed  = 3 // statements of analysis and validation that run at the same time
)

// The range of an estimate: of runs on the shops that the tests explore, nine in ten lie within it.
const (
	fromCatalog = 0.5
	fromRuns    = 0.25
)

// Of returns the estimate of a run.
func Of(in Input) Estimate {
	past := comparable(in)
	out := Estimate{Runs: len(past), Low: 1 - fromCatalog, High: 1 + fromCatalog}
	lines := fromTables(in)
	if len(past) > 0 {
		out.Low, out.High = 1-fromRuns, 1+fromRuns
		lines = ofPast(in, past)
	}
	out.ModelPriced = in.Model.Explore == nil
	if _, known := in.Prices.Model(in.Model.Name); known {
		out.ModelPriced = true
	}
	_, out.WarehousePriced = in.Prices.Warehouse(in.Warehouse)
	for _, l := range lines {
		l.USD, _ = in.Prices.OfTokens(in.Model.Name, l.Use.TokenUsage)
		l.WarehouseUSD, _ = in.Prices.OfStatements(in.Warehouse, l.Use.Asked)
		out.Lines = append(out.Lines, l)
		out.Total = out.Total.plus(l)
	}
	return out
}

// plus returns the sum of two lines, without a phase.
func (l Line) plus(m Line) Line {
	return Line{Use: Use{l.Use.Add(m.Use.TokenUsage), l.Use.Asked.Add(m.Use.Asked)}, USD: l.USD + m.USD, WarehouseUSD: l.WarehouseUSD + m.WarehouseUSD, Time: l.Time + m.Time}
}

// fromTables estimates a run by the catalog and the settings.
func fromTables(in Input) []Line {
	explore := Line{Phase: "exploration"}
	perStep := 1.0
	var width float64
	for _, t := range in.Tables {
		width += float64(max(t.Rows, 0)) * cmp.Or(t.Value, bytesOfValue) * float64(min(t.Columns, columnsRead))
	}
	if n := float64(len(in.Tables)); n > 0 {
		width /= n // of a statement over a table
	}
	if m := in.Model; m.Explore != nil {
		perStep = asks
		failed := float64(in.Steps) * asks * fixes
		explore.Use.TokenUsage = warehouse.TokenUsage{In: m.Explore(in.Steps, m.Said, m.Gave) + whole(failed*fixedByModel*fixIn), Out: in.Steps*m.Said + whole(failed*fixedByModel*fixOut), Calls: in.Steps + whole(failed*fixedByModel)}
		perStep += asks * fixes
	}
	explore.Use.Asked = in.statements(float64(in.Steps)*perStep, rowsOfStep, width)
	explore.Time = time.Duration(explore.Use.Calls)*aReply + explore.Use.Asked.Took

	var searches, insights, checks float64
	var read int64
	for _, t := range in.Tables {
		read += t.Read
		searches, insights, checks = searches+float64(t.Statements), insights+t.Insights, checks+t.Insights*t.Checks
	}
	analyse := Line{Phase: "analysis"}
	analyse.Use.Asked = in.statements(searches, 0, width)
	analyse.Use.Asked.Rows = read
	analyse.Use.TokenUsage = in.words(insights)
	analyse.Time = analyse.Use.Asked.Took/searchSpeed + time.Duration(analyse.Use.Calls)*aReply/searchSpeed
	validate := Line{Phase: "validation"}
	validate.Use.Asked = in.statements(checks, 1, width)
	validate.Time = validate.Use.Asked.Took / searchSpeed
	return []Line{explore, analyse, validate}
}

// statements is the use of so many of them.
func (in Input) statements(n float64, rows int, width float64) warehouse.StatementUsage {
	u := warehouse.StatementUsage{Statements: whole(n), Rows: int64(n * float64(rows)), Took: time.Duration(n * float64(aStatement))}
	if in.Reports {
		u.Scanned = int64(n * width)
	}
	return u
}

// mostWorded is how many insights of an area are worded at most.
const mostWorded = 12

// words is the use of having insights worded, spread over the areas.
func (in Input) words(insights float64) (u warehouse.TokenUsage) {
	if in.Model.Words == nil || in.Areas == 0 || insights < 1 {
		return u
	}
	areas := min(in.Areas, whole(math.Ceil(insights/2))) // some areas get none
	each := min(whole(math.Ceil(insights/float64(areas))), mostWorded)
	i, o := in.Model.Words(each)
	return warehouse.TokenUsage{In: areas * i, Out: areas * o, Calls: areas}
}

// comparable returns the earlier runs that tell about this one: with the same model, and at least a
// step.
func comparable(in Input) []Past {
	var out []Past
	for _, p := range in.Past {
		if p.Steps > 0 && p.Model == in.Model.Name {
			out = append(out, p)
		}
	}
	return out
}

// ofPast estimates a run by earlier ones: what a step used for each step, and what analysis and
// validation used as they did. The tokens of prompts do not grow with the steps alone, so they are laid
// out for both numbers of steps, and the ratio is that of the earlier runs.
func ofPast(in Input, past []Past) []Line {
	n := float64(len(past))
	var steps, reached float64
	var active, exploring, checking time.Duration
	var explore, fix, analyse, check Use
	for _, p := range past {
		steps, reached = steps+float64(p.Steps), reached+math.Min(float64(p.Steps)/float64(max(p.MaxSteps, 1)), 1)
		active, exploring, checking = active+p.Active, exploring+p.exploring(), checking+p.checking()
		explore, fix = explore.plus(p.Explored), fix.plus(p.Fixed)
		analyse, check = analyse.plus(p.Analysed), check.plus(p.Checked)
	}
	asked := float64(in.Steps) * reached / n // steps that are made before it ends by itself
	ratio := asked / steps
	first := Line{Phase: "exploration", Use: explore.plus(fix).times(ratio)}
	if in.Model.Explore != nil && explore.Out > 0 {
		first.Use.In = whole(float64(explore.In) * laidOut(in, past, asked) / n)
		first.Use.In += whole(float64(fix.In) * ratio)
	}
	second, third := Line{Phase: "analysis", Use: analyse.times(1 / n)}, Line{Phase: "validation", Use: check.times(1 / n)}
	first.Time = time.Duration(float64(exploring) * ratio)
	second.Time, third.Time = time.Duration(float64(max(active-exploring-checking, 0))/n), time.Duration(float64(checking)/n)
	return []Line{first, second, third}
}

// exploring is how long exploration took: as measured, else its share of the time that statements took.
func (p Past) exploring() time.Duration { return p.share(p.Exploring, p.Explored) }

// checking is the same of validation and of what comes behind it.
func (p Past) checking() time.Duration { return p.share(p.Checking, p.Checked) }

func (p Past) share(measured time.Duration, u Use) time.Duration {
	took := p.Explored.Asked.Took + p.Analysed.Asked.Took + p.Checked.Asked.Took
	switch {
	case p.Exploring > 0:
		return measured
	case took == 0:
		return p.Active / 3
	}
	return time.Duration(float64(p.Active) * float64(u.Asked.Took) / float64(took))
}

// laidOut is by what the prompts of a run with so many steps are larger than those of an earlier run, on
// average.
func laidOut(in Input, past []Past, steps float64) float64 {
	said, gave := in.Model.Said, in.Model.Gave
	var out float64
	for _, p := range past {
		if p.Explored.Calls > 0 {
			said = p.Explored.Out / p.Explored.Calls
		}
		out += float64(in.Model.Explore(whole(steps), said, gave)) / float64(max(in.Model.Explore(p.Steps, said, gave), 1))
	}
	return out / float64(len(past))
}

// plus returns the sum.
func (u Use) plus(v Use) Use { return Use{u.Add(v.TokenUsage), u.Asked.Add(v.Asked)} }

// times returns u multiplied.
func (u Use) times(f float64) Use {
	return Use{warehouse.TokenUsage{In: whole(float64(u.In) * f), Cached: whole(float64(u.Cached) * f), Out: whole(float64(u.Out) * f), Calls: whole(float64(u.Calls) * f)},
		warehouse.StatementUsage{Statements: whole(float64(u.Asked.Statements) * f), Rows: int64(float64(u.Asked.Rows) * f), Scanned: int64(float64(u.Asked.Scanned) * f), Took: time.Duration(float64(u.Asked.Took) * f)}}
}

// whole rounds to the nearest whole number.
func whole(f float64) int { return int(math.Round(f)) }
