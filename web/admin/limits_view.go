package admin

import (
	"cmp"
	"strings"
	"time"

	"quaestor/sessions/settings"
	"quaestor/web"
	"quaestor/web/ui"
)

// LimitsView is what the page of limits and retention shows.
type LimitsView struct {
	Version int // that a change is made of
	By      string
	At      time.Time // zero when nothing was ever set
	Rows    []LimitRow
	Due     *DueView // what the days shown would delete; nil when that was not asked
	Sure    bool     // the reader has to say that they want that
	Fresh   bool     // the form shows what was typed, which is not saved
}

// LimitRow is one thing that can be set.
type LimitRow struct {
	Name   string // as in the form
	Set    string // what the organisation has set; empty for nothing
	Server string // what the server says
}

// DueView counts what would be deleted.
type DueView struct {
	settings.Due
	FinishedBefore, IdleBefore time.Time // the last changes that are too long ago
}

// limitWords are the label and the explanation of a thing that can be set.
var limitWords = map[string][2]string{
	"sessionTurns":       {"Turns an interview may take", "The tighter of this and the objective's own budget ends it. 0: no bound of yours."},
	"sessionMinutes":     {"Minutes of active time", "What lies between two turns counts for five minutes at most. 0: no bound of yours."},
	"sessionMoney":       {"Cost of models for an interview", "In the currency of the server's prices. 0: no bound of yours."},
	"researchDaily":      {"Pieces of research in 24 hours", "What is over that waits until there is room. 0: none is begun."},
	"keptFinishedDays":   {"Finished interviews, days", "Counted from the last change. Research asked for outside of interviews goes by the same days. 0: for ever."},
	"keptIdleDays":       {"Open interviews nobody goes on with, days", "Counted from the last change. 0: for ever."},
	"keptPromptsDays":    {"What models were asked and answered, days", "For reviewers; interviews stay without it. 0: none is kept."},
	"keptJobsDays":       {"Failed and cancelled jobs, days", "With what went wrong in them, for 30 days at most. 0: for those 30."},
	"keptAlertsDays":     {"Alerts that were read, days", "What people were told of findings they watch, counted from when they read it. Unread ones are kept. 0: for ever."},
	"keptRecordingsDays": {"What people say aloud, days", "The sound of spoken answers, for reviewers, of people who agree; they are asked before. 0: nothing is recorded, and what was is deleted."},
	"speechVoice":        {"Voice", "Its name in whatever speaks: alloy or nova of an API, slt or rms of flite, or a voice of the browser."},
	"speechSpeed":        {"Speed", "0.5 to 2; 1 is the voice's own."},
	"speechLanguage":     {"Variety of the language", "Such as en-GB, for interviews in English. Interviews in other languages are not touched."},
	"contact":            {"Whom people can reach", "A name, and a telephone number or an address. It is said, word for word, to people who ask for a human being. Reviewers learn of the wish in any case."},
}

// limitLabel is the label of a thing that can be set.
func limitLabel(name string) string { return cmp.Or(limitWords[name][0], name) }

// limitHint explains a thing that can be set, and says what holds without.
func (r LimitRow) limitHint() string {
	if r.part() == contactPart {
		return limitWords[r.Name][1] + " Empty: nobody is named."
	}
	if r.part() == speechPart {
		return limitWords[r.Name][1] + " Empty: as the server speaks."
	}
	return limitWords[r.Name][1] + " Empty: as the server says, " + limitValue(r.Name, r.Server) + "."
}

// limitValue words a value of a thing that can be set.
func limitValue(name, value string) string {
	switch {
	case value == "":
		return "as the server says"
	case value != "0":
		return value
	case name == "researchDaily", name == "keptPromptsDays", name == "keptRecordingsDays":
		return "none"
	case name == "keptJobsDays":
		return "30"
	case strings.HasPrefix(name, "kept"):
		return "for ever"
	}
	return "no bound"
}

// formPart is a part of the form.
type formPart string

// The parts.
const (
	budgetsPart   formPart = "budgets"
	retentionPart formPart = "retention"
	speechPart    formPart = "speech"
	contactPart   formPart = "contact"
)

// part returns where in the form a row stands.
func (r LimitRow) part() formPart {
	switch {
	case r.Name == "contact":
		return contactPart
	case strings.HasPrefix(r.Name, "kept"):
		return retentionPart
	case strings.HasPrefix(r.Name, "speech"):
		return speechPart
	}
	return budgetsPart
}

// rows are those of one part of the form.
func (v LimitsView) rows(part formPart) []LimitRow {
	return web.Where(v.Rows, func(r LimitRow) bool { return r.part() == part })
}

// order is that of the fields.
func (v LimitsView) order() []string {
	return web.Map(v.Rows, func(r LimitRow) string { return r.Name })
}

// lines say what would be deleted, each kind in a sentence.
func (d DueView) lines() []string {
	var out []string
	if d.Finished > 0 {
		out = append(out, ui.Count(d.Finished, "finished interview")+" last changed before "+day(d.FinishedBefore))
	}
	if d.Idle > 0 {
		out = append(out, ui.Count(d.Idle, "open interview")+" nobody went on with since "+day(d.IdleBefore))
	}
	if d.Research > 0 {
		out = append(out, ui.Count(d.Research, "piece")+" of research asked for outside of interviews before "+day(d.FinishedBefore))
	}
	return out
}

// day is a date for people.
func day(t time.Time) string { return t.UTC().Format("2 January 2006") }

// plural is one word for one thing and another for any other number.
func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
