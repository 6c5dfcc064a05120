package talk

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	"quaestor/web/ui"
)

// ChatView is what [Chat] and the parts of its page show: one session as it stands, for
// one reader.
type ChatView struct {
	Session         sessions.Session
	Title           string             // of the objective
	Description     string             // of the objective
	Messages        []sessions.Message // of the latest turns, oldest first
	Obligations     []obligations.Obligation
	Previous        map[string]json.RawMessage // by obligation key, the value before the present one; may be nil
	Conflicts       []obligations.Conflict     // the open ones, oldest first; nil when they were not read
	Away            time.Duration              // time since the last message when it is long enough to mention, else 0
	Refusal         Refusal                    // why a form of the page was refused; zero when none was
	Given           []sessions.TurnFile        // files, with the turns they were sent with
	Waiting         []sessions.File            // the reader's files that wait to be sent
	Research        []research.Task            // oldest first
	Reports         map[string]research.Report // by task id, of the latest tasks; may be nil
	Completeness    obligations.Completeness
	Question        *sessions.Question     // what is being asked; nil for nothing
	Interviewer     string                 // "rules" or "model NAME"
	LastSeq         int64                  // the last event that the page shows; while a turn runs, the last before that turn
	Turn            int                    // the running turn; 0 for none
	User            string                 // the reader
	Role            sessions.Role          // of the reader in this session
	People          []sessions.Participant // everybody who takes part except the owner
	Nav             ui.Nav
	SpeechLacks     string     // what the server does not do of that: lacksHearing, lacksVoice, or nothing
	Speech          bool       // the server speaks or hears the language of the session
	Aloud           chat.Aloud // how the session sounds
	English         bool       // the server speaks or hears, if only English
	ClientMessageID string     // a fresh UUID for forms sent without JavaScript; empty leaves the field out
}

// Refusal tells why a form of an interview's page was refused.
type Refusal struct {
	At     string // the key of the obligation or the id of the conflict that the form was about; empty for a message
	Detail string // the reason, a sentence; empty when nothing was refused
	Typed  string // what the person had written into the form
}

// refusalOf returns the refusal of the form that is about at; zero when that form was not
// refused.
func (v ChatView) refusalOf(at string) Refusal {
	if v.Refusal.At != at {
		return Refusal{}
	}
	return v.Refusal
}

// closed reports whether the session takes no more turns.
func (v ChatView) closed() bool { return v.Session.Status == sessions.Completed }

// talks reports whether the reader may answer.
func (v ChatView) talks() bool { return v.Role != sessions.ObserverRole }

// acts reports whether the reader may change answers, settle conflicts and ask for
// research now.
func (v ChatView) acts() bool { return v.talks() && !v.closed() }

// invites reports whether the reader may invite others.
func (v ChatView) invites() bool { return v.Role == sessions.OwnerRole && !v.closed() }

// config is what the page tells its scripts.
type config struct {
	SessionID string             `json:"sessionId"`
	After     int64              `json:"after"` // the events that follow are streamed
	Turn      int                `json:"turn"`
	User      string             `json:"user"`
	Reads     bool               `json:"reads,omitempty"` // the reader observes an open interview: there is no box, but the page is live
	Question  *sessions.Question `json:"question,omitempty"`
	Words     scriptWords        `json:"words"`
	Speech    *speechBody        `json:"speech,omitempty"`  // how the browser's own voice sounds; absent when the server hears and speaks
	Lacks     string             `json:"lacks,omitempty"`   // what the server does not do of speaking, and the browser may
	Worklet   string             `json:"worklet,omitempty"` // where the script of sound is; empty when the server has no speech
}

// scriptWords are phrases for what scripts show before the server has drawn it, by the
// value they stand for.
type scriptWords struct {
	End      map[sessions.StopReason]string `json:"end"`
	Research map[string]string              `json:"research"`
	You      string                         `json:"you"`
	Someone  string                         `json:"someone"`
	Said     map[string]string              `json:"said,omitempty"` // see [scriptSays]
}

// configOf returns the JSON of the page's data-page attribute.
func configOf(v ChatView) (string, error) {
	w := ui.Phrases()
	words := scriptWords{End: sayAll(v, w.End), Research: sayAll(v, w.Research), You: v.say(w.You), Someone: v.say(w.Someone), Said: scriptSays[v.Session.Language]}
	c := config{SessionID: v.Session.ID, After: v.LastSeq, Turn: v.Turn, User: v.User, Reads: !v.closed() && !v.talks(), Question: v.Question, Words: words}
	c.Lacks = v.SpeechLacks
	if v.Speech {
		c.Worklet = assets.Path("voiceworklet.js")
	}
	if !v.Speech || v.SpeechLacks != "" {
		sounds := speechBody(v.Aloud.In(v.Session.Language))
		c.Speech = &sounds
	}
	out, err := json.Marshal(c)
	return string(out), err
}

// knowable reports whether a source outside the conversation may know the answer to what
// is being asked, so that research can be offered.
func (v ChatView) knowable() bool {
	return slices.ContainsFunc(v.Question.Keys(), func(key string) bool {
		o := obligations.Find(v.Obligations, key)
		return o == nil || research.Researchable(o.Template)
	})
}

// awayWords words the time since the last message, in its largest unit. Less than an hour
// counts as one.
func (v ChatView) awayWords() string {
	ago := func(n int, one, many string) string {
		if n == 1 {
			return v.say(one)
		}
		return v.say(many, "{n}", ui.NumberIn(v.Session.Language, float64(n)))
	}
	switch hours := int(v.Away.Hours()); {
	case hours < 24:
		return ago(max(hours, 1), "1 hour ago", "{n} hours ago")
	case hours < 24*60: // up to two months: "45 days" tells more than "1 month"
		return ago(hours/24, "1 day ago", "{n} days ago")
	default:
		return ago(hours/24/30, "1 month ago", "{n} months ago")
	}
}

// latest returns the obligation whose evidence is of the latest turn; nil when no value
// is held. Of several from one turn it is the first.
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

// statusWords words the status of o for the person who talks. Several obligations may be
// in progress; only those of the present question are being asked.
func (v ChatView) statusWords(o *obligations.Obligation) string {
	if o.Status == obligations.InProgress && !v.closed() && !v.moot() && slices.Contains(v.Question.Keys(), o.Key) {
		return ui.Phrases().Asking
	}
	return ui.StatusWords(o)
}

// templateOf returns the template of the obligation key; an empty one for an obligation
// that the objective does not have any more.
func (v ChatView) templateOf(key string) *obligations.Template {
	return cmp.Or(obligations.TemplateOf(v.Obligations)(key), &obligations.Template{})
}
