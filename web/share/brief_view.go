package share

import (
	"strings"
	"time"

	"quaestor/chat/brief"
	"quaestor/sessions"
	"quaestor/web/ui"
)

// BriefView is what [Brief] shows: what an interview came to.
type BriefView struct {
	Nav     ui.Nav
	Session string
	Brief   brief.Brief
	Extent  sessions.Extent  // what of the session the page shows
	Decides bool             // the reader may make links and take them back
	Links   []sessions.Share // the newest first
	Form    ShareForm
	Now     time.Time
}

// ShareForm is the form that makes a link, as it was filled in.
type ShareForm struct {
	Days   string
	Extent sessions.Extent
	Wrong  string // with the days; empty for nothing
}

// ShareMadeView is what [ShareMade] shows.
type ShareMadeView struct {
	Session string
	Extent  sessions.Extent
	Until   time.Time
	Link    string // shown this once
}

// SharedView is what [Shared] shows: a brief, to somebody with a link.
type SharedView struct {
	Brief brief.Brief
	Base  string // address of the page
	Until time.Time
}

// BriefPath is the address of a session's brief.
func BriefPath(session string) string { return ui.BriefPath(session) }

// briefForm is a form in which a brief can be kept.
type briefForm struct {
	Format sessions.Format
	Name   string
	About  string
}

// briefForms are the forms, those for people first.
var briefForms = []briefForm{{sessions.PDF, "PDF", "to print and send"}, {sessions.DOCX, "Word", "to edit"}, {sessions.Markdown, "Markdown", "plain text"},
	{sessions.CSV, "CSV", "a table"}, {sessions.JSON, "JSON", "data"}}

// href is where a session's brief is had in a form.
func (d briefForm) href(v BriefView) string {
	if v.Extent == sessions.WithTranscript {
		return ui.ExportPath(v.Session, string(d.Format)) + "&extent=" + string(v.Extent)
	}
	return ui.ExportPath(v.Session, string(d.Format))
}

// briefPart is a part of a brief that the contents lead to.
type briefPart struct{ ID, Name string }

// briefParts are those that a brief has.
func briefParts(b brief.Brief) []briefPart {
	all := []struct {
		briefPart
		there bool
	}{
		{briefPart{"short", "In short"}, true},
		{briefPart{"next", "Next steps"}, true},
		{briefPart{"known", "What is known"}, true},
		{briefPart{"disputed", "What is disputed"}, len(b.Disputed) > 0},
		{briefPart{"open", "What is open"}, len(b.Open) > 0},
		{briefPart{"left-out", "What was left out"}, len(b.Skipped) > 0},
		{briefPart{"looked-up", "What was looked up"}, len(b.Research) > 0},
		{briefPart{"conversation", "The conversation"}, len(b.Talk) > 0},
	}
	var out []briefPart
	for _, p := range all {
		if p.there {
			out = append(out, p.briefPart)
		}
	}
	return out
}

// besideBrief is what stands beside a brief, or below it.
var besideBrief = []briefPart{{"contents", "Contents"}, {"keep", "Keep it"}}

func (v BriefView) beside() []briefPart {
	if v.Decides {
		return append(besideBrief[:len(besideBrief):len(besideBrief)], briefPart{"share", "Share it"})
	}
	return besideBrief
}

// sureText says how sure a value is, on one line.
func sureText(it brief.Item) string {
	text := strings.ToUpper(it.Sure[:1]) + it.Sure[1:] + " · " + it.Figure
	if it.Part {
		return "Known in part · " + strings.ToLower(text[:1]) + text[1:]
	}
	return text
}

// sureMarks are the bars of how sure a value is, of four.
func sureMarks(l brief.Level) []bool {
	n := map[brief.Level]int{brief.VerySure: 4, brief.Sure: 3, brief.FairlySure: 2, brief.NotSure: 1}[l]
	out := make([]bool, 4)
	for i := range n {
		out[i] = true
	}
	return out
}

// extentWords says what a link shows.
func extentWords(e sessions.Extent) string {
	if e == sessions.WithTranscript {
		return "The brief and the conversation"
	}
	return "The brief"
}

// split tells the links that are open from those that are not.
func (v BriefView) split() (open, ended []sessions.Share) {
	for _, s := range v.Links {
		if s.State(v.Now) == sessions.ShareOpen {
			open = append(open, s)
		} else {
			ended = append(ended, s)
		}
	}
	return open, ended
}

func (v BriefView) open() []sessions.Share { open, _ := v.split(); return open }

func (v BriefView) ended() []sessions.Share { _, ended := v.split(); return ended }

// briefDay is a day as a brief writes it.
func briefDay(at time.Time) string { return at.UTC().Format("2 January 2006") }
