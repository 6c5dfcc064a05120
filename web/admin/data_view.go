package admin

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"quaestor/sessions"
	"quaestor/sessions/settings"
	"quaestor/web"
	"quaestor/web/ui"
)

// JournalRow is a line of the journal for people.
type JournalRow struct {
	At    time.Time
	By    string // empty for the rules of retention
	Words string // what was done, after the name of who did it
	About string // a session or a person; may be empty
	More  []string
}

// DeleteView is what [DeleteInterview] shows.
type DeleteView struct {
	Nav     ui.Nav
	Session sessions.Session
	Title   string // of its objective
	Held    string // why it is held; empty if it is not
	Form    ui.FormView
}

// EraseView is what [ErasePerson] shows.
type EraseView struct {
	Nav       ui.Nav
	User      string
	Has       settings.Footprint
	Elsewhere []string // sessions of others that they spoke in
	Form      ui.FormView
}

// toJournalRow puts a line of the journal into words.
func toJournalRow(e settings.JournalEntry) JournalRow {
	row := JournalRow{At: e.At, By: e.Actor, About: e.Subject}
	switch e.Kind {
	case settings.Changed:
		row.Words = "changed limits or retention"
		row.More = web.Map(e.Detail.Changes, func(c settings.Change) string {
			return limitLabel(c.Field) + ": " + limitValue(c.Field, c.From) + " → " + limitValue(c.Field, c.To)
		})
	case settings.Deleted:
		row.Words, row.More = goneWords(e.Detail), e.Detail.Sessions
	case settings.Held:
		row.Words = "held back from deletion: " + e.Detail.Says
	case settings.Released:
		row.Words = "let go of"
	case settings.Exported:
		row.Words = "exported everything"
	case settings.People, settings.Tokens, settings.Models, settings.Data, settings.Projects, settings.Prices:
		row.Words = e.Detail.Says
	}
	return row
}

// goneWords tells what was deleted and by which rule.
func goneWords(d settings.Detail) string {
	why := map[string]string{"finished": "finished long enough ago", "idle": "nobody went on with it", "hand": "by hand", "person": "all that was kept of a person"}[d.Rule]
	var what []string
	if n := len(d.Sessions); n > 0 {
		what = append(what, ui.Count(n, "interview"))
	}
	if d.Count > 0 {
		words := ui.Count(d.Count, "piece") + " of research"
		if one := map[string]string{"jobs": "job", "recordings": "recording", "alerts": "alert"}[d.Rule]; one != "" {
			words = ui.Count(d.Count, one)
		}
		what = append(what, words)
	}
	out := "deleted " + strings.Join(what, " and ")
	if len(what) == 0 {
		out = "deleted"
	}
	if why != "" {
		out += ": " + why
	}
	return out
}

// journalPath is the address of the journal before a line.
func journalPath(before int64) string {
	return DataTab.Path() + "?" + url.Values{"before": {strconv.FormatInt(before, 10)}}.Encode() + "#journal"
}

// lines tell what would be deleted of a person, each kind in a line.
func (v EraseView) lines() []string {
	var out []string
	if n := v.Has.Interviews; n > 0 {
		out = append(out, ui.Count(n, "interview")+" they began, with all that was said, every value and its history")
	}
	if n := v.Has.Research; n > 0 {
		out = append(out, ui.Count(n, "piece")+" of research they asked for outside of interviews")
	}
	if v.Has.Traces > 0 {
		out = append(out, "their feedback on runs, the findings they watch and what they were told of them, and the sound of what they said in interviews of others")
	}
	if v.Has.Member {
		out = append(out, "their role here and all of their tokens")
	}
	return out
}
