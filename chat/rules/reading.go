package rules

import (
	"encoding/json"
	"strings"
	"time"

	"quaestor/chat"
	"quaestor/internal/language/messages"
	"quaestor/obligations"
)

// reading is what a reader makes of some words: a value, or why there is none.
type reading struct {
	value    json.RawMessage
	from, to int // words it was read from, to excluded
	hedged   bool
	vague    bool
	remedy   messages.Message // what would be right; not empty means the words were understood and cannot be taken
}

// found reports whether there is a value or a refusal.
func (r reading) found() bool { return r.value != nil || r.remedy.Key != "" }

// read reads words from to (excluded) as an answer to t. It returns a reading
// that is not found when the words say nothing t could hold.
func (u *utterance) read(t *obligations.Template, from, to int, now time.Time) reading {
	if to <= from {
		return reading{}
	}
	var r reading
	switch t.Widget {
	case obligations.Number:
		r = u.readNumber(t, from, to, now)
	case obligations.Date:
		r = u.readDate(t, from, to, now)
	case obligations.ChoiceOne:
		r = u.readChoice(t, from, to)
	case obligations.MultiSelect:
		r = u.readChoices(t, from, to)
	case obligations.Text:
		r = u.readText(t, from, to)
	}
	if r.value != nil && t.Check(r.value) != nil {
		r.value, r.remedy = nil, chat.RemedyOf(t)
	}
	return r
}

// encode writes v as JSON, without the escapes meant for HTML.
func encode(v any) json.RawMessage {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return nil
	}
	return json.RawMessage(strings.TrimRight(b.String(), "\n"))
}
