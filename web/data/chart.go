package data

import (
	"math"
	"strings"

	"quaestor/web"
	"quaestor/web/ui"
)

// lineChart is a measure along time as an SVG picture. Lengths are in the units of the
// picture, as chartWide and chartHigh.
type lineChart struct {
	Name   string // of the measure
	Line   string // path of the line
	Area   string // path of the area below it
	Ground string // height of zero, or of the least value
	Text   string // what the picture shows, in a sentence
	First  string // time at the left
	Last   string // time at the right
	Low    string // least value
	High   string // largest value
}

// The size of a line chart, with an edge that leaves room for half the line's width, and
// the most charts of one result.
const (
	chartWide = 600.0
	chartHigh = 120.0
	chartEdge = 4.0
	maxCharts = 2
)

// charts returns the charts of a result that is drawn along time, none for others.
func (r *ResultView) charts() []lineChart {
	if !r.timed() {
		return nil
	}
	measures := r.measures()
	return web.Map(measures[:min(len(measures), maxCharts)], r.chart)
}

// chart draws one measure along the first column.
func (r *ResultView) chart(measure int) lineChart {
	c := &r.Columns[measure]
	out, least, largest := drawLine(c.Values)
	out.First, out.Last = r.Head[0][0], r.Head[len(r.Head)-1][0]
	out.Name, out.Low, out.High = c.label(), Figure(least, c.Name), Figure(largest, c.Name)
	out.Text = out.said()
	return out
}

// said tells in a sentence what the picture shows.
func (c lineChart) said() string {
	return "A line of " + c.Name + " from " + c.First + " to " + c.Last + ": between " + c.Low + " and " + c.High + "."
}

// drawLine draws values at equal distances. The line is broken where there is no number. Its
// ground is zero if the values come near it, so that their proportions show; values far from zero
// would be a flat line and get a ground of their own.
func drawLine(values []float64) (out lineChart, least, largest float64) {
	low, high := span(values)
	least, largest = low, high
	if low > 0 && low < high/2 {
		low = 0
	}
	y := func(v float64) float64 { return chartHigh - chartEdge - part(v, low, high)*(chartHigh-2*chartEdge) }
	x := func(i int) float64 { return float64(i) / float64(len(values)-1) * chartWide }
	var line, area strings.Builder
	ground := ui.Coordinate(y(max(min(0, high), low)))
	begun := -1
	for i, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			closeArea(&area, begun, i-1, x, ground)
			begun = -1
			continue
		}
		at := ui.Coordinate(x(i)) + " " + ui.Coordinate(y(v))
		if begun < 0 {
			begun = i
			line.WriteString("M" + at)
			area.WriteString("M" + ui.Coordinate(x(i)) + " " + ground + "L" + at)
			continue
		}
		line.WriteString("L" + at)
		area.WriteString("L" + at)
	}
	closeArea(&area, begun, len(values)-1, x, ground)
	out.Line, out.Area, out.Ground = line.String(), area.String(), ground
	return out, least, largest
}

// closeArea ends a part of the area below a line, from value begun to value end; none
// was begun if begun is negative.
func closeArea(area *strings.Builder, begun, end int, x func(int) float64, ground string) {
	if begun >= 0 {
		area.WriteString("L" + ui.Coordinate(x(end)) + " " + ground + "Z")
	}
}

// strip is a box plot of the numbers of a column. Lengths are in hundredths.
type strip struct{ Box, Wide, Median string }

// strip returns the box plot of the column; false if its spread is not known, or all
// numbers are the same. The box is never so narrow that it disappears.
func (c *ColumnView) strip() (strip, bool) {
	low, high := c.Spread[0], c.Spread[4]
	if !c.Spreads || !(high/4-low/4 > 0) {
		return strip{}, false
	}
	at := func(v float64) float64 { return part(v, low, high) * 100 }
	box, end := at(c.Spread[1]), at(c.Spread[3])
	return strip{ui.Coordinate(box), ui.Coordinate(max(end-box, 0.5)), ui.Coordinate(at(c.Spread[2]))}, true
}

// part returns where v lies between low and high, from 0 to 1. The division by four
// keeps the distance of the largest floats from overflowing.
func part(v, low, high float64) float64 { return (v/4 - low/4) / (high/4 - low/4) }
