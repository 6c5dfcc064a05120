package admin

import (
	"fmt"
	"strconv"
	"time"

	"quaestor/research"
	"quaestor/web/ui"
)

// hourBar is a rectangle of the picture of the hours, in the units of its view.
type hourBar struct{ Class, X, Y, W, H string }

// The picture of the hours, in its own units.
const (
	hoursWide = 480.0
	hoursHigh = 92.0
	hoursGap  = 4.0
)

// hoursMost is the largest number of jobs that ended in one hour.
func hoursMost(list []research.Hour) int {
	most := 0
	for _, h := range list {
		most = max(most, h.Done+h.Failed+h.Cancelled)
	}
	return most
}

// hourBars are the bars of the picture: for each hour those that are done, and on
// top those that are not.
func hourBars(list []research.Hour) []hourBar {
	most := hoursMost(list)
	if most == 0 {
		return nil
	}
	var out []hourBar
	wide := hoursWide / float64(len(list))
	for i, h := range list {
		x, ground := float64(i)*wide+hoursGap/2, hoursHigh+3
		for _, part := range []struct {
			class string
			n     int
		}{{"hours-done", h.Done}, {"hours-ill", h.Failed + h.Cancelled}} {
			if part.n == 0 {
				continue
			}
			high := max(hoursHigh*float64(part.n)/float64(most), 2)
			ground -= high
			out = append(out, hourBar{part.class, ui.Coordinate(x), ui.Coordinate(max(ground, 0)), ui.Coordinate(wide - hoursGap), ui.Coordinate(high)})
		}
	}
	return out
}

// hoursWords say what the picture shows.
func hoursWords(list []research.Hour) string {
	var done, failed, cancelled int
	for _, h := range list {
		done, failed, cancelled = done+h.Done, failed+h.Failed, cancelled+h.Cancelled
	}
	if done+failed+cancelled == 0 {
		return "No job ended in the last 24 hours."
	}
	return fmt.Sprintf("%s done, %s failed, %s cancelled; %s in the busiest hour.", ui.Thousands(float64(done)), ui.Thousands(float64(failed)), ui.Thousands(float64(cancelled)), ui.Thousands(float64(hoursMost(list))))
}

// hourName is when an hour begins.
func hourName(h research.Hour) string { return h.At.UTC().Format("15:04 UTC") }

// loadWords say what a queue has to do, and how long its jobs wait.
func loadWords(l research.QueueLoad) string {
	out := fmt.Sprintf("%s waiting, %s running, %s to be retried.", ui.Thousands(float64(l.Waiting)), ui.Thousands(float64(l.Running)), ui.Thousands(float64(l.Retrying)))
	if l.Waiting > 0 {
		out += " The oldest waits for " + spanName(l.Oldest) + "."
	}
	if l.Slow > 0 {
		out += " In the last hour half of them began within " + spanName(l.Typical) + ", 19 in 20 within " + spanName(l.Slow) + "."
	}
	return out
}

// spanName is a span of time for people, in its largest unit that fits.
func spanName(d time.Duration) string {
	switch {
	case d < time.Second:
		return strconv.FormatInt(d.Milliseconds(), 10) + " ms"
	case d < 10*time.Second:
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
	case d < 2*time.Minute:
		return strconv.Itoa(int(d.Seconds())) + " s"
	case d < 2*time.Hour:
		return strconv.Itoa(int(d.Minutes())) + " min"
	case d < 48*time.Hour:
		return strconv.Itoa(int(d.Hours())) + " h"
	}
	return ui.Count(int(d.Hours()/24), "day")
}
