package rules

import "time"

// period is a stretch of the calendar someone named, both ends included.
type period struct {
	first, last time.Time
	layout      string // how exactly it was named: 2006, 2006-01 or 2006-01-02
	hedged      bool
	byEnd       bool // its last part stands for it (quarters)
}

const (
	byYear  = "2006"
	byMonth = "2006-01"
	byDay   = "2006-01-02"
)

func day(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }

func dayPeriod(t time.Time) period { return period{first: t, last: t, layout: byDay} }

func yearPeriod(y int) period {
	return period{first: day(y, 1, 1), last: day(y, 12, 31), layout: byYear}
}

// monthsPeriod is n months from month m of year y.
func monthsPeriod(y int, m time.Month, n int) period {
	return period{first: day(y, m, 1), last: day(y, m+time.Month(n), 0), layout: byMonth}
}

func quarterPeriod(y, q int) period {
	p := monthsPeriod(y, time.Month(3*q-2), 3)
	p.hedged, p.byEnd = true, true
	return p
}

func weekPeriod(t time.Time) period {
	monday := t.AddDate(0, 0, -(int(t.Weekday())+6)%7)
	return period{first: monday, last: monday.AddDate(0, 0, 6), layout: byDay, hedged: true, byEnd: true}
}

// value is the stored form of p.
func (p period) value() string {
	if p.byEnd {
		return p.last.Format(p.layout)
	}
	return p.first.Format(p.layout)
}

// part narrows p to what "early", "mid", "late", "start" or "end" of it means.
func (p period) part(which string) period {
	switch which {
	case "end":
		return dayPeriod(p.last)
	case "start":
		return period{first: p.first, last: p.first, layout: longer(p.layout), hedged: p.layout == byYear}
	}
	days := int(p.last.Sub(p.first).Hours() / 24)
	at := p.first.AddDate(0, 0, days/2)
	switch which {
	case "early":
		at = p.first.AddDate(0, 0, days/8)
	case "late":
		at = p.last.AddDate(0, 0, -days/8)
	}
	return period{first: at, last: at, layout: byMonth, hedged: true}
}

// longer is the layout one step more exact.
func longer(layout string) string {
	if layout == byYear {
		return byMonth
	}
	return byDay
}

var monthNames = map[string]time.Month{
	"january": 1, "jan": 1, "february": 2, "feb": 2, "march": 3, "mar": 3, "april": 4, "apr": 4, "may": 5, "june": 6, "jun": 6, "july": 7, "jul": 7,
	"august": 8, "aug": 8, "september": 9, "sep": 9, "sept": 9, "october": 10, "oct": 10, "november": 11, "nov": 11, "december": 12, "dec": 12,
}

// doubtfulMonths are also other words; they need a preposition or a figure
// beside them.
var doubtfulMonths = set("may march mar jan jun sep dec oct nov feb apr aug jul")

var weekdays = map[string]time.Weekday{
	"monday": 1, "tuesday": 2, "wednesday": 3, "thursday": 4, "friday": 5, "saturday": 6, "sunday": 0,
	"mon": 1, "tue": 2, "tues": 2, "wed": 3, "thu": 4, "thur": 4, "thurs": 4, "fri": 5,
}

// seasons map to the month they begin in, in the northern year.
var seasons = map[string]time.Month{"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
