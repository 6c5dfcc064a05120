package admin

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"quaestor/sessions/settings"
	"quaestor/web/ui"
)

// HoldRow is an interview that is held back from deletion.
type HoldRow struct {
	Session, Person, About, Reason, By string
	At                                 time.Time
}

// JournalRow is a line of the journal.
type JournalRow struct {
	At    time.Time
	By    string // empty for the rules of retention
	Says  string
	About string // a session or a person; may be empty
	More  []string
}

// DeleteView is what [DeleteInterview] shows.
type DeleteView struct {
	Nav             ui.Nav
	ID, Title, User string
	Turns           int
	Created         time.Time
	Held            string // why it is held; empty when it is not
	Form            ui.FormView
}

// EraseView is what [ErasePerson] shows.
type EraseView struct {
	Nav       ui.Nav
	User      string
	Has       settings.Footprint
	Elsewhere []string // sessions of others that they spoke in
	Form      ui.FormView
}

// ToJournalRow words a line of the journal.
func ToJournalRow(e settings.JournalEntry) JournalRow {
	row := JournalRow{At: e.At, By: e.Actor, About: e.Subject}
	switch e.Kind {
	case settings.Changed:
		row.Says = "changed limits or retention"
		for _, c := range e.Detail.Changes {
			row.More = append(row.More, limitLabel(c.Field)+": "+limitValue(c.Field, c.From)+" → "+limitValue(c.Field, c.To))
		}
	case settings.Deleted:
		row.Says, row.More = goneWords(e.Detail), e.Detail.Sessions
	case settings.Held:
		row.Says = "held back from deletion: " + e.Detail.Says
	case settings.Released:
		row.Says = "let go of"
	case settings.Exported:
		row.Says = "exported everything"
	case settings.People, settings.Tokens:
		row.Says = e.Detail.Says
	}
	return row
}

// goneWords says what was deleted, and why.
func goneWords(d settings.Detail) string {
	why := map[string]string{"finished": "finished long enough ago", "idle": "nobody went on with it", "hand": "by hand", "person": "all that was kept of a person"}[d.Rule]
	var what []string
	if n := len(d.Sessions); n > 0 {
		what = append(what, ui.Count(n, "interview"))
	}
	if d.Count > 0 {
		noun := "piece"
		if d.Rule == "jobs" {
			noun = "job"
		}
		words := ui.Count(d.Count, noun)
		if noun == "piece" {
			words += " of research"
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

// hasWords says what is kept of a person, each kind in a line.
func (v EraseView) hasWords() []string {
	var out []string
	add := func(n int, words string) {
		if n > 0 {
			out = append(out, words)
		}
	}
	add(v.Has.Interviews, ui.Count(v.Has.Interviews, "interview")+" they began, with all that was said, every value and its history")
	add(v.Has.Research, ui.Count(v.Has.Research, "piece")+" of research they asked for outside of interviews")
	if v.Has.Member {
		out = append(out, "their role here and all of their tokens")
	}
	return out
}
