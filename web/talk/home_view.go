package talk

import (
	"fmt"
	"net/url"
	"time"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web/ui"
)

// HomeView is what [Home] shows.
type HomeView struct {
	Nav          ui.Nav
	Objectives   []ObjectiveCard // in the order they are offered
	Sessions     []SessionCard   // those still open, newest first
	Finished     []SessionCard   // those completed last, newest first
	MoreOpen     bool            // there are more open ones than these
	MoreFinished bool
	Interviewer  string // "rules" or "model NAME"
	User         string // who is looking
	Talks        bool   // they may begin an interview
}

// ObjectiveCard is one objective to start an interview on.
type ObjectiveCard struct {
	ContextType string // posted as contextType
	Name        string
	Description string
	Topics      []string // what it asks about, in order
	Questions   int      // about how many are asked
}

// SessionCard is one interview, to go on with or to keep.
type SessionCard struct {
	ID        string
	Title     string
	Gist      string // what it is about, in the person's words; empty while nothing is known
	Next      string // what is asked now; empty for nothing
	By        string // who began it, when that is somebody else
	Phase     sessions.Phase
	Status    sessions.Status
	Progress  float64 // 0–1
	Known     int     // obligations satisfied
	Total     int
	UpdatedAt time.Time
	EndedAt   time.Time // zero while it is open
}

// InterviewsView is what [Interviews] shows: a page of one's sessions.
type InterviewsView struct {
	Nav      ui.Nav
	Status   sessions.Status // which are listed
	Sessions []SessionCard   // newest first
	Older    string          // cursor of the next page; empty for none
	Later    bool            // this is not the first page
}

// secondsAnswered is how long people take to read a question and to answer it.
const secondsAnswered = 42

// Minutes is about how long so many questions take, in steps of five.
func Minutes(questions int) int { return max(5, (questions*secondsAnswered+299)/300*5) }

// lengthWords says how many questions there are and how long they take.
func lengthWords(questions int) string {
	return fmt.Sprintf("About %s, %d minutes", ui.Many(questions, "question", "questions"), Minutes(questions))
}

// maxGist bounds the words an interview is told by, in characters.
const maxGist = 160

// Gist tells an interview from others of its objective: the most important thing
// somebody put into words, the first of several. Empty when nobody has.
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

// maxTopics bounds the topics a card lists.
const maxTopics = 5

// Topics names what templates ask about: their categories, each once.
func Topics(list []obligations.Template) []string {
	var out []string
	known := map[string]bool{}
	for _, t := range list {
		if t.Category != "" && !known[t.Category] && len(out) < maxTopics {
			out = append(out, t.Category)
		}
		known[t.Category] = true
	}
	return out
}

// interviewStatuses are the lists of interviews, in their order.
var interviewStatuses = []sessions.Status{sessions.Active, sessions.Completed}

// listName is what the list of sessions of a status is called.
func listName(s sessions.Status) string {
	if s == sessions.Completed {
		return "Finished"
	}
	return "Open"
}

// listPath is where sessions of a status are listed, after a cursor.
func listPath(s sessions.Status, cursor string) string {
	q := url.Values{"status": {string(s)}}
	if cursor != "" {
		q.Set("cursor", cursor)
	}
	return "/interviews?" + q.Encode()
}
