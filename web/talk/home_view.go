package talk

import (
	"fmt"
	"net/url"
	"slices"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	"quaestor/web/ui"
)

// HomeView is what [Home] shows.
type HomeView struct {
	Nav          ui.Nav
	Objectives   []objectives.Objective // in the order in which they are offered
	Sessions     []SessionCard          // open ones, newest first
	Finished     []SessionCard          // finished ones, last finished first
	MoreOpen     bool                   // there are more open sessions than Sessions
	MoreFinished bool                   // there are more finished sessions than Finished
	Interviewer  string                 // "rules" or "model NAME"
	Talks        bool                   // the reader may start an interview
	Language     string                 // that the address asks for interviews in; empty for none
}

// SessionCard is a session as the first page and the lists show it.
type SessionCard struct {
	Session sessions.Session
	Title   string // of the objective
	Gist    string // see [Gist]
	Next    string // name of what is being asked; empty for nothing
	By      string // the owner, unless that is the reader
	Known   int    // obligations that are satisfied
	Total   int    // obligations that count
}

func toSessionCard(session sessions.Session, d *objectives.Definition, list []obligations.Obligation) SessionCard {
	score := d.Completion.Score(list)
	c := SessionCard{Session: session, Title: d.DisplayName, Gist: Gist(list), Known: score.Satisfied, Total: score.Total}
	if q := session.Question; q != nil && session.Status == sessions.Active {
		q.Complete(obligations.TemplateOf(list))
		c.Next = q.Label
	}
	return c
}

// InterviewsView is what [Interviews] shows: a page of the reader's sessions.
type InterviewsView struct {
	Nav      ui.Nav
	Status   sessions.Status // of the listed sessions
	Sessions []SessionCard   // newest first
	Older    string          // cursor of the next page; empty for none
	Later    bool            // this is not the first page
}

// secondsPerQuestion is an estimate of the time to read a question and to answer it. It
// makes the 21 questions of the business profile a quarter of an hour.
const secondsPerQuestion = 42

// Minutes estimates how long so many questions take, rounded up to steps of five minutes
// and at least five.
func Minutes(questions int) int { return max(5, (questions*secondsPerQuestion+299)/300*5) }

// lengthWords tells how many questions there are, about as many as are asked, and how long
// they take.
func lengthWords(questions int) string {
	return fmt.Sprintf("About %s, %d minutes", ui.Count(questions, "question"), Minutes(questions))
}

// maxGist bounds the gist on a card, in characters: about two lines.
const maxGist = 160

// Gist returns what tells a session from others about the same objective: the value of the
// text obligation with the highest priority, the first of several, clipped. It is empty
// while none of them has a value.
func Gist(list []obligations.Obligation) string {
	var best *obligations.Obligation
	for i := range list {
		o := &list[i]
		if o.Widget == obligations.Text && len(o.Value) > 0 && (best == nil || o.Priority > best.Priority) {
			best = o
		}
	}
	if best == nil {
		return ""
	}
	return ui.Clip(ui.Visible(ui.DisplayValue(best.Template, best.Value)), maxGist)
}

// maxTopics bounds the topics on a card: about one line.
const maxTopics = 5

// Topics returns the categories of templates in order, each once and at most maxTopics.
func Topics(list []obligations.Template) []string {
	var out []string
	for _, t := range list {
		if t.Category != "" && !slices.Contains(out, t.Category) && len(out) < maxTopics {
			out = append(out, t.Category)
		}
	}
	return out
}

// interviewStatuses are the lists of interviews, in the order of their tabs.
var interviewStatuses = []sessions.Status{sessions.Active, sessions.Completed}

// listName names the list of sessions with a status.
func listName(s sessions.Status) string {
	if s == sessions.Completed {
		return "Finished"
	}
	return "Open"
}

// listPath is the address of the list of sessions with a status, from a cursor on.
func listPath(s sessions.Status, cursor string) string {
	q := url.Values{"status": {string(s)}}
	if cursor != "" {
		q.Set("cursor", cursor)
	}
	return "/interviews?" + q.Encode()
}
