package review

import (
	"fmt"
	"strings"

	"quaestor/sessions"
	"quaestor/web"
	"quaestor/web/ui"
)

// timeline is how far a session had come after its turns, as a picture shows it.
type timeline struct {
	Points []sessions.Milestone  // in the order of turns; in a long session not every turn has one
	Phases []sessions.PhaseEntry // when each phase began, in the order of turns
}

// The picture's size in its own units, and within it the area of the curves. The rest is
// for the figures beside them.
const (
	timelineWidth, timelineHeight = 640, 180
	timelineLeft, timelineRight   = 40, 630
	timelineTop, timelineBottom   = 10, 150
)

// At returns the phase after a turn.
func (t timeline) At(turn int) sessions.Phase {
	now := sessions.Opening
	for _, p := range t.Phases {
		if p.Turn <= turn {
			now = p.Phase
		}
	}
	return now
}

// last is the turn at the right edge, at least 1.
func (t timeline) last() int {
	if len(t.Points) == 0 {
		return 1
	}
	return max(t.Points[len(t.Points)-1].Turn, 1)
}

// x is where a turn is across the picture. Turns outside of it are at its edges.
func (t timeline) x(turn int) float64 {
	last := t.last()
	if last == 1 {
		return timelineLeft
	}
	return timelineLeft + float64(min(max(turn, 1), last)-1)/float64(last-1)*(timelineRight-timelineLeft)
}

// timelineY is where a share of 0 to 1 is down the picture, 0 at the bottom.
func timelineY(share float64) float64 {
	return timelineBottom - min(max(share, 0), 1)*(timelineBottom-timelineTop)
}

// line returns the points of the polyline of one figure.
func (t timeline) line(figure func(sessions.Milestone) float64) string {
	return strings.Join(web.Map(t.Points, func(p sessions.Milestone) string {
		return ui.Coordinate(t.x(p.Turn)) + "," + ui.Coordinate(timelineY(figure(p)))
	}), " ")
}

func progressOf(p sessions.Milestone) float64 { return p.Progress }

func scoreOf(p sessions.Milestone) float64 { return p.Score }

// describe tells in words what the picture shows, for people who cannot see it.
func (t timeline) describe() string {
	if len(t.Points) == 0 {
		return "Nothing was learnt yet."
	}
	first, last := t.Points[0], t.Points[len(t.Points)-1]
	out := fmt.Sprintf("From turn %d to turn %d progress went from %s to %s percent and certainty from %s to %s of 100.",
		first.Turn, last.Turn, ui.Percent(first.Progress), ui.Percent(last.Progress), ui.Percent(first.Score), ui.Percent(last.Score))
	for _, p := range t.Phases {
		out += fmt.Sprintf(" %s from turn %d.", ui.PhaseName(p.Phase), p.Turn)
	}
	return out
}
