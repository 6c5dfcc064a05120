package ui

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
)

// ChatView is what [Chat] shows: one session as it stands.
type ChatView struct {
	Session         sessions.Session
	Title           string // of the objective
	Description     string
	Messages        []sessions.Message // of the latest turns, oldest first
	Obligations     []obligations.Obligation
	Previous        map[string]json.RawMessage // by obligation key, the value held before the present one; may be nil
	Clashing        map[string]bool            // keys of obligations whose answers do not agree, undecided so far; may be nil
	Conflicts       []obligations.Conflict     // those that are open, oldest first; nil when they were not read
	Away            time.Duration              // how long nothing was said, for somebody who comes back; 0 for who was here just now
	Refusal         *Refusal                   // a form of the page that was not taken; nil for none
	Given           []sessions.TurnFile        // files, with the turns they were given with
	Waiting         []sessions.File            // files of whoever looks that wait to be sent
	Research        []research.Task            // what was asked to be looked up, oldest first
	Reports         map[string]research.Report // what was found, by task id, of the latest tasks; may be nil
	Completeness    obligations.Completeness
	Question        *sessions.Question     // what is being asked; nil for nothing
	Interviewer     string                 // "rules" or "model NAME"
	LastSeq         int64                  // seq of the last event this page shows; while a turn runs, of the last before its first delta
	Turn            int                    // the running turn; 0 for none
	User            string                 // who is looking
	Role            sessions.Role          // what they may do here
	People          []sessions.Participant // who takes part beside the person who began it
	Nav             Nav
	ClientMessageID string // a fresh UUID for forms sent without JavaScript; empty leaves the field out
}

// ErrorView is what [ErrorPage] shows.
type ErrorView struct {
	Status    int    // HTTP status
	Title     string // what happened, in a few words
	Detail    string // what would be right; may be empty
	RequestID string // for the operator's log; may be empty
}

// closed reports whether the session takes no more turns.
func (v ChatView) closed() bool { return v.Session.Status == sessions.Completed }

// config is what the page's scripts are told.
type config struct {
	SessionID   string             `json:"sessionId"`
	ContextType string             `json:"contextType"`
	After       int64              `json:"after"`
	Turn        int                `json:"turn"`
	User        string             `json:"user"`
	Reads       bool               `json:"reads,omitempty"` // an observer of an open interview: it is watched, nothing is asked
	Question    *sessions.Question `json:"question,omitempty"`
	Words       scriptWords        `json:"words"`
}

// scriptWords are the phrases that scripts tell before the server has drawn anything,
// by the value they stand for.
type scriptWords struct {
	End      map[sessions.StopReason]string `json:"end"`
	Research map[string]string              `json:"research"`
	You      string                         `json:"you"`
	Someone  string                         `json:"someone"`
}

// configOf returns the page's data-page attribute, JSON.
func configOf(v ChatView) (string, error) {
	w := phrases()
	out, err := json.Marshal(config{SessionID: v.Session.ID, ContextType: v.Session.ContextType, After: v.LastSeq, Turn: v.Turn,
		User: v.User, Reads: !v.closed() && !v.talks(), Question: v.Question, Words: scriptWords{w.End, w.Research, w.You, w.Someone}})
	return string(out), err
}

// knowable reports whether some source outside may know what is being asked, so that
// it can be looked up.
func (v ChatView) knowable() bool {
	return slices.ContainsFunc(v.Question.Keys(), func(key string) bool {
		o := obligations.Find(v.Obligations, key)
		return o == nil || research.Researchable(o.Template)
	})
}

// phases are the steps of the progress panel, in order.
var phases = []sessions.Phase{sessions.Opening, sessions.Exploration, sessions.Validation, sessions.Closing}

// phaseName is the name of p for people.
func phaseName(p sessions.Phase) string {
	switch p {
	case sessions.Opening:
		return "Opening"
	case sessions.Exploration:
		return "Exploration"
	case sessions.Validation:
		return "Validation"
	case sessions.Closing:
		return "Closing"
	}
	return string(p)
}

// phaseState is "done", "current" or "ahead", for the step p of a session in now.
func phaseState(p, now sessions.Phase) string {
	state := "done"
	for _, q := range phases {
		if q == now {
			state = "current"
		}
		if q == p {
			return state
		}
		if q == now {
			state = "ahead"
		}
	}
	return state
}

// exportPath is where a session's result is had in a format: md, json or csv.
func exportPath(session, format string) string {
	return fmt.Sprintf("/api/v1/sessions/%s/export?format=%s", session, format)
}

// download is a way to have a session's result as a file.
type download struct{ Format, Name string }

// downloads returns those that need no room to explain, in the order offered. They are
// named as on the page of a brief.
func downloads() []download {
	return []download{{"md", "Markdown"}, {"csv", "CSV"}, {"json", "JSON"}}
}

// briefPath is the page that sums an interview up.
func briefPath(session string) string { return "/s/" + session + "/brief" }

// awayWords says how long ago d was.
func awayWords(d time.Duration) string {
	switch hours := int(d.Hours()); {
	case hours < 24:
		return many(max(hours, 1), "hour", "hours") + " ago"
	case hours < 24*60:
		return many(hours/24, "day", "days") + " ago"
	default:
		return many(hours/24/30, "month", "months") + " ago"
	}
}

// knownWords says how much is known.
func knownWords(c obligations.Completeness) string {
	return fmt.Sprintf("%d of %d points are known.", c.Satisfied, c.Total)
}

// latest returns the obligation whose value was noted last; nil for none.
func (v ChatView) latest() *obligations.Obligation {
	var last *obligations.Obligation
	at := 0
	for i := range v.Obligations {
		o := &v.Obligations[i]
		if n := len(o.Evidence); len(o.Value) > 0 && n > 0 && o.Evidence[n-1].Turn > at {
			last, at = o, o.Evidence[n-1].Turn
		}
	}
	return last
}

// when is a moment as people without JavaScript read it.
func when(at time.Time) string { return at.UTC().Format(momentLayout) }

// momentLayout is how moments are written.
const momentLayout = "2 Jan 2006, 15:04 UTC"
