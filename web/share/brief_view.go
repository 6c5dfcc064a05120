package share

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"time"

	"quaestor/chat/brief"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web/ui"
)

// BriefView is what [Brief] shows: the brief of a session.
type BriefView struct {
	Nav     ui.Nav
	Session string
	Brief   brief.Brief
	Extent  sessions.Extent  // whether the conversation is shown too
	Decides bool             // the reader may make links and revoke them
	Links   []sessions.Share // newest first; none when the reader may not make any
	Form    ShareForm        // with the defaults until it was posted
	Now     time.Time

	Revision int // that the brief is of
	Latest   int // of the session
}

// ShareForm is the form for a new link, as it was filled in.
type ShareForm struct {
	Days   string
	Extent sessions.Extent
	Wrong  string // what is wrong with it, a sentence; empty for nothing
}

// ShareMadeView is what [ShareMade] shows: a new link.
type ShareMadeView struct {
	sessions.Share
	Link string // its address, which is not shown again
}

// SharedView is what [Shared] shows: a brief to somebody with a link.
type SharedView struct {
	Brief brief.Brief
	Base  string // address of the link, below which the files are
	Until time.Time
}

// briefFormat is a format that a brief can be downloaded in.
type briefFormat struct {
	Format sessions.Format
	Name   string
	About  string // what it is good for
}

// briefFormats are the formats of a brief, those for people first.
var briefFormats = []briefFormat{{sessions.PDF, "PDF", "to print and send"}, {sessions.DOCX, "Word", "to edit"}, {sessions.Markdown, "Markdown", "plain text"},
	{sessions.CSV, "CSV", "a table"}, {sessions.JSON, "JSON", "data"}}

// exportPath is the address of the brief in a format, with the conversation when the page
// shows it.
func (v BriefView) exportPath(f briefFormat) string {
	path := ui.ExportPath(v.Session, string(f.Format))
	if v.Extent == sessions.WithTranscript {
		path += "&extent=" + string(v.Extent)
	}
	if v.past() {
		path += "&revision=" + strconv.Itoa(v.Revision)
	}
	return path
}

// past reports whether the brief is of an earlier revision.
func (v BriefView) past() bool { return v.Revision != v.Latest }

// path is the address of the page with a revision, with or without the conversation.
func (v BriefView) path(revision int, e sessions.Extent) string {
	q := url.Values{}
	if revision != v.Latest {
		q.Set("revision", strconv.Itoa(revision))
	}
	if e == sessions.WithTranscript {
		q.Set("extent", string(e))
	}
	if len(q) == 0 {
		return ui.BriefPath(v.Session)
	}
	return ui.BriefPath(v.Session) + "?" + q.Encode()
}

// pastWords mark the brief of an earlier revision.
func pastWords(v BriefView) string {
	words := fmt.Sprintf("This is revision %d", v.Revision)
	if at := v.Brief.Completed; at != nil {
		words += ", completed on " + briefDay(*at)
	}
	if at := v.Brief.Reopened; at != nil {
		words += ". The interview was reopened on " + briefDay(*at)
	}
	return words + "."
}

// briefPart is a part of the page that links lead to, by its id.
type briefPart struct{ ID, Name string }

// briefParts are the parts that b has, in the order of the page. All but the first three
// are left out when they would be empty.
func briefParts(b brief.Brief) []briefPart {
	out := []briefPart{{"short", "In short"}, {"next", "Next steps"}, {"known", "What is known"}}
	add := func(n int, id, name string) {
		if n > 0 {
			out = append(out, briefPart{id, name})
		}
	}
	add(len(b.Disputed), "disputed", "What is disputed")
	add(len(b.Open), "open", "What is open")
	add(len(b.Skipped), "left-out", "What was left out")
	add(len(b.Research), "looked-up", "What was looked up")
	add(len(b.Talk), "conversation", "The conversation")
	return out
}

// besideBrief are the parts beside a brief, which come after it on a narrow screen.
var besideBrief = []briefPart{{"contents", "Contents"}, {"keep", "Keep it"}}

// beside are the parts beside the brief for this reader.
func (v BriefView) beside() []briefPart {
	if v.Decides {
		return slices.Concat(besideBrief, []briefPart{{"share", "Share it"}})
	}
	return besideBrief
}

// sureText words the confidence of a value, on one line.
func sureText(it brief.Item) string {
	text := it.Sure
	if it.Part {
		return "Known in part · " + text
	}
	return ui.Capital(text)
}

// sureMarks are the four bars that picture a confidence: those that are filled are true.
func sureMarks(b obligations.Band) []bool {
	n := map[obligations.Band]int{obligations.VeryHigh: 4, obligations.High: 3, obligations.Medium: 2, obligations.Low: 1}[b]
	out := make([]bool, 4)
	for i := range n {
		out[i] = true
	}
	return out
}

// extentWords tell what a link shows.
func extentWords(e sessions.Extent) string {
	if e == sessions.WithTranscript {
		return "The brief and the conversation"
	}
	return "The brief"
}

// links returns the links that still show the brief, or those that have expired or were
// revoked.
func (v BriefView) links(open bool) []sessions.Share {
	return slices.DeleteFunc(slices.Clone(v.Links), func(s sessions.Share) bool { return (s.State(v.Now) == sessions.ShareOpen) != open })
}

// briefDay is a day as the brief writes it, in UTC.
func briefDay(at time.Time) string { return at.UTC().Format("2 January 2006") }
