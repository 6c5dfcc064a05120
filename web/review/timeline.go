package review

import (
	"fmt"
	"strings"

	"quaestor/sessions"
	"quaestor/web/ui"
)

// Timeline is how far a session was after its turns.
type Timeline struct {
	Points []sessions.Milestone  // in the order of turns; of a long session not each turn has one
	Phases []sessions.PhaseEntry // when it came into a phase, in the order of turns
}

// Size of the picture, in its own units, and the room for the figures beside it.
const (
	timelineWidth, timelineHeight = 640, 180
	timelineLeft, timelineRight   = 40, 630
	timelineTop, timelineBottom   = 10, 150
)

// At returns the phase after a turn.
func (t Timeline) At(turn int) sessions.Phase {
	now := sessions.Opening
	for _, p := range t.Phases {
		if p.Turn <= turn {
			now = p.Phase
		}
	}
	return now
}

// last is the turn at the right edge.
func (t Timeline) last() int {
	if len(t.Points) == 0 {
		return 1
	}
	return max(t.Points[len(t.Points)-1].Turn, 1)
}

// x is the place of a turn across the picture, y that of a share of 1 down it.
func (t Timeline) x(turn int) float64 {
	last := t.last()
	if last == 1 {
		return timelineLeft
	}
	return timelineLeft + float64(min(max(turn, 1), last)-1)/float64(last-1)*(timelineRight-timelineLeft)
}

func timelineY(share float64) float64 {
	return timelineBottom - min(max(share, 0), 1)*(timelineBottom-timelineTop)
}

// line is the points of a polyline for one of the two figures.
func (t Timeline) line(of func(sessions.Milestone) float64) string {
	var b strings.Builder
	for i, p := range t.Points {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(ui.Coordinate(t.x(p.Turn)) + "," + ui.Coordinate(timelineY(of(p))))
	}
	return b.String()
}

func progressOf(p sessions.Milestone) float64 { return p.Progress }

func scoreOf(p sessions.Milestone) float64 { return p.Score }

// describe says in words what the picture shows.
func (t Timeline) describe() string {
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
