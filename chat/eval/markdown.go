package eval

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// page writes Markdown. After the first error it writes nothing more.
type page struct {
	w   io.Writer
	err error
}

// say writes a line.
func (p *page) say(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

// table writes a table. All columns but the first are aligned to the right.
func (p *page) table(head []string, rows [][]string) {
	p.say("\n| %s |", strings.Join(head, " | "))
	p.say("|%s", " --- |"+strings.Repeat(" ---: |", len(head)-1))
	for _, r := range rows {
		for i := range r {
			r[i] = cell(r[i])
		}
		p.say("| %s |", strings.Join(r, " | "))
	}
}

// cell escapes s for a cell of a table.
func cell(s string) string {
	return strings.NewReplacer("|", "\\|", "\n", " ", "\r", " ").Replace(s)
}

// measure is one row of a scorecard.
type measure struct {
	name string
	of   func(*Total) string
}

// measures are the rows of a scorecard, in order.
var measures = []measure{
	{"interviews", func(t *Total) string { return strconv.Itoa(t.Runs) }},
	{"completed", func(t *Total) string { return strconv.Itoa(t.Completed) }},
	{"ended within budget", func(t *Total) string { return strconv.Itoa(t.InBudget) }},
	{"ended as left unasked", func(t *Total) string { return strconv.Itoa(t.Stray) }},
	{"turns", func(t *Total) string { return tenths(t.Turns) }},
	{"turns to completion", func(t *Total) string { return tenths(t.TurnsCompleted) }},
	{"accuracy", func(t *Total) string { return percent(t.Accuracy) }},
	{"coverage", func(t *Total) string { return percent(t.Coverage) }},
	{"coverage after 5 answers", func(t *Total) string { return percent(t.CoverageAt5) }},
	{"coverage after 10 answers", func(t *Total) string { return percent(t.CoverageAt10) }},
	{"changes of category", func(t *Total) string { return tenths(t.Changes) }},
	{"false fills", func(t *Total) string { return strconv.Itoa(t.FalseFills) }},
	{"re-asks of satisfied", func(t *Total) string { return strconv.Itoa(t.Reasks) }},
	{"dependency violations", func(t *Total) string { return strconv.Itoa(t.Dependencies) }},
	{"values without evidence", func(t *Total) string { return strconv.Itoa(t.Unfounded) }},
	{"replay differences", func(t *Total) string { return strconv.Itoa(t.Replay) }},
	{"corrections honoured", func(t *Total) string { return share(t.Honoured, t.Corrections) }},
	{"contradictions noticed", func(t *Total) string { return share(t.Noticed, t.Contradictions) }},
	{"degraded turns", func(t *Total) string { return strconv.Itoa(t.Degraded) }},
}

// Figures are written with as many decimals as differ between runs: tenths of turns and
// percent, thousandths of calibration errors.
func tenths(f float64) string  { return strconv.FormatFloat(f, 'f', 1, 64) }
func percent(f float64) string { return strconv.FormatFloat(100*f, 'f', 1, 64) + " %" }
func share(n, of int) string   { return fmt.Sprintf("%d of %d", n, of) }
func fine(f float64) string    { return strconv.FormatFloat(f, 'f', 3, 64) }

// Markdown writes the scorecard for people to read.
func (c *Scorecard) Markdown(w io.Writer) error {
	p := page{w: w}
	p.say("# Interviews by %s", c.title())
	p.totals(c)
	p.runs(c)
	p.calibration(&c.Calibration)
	p.breaches(c)
	return p.err
}

// title returns the interviewer and the label, if there is one.
func (c *Scorecard) title() string {
	if c.Label == "" {
		return c.Interviewer
	}
	return c.Interviewer + ", " + c.Label
}

// totals writes the measures of all interviews, of each context type and of each kind of
// person.
func (p *page) totals(c *Scorecard) {
	head := []string{"", "all"}
	columns := []*Total{&c.Total}
	for _, list := range [][]Total{c.Contexts, c.Kinds} {
		for i := range list {
			head, columns = append(head, strings.ReplaceAll(list[i].Name, "_", " ")), append(columns, &list[i])
		}
	}
	var rows [][]string
	for _, m := range measures {
		row := []string{m.name}
		for _, t := range columns {
			row = append(row, m.of(t))
		}
		rows = append(rows, row)
	}
	p.table(head, rows)
}

// runs writes a row for each interview.
func (p *page) runs(c *Scorecard) {
	p.say("\n## Each interview")
	var rows [][]string
	for i := range c.Runs {
		r := &c.Runs[i]
		honoured := 0
		for _, x := range r.Corrections {
			if x.Honoured {
				honoured++
			}
		}
		rows = append(rows, []string{r.Context + " / " + r.Persona, string(r.Kind), stop(r.Stop), strconv.Itoa(r.Turns), percent(r.Accuracy), share(r.Held, r.Gold),
			share(honoured, len(r.Corrections)), strconv.Itoa(len(r.Breaches()))})
	}
	p.table([]string{"persona", "kind", "ended", "turns", "accuracy", "held", "corrections", "breaches"}, rows)
}

// stop returns the reason for which an interview ended as words.
func stop(reason string) string {
	if reason == "" {
		return "not at all"
	}
	return strings.ReplaceAll(reason, "_", " ")
}

// Markdown writes the calibration for people to read.
func (c *Calibration) Markdown(w io.Writer) error {
	p := page{w: w}
	p.calibration(c)
	return p.err
}

// calibration writes the errors and the bins that have outcomes.
func (p *page) calibration(c *Calibration) {
	p.say("\n## Calibration\n")
	p.say("%d values, Brier score %s, expected calibration error %s.", c.Count, fine(c.Brier), fine(c.ECE))
	var rows [][]string
	for _, b := range c.Bins {
		if b.Count > 0 {
			rows = append(rows, []string{fmt.Sprintf("%.1f to %.1f", b.From, b.To), strconv.Itoa(b.Count), fine(b.Confidence), fine(b.Accuracy)})
		}
	}
	if len(rows) > 0 {
		p.table([]string{"confidence", "values", "mean confidence", "right"}, rows)
	}
}

// breaches writes what should not have happened.
func (p *page) breaches(c *Scorecard) {
	var rows [][]string
	for i := range c.Runs {
		for _, x := range c.Runs[i].Breaches() {
			rows = append(rows, []string{c.Runs[i].Context + " / " + c.Runs[i].Persona, strconv.Itoa(x.Turn), x.Key, x.What, x.Said, string(x.Got)})
		}
	}
	if len(rows) > 0 {
		p.say("\n## What should not have happened")
		p.table([]string{"persona", "turn", "obligation", "what", "said", "stored"}, rows)
	}
}

// Breaches returns everything in r that should not have happened, by kind: false fills,
// repeated questions, dependencies, evidence, replay, corrections, contradictions, the end.
func (r *Result) Breaches() []Breach {
	var out []Breach
	for _, list := range [][]Breach{r.FalseFills, r.Reasks, r.Dependencies, r.Unfounded, r.Replay} {
		out = append(out, list...)
	}
	for _, c := range r.Corrections {
		if !c.Honoured {
			out = append(out, Breach{Turn: c.Turn, Key: c.Key, What: fmt.Sprintf("the correction led to %d revisions, or gold is not held at the end", c.Revisions), Said: c.Said})
		}
	}
	for _, c := range r.Contradictions {
		if c.Asked && !c.Settled {
			out = append(out, Breach{Turn: c.Turn, Key: c.Key, What: "the person said which of two values holds, and the other one is held at the end"})
		}
	}
	switch {
	case r.Stop == "":
		out = append(out, Breach{Turn: r.Turns, What: "the interview did not end within its budget"})
	case !r.InBudget:
		out = append(out, Breach{Turn: r.Turns, What: "the interview went beyond its budget"})
	case r.Stray:
		out = append(out, Breach{Turn: r.Turns, What: "the session ended as left, though the person never asked to leave"})
	}
	return out
}

// Compare writes two scorecards side by side, with the differences from a to b: the totals,
// the calibration, and each persona that either interviewed.
func Compare(w io.Writer, a, b *Scorecard) error {
	p := page{w: w}
	p.say("# %s against %s", a.title(), b.title())
	var rows [][]string
	add := func(name, x, y string) { rows = append(rows, []string{name, x, y, difference(x, y)}) }
	for _, m := range measures {
		add(m.name, m.of(&a.Total), m.of(&b.Total))
	}
	add("Brier score", fine(a.Calibration.Brier), fine(b.Calibration.Brier))
	add("expected calibration error", fine(a.Calibration.ECE), fine(b.Calibration.ECE))
	p.table([]string{"", a.title(), b.title(), "change"}, rows)
	p.say("\n## Each interview")
	p.table([]string{"persona", "ended", "turns", "accuracy", "held", "breaches"}, sideBySide(a, b))
	return p.err
}

// difference returns the difference of two figures, or "" when there is none.
func difference(a, b string) string {
	x, errX := strconv.ParseFloat(strings.Fields(a)[0], 64)
	y, errY := strconv.ParseFloat(strings.Fields(b)[0], 64)
	if errX != nil || errY != nil || a == b {
		return ""
	}
	decimals := 0
	if _, after, ok := strings.Cut(strings.Fields(b)[0], "."); ok {
		decimals = len(after)
	}
	return fmt.Sprintf("%+.*f", decimals, y-x)
}

// sideBySide returns a row for each persona that a or b interviewed.
func sideBySide(a, b *Scorecard) [][]string {
	var all []Result
	for _, c := range []*Scorecard{a, b} {
		all = append(all, c.Runs...)
	}
	var rows [][]string
	same := func(x, y Result) bool { return x.Context == y.Context && x.Persona == y.Persona }
	for _, r := range slices.CompactFunc(ordered(all), same) {
		x, y := a.run(&r), b.run(&r)
		row := []string{r.Context + " / " + r.Persona}
		for _, of := range []func(*Result) string{
			func(r *Result) string { return stop(r.Stop) },
			func(r *Result) string { return strconv.Itoa(r.Turns) },
			func(r *Result) string { return percent(r.Accuracy) },
			func(r *Result) string { return share(r.Held, r.Gold) },
			func(r *Result) string { return strconv.Itoa(len(r.Breaches())) },
		} {
			row = append(row, pair(x, y, of))
		}
		rows = append(rows, row)
	}
	return rows
}

// run returns the interview of the same persona, or nil.
func (c *Scorecard) run(of *Result) *Result {
	for i := range c.Runs {
		if c.Runs[i].Context == of.Context && c.Runs[i].Persona == of.Persona {
			return &c.Runs[i]
		}
	}
	return nil
}

// pair returns a figure of two interviews, once when it is the same.
func pair(x, y *Result, of func(*Result) string) string {
	left, right := "–", "–"
	if x != nil {
		left = of(x)
	}
	if y != nil {
		right = of(y)
	}
	if left == right {
		return left
	}
	return left + " → " + right
}
