package talk

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/web/ui"
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
	Nav             ui.Nav
	ClientMessageID string // a fresh UUID for forms sent without JavaScript; empty leaves the field out
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
	w := ui.Phrases()
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

// phaseState is "done", "current" or "ahead", for the step p of a session in now.
func phaseState(p, now sessions.Phase) string {
	state := "done"
	for _, q := range ui.Phases {
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

// awayWords says how long ago d was.
func awayWords(d time.Duration) string {
	switch hours := int(d.Hours()); {
	case hours < 24:
		return ui.Many(max(hours, 1), "hour", "hours") + " ago"
	case hours < 24*60:
		return ui.Many(hours/24, "day", "days") + " ago"
	default:
		return ui.Many(hours/24/30, "month", "months") + " ago"
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

// statusWords says where o stands for whoever talks: of all that was asked and is
// open, one question is the one being asked.
func (v ChatView) statusWords(o *obligations.Obligation) string {
	if o.Status == obligations.InProgress && !v.closed() && !v.moot() && slices.Contains(v.Question.Keys(), o.Key) {
		return ui.Phrases().Asking
	}
	return ui.StatusWords(o)
}

// clashWords say that answers to o do not agree; empty when they do.
func (v ChatView) clashWords(o *obligations.Obligation) string {
	if v.Clashing[o.Key] {
		return ui.Phrases().Conflict
	}
	return ""
}
